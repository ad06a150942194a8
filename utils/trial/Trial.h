/// \file
/// Tries a suggestion: compiles units without and with it, in turn, in a
/// scratch folder, and compares their CPU time.
///
/// Flow:   Suggestion, RecordedCompile -> [TrialRun] -> TrialResult
/// Owns:   the scratch folder, below TMPDIR, which goes with the object
/// Errors: those of the machine, such as a full disk, or "interrupted". That a
///         suggestion cannot be tried, or does not build, is a result
///
/// The saving of the build is that of the units which were tried, in the time
/// that was recorded of all units which the suggestion changes. Its margin is
/// half of the range of the rounds and, of a sample, two standard errors of the
/// sum.
///
/// What paid is linked, where the build has commands for that: all objects that
/// the suggestion changes are compiled with it, and the others are taken from
/// the folder of the build.
#pragma once

#include "utils/analysis/advice/Advice.h"
#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/session/SessionFolder.h"
#include "utils/trial/EditedSources.h"
#include "utils/trial/LinkCommand.h"
#include "utils/trial/ScratchCommand.h"
#include "utils/trial/TrialProcess.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace instantrace {

class TrialRun {
public:
  static constexpr size_t MostUnits = 6;
  static constexpr uint64_t Rounds = 3;
  static constexpr size_t MostLinks = 4, MostLinkUnits = 64;

  /// Both must outlive it.
  static Result<TrialRun> make(TrialProcess &Process,
                               const std::vector<RecordedCompile> &Compiles);

  Result<TrialResult> run(const Suggestion &S);

  /// Before each compile, with its source.
  std::function<void(const std::string &Source)> OnCompile;
  /// Before a program is run for the first time.
  std::function<void(const std::string &Program)> OnProgram;

private:
  /// One that is tried.
  struct Unit {
    ScratchCommand Command;
    uint64_t RecordedNs = 0;
    uint64_t BeforeNs = 0, AfterNs = 0; ///< of all rounds
    uint64_t Warnings = 0, NewWarnings = 0;
  };
  struct Compiled {
    ProcessEnd End;
    uint64_t Warnings = 0;
    std::string FirstError;
  };
  /// What a round took, in all units.
  struct Round {
    uint64_t BeforeNs = 0, AfterNs = 0, MakingNs = 0;
  };

  TrialRun(TrialProcess &Process, const std::vector<RecordedCompile> &Compiles,
           PrivateFolder Scratch)
      : Process(Process), Compiles(Compiles), Scratch(std::move(Scratch)) {}

  std::vector<Unit> sample(const std::vector<size_t> &Numbers,
                           std::string &WhyFewer) const;
  Result<Compiled> compile(const std::vector<std::string> &Words,
                           const std::string &WorkingDirectory,
                           const std::string &Shown,
                           const ProcessLimits &Limits = {});
  /// Adds to what Clang gets with the suggestion.
  Result<void> applyEdits(const TrialChange &Change,
                          std::vector<std::string> &Added);
  Result<Compiled> precompile(const TrialChange &Change, const Unit &First);
  /// What links those of \p Objects that are made in \p Folder.
  Result<std::vector<LinkCommand>>
  linkCommands(const std::string &Folder, const std::set<std::string> &Objects);
  /// Compiles what the change has for \p Link, and links; the first failure.
  Result<Compiled> buildProgram(const LinkCommand &Link,
                                const std::map<std::string, size_t> &ByObject,
                                bool IsTried);
  Result<void> link(const TrialChange &Change, TrialResult &Found);
  Result<void> runRound(const TrialChange &Change, std::vector<Unit> &Units,
                        bool IsFirst, Round &Into, TrialResult &Found);

  TrialProcess &Process;
  const std::vector<RecordedCompile> &Compiles;
  PrivateFolder Scratch;
  std::set<std::string> Programs; ///< that were run
  std::vector<std::string> Added; ///< words for the suggestion at hand
};

} // namespace instantrace
