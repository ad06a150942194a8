/// \file
/// `instantrace recover`: traces from what killed compiles left.
///
/// Flow: files, folders -> Leftovers -> recoverTrace -> RecoveryTarget -> file
///       -> one line per leftover
#include "utils/cli/ColorOption.h"
#include "utils/cli/UnfinishedCompiles.h"
#include "utils/commands/Commands.h"
#include "utils/open/Leftovers.h"
#include "utils/recover/LeftoverRecovery.h"
#include "utils/recover/RecoveryTarget.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/Output.h"
#include "utils/render/Progress.h"
#include "utils/render/RecoveryLine.h"
#include "utils/render/TextTable.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

struct RecoverOptions {
  std::vector<std::string> Inputs;
  std::string Output;
  bool Removes = false;
  bool Forced = false;
  bool Json = false;
};

/// A link that was named stands for what it leads to: the trace goes there, and
/// that is removed.
RecoveryInput namedInput(const std::string &Path) {
  std::error_code Failed;
  fs::path Real = Path;
  if (fs::is_symlink(Path, Failed))
    Real = fs::canonical(Path, Failed);
  if (Failed)
    Real = Path;
  return {Real.string(), "", fs::is_symlink(Real, Failed)};
}

Result<std::vector<RecoveryInput>>
findInputs(const std::vector<std::string> &Paths) {
  std::vector<RecoveryInput> Inputs;
  for (const std::string &Path : Paths) {
    std::error_code Failed;
    if (!fs::is_directory(Path, Failed)) {
      Inputs.push_back(namedInput(Path));
      continue;
    }
    INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Below,
                           leftoversBelow(Path, printWarning));
    for (const std::string &Found : Below)
      Inputs.push_back({Found, Path});
  }
  return Inputs;
}

Result<int> runRecover(const RecoverOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(std::vector<RecoveryInput> Inputs,
                         findInputs(Opts.Inputs));
  bool IsSeveral = Inputs.size() > 1 || Opts.Inputs.size() > 1;
  std::error_code Failed;
  for (const std::string &Path : Opts.Inputs)
    IsSeveral = IsSeveral || fs::is_directory(Path, Failed);
  if (IsSeveral && !Opts.Output.empty() && Opts.Output.back() != '/' &&
      !fs::is_directory(Opts.Output, Failed))
    return usageError("--output " + Opts.Output +
                      ": found several traces to write, expected a folder: one "
                      "that exists, or a name that ends with /");
  if (Inputs.empty())
    return Error{
        Opts.Inputs.front() +
        ": nothing to recover: no hidden *.buffer or *.partial in this "
        "folder"};
  RecoveryTarget Target(Opts.Output, Opts.Forced);
  LeftoverRecovery Work(Target, Opts.Output, Opts.Removes);
  Progress Shown("recovering", Inputs.size(), ProgressUnit::Items);
  Output Out(stdout, &Shown);
  TextStyles Styles(standardOutputTerminal());
  std::vector<Error> Failures;
  std::vector<std::string> Recovered;
  for (size_t I = 0; I != Inputs.size(); ++I) {
    Shown.enter(Inputs[I].Path);
    Shown.at(I);
    RecoveryReport Report = Work.recover(Inputs[I]);
    if (Opts.Json) {
      appendRecoveryJson(Out.buffer(), Report);
      Out.lineDone();
    } else {
      for (const std::string &Problem : Report.Problems) {
        Shown.makeRoom();
        printWarning(Report.Input + ": " + Problem);
      }
      bool IsNews = Report.Outcome == RecoveryReport::Recovered;
      Out.append(IsNews ? "" : Styles.Dim);
      Out.append(recoveryLine(Report));
      Out.append(IsNews ? "" : Styles.Plain);
    }
    if (Report.Outcome == RecoveryReport::Recovered)
      Recovered.push_back(Report.Output);
    if (Report.Outcome == RecoveryReport::Failed)
      Failures.push_back({Report.Error});
  }
  Shown.makeRoom();
  printUnfinished(Recovered);
  return Out.finishAfter(std::move(Failures));
}

} // namespace

CommandRun instantrace::addRecover(CLI::App &App) {
  auto Opts = std::make_shared<RecoverOptions>();
  CLI::App *Command = App.add_subcommand(
      "recover",
      "Make traces from what killed or crashed compiles left behind.");
  Command
      ->add_option("leftover", Opts->Inputs,
                   "buffers or partial traces; a folder means all hidden "
                   "*.buffer below it, and *.partial without one, whose "
                   "compile has ended")
      ->required();
  CLI::Option *Output = Command->add_option(
      "-o,--output", Opts->Output,
      "the trace to write; a folder for several (default: beside each "
      "leftover)");
  Command
      ->add_flag("--force", Opts->Forced,
                 "replace the file of -o, whatever it is")
      ->needs(Output);
  Command->add_flag("--remove", Opts->Removes,
                    "remove the leftovers of what was recovered");
  Command->add_flag("--json", Opts->Json, "print one JSON object per leftover");
  addColorOption(*Command);
  Command->footer(
      R"(A compile records into two hidden files beside its trace, .a.itrace.buffer and
.a.itrace.partial, which stay behind when it is killed. recover joins them into
a.itrace and marks it as interrupted: intervals that were open stay open, and
the newest entities may have no name. Nothing is overwritten but an interrupted
trace of the same compile: a.recovered.itrace is written instead, and of a file
that -o names it is an error without --force. A link stands for the leftover
that it leads to. dump, summary and verify read leftovers without recovery, too.

Exit code 1 if any of them could not be recovered.

Examples:
  instantrace recover .a.itrace.buffer
  instantrace recover -o traces/ build/)");
  return [Opts] { return runRecover(*Opts); };
}
