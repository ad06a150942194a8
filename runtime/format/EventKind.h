/// \file
/// The event vocabulary: stable numbers, names and groups of event kinds.
///
/// Flow:   plugin/ maps Clang's kinds onto these; the trace and the tool know
///         no others
/// Source: EventKinds.def (the table), rustc's self-profiler (filter names)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace instantrace {

/// 0 is no kind. Numbers are part of the file format.
enum class EventKind : uint8_t {
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group) Name = Number,
#include "runtime/format/EventKinds.def"
};

/// One past the largest number; masks over kinds fit in a uint64_t.
inline constexpr unsigned EventKindLimit = [] {
  unsigned Limit = 0;
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  Limit = Number < Limit ? Limit : Number + 1;
#include "runtime/format/EventKinds.def"
  return Limit;
}();
static_assert(EventKindLimit <= 64, "EventFilter is one 64-bit mask");

enum class EventGroup : uint8_t {
  Instantiation,
  Substitution,
  DefaultArgument,
  ExceptionSpec,
  Constraint,
  Synthesis,
  Memoization,
  Phase,
  File,
  Line,
  Backend,
};

constexpr bool isEventKind(uint64_t Number) {
  switch (Number) {
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group) case Number:
#include "runtime/format/EventKinds.def"
    return true;
  default:
    return false;
  }
}

/// Name as in the trace's text, equal to Clang's enumerator where there is one.
constexpr std::string_view eventKindName(EventKind Kind) {
  switch (Kind) {
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  case EventKind::Name:                                                        \
    return #Name;
#include "runtime/format/EventKinds.def"
  }
  return "UnknownKind";
}

constexpr EventGroup eventGroup(EventKind Kind) {
  switch (Kind) {
#define INSTANTRACE_EVENT_KIND(Name, Number, FilterName, Group)                \
  case EventKind::Name:                                                        \
    return EventGroup::Group;
#include "runtime/format/EventKinds.def"
  }
  return EventGroup::Synthesis;
}

/// True for what the parser did for a line outside template work. How often it
/// took long enough for a record differs from run to run.
constexpr bool isLineWork(EventKind Kind) {
  return eventGroup(Kind) == EventGroup::Line;
}

/// True for what Clang does for templates, false for phases, files, lines, and
/// what LLVM does for functions.
constexpr bool isTemplateWork(EventKind Kind) {
  constexpr uint64_t Others = [] { // asked for at each event
    uint64_t Mask = 0;
    for (unsigned Number = 0; Number != EventKindLimit; ++Number) {
      EventGroup Group = eventGroup(static_cast<EventKind>(Number));
      if (Group == EventGroup::Phase || Group == EventGroup::File ||
          Group == EventGroup::Line || Group == EventGroup::Backend)
        Mask |= uint64_t(1) << Number;
    }
    return Mask;
  }();
  auto Number = static_cast<unsigned>(Kind);
  return Number >= EventKindLimit || (Others >> Number & 1) == 0;
}

} // namespace instantrace
