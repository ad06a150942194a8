/// \file
/// `instantrace merge`: one file of several traces, or one session of several.
///
/// Flow: files, folders -> TraceInputs -> TraceMerger -> file
///       sessions -> mergeSessions -> session
#include "runtime/base/PrintableText.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/InputProgress.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/export/TraceCompaction.h"
#include "utils/export/TraceParts.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/session/SessionMerging.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <functional>
#include <memory>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

struct MergeOptions {
  std::vector<std::string> Inputs;
  std::string Into;
};

/// One trace after the other, so that there is memory for one.
Result<void>
mergeAll(const std::vector<std::string> &Files, InputProgress &Seen,
         TraceMerger &Merger,
         const std::function<Result<void>(std::string_view)> &Use) {
  Seen.begin(totalBytes(Files));
  uint64_t Before = 0;
  for (const std::string &Path : Files) {
    Seen.enter(inputName(Path));
    Seen.at(Before);
    Before += totalBytes({Path});
    INSTANTRACE_TRY_ASSIGN(std::string Read, readBytes(Path, &Seen));
    std::string Bytes;
    INSTANTRACE_TRY_ASSIGN(TraceDamage Added,
                           Merger.add(Read, inputName(Path), Bytes));
    if (Added)
      Seen.damaged(*Added);
    INSTANTRACE_TRY(Use(Bytes));
  }
  return {};
}

Result<int> runMergeSessions(const MergeOptions &Opts) {
  InputProgress Seen("merging");
  INSTANTRACE_TRY_ASSIGN(MergedSession Done,
                         mergeSessions(Opts.Inputs, Opts.Into, Seen));
  Seen.end();
  warnOfOutputBelow(Opts.Inputs, Opts.Into);
  Output Out(stdout);
  Out.append(printableText(Opts.Into) + ": " + counted(Done.Traces, "trace") +
             " of " + counted(Done.Sessions, "session") + ", " +
             sizeText(Done.Bytes) + "\n");
  return Out.finish();
}

/// What has been merged before is in the folder of the traces, too.
Result<void> checkIsNoInput(const std::string &Into,
                            const std::vector<std::string> &Files) {
  for (const std::string &Path : Files) {
    std::error_code Failed;
    if (Path != "-" && fs::equivalent(Path, Into, Failed))
      return makeError(Into, "one of the traces to merge",
                       "a file that is none of them");
  }
  return {};
}

Result<int> runMerge(const MergeOptions &Opts) {
  if (Opts.Into.empty())
    return usageError(makeError({}, "--output without a name", "one"));
  if (Opts.Into != "-" && !hasTraceName(Opts.Into))
    return runMergeSessions(Opts);
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs, NamedTwice::CountOnce,
                                            nullptr, LinksInFolders::LeaveOut));
  INSTANTRACE_TRY(checkIsNoInput(Opts.Into, Files));
  InputProgress Seen("merging");
  TraceMerger Merger;
  if (Opts.Into == "-") {
    Output Out(stdout, Seen.shown());
    Result<void> Merged =
        mergeAll(Files, Seen, Merger, [&](std::string_view Packets) {
          Out.append(Packets);
          return Result<void>();
        });
    return Merged ? Out.finish() : Merged.error();
  }
  NewTrace Into(Opts.Into);
  Result<void> Merged =
      mergeAll(Files, Seen, Merger,
               [&](std::string_view Packets) { return Into.append(Packets); });
  if (!Merged)
    return Merged.error();
  INSTANTRACE_TRY_ASSIGN(uint64_t Written, Into.commit());
  Seen.end();
  warnOfOutputBelow(Opts.Inputs, Opts.Into);
  Output Out(stdout);
  Out.append(printableText(Opts.Into) + ": " +
             counted(Merger.compiles(), "compile") + " of " +
             counted(Files.size(), "trace") + ", " + sizeText(Written) + "\n");
  return Out.finish();
}

} // namespace

CommandRun instantrace::addMerge(CLI::App &App) {
  auto Opts = std::make_shared<MergeOptions>();
  CLI::App *Command = App.add_subcommand(
      "merge",
      "Put several traces into one file, or several sessions into one.");
  addTraceArguments(*Command, Opts->Inputs);
  Command
      ->add_option(
          "-o,--output", Opts->Into,
          "the file, x.itrace, or x.itrace.zst, which is compressed; - "
          "is the standard output; another name is that of a session")
      ->required();
  addColorOption(*Command);
  Command->footer(
      R"(The file is a trace of all compiles: every command says of it what it says of
the traces. Nothing is lost but the names of the files; split is the way back.
A damaged trace is taken up to the damage, with a warning.

Sessions become one with all traces, copied as they are. Its session.json has
the sums of times, counts and problems, all units, and under `sessions` what
each of them says of itself. The folder must be new or empty.

Examples:
  instantrace merge -o build.itrace.zst session/
  instantrace merge -o both.itrace a.itrace b.itrace
  instantrace merge -o all libraries/ programs/   # two sessions of one build)");
  return [Opts] { return runMerge(*Opts); };
}
