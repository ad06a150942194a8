/// \file
/// `instantrace recover`: traces from what killed compiles left.
///
/// Flow: files, folders -> Leftovers -> recoverTrace -> RecoveryTarget -> file
///       -> one line per leftover
#include "utils/cli/ColorOption.h"
#include "utils/commands/Commands.h"
#include "utils/input/Leftovers.h"
#include "utils/input/RecoveryTarget.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/Output.h"
#include "utils/render/Progress.h"
#include "utils/render/RecoveryLine.h"
#include "utils/render/TextTable.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <sys/file.h>

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

struct RecoverInput {
  std::string Path;
  std::string Root; ///< the folder in which it was found; empty: it was named
  bool IsLink = false; ///< of /proc, to a file that has no other name
  bool isNamed() const { return Root.empty(); }
};

/// A link that was named stands for what it leads to: the trace goes there, and
/// that is removed.
RecoverInput namedInput(const std::string &Path) {
  std::error_code Failed;
  fs::path Real = Path;
  if (fs::is_symlink(Path, Failed))
    Real = fs::canonical(Path, Failed);
  if (Failed)
    Real = Path;
  return {Real.string(), "", fs::is_symlink(Real, Failed)};
}

Result<std::vector<RecoverInput>>
findInputs(const std::vector<std::string> &Paths) {
  std::vector<RecoverInput> Inputs;
  for (const std::string &Path : Paths) {
    std::error_code Failed;
    if (!fs::is_directory(Path, Failed)) {
      Inputs.push_back(namedInput(Path));
      continue;
    }
    Result<std::vector<std::string>> Below = leftoversBelow(Path);
    if (!Below)
      return Below.error();
    for (const std::string &Found : *Below)
      Inputs.push_back({Found, Path});
  }
  return Inputs;
}

class Recovering {
public:
  Recovering(const RecoverOptions &Opts, RecoveryTarget &Target)
      : Opts(Opts), Target(Target) {}

  RecoveryReport recover(const RecoverInput &Input) {
    RecoveryReport Report;
    Report.Input = Input.Path;
    Result<Leftover> L = openLeftover(Input.Path);
    // Found in a folder while its producer writes the header: not ours yet.
    if (!L && !Input.isNamed() && isHeldByProducer(Input.Path)) {
      Report.IsRunning = true;
      Report.Outcome = RecoveryReport::Skipped;
      return Report;
    }
    if (!L)
      return failed(std::move(Report), L.error());
    Result<FileDescriptor> Folder = openFolderOf(Input.Path, Input.Root);
    if (!Folder)
      return failed(std::move(Report), Folder.error());
    if (Result<void> Same =
            checkIsIn(*Folder, Input.Path,
                      L->BufferPath.empty() || Input.Path == L->PartialPath
                          ? L->PartialFile
                          : L->BufferFile,
                      Input.IsLink);
        !Same)
      return failed(std::move(Report), Same.error());
    // A compile that begins now and wants this name sees that it is taken and
    // leaves the leftover alone. The producer itself holds it until it ends.
    if (L->BufferFile && ::flock(L->BufferFile.get(), LOCK_SH | LOCK_NB) != 0)
      L->IsRunning = L->IsRunning || errno == EWOULDBLOCK;
    for (const FileDescriptor *Own : {&L->BufferFile, &L->PartialFile})
      if (*Own && isNameOf(*Own, Opts.Output, AT_FDCWD, 0))
        return failed(std::move(Report),
                      makeError("--output " + Opts.Output,
                                "the leftover itself", "another file"));
    Report.Pid = L->Buffer.Pid;
    Report.IsRunning = L->IsRunning;
    if (L->IsRunning && !Input.isNamed()) {
      Report.Outcome = RecoveryReport::Skipped;
      return Report;
    }
    if (L->isFinished()) {
      Report.Outcome = RecoveryReport::Finished;
      Report.Output = L->finalPath();
      remove(*Folder, *L, Report);
      return Report;
    }
    Result<RecoveredTrace> Trace = recoverLeftover(*L);
    if (!Trace)
      return failed(std::move(Report), Trace.error());
    if (!L->IsRunning)
      addInterruptedFooter(*Trace);
    Report.take(*Trace);
    Result<RecoveryTarget::Written> Written =
        Target.write(Trace->Bytes, *Folder, L->finalName());
    if (!Written)
      return failed(std::move(Report), Written.error());
    Report.Outcome = RecoveryReport::Recovered;
    Report.Output = Written->Path;
    Report.Kept = Written->Kept;
    remove(*Folder, *L, Report);
    return Report;
  }

private:
  static RecoveryReport failed(RecoveryReport Report, const Error &E) {
    Report.Outcome = RecoveryReport::Failed;
    Report.Error = E.Message;
    return Report;
  }

  void remove(const FileDescriptor &Folder, const Leftover &L,
              RecoveryReport &Report) {
    if (!Opts.Removes || L.IsRunning)
      return;
    remove(Folder, L.PartialPath, L.PartialFile, Report);
    remove(Folder, L.BufferPath, L.BufferFile, Report);
  }
  static void remove(const FileDescriptor &Folder, const std::string &Path,
                     const FileDescriptor &File, RecoveryReport &Report) {
    if (Path.empty())
      return;
    int Code = removeFile(Folder, Path, File);
    if (Code != 0)
      Report.Problems.push_back(
          "not removed: " + (Code == ESTALE ? "the name is that of a link, or "
                                              "of another file by now"
                                            : systemMessage(Code)));
  }

  const RecoverOptions &Opts;
  RecoveryTarget &Target;
};

Result<int> runRecover(const RecoverOptions &Opts) {
  Result<std::vector<RecoverInput>> Inputs = findInputs(Opts.Inputs);
  if (!Inputs)
    return Inputs.error();
  bool IsSeveral = Inputs->size() > 1 || Opts.Inputs.size() > 1;
  std::error_code Failed;
  for (const std::string &Path : Opts.Inputs)
    IsSeveral = IsSeveral || fs::is_directory(Path, Failed);
  if (IsSeveral && !Opts.Output.empty() && Opts.Output.back() != '/' &&
      !fs::is_directory(Opts.Output, Failed))
    return usageError("--output " + Opts.Output +
                      ": found several traces to write, expected a folder: one "
                      "that exists, or a name that ends with /");
  if (Inputs->empty())
    return Error{Opts.Inputs.front() +
                 ": nothing to recover: no hidden *.buffer in this folder"};
  RecoveryTarget Target(Opts.Output, Opts.Forced);
  Recovering Work(Opts, Target);
  Progress Shown("recovering", Inputs->size(), ProgressUnit::Items);
  Output Out(stdout, &Shown);
  TextStyles Styles(standardOutputTerminal());
  std::vector<Error> Failures;
  for (size_t I = 0; I != Inputs->size(); ++I) {
    Shown.enter((*Inputs)[I].Path);
    Shown.at(I);
    RecoveryReport Report = Work.recover((*Inputs)[I]);
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
    if (Report.Outcome == RecoveryReport::Failed)
      Failures.push_back({Report.Error});
  }
  Result<int> Written = Out.finish();
  if (!Written)
    Failures.push_back(Written.error());
  if (Failures.empty())
    return ExitSuccess;
  Error First = std::move(Failures.front());
  First.Others.assign(Failures.begin() + 1, Failures.end());
  return First;
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
                   "*.buffer below it whose compile has ended")
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
that -o names it is an error without --force. A link stands for the leftover that
it leads to. dump, summary and verify read leftovers without recovery, too.

Examples:
  instantrace recover .a.itrace.buffer
  instantrace recover --remove build/
  instantrace recover -o traces/ build/
Exit code 1 if any of them could not be recovered.)");
  return [Opts] { return runRecover(*Opts); };
}
