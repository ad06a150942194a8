/// \file
/// `instantrace verify`: every invariant of the format.
///
/// Flow: TraceInputs -> TraceReader -> all TraceInput::Issues -> text
#include "runtime/trace/TraceReader.h"
#include "utils/commands/Commands.h"
#include "utils/input/TraceInputs.h"
#include "utils/render/Output.h"

#include <memory>

using namespace instantrace;

namespace {

struct VerifyOptions {
  std::vector<std::string> Inputs;
};

/// Appends the verdict on the one file in T; true if it is good.
bool appendVerdict(const Trace &T, Output &Out) {
  const TraceInput &File = T.Files.front();
  for (const TraceIssue &Issue : File.Issues) {
    appendPrintable(Out.buffer(), Issue.message(File.Name));
    Out.append("\n");
  }
  if (File.IssuesNotKept)
    Out.append(File.Name + ": " + std::to_string(File.IssuesNotKept) +
               " more violations\n");
  if (!File.Issues.empty())
    return false;
  uint64_t Events = 0, Names = 0;
  bool Complete = true;
  for (const Sequence &S : T.Sequences) {
    Events += S.EventCount;
    Names += S.Names.size();
    Complete = Complete && S.Footer;
  }
  Out.append(File.Name + ": ok, " + std::to_string(File.PacketCount) +
             " packets, " + std::to_string(Events) + " events, " +
             std::to_string(Names) + " names" +
             (Complete ? "\n" : ", incomplete: no footer\n"));
  return true;
}

Result<int> runVerify(const VerifyOptions &Opts) {
  Result<std::vector<std::string>> Files = findTraces(Opts.Inputs);
  if (!Files)
    return Files.error();
  Output Out(stdout);
  bool AllGood = true;
  for (const std::string &Path : *Files) {
    Result<std::string> Bytes = readBytes(Path);
    if (!Bytes)
      return Bytes.error();
    Trace T;
    readTrace(*Bytes, inputName(Path), T);
    AllGood &= appendVerdict(T, Out);
  }
  Result<int> Written = Out.finish();
  if (!Written)
    return Written.error();
  return AllGood ? ExitSuccess : ExitBadInput;
}

} // namespace

CommandRun instantrace::addVerify(CLI::App &App) {
  auto Opts = std::make_shared<VerifyOptions>();
  CLI::App *Command = App.add_subcommand(
      "verify", "Check traces against every rule of the format.");
  Command
      ->add_option("trace", Opts->Inputs,
                   "traces; a folder means all *.itrace below it; - is the "
                   "standard input")
      ->required();
  Command->footer(
      "Prints one line per file, or one line per violation: the packet, the\n"
      "rule, what was found and what was expected. A trace without a footer\n"
      "(of a compile that was killed) breaks no rule and is called "
      "incomplete.\n"
      "Exit code 1 if there is any violation.");
  return [Opts] { return runVerify(*Opts); };
}
