/// \file
/// Which event kinds are recorded: one mask, tested first on the hot path.
///
/// Source: rustc's -Zself-profile-events (names, groups, the list of valid
///         names in the warning)
#pragma once

#include "runtime/format/EventKind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct EventFilter {
  uint64_t Mask = 0;

  bool contains(EventKind Kind) const {
    return Mask >> static_cast<unsigned>(Kind) & 1;
  }

  /// Everything but memoized hits as events of their own.
  static EventFilter defaults();
};

/// A bit per kind that the name means: of a kind, by either of its names, of a
/// group, or one of default, all, none. Nothing for any other name.
std::optional<uint64_t> eventKindMask(std::string_view Name);

struct EventFilterSpec {
  EventFilter Filter;
  std::vector<std::string> Unknown; ///< names that are none, in order
};

/// Parses `default,+memoization,-constraint`: `+name` or `name` adds, `-name`
/// removes, from left to right. The list starts from nothing when its first
/// name has no sign, from the default otherwise. Unknown names change nothing.
EventFilterSpec parseEventFilter(std::string_view Spec);

/// "default, all, none, …": every name the parser knows, groups first.
std::string validEventFilterNames();

} // namespace instantrace
