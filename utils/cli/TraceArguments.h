/// \file
/// The traces that a command is about: the argument, and reading them.
///
/// Flow: command line -> [TraceArguments] -> TraceInputs -> Trace
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/names/NameGroups.h"
#include "utils/analysis/view/ObservedWork.h"
#include "utils/cli/InputProgress.h"
#include "utils/open/EachTrace.h"
#include "utils/open/TimeTraceReader.h"
#include "utils/open/TraceInputs.h"
#include "utils/open/TraceStreams.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
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
Result<Trace> readTraceArguments(const std::vector<std::string> &Paths);

/// What readTraceArguments() says of all traces, when each was read by itself.
class TraceNotes {
public:
  void add(const Trace &T, const ObservedWork &Work);
  void add(TraceNotes More);
  /// Prints them.
  void print() const;

  uint64_t sequences() const { return Sequences; }
  bool isIncomplete() const { return !Losses.empty(); }
  /// Traces of compiles that did not finish: those that were ended first, those
  /// that failed by an error last.
  std::vector<std::string> unfinished() const;
  /// That times are of, in one trace at least.
  EventClock clock() const {
    return HasWallTime ? EventClock::Wall : EventClock::Processor;
  }
  /// What follows from how the compiles were observed; empty: nothing.
  std::string hookNote() const;

private:
  std::vector<std::string> Losses;
  /// Whether it failed by an error, and the trace.
  std::set<std::pair<bool, std::string>> Unfinished;
  ObservedWork Observed;
  TimeTraceCount TimeTraces;
  uint64_t OnTheWall = 0;       ///< compiles whose times are
  bool HasWallTime = false;     ///< asked for, or there is no other
  std::string WorkingDirectory; ///< of the first compile
  uint64_t Sequences = 0;
};

/// A trace whose events go to a sink.
class NotedStream : public StreamedTrace {
public:
  /// finish() adds to it, while there are still tables.
  TraceNotes Notes;
};

/// Reads \p Files, which findTraces() gives: \p Open makes a NotedStream for
/// each, \p Use gets it in the order of the files, and then what
/// readTraceArguments() prints is printed. \p AreFailuresTold: a file that
/// cannot be read is said to be damaged, and the others are used; so is one
/// that is not in \p Named (EachTrace::Named).
template <class OpenTrace, class UseTrace>
Result<TraceNotes>
streamEachTrace(const std::vector<std::string> &Files, const OpenTrace &Open,
                const UseTrace &Use, bool AreFailuresTold = false,
                const std::vector<std::string> *Named = nullptr,
                InputRounds *Rounds = nullptr) {
  TraceNotes Notes;
  {
    InputProgress Seen; // its line is gone before the notes come
    INSTANTRACE_TRY(
        forEachStreamed(EachTrace{Files, Seen, AreFailuresTold, Named, Rounds},
                        Open, [&](auto &One) -> Result<void> {
                          Notes.add(std::move(One.Notes));
                          return Use(One);
                        }));
  }
  Notes.print();
  return Notes;
}

/// A round over the tables of traces alone. \p Use gets the path of each, and
/// what \p Make makes of it.
template <class Part, class MakePart, class UsePart>
Result<void> readNames(const std::vector<std::string> &Files,
                       const std::vector<std::string> *Named,
                       InputRounds &Rounds, InputObserver &Seen,
                       const MakePart &Make, const UsePart &Use) {
  class Tables final : public StreamedTrace {
  public:
    explicit Tables(const MakePart &Make) : Make(Make) {}
    TraceSink &events() override { return None; }
    void finish() override {
      Made.emplace(Make(T));
      T = {};
    }
    std::optional<Part> Made;

  private:
    const MakePart &Make;
    NoEvents None;
  };
  return forEachStreamed(
      EachTrace{Files, Seen, false, Named, &Rounds},
      [&Make] { return std::make_unique<Tables>(Make); },
      [&Use](Tables &Read) -> Result<void> {
        Use(Read.Path, std::move(*Read.Made));
        return {};
      });
}

/// Likewise what is a class. Of one file, that is learned when it is read:
/// none. What cannot be read is told in the next round.
std::optional<LearnedScopes> scopesOfAll(const std::vector<std::string> &Files,
                                         const std::vector<std::string> &Named,
                                         InputRounds &Rounds, bool AreNeeded);

/// Of two builds that were read from there; an error when nothing of one is in
/// the other, a warning when they were recorded by different hooks.
Result<CompileMatch>
matchBuilds(const Trace &Old, const std::string &OldPath, const Trace &New,
            const std::string &NewPath,
            const std::vector<CompileSketch> &OldSketches = {},
            const std::vector<CompileSketch> &NewSketches = {});

} // namespace instantrace
