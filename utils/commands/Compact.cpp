/// \file
/// `instantrace compact`: traces as zstd frames, and back.
///
/// Flow: files, folders -> TraceInputs -> TraceCompaction -> a line for each
#include "utils/cli/ColorOption.h"
#include "utils/cli/InputProgress.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/export/TraceCompaction.h"
#include "utils/open/CompressedTrace.h"
#include "utils/open/Leftovers.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/render/Progress.h"
#include "utils/session/RecordedSession.h"

#include "runtime/base/PrintableText.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <unordered_map>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

struct CompactOptions {
  std::vector<std::string> Inputs;
  int Level = CompressionLevel::Default;
  bool Keeps = false;
  bool Json = false;
};

void appendJson(std::string &Out, const CompactedFile &Done) {
  JsonAnswer Object(Out);
  Object.text("input", Done.Path);
  Object.text("output", Done.NewPath);
  Object.number("bytes_before", Done.BytesBefore);
  Object.number("bytes_after", Done.BytesAfter);
}

std::string sizesText(uint64_t Before, uint64_t After) {
  return sizeText(Before) + " to " + sizeText(After) + " (" +
         percentText(After, Before) + " %)";
}

/// What a session lacks is said in answers, of which this is none.
class FindingProgress final : public InputProgress {
public:
  void session(const std::string &) override {}
};

Result<int> runCompact(const CompactOptions &Opts) {
  FindingProgress Seen;
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraces(Opts.Inputs, &Seen));
  // What `recover` or a running compile still needs.
  std::erase_if(Files, isHiddenLeftover);
  Compaction How;
  How.Level = Opts.Level;
  How.Keeps = Opts.Keeps;
  Progress Shown("compacting", Files.size(), ProgressUnit::Items);
  Output Out(stdout, &Shown);
  std::vector<Error> Failures;
  uint64_t Before = 0, After = 0, Count = 0;
  std::unordered_map<std::string, bool> Running; // by folder
  for (size_t I = 0; I != Files.size(); ++I) {
    const std::string &Path = Files[I];
    Shown.enter(Path);
    Shown.at(I);
    // Its `record` is going to look for what it has there.
    std::string Folder = fs::path(Path).parent_path().string();
    if (Folder.empty())
      Folder = ".";
    auto [Entry, IsFirst] = Running.try_emplace(Folder);
    if (IsFirst) {
      Entry->second = isBeingRecorded(Folder);
      if (Entry->second)
        Failures.push_back(makeError(Folder, "a session whose build runs",
                                     "one that has ended"));
    }
    if (Entry->second)
      continue;
    Result<CompactedFile> Done = compactFile(Path, How);
    if (!Done) {
      Failures.push_back(Done.error());
      continue;
    }
    bool IsNew = Done->Path != Done->NewPath;
    Count += IsNew;
    Before += IsNew ? Done->BytesBefore : 0;
    After += IsNew ? Done->BytesAfter : 0;
    if (Opts.Json)
      appendJson(Out.buffer(), *Done);
    else
      Out.append(printableText(Done->NewPath) + ": " +
                 (IsNew ? sizesText(Done->BytesBefore, Done->BytesAfter)
                        : "is compressed already"));
    Out.append("\n");
  }
  if (!Opts.Json && Files.size() > 1)
    Out.append(counted(Count, "trace") +
               (Count == 0 ? "" : ": " + sizesText(Before, After)) + "\n");
  return Out.finishAfter(std::move(Failures));
}

} // namespace

CommandRun instantrace::addCompact(CLI::App &App) {
  auto Opts = std::make_shared<CompactOptions>();
  CLI::App *Command = App.add_subcommand(
      "compact", "Compress traces, which all commands read as they are.");
  addTraceArguments(*Command, Opts->Inputs);
  Command
      ->add_option("--level", Opts->Level,
                   "how hard to try: 1 is fast, 19 is small (default 3)")
      ->check(CLI::Range(CompressionLevel::Least, CompressionLevel::Most));
  Command->add_flag("--keep", Opts->Keeps, "keep the files that were there");
  Command->add_flag("--json", Opts->Json, "print one JSON object per trace");
  addColorOption(*Command);
  Command->footer(
      R"(a.itrace becomes a.itrace.zst, one frame of zstd with a checksum, which takes a
quarter to half of the bytes. Each command reads it as it is, in a folder as
well; `zstd -d --rm` makes it a trace again. What it expands to is compared, and
it is on the disk, before a.itrace is removed. As with any trace, a damaged file
is used up to the damage. Exit code 1 if any of them could not be replaced.

Examples:
  instantrace compact session/
  instantrace compact --level 19 --keep a.itrace)");
  return [Opts] { return runCompact(*Opts); };
}
