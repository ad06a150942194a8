/// \file
/// `instantrace clean`: removes what recording has left below folders.
///
/// Flow: folders -> cleanFolder -> what was removed, in a line
#include "runtime/base/PrintableText.h"
#include "utils/cli/ColorOption.h"
#include "utils/commands/Commands.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/session/SessionCleaning.h"
#include "utils/system/FolderPath.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

struct CleanOptions {
  std::vector<std::string> Folders;
  Cleaning How;
  bool Json = false;
};

constexpr const char *Nouns[CleanedKinds][2] = {{"trace", "traces"},
                                                {"index", "indexes"},
                                                {"leftover", "leftovers"},
                                                {"session", "sessions"}};

std::string summaryText(const Cleaned &Done, bool OnlyShows) {
  std::string Text;
  uint64_t Bytes = 0;
  for (size_t I = 0; I != CleanedKinds; ++I) {
    Bytes += Done.Sums[I].Bytes;
    if (Done.Sums[I].Files != 0)
      Text += (Text.empty() ? "" : ", ") +
              counted(Done.Sums[I].Files, Nouns[I][0], Nouns[I][1]);
  }
  if (Text.empty())
    return "nothing to remove\n";
  return (OnlyShows ? "would remove " : "removed ") + Text + " (" +
         sizeText(Bytes) + ")\n";
}

void appendJson(std::string &Out, const Cleaned &Done) {
  JsonAnswer Object(Out);
  for (size_t I = 0; I != CleanedKinds; ++I) {
    Object.name(Nouns[I][1]);
    JsonObject Kind(Out);
    Kind.number("files", Done.Sums[I].Files);
    Kind.number("bytes", Done.Sums[I].Bytes);
  }
  Object.name("paths");
  appendTexts(Out, Done.Paths);
  Object.name("running");
  appendTexts(Out, Done.Running);
}

/// Without those of which all is in another one, which would count twice.
std::vector<std::string> outermost(const std::vector<std::string> &Folders) {
  std::vector<std::string> Kept;
  std::vector<fs::path> Real; // empty: whoever reads it says why
  for (const std::string &Folder : Folders) {
    std::error_code Failed;
    Real.push_back(fs::canonical(Folder, Failed));
  }
  for (size_t I = 0; I != Folders.size(); ++I) {
    bool IsInOther = false;
    for (size_t J = 0; J != Folders.size(); ++J)
      IsInOther |= !Real[I].empty() && !Real[J].empty() &&
                   (Real[I] == Real[J] ? J < I : isBelow(Real[I], Real[J]));
    if (!IsInOther)
      Kept.push_back(Folders[I]);
  }
  return Kept;
}

Result<int> runClean(const CleanOptions &Opts) {
  Cleaned Done;
  std::vector<Error> Failures;
  for (const std::string &Folder : outermost(Opts.Folders))
    if (Result<void> Clean = cleanFolder(Folder, Opts.How, Done); !Clean)
      Failures.push_back(Clean.error());
  Output Out(stdout);
  if (Opts.Json) {
    appendJson(Out.buffer(), Done);
    Out.append("\n");
  } else {
    if (Opts.How.OnlyShows)
      for (const std::string &Path : Done.Paths)
        Out.append(printableText(Path) + "\n");
    Out.append(summaryText(Done, Opts.How.OnlyShows));
  }
  for (const std::string &Message : Done.Unlisted)
    printWarning(Message);
  for (const std::string &Path : Done.Running)
    printWarning(Path + ": is being recorded, and was left alone");
  Failures.insert(Failures.end(), Done.Failures.begin(), Done.Failures.end());
  return Out.finishAfter(std::move(Failures));
}

} // namespace

CommandRun instantrace::addClean(CLI::App &App) {
  auto Opts = std::make_shared<CleanOptions>();
  CLI::App *Command = App.add_subcommand(
      "clean", "Remove traces, indexes, leftovers and sessions from folders.");
  Command
      ->add_option("folder", Opts->Folders,
                   "folders, such as those of sessions or of a build")
      ->required();
  Command->add_flag("-n,--dry-run", Opts->How.OnlyShows,
                    "only print what would be removed");
  Command->add_flag("--leftovers", Opts->How.OnlyLeftovers,
                    "only what killed compiles left, which `recover` could "
                    "make traces of");
  Command->add_flag("--json", Opts->Json, "print one JSON object");
  addColorOption(*Command);
  Command->footer(
      R"(What is removed is ours by its content, whatever its name says: traces,
compressed or not, indexes, the hidden files of compiles that were killed,
session.json and trials.json, and the folder of a session in which nothing else
is. Compiles and sessions that run are left alone, links are not followed, and
all other files stay. Exit code 1 if something could not be removed.

Examples:
  instantrace clean --dry-run build/
  instantrace clean instantrace-20261123-113012
  instantrace clean --leftovers build/)");
  return [Opts] { return runClean(*Opts); };
}
