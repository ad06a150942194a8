#include "utils/session/CMakeReply.h"

#include "runtime/base/Result.h"
#include "utils/session/RecordedSession.h"
#include "utils/session/SessionJson.h"
#include "utils/system/FolderPath.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>

using namespace instantrace;
using json::Json;
using json::JsonType;
using json::member;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t MostReplyBytes = uint64_t(256) << 20;
constexpr std::string_view Blanks = " \t\r\n";

/// A command of a CMake file, and its first argument.
struct CMakeCommand {
  std::string Name; ///< in small letters
  std::string First;
};

std::string lower(std::string Text) {
  std::transform(Text.begin(), Text.end(), Text.begin(), [](unsigned char C) {
    return static_cast<char>(std::tolower(C));
  });
  return Text;
}

/// That begins in the first line of \p Text. Empty: none does.
CMakeCommand commandAt(std::string_view Text) {
  auto take = [&Text](std::string_view Ends) {
    Text.remove_prefix(std::min(Text.find_first_not_of(Blanks), Text.size()));
    std::string_view Word = Text.substr(0, Text.find_first_of(Ends));
    Text.remove_prefix(Word.size());
    return std::string(Word);
  };
  if (Text.substr(0, Text.find('\n')).find('(') == Text.npos)
    return {};
  CMakeCommand Found = {lower(take("( \t\r\n#")), {}};
  if (!take("(").empty())
    return {};
  Text.remove_prefix(1);
  Found.First = take(" \t\r\n)#;");
  if (Found.First.size() > 2 && Found.First.front() == '"' &&
      Found.First.back() == '"')
    Found.First = Found.First.substr(1, Found.First.size() - 2);
  return Found;
}

/// By line.
std::vector<CMakeCommand> commandsIn(std::string_view Text) {
  std::vector<CMakeCommand> Commands;
  for (size_t Begin = 0; Begin < Text.size();) {
    Commands.push_back(commandAt(Text.substr(Begin)));
    Begin = std::min(Text.find('\n', Begin), Text.size()) + 1;
  }
  return Commands;
}

/// Whether it has letters, digits and what is in \p More alone.
bool isPlain(std::string_view Name, std::string_view More) {
  return !Name.empty() &&
         std::all_of(Name.begin(), Name.end(), [More](unsigned char C) {
           return std::isalnum(C) ||
                  More.find(static_cast<char>(C)) != More.npos;
         });
}

/// Where the block that \p Opens and \p Closes around a line ends; 0: nowhere.
template <class Kind>
uint32_t blockEnd(const std::vector<CMakeCommand> &Commands, uint32_t LineNo,
                  Kind Opens, Kind Closes) {
  size_t Depth = 0;
  for (size_t I = LineNo; I < Commands.size(); ++I) {
    Depth += Opens(Commands[I].Name);
    if (Closes(Commands[I].Name) && Depth-- == 0)
      return static_cast<uint32_t>(I + 1);
  }
  return 0;
}

/// Adds what its file says; false: it has no such call.
bool addSource(std::string_view Text, CMakeCall &Call) {
  const std::vector<CMakeCommand> Commands = commandsIn(Text);
  if (Call.LineNo == 0 || Call.LineNo > Commands.size())
    return false;
  const CMakeCommand &Made = Commands[Call.LineNo - 1];
  Call.Target = Made.First;
  if ((Made.Name != "add_executable" && Made.Name != "add_library") ||
      Call.Target.find("${") == Call.Target.npos ||
      !isPlain(Call.Target, "_.+-${}"))
    return false;
  auto isFunction = [](const std::string &Name) {
    return Name == "function" || Name == "macro";
  };
  const bool IsInFunction =
      isPlain(Call.Function, "_.+-") &&
      std::any_of(Commands.begin(), Commands.begin() + Call.LineNo,
                  [&](const CMakeCommand &Each) {
                    return isFunction(Each.Name) &&
                           lower(Each.First) == lower(Call.Function);
                  });
  if (!IsInFunction)
    Call.Function.clear(); // it was include(), or nothing
  using Kind = bool (*)(const std::string &);
  Call.EndLineNo =
      IsInFunction
          ? blockEnd<Kind>(Commands, Call.LineNo, isFunction,
                           [](const std::string &Name) {
                             return Name == "endfunction" || Name == "endmacro";
                           })
          : blockEnd<Kind>(
                Commands, Call.LineNo,
                [](const std::string &Name) {
                  return Name == "foreach" || Name == "while";
                },
                [](const std::string &Name) {
                  return Name == "endforeach" || Name == "endwhile";
                });
  return !IsInFunction || Call.EndLineNo != 0;
}

/// The entry of a list that \p Object has the number of.
const Json &entry(const Json &Lists, const char *List, const Json &Object,
                  const char *Name) {
  static const Json None;
  const Json &Index = member(Object, Name, JsonType::number_unsigned);
  const Json &All = member(Lists, List, JsonType::array);
  return Index.is_null() || Index.get<uint64_t>() >= All.size()
             ? None
             : All[Index.get<size_t>()];
}

class ReplyReading {
public:
  explicit ReplyReading(std::string Folder) : Folder(std::move(Folder)) {}

  /// Those that make several targets, and which the project's files have.
  Result<std::vector<CMakeCall>> read();

private:
  using Place = std::pair<std::string, uint64_t>; ///< file, line

  Result<Json> readJson(const std::string &Name);
  Result<Json> readCodeModel();
  void add(const Json &Target, std::map<Place, CMakeCall> &Into) const;

  const std::string Folder;
  uint64_t LeftBytes = MostReplyBytes;
  std::string Source, Build;
};

Result<Json> ReplyReading::readJson(const std::string &Name) {
  const std::string Path = Folder + "/" + Name;
  if (Name.find('/') != Name.npos)
    return makeError(Path, "a path", "the name of a file in the reply");
  INSTANTRACE_TRY_ASSIGN(const std::string Text,
                         json::readText(Path, "what CMake writes"));
  if (Text.size() > LeftBytes)
    return makeError(Folder, "more than 256 MiB", "what CMake writes");
  LeftBytes -= Text.size();
  Json Whole;
  if (isSessionShaped(Text))
    Whole = Json::parse(Text, nullptr, /*allow_exceptions=*/false);
  if (!Whole.is_object())
    return makeError(Path, "no JSON that CMake writes",
                     "a reply of its file API");
  return Whole;
}

Result<Json> ReplyReading::readCodeModel() {
  std::string Newest; // as the documentation tells them apart
  std::error_code Failed;
  for (fs::directory_iterator File(Folder, Failed), End; !Failed && File != End;
       File.increment(Failed)) {
    std::string Name = File->path().filename().string();
    if (Name.starts_with("index-") && Name.ends_with(".json"))
      Newest = std::max(Newest, Name);
  }
  if (Newest.empty())
    return Json::object();
  INSTANTRACE_TRY_ASSIGN(const Json Index, readJson(Newest));
  for (const Json &Each : member(Index, "objects", JsonType::array)) {
    std::string Kind, Name;
    uint64_t Version = 0;
    json::read(Each, "kind", Kind);
    json::read(Each, "jsonFile", Name);
    json::read(member(Each, "version", JsonType::object), "major", Version);
    if (Kind == "codemodel" && Version == 2)
      return readJson(Name);
  }
  return Json::object();
}

void ReplyReading::add(const Json &Target,
                       std::map<Place, CMakeCall> &Into) const {
  const Json &Graph = member(Target, "backtraceGraph", JsonType::object);
  const Json &Node = entry(Graph, "nodes", Target, "backtrace");
  const Json &File = entry(Graph, "files", Node, "file");
  const Json &Caller = entry(Graph, "commands",
                             entry(Graph, "nodes", Node, "parent"), "command");
  uint64_t LineNo = 0;
  std::string Name;
  json::read(Node, "line", LineNo);
  json::read(Target, "name", Name);
  if (!File.is_string() || LineNo == 0 || LineNo > UINT32_MAX || Name.empty())
    return;
  // One outside the project has its whole path.
  const std::string Path =
      (fs::path(Source) / File.get<std::string>()).lexically_normal().string();
  if (!isBelow(Path, Source) || (Build != Source && isBelow(Path, Build)))
    return;
  CMakeCall &Call = Into[{Path, LineNo}];
  if (Call.Made.empty()) {
    Call.Build = Build;
    Call.Source = Source;
    Call.File = Path.substr(Source.size() + 1);
    Call.LineNo = static_cast<uint32_t>(LineNo);
    if (Caller.is_string())
      Call.Function = Caller.get<std::string>();
  }
  Call.Made.insert(std::move(Name));
}

Result<std::vector<CMakeCall>> ReplyReading::read() {
  std::vector<CMakeCall> Found;
  INSTANTRACE_TRY_ASSIGN(const Json Model, readCodeModel());
  const Json &Paths = member(Model, "paths", JsonType::object);
  json::read(Paths, "source", Source);
  json::read(Paths, "build", Build);
  const Json &Configurations = member(Model, "configurations", JsonType::array);
  if (!Source.starts_with('/') || Configurations.empty())
    return Found;
  std::map<Place, CMakeCall> Calls;
  for (const Json &Each :
       member(Configurations.front(), "targets", JsonType::array)) {
    std::string Name;
    json::read(Each, "jsonFile", Name);
    INSTANTRACE_TRY_ASSIGN(const Json Target, readJson(Name));
    add(Target, Calls);
  }
  for (auto &[Where, Call] : Calls) {
    if (Call.Made.size() < 2 || !isPlain(Call.File, "_.+-/ ") ||
        !std::all_of(
            Call.Made.begin(), Call.Made.end(),
            [](const std::string &Name) { return isPlain(Name, "_.+-"); }))
      continue;
    Result<std::string> Text = json::readText(Where.first, "");
    if (Text && addSource(*Text, Call))
      Found.push_back(std::move(Call));
  }
  return Found;
}

} // namespace

const CMakeTargets *CMakeReply::targets(const std::string &Objects) {
  std::error_code Failed;
  for (fs::path Top = Objects; Top.has_relative_path();
       Top = Top.parent_path()) {
    const fs::path Folder = Top / ".cmake/api/v1/reply";
    if (!fs::is_directory(Folder, Failed))
      continue;
    auto [Known, IsNew] = ByFolder.try_emplace(Folder.string());
    if (IsNew) {
      Result<std::vector<CMakeCall>> Read =
          ReplyReading(Folder.string()).read();
      if (!Read)
        Problems.push_back(Read.error().Message);
      else
        for (CMakeCall &Each : *Read) {
          Calls.push_back(std::move(Each));
          for (const std::string &Name : Calls.back().Made)
            Known->second.emplace(Name, &Calls.back());
        }
    }
    return &Known->second;
  }
  return nullptr;
}
