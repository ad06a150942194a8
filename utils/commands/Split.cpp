/// \file
/// `instantrace split`: a trace for each compile.
///
/// Flow: files, folders -> TraceInputs -> splitTrace -> files in a folder
///       session.json -> SplitSession -> session.json
#include "runtime/base/PrintableText.h"
#include "runtime/base/Utf8.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/InputProgress.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/export/TraceCompaction.h"
#include "utils/export/TraceParts.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/session/RecordedSession.h"
#include "utils/session/SessionMerging.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

struct SplitOptions {
  std::vector<std::string> Inputs;
  std::string Into;
};

/// Anybody may have written what was compiled. A NUL ends a path, and what is
/// no UTF-8 has no name in session.json.
std::string usableName(std::string_view Name) {
  std::string Usable;
  appendReplacing(
      Usable, Name,
      [](std::string_view Character, bool IsWellFormed) {
        auto Byte = static_cast<unsigned char>(Character.front());
        return !IsWellFormed || Byte < ' ' || Byte == 0x7f;
      },
      [&Usable](std::string_view, bool) { Usable += '_'; });
  return Usable;
}

/// Names that no other compile of this run has: a.cpp.itrace, a.cpp-2.itrace,
/// also where another source is called a.cpp-2.
class UnitNames {
public:
  std::string next(const std::string &Source) {
    constexpr size_t LongestStem = 200;
    std::string Stem = Source.substr(Source.rfind('/') + 1);
    if (Stem.empty() || Stem == "." || Stem == "..")
      Stem = "unnamed";
    Stem.resize(utf8PrefixBytes(Stem, LongestStem));
    Stem = usableName(Stem);
    for (uint64_t &No = Uses[Stem];;) {
      std::string Name = Stem + (++No == 1 ? "" : "-" + std::to_string(No));
      if (Taken.insert(Name).second)
        return Name + ".itrace";
    }
  }

private:
  std::unordered_map<std::string, uint64_t> Uses; ///< of a stem, so far
  std::unordered_set<std::string> Taken;
};

/// What one session says stays true; what several say is of none of them.
Result<std::optional<SplitSession>>
sessionOf(const std::vector<std::string> &Inputs) {
  auto Sessions = std::count_if(Inputs.begin(), Inputs.end(), isSession);
  if (Inputs.size() == 1 && Sessions == 1) {
    // Other programs may have such a file, too.
    if (Result<RecordedSession> Ours = readSession(Inputs.front()); !Ours) {
      printNote(Ours.error().Message + "; the traces are split without it");
      return std::optional<SplitSession>();
    }
    INSTANTRACE_TRY_ASSIGN(SplitSession Session,
                           SplitSession::of(Inputs.front()));
    return std::optional(std::move(Session));
  }
  if (Sessions != 0)
    printNote(
        "what session.json says is kept of one session alone; `instantrace "
        "merge` makes one of several");
  return std::optional<SplitSession>();
}

/// How many compiles there were. \p Made are the files, also of a failure.
Result<uint64_t> splitAll(const std::vector<std::string> &Files,
                          const std::string &Into,
                          std::optional<SplitSession> &Session,
                          InputProgress &Seen, std::vector<std::string> &Made) {
  UnitNames Names;
  uint64_t Before = 0;
  for (const std::string &Path : Files) {
    Seen.enter(inputName(Path));
    Seen.at(Before);
    Before += totalBytes({Path});
    INSTANTRACE_TRY_ASSIGN(std::string Read, readBytes(Path, &Seen));
    std::vector<CompileTrace> Compiles;
    INSTANTRACE_TRY_ASSIGN(TraceDamage Done,
                           splitTrace(Read, inputName(Path), Compiles));
    if (Done)
      Seen.damaged(*Done);
    for (const CompileTrace &Compile : Compiles) {
      std::string Name = Names.next(Compile.Source);
      std::string New = (fs::path(Into) / Name).string();
      NewTrace Trace(New);
      INSTANTRACE_TRY(Trace.append(Compile.Bytes));
      Made.emplace_back(); // before there is a file that has to be in it
      INSTANTRACE_TRY(Trace.commit());
      Made.back() = std::move(New);
      if (Session)
        Session->add(Path, std::move(Name));
    }
  }
  if (Session)
    INSTANTRACE_TRY(Session->write(Into));
  return Made.size();
}

/// What was made goes again unless all of it was, also where memory ends.
struct NewParts {
  const std::string &Folder;
  bool IsFolderNew;
  std::vector<std::string> Paths = {};
  bool IsWhole = false;

  ~NewParts() {
    if (IsWhole)
      return;
    std::error_code Ignored;
    for (const std::string &Path : Paths)
      fs::remove(Path, Ignored);
    if (IsFolderNew)
      fs::remove(Folder, Ignored);
  }
};

Result<int> runSplit(const SplitOptions &Opts) {
  if (Opts.Into.empty())
    return usageError(makeError({}, "--output without a name", "one"));
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs, NamedTwice::CountOnce,
                                            nullptr, LinksInFolders::LeaveOut));
  INSTANTRACE_TRY_ASSIGN(std::optional<SplitSession> Session,
                         sessionOf(Opts.Inputs));
  std::error_code Failed;
  bool IsNew = fs::create_directories(Opts.Into, Failed);
  if (Failed)
    return Error{Opts.Into + ": " + Failed.message()};
  bool IsEmpty = IsNew || fs::is_empty(Opts.Into, Failed);
  if (Failed)
    return Error{Opts.Into + ": " + Failed.message()};
  if (!IsEmpty)
    return makeError(Opts.Into, "a folder with files in it",
                     "an empty one, or a name that is not there yet");
  InputProgress Seen("splitting");
  Seen.begin(totalBytes(Files));
  NewParts Made{Opts.Into, IsNew};
  INSTANTRACE_TRY_ASSIGN(uint64_t Count,
                         splitAll(Files, Opts.Into, Session, Seen, Made.Paths));
  Made.IsWhole = true;
  Seen.end();
  warnOfOutputBelow(Opts.Inputs, Opts.Into);
  Output Out(stdout);
  Out.append(printableText(Opts.Into) + ": " + counted(Count, "trace") + "\n");
  return Out.finish();
}

} // namespace

CommandRun instantrace::addSplit(CLI::App &App) {
  auto Opts = std::make_shared<SplitOptions>();
  CLI::App *Command = App.add_subcommand(
      "split", "Take traces of several compiles apart, a file for each.");
  addTraceArguments(*Command, Opts->Inputs);
  Command
      ->add_option("-o,--output", Opts->Into,
                   "the folder: one that is not there yet, or an empty one")
      ->required();
  addColorOption(*Command);
  Command->footer(
      R"(A trace is named after the source that was compiled: a.cpp.itrace, and
a.cpp-2.itrace for another compile of an a.cpp. A damaged trace is
taken up to the damage, with a warning. The session.json of one session is
kept, with the new names of its traces.

Examples:
  instantrace split -o units/ build.itrace.zst
  cat a.itrace b.itrace | instantrace split -o more/ -)");
  return [Opts] { return runSplit(*Opts); };
}
