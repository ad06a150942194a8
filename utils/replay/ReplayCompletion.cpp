#include "utils/replay/ReplayCompletion.h"

#include "runtime/format/EventKind.h"
#include "utils/replay/Interrupt.h"
#include "utils/replay/NameMatch.h"
#include "utils/replay/Words.h"

#include <algorithm>
#include <filesystem>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Longer ones nobody types, and more nobody reads.
constexpr size_t LongestName = 500, MostNames = 10000;

using Words = std::vector<std::string>;

const Words BreakOptions = {"-count",  "-depth", "-duration", "-end",
                            "-event",  "-kind",  "-function", "-line",
                            "-source", "-time"};
const Words InfoTopics = {"breakpoints", "compiles", "display",   "entity",
                          "frame",       "stack",    "statistics"};

Words kindNames() {
  Words Names;
  for (uint64_t Kind = 1; Kind != EventKindLimit; ++Kind)
    if (isEventKind(Kind))
      Names.emplace_back(eventKindName(static_cast<EventKind>(Kind)));
  return Names;
}

Words beginningWith(const Words &All, std::string_view Word) {
  Words Found;
  for (const std::string &W : All)
    if (W.starts_with(Word))
      Found.push_back(W);
  std::sort(Found.begin(), Found.end());
  return Found;
}

Words pathsLike(std::string_view Word, bool &IsWhole) {
  fs::path Typed(Word);
  std::error_code Failed;
  fs::path Folder = Typed.has_parent_path() ? Typed.parent_path() : ".";
  Words Found;
  for (fs::directory_iterator File(Folder, Failed), End; !Failed && File != End;
       File.increment(Failed)) {
    std::string Name = File->path().filename().string();
    if (!Name.starts_with(Typed.filename().string()))
      continue;
    std::string Path(Word.substr(0, Word.rfind('/') + 1));
    Path += Name;
    if (File->is_directory(Failed)) {
      Path += "/";
      IsWhole = false;
    }
    Found.push_back(std::move(Path));
    if (Found.size() == MostNames)
      break;
  }
  std::sort(Found.begin(), Found.end());
  return Found;
}

} // namespace

const std::vector<std::string> &ReplayCompletion::names() {
  if (Names)
    return *Names;
  Names.emplace();
  std::string Text;
  const InstantiationIndex &X = R.index();
  for (uint32_t Id = 0; Id != X.templateSetCount() && !isInterrupted(); ++Id) {
    Text.clear();
    if (!X.templateSetName(Id, {}, LongestName, Text))
      break;
    if (Text.size() < LongestName)
      Names->push_back(nameOfSet(Text));
  }
  std::sort(Names->begin(), Names->end());
  Names->erase(std::unique(Names->begin(), Names->end()), Names->end());
  return *Names;
}

/// Whole names that begin so, or parts behind a `::`.
std::vector<std::string> ReplayCompletion::namesLike(std::string_view Word) {
  Words Found;
  const Words &All = names();
  for (auto It = std::lower_bound(All.begin(), All.end(), Word);
       It != All.end() && It->starts_with(Word) && Found.size() != MostNames;
       ++It)
    Found.push_back(*It);
  if (!Found.empty() || Word.empty())
    return Found;
  std::string Inner = "::" + std::string(Word);
  for (const std::string &Name : All)
    if (size_t Offset = Name.find(Inner); Offset != std::string::npos) {
      Found.push_back(Name.substr(Offset + 2));
      if (Found.size() == MostNames)
        break;
    }
  std::sort(Found.begin(), Found.end());
  Found.erase(std::unique(Found.begin(), Found.end()), Found.end());
  return Found;
}

std::vector<std::string>
ReplayCompletion::filesLike(std::string_view Word) const {
  Words Found;
  std::string Path;
  const InstantiationIndex &X = R.index();
  for (uint32_t Id = 0; Id != X.fileCount() && Found.size() != MostNames;
       ++Id) {
    Path.clear();
    if (!X.filePath(Id, LongestName, Path))
      break;
    std::string_view Last =
        std::string_view(Path).substr(Path.find_last_of('/') + 1);
    if (Path.starts_with(Word))
      Found.push_back(Path);
    else if (Last.starts_with(Word))
      Found.emplace_back(Last);
  }
  std::sort(Found.begin(), Found.end());
  Found.erase(std::unique(Found.begin(), Found.end()), Found.end());
  return Found;
}

std::vector<std::string> ReplayCompletion::wordsOf(ReplayArgument Argument,
                                                   std::string_view Word,
                                                   std::string_view Before,
                                                   bool &IsWhole) {
  switch (Argument) {
  case ReplayArgument::None:
    return {};
  case ReplayArgument::Name: {
    if (Before.ends_with(" -kind ") || Before.ends_with("== "))
      return beginningWith(kindNames(), Word);
    if (Before.ends_with(" -source "))
      return filesLike(Word);
    if (Word.starts_with('-'))
      return beginningWith(BreakOptions, Word);
    Words Found = namesLike(Word);
    if (Word.empty())
      return Found;
    for (const std::string &File : filesLike(Word)) {
      Found.push_back(File + ":");
      IsWhole = false;
    }
    return Found;
  }
  case ReplayArgument::Number: {
    Words Numbers;
    for (const Breakpoint &B : R.breakpoints())
      Numbers.push_back(std::to_string(B.Number));
    return beginningWith(Numbers, Word);
  }
  case ReplayArgument::Topic:
    return Before.ends_with(" entity ") ? namesLike(Word)
                                        : beginningWith(InfoTopics, Word);
  case ReplayArgument::Place: {
    Words Found;
    for (const std::string &File : filesLike(Word))
      Found.push_back(File + ":");
    IsWhole = false;
    return Found;
  }
  case ReplayArgument::Setting:
    return beginningWith({"default-args", "listsize", "parameters", "source",
                          "trace-commands", "on", "off"},
                         Word);
  case ReplayArgument::Memory:
    return beginningWith({"memory"}, Word);
  case ReplayArgument::File:
    return pathsLike(Word, IsWhole);
  case ReplayArgument::Command: {
    Words Names;
    for (const ReplayCommand &C : replayCommands())
      Names.emplace_back(C.name());
    return beginningWith(Names, Word);
  }
  }
  return {};
}

Completions ReplayCompletion::complete(std::string_view Line) {
  Completions Found;
  size_t Start = std::min(Line.find_first_not_of(" \t"), Line.size());
  size_t Space = Line.find_last_of(" \t");
  Found.Begin = Space == Line.npos ? 0 : Space + 1;
  std::string_view Word = Line.substr(Found.Begin);
  if (Found.Begin <= Start) {
    Found.Words = wordsOf(ReplayArgument::Command, Word, {}, Found.IsWhole);
    return Found;
  }
  std::string_view Rest = Line;
  Result<const ReplayCommand *> Command = findReplayCommand(takeWord(Rest));
  if (Command)
    Found.Words = wordsOf((*Command)->Argument, Word,
                          Line.substr(0, Found.Begin), Found.IsWhole);
  return Found;
}
