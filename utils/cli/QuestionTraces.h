/// \file
/// The traces of one question, read in as many rounds as it needs.
///
/// Flow:   command line -> [QuestionTraces] -> streamEachTrace -> parts
/// Errors: as findTraceArguments() and streamEachTrace() have them
#pragma once

#include "utils/cli/TraceArguments.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

class QuestionTraces {
public:
  /// It must outlive the object.
  explicit QuestionTraces(const std::vector<std::string> &Named)
      : Named(Named) {}

  /// First, once. With \p AreAllNeeded, names of all traces are read before
  /// events, to learn what is a class.
  Result<void> find(bool AreAllNeeded) {
    INSTANTRACE_TRY_ASSIGN(Files, findTraceArguments(Named));
    Learned = scopesOfAll(Files, Named, Rounds, AreAllNeeded);
    return {};
  }
  /// The same as \p Filter needs it, which gets what is learned. The object
  /// must outlive its use.
  Result<void> find(TraceFilter &Filter) {
    INSTANTRACE_TRY(find(Filter.needsAllNames()));
    Filter.setScopes(scopes());
    return {};
  }
  /// Null: nothing was learned.
  const LearnedScopes *scopes() const { return Learned ? &*Learned : nullptr; }

  /// streamEachTrace() of all. What of a folder cannot be read is said, and the
  /// others are used.
  template <class OpenTrace, class UseTrace>
  Result<TraceNotes> stream(const OpenTrace &Open, const UseTrace &Use) {
    return streamEachTrace(Files, Open, Use, /*AreFailuresTold=*/false, &Named,
                           &Rounds);
  }

private:
  const std::vector<std::string> &Named;
  std::vector<std::string> Files;
  InputRounds Rounds;
  std::optional<LearnedScopes> Learned;
};

} // namespace instantrace
