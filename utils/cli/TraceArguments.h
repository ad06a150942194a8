/// \file
/// The traces that a command is about: the argument, and reading them.
///
/// Flow: command line -> [TraceArguments] -> TraceInputs -> Trace
#ifndef INSTANTRACE_UTILS_CLI_TRACEARGUMENTS_H
#define INSTANTRACE_UTILS_CLI_TRACEARGUMENTS_H

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/names/NameGroups.h"
#include "utils/analysis/view/ObservedWork.h"
#include "utils/cli/InputProgress.h"
#include "utils/input/EachTrace.h"
#include "utils/input/TimeTraceReader.h"
#include "utils/input/TraceInputs.h"
#include "utils/input/TraceStreams.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// \p Paths must live until the command has run.
CLI::Option *addTraceArguments(CLI::App &Command,
                               std::vector<std::string> &Paths);

/// The files of what the command line names, with a warning of compiles that
/// have left something else, and a note of what sessions lack, which is
/// \p Lacks.
Result<std::vector<std::string>>
findTraceArguments(const std::vector<std::string> &Paths,
                   NamedTwice Twice = NamedTwice::CountOnce,
                   SessionLacks *Lacks = nullptr,
                   LinksInFolders Links = LinksInFolders::Follow);

/// Warns where \p Into, which gets the same compiles once more, is below a
/// folder of \p Paths: they count twice when that is asked.
void warnOfOutputBelow(const std::vector<std::string> &Paths,
                       const std::string &Into);

/// What becomes of a file of a folder that cannot be read: the others are used,
/// or, where the answer decides whether something fails, there is none.
enum class Unreadable { IsTold, IsError };

/// Reads all, warns about everything that is missing from them, and notes what
/// follows from the hook that they were recorded by.
Result<Trace> readTraceArguments(const std::vector<std::string> &Paths,
                                 Unreadable InFolder = Unreadable::IsTold);
/// The same of \p Files, which findTraceArguments() has found of \p Paths.
Result<Trace> readFoundArguments(const std::vector<std::string> &Files,
                                 const std::vector<std::string> &Paths);

/// What readTraceArguments() says of all traces, when each was read by itself.
class TraceNotes {
public:
  void add(const Trace &T, const ObservedWork &Work);
  void add(TraceNotes More);
  /// Prints them.
  void print() const;

  uint64_t sequences() const { return Sequences; }
  bool isIncomplete() const { return !Losses.empty(); }

private:
  std::vector<std::string> Losses;
  ObservedWork Observed;
  TimeTraceCount TimeTraces;
  uint64_t Sequences = 0;
};

/// Reads \p Files, which findTraces() gives, hands on what \p Make makes of
/// each, and then prints what readTraceArguments() prints (forEachPart).
/// \p AreFailuresTold: a file that cannot be read is said to be damaged, and
/// the others are used; so is one that is not in \p Named (EachTrace::Named).
/// \p AtInput is EachTrace::AtInput.
template <class Part, class MakePart, class UsePart>
Result<TraceNotes>
readEachTrace(const std::vector<std::string> &Files, const MakePart &Make,
              const UsePart &Use, bool AreFailuresTold = false,
              const std::vector<std::string> *Named = nullptr,
              std::function<void(const InputIdentity &Of)> AtInput = {}) {
  using Noted = std::pair<TraceNotes, Part>;
  TraceNotes Notes;
  {
    InputProgress Seen; // its line is gone before the notes come
    Result<void> Read = forEachPart<Noted>(
        EachTrace{Files, Seen, AreFailuresTold, std::move(AtInput), Named},
        [&](Trace &&T) {
          TraceNotes Of;
          Of.add(T, observedWork(T));
          return Noted(std::move(Of), Make(std::move(T)));
        },
        [&](Noted One) -> Result<void> {
          Notes.add(std::move(One.first));
          return Use(std::move(One.second));
        });
    if (!Read)
      return Read.error();
  }
  Notes.print();
  return Notes;
}

/// A trace whose events go to a sink.
class NotedStream : public StreamedTrace {
public:
  /// finish() adds to it, while there are still tables.
  TraceNotes Notes;
};

/// As readEachTrace(), without a model of any trace: \p Open makes a
/// NotedStream for each.
template <class OpenTrace, class UseTrace>
Result<TraceNotes>
streamEachTrace(const std::vector<std::string> &Files, const OpenTrace &Open,
                const UseTrace &Use, bool AreFailuresTold = false,
                const std::vector<std::string> *Named = nullptr) {
  TraceNotes Notes;
  {
    InputProgress Seen; // its line is gone before the notes come
    Result<void> Read =
        forEachStreamed(EachTrace{Files, Seen, AreFailuresTold, {}, Named},
                        Open, [&](auto &One) -> Result<void> {
                          Notes.add(std::move(One.Notes));
                          return Use(One);
                        });
    if (!Read)
      return Read.error();
  }
  Notes.print();
  return Notes;
}

/// Reads traces a second time that readEachTrace() has read: \p Before has what
/// each was then. An error if one is not the same, which \p Make may say, too,
/// by making nothing.
template <class Part, class MakePart, class UsePart>
Result<void> readEachAgain(const std::vector<std::string> &Files,
                           const std::vector<InputIdentity> &Before,
                           const MakePart &Make, const UsePart &Use) {
  constexpr const char *Changed = "changed while it was read";
  ProgressAlone Seen;
  InputIdentity Now;
  size_t Next = 0;
  bool IsChange = false;
  Result<void> Read = forEachPart<std::optional<Part>>(
      EachTrace{Files, Seen, false,
                [&Now](const InputIdentity &Of) { Now = Of; }},
      Make, [&](std::optional<Part> Of) -> Result<void> {
        IsChange = !Of || Now.SizeBytes != Before[Next].SizeBytes ||
                   Now.Hash != Before[Next].Hash;
        if (IsChange)
          return Error{Files[Next] + ": " + Changed};
        ++Next;
        return Use(std::move(*Of));
      });
  if (Read || IsChange)
    return Read;
  return Error{Read.error().Message + "; it " + Changed};
}

/// Reads them likewise, and prints nothing: they are read again, and what
/// cannot be read is told then.
void learnScopes(const std::vector<std::string> &Files,
                 const std::vector<std::string> &Named, LearnedScopes &Into);

/// The same where \p Level needs it, which of one file is learned when it is
/// read: nothing otherwise. Fails when a file cannot be read twice.
Result<std::optional<LearnedScopes>>
scopesOfAll(const std::vector<std::string> &Files,
            const std::vector<std::string> &Named, EntityLevel Level);

/// What \p Filter compares names by from now on, if that needs all traces; it
/// must outlive the filter and its copies. Fails as scopesOfAll() does.
Result<std::unique_ptr<LearnedScopes>>
learnScopesOf(TraceFilter &Filter, const std::vector<std::string> &Files,
              const std::vector<std::string> &Named);

/// Of two builds that were read from there; an error when nothing of one is in
/// the other, a warning when they were recorded by different hooks.
Result<CompileMatch>
matchBuilds(const Trace &Old, const std::string &OldPath, const Trace &New,
            const std::string &NewPath,
            const std::vector<CompileSketch> &OldSketches = {},
            const std::vector<CompileSketch> &NewSketches = {});

} // namespace instantrace

#endif
