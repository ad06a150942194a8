/// \file
/// Which events a command shows: by kind and by a pattern for the name.
///
/// Errors: an unknown kind, a pattern that is no regular expression
#ifndef INSTANTRACE_UTILS_ANALYSIS_EVENTSELECTION_H
#define INSTANTRACE_UTILS_ANALYSIS_EVENTSELECTION_H

#include "runtime/trace/Result.h"
#include "runtime/trace/Trace.h"

#include <bitset>
#include <memory>
#include <string>
#include <vector>

namespace instantrace {

class EventSelection {
public:
  /// Kinds: names as dump prints them or as the plugin's `events` option has
  /// them; none means all. Pattern: POSIX extended, empty means all; unlike
  /// std::regex, matching takes no stack in proportion to the name.
  static Result<EventSelection> make(const std::vector<std::string> &Kinds,
                                     const std::string &Pattern,
                                     bool WithPhases);

  /// Forgets the matches of the sequence before.
  void enterSequence(const Sequence &S);
  /// Requires: S is the sequence that was entered.
  bool contains(const Sequence &S, EventKind Kind, EntityId Entity);

private:
  struct CompiledPattern;
  bool matches(const Sequence &S, EntityId Entity) const;

  std::bitset<256> Kinds;
  std::shared_ptr<CompiledPattern> Pattern; // null: all match
  enum class Match : char { Unknown, No, Yes };
  std::vector<Match> Matches; // by entity id
};

} // namespace instantrace

#endif
