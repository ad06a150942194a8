#include "utils/mcp/McpTools.h"

#include "utils/system/FolderPath.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>

using namespace instantrace;

namespace {

enum class ArgumentPlace {
  Option, ///< its option, then the value
  Before, ///< a word in front of the others
  Behind  ///< a word behind them
};

struct ToolArgument {
  std::string_view Name, Option, Help;
  ArgumentPlace Where = ArgumentPlace::Option;
  bool IsNeeded = false;
  std::vector<std::string_view> Choices = {};
};

struct ToolSpec {
  std::string_view Name;
  std::string_view Command; ///< empty: it lists sessions
  std::string_view Help;
  std::vector<ToolArgument> Arguments;
  Paging Rows = Paging::Cursor;
  bool RunsCompilers = false;
};

const ToolArgument SessionArgument = {
    "session", "", "folder of a session, or a trace; the newest one if absent",
    ArgumentPlace::Before};

const std::vector<ToolSpec> AllTools = {
    {"overview",
     "summary",
     "Where the time of a recorded build went: parts, the most expensive "
     "lines of the project, what to change. Ask this first.",
     {SessionArgument},
     Paging::None},
    {"sessions",
     "",
     "Which recorded builds and traces are below the folder of the server, the "
     "newest first: what to name as `session`.",
     {}},
    {"costs",
     "summary",
     "A table of costs, largest first.",
     {SessionArgument,
      {"by",
       "--by=",
       "what a row stands for",
       ArgumentPlace::Option,
       true,
       {"template", "specialization", "class", "namespace", "library", "kind",
        "file", "directory", "line", "header", "user-frame", "function",
        "unit"}},
      {"sort", "--sort=", "column to sort by, such as self, inclusive, count"},
      {"match", "--match=", "regular expression that names have to match"}}},
    {"why",
     "why",
     "Who asks for a template: chains from it out to the project's lines.",
     {SessionArgument,
      {"name", "", "template, such as std::vector", ArgumentPlace::Behind,
       true}}},
    {"lines",
     "annotate",
     "What the costliest lines of a source file cost, in the order of the "
     "file.",
     {SessionArgument,
      {"file", "", "path of the file, or its end", ArgumentPlace::Behind,
       true}},
     Paging::Costliest},
    {"headers",
     "headers",
     "What each header costs, who includes it, and what that brings.",
     {SessionArgument,
      {"header", "--of=", "this header in detail: path, or its end"}}},
    {"advise",
     "advise",
     "What to change to make the build faster, with evidence, the estimated "
     "saving with bounds, lines to write, and what may be against it.",
     {SessionArgument}},
    {"diff",
     "diff",
     "What changed between two recorded builds.",
     {{"old", "", "session or trace before the change", ArgumentPlace::Before,
       true},
      {"new", "", "session or trace after it", ArgumentPlace::Before, true},
      {"by", "--by=", "what a row stands for, as for costs"}}},
    {"critical",
     "critical-path",
     "What determines how long a build takes: the critical path, and by how "
     "much the build would end sooner without a unit, header or template.",
     {SessionArgument}},
    {"touch",
     "touch",
     "What a change of each file costs: which units it makes again, CPU time, "
     "wall time, and by the history of git how often it comes.",
     {SessionArgument}},
    {"try",
     "advise",
     "Compiles some units with and without each of the first suggestions, in a "
     "scratch copy, and says what that saves, measured.",
     {{"session", "", "folder of a session, below the folder that may run",
       ArgumentPlace::Before, true},
      {"count",
       "--try=",
       "how many suggestions; 3 if absent",
       ArgumentPlace::Option,
       false,
       {"1", "2", "3", "4", "5"}}},
     Paging::Cursor,
     /*RunsCompilers=*/true},
};

const ToolSpec *findTool(std::string_view Name) {
  auto Found = std::find_if(AllTools.begin(), AllTools.end(),
                            [&](const ToolSpec &T) { return T.Name == Name; });
  return Found == AllTools.end() ? nullptr : &*Found;
}

/// \p Path without links, if that is below \p Folder and no link is in it,
/// which could lead out; otherwise empty.
std::string pathInFolder(const std::string &Path, const std::string &Folder) {
  namespace fs = std::filesystem;
  std::error_code Failed;
  const fs::path Whole = fs::canonical(Path, Failed);
  if (Failed)
    return {};
  const fs::path Above = fs::canonical(Folder, Failed);
  if (Failed || !isBelow(Whole, Above))
    return {};
  if (fs::is_directory(Whole, Failed)) {
    auto Entry = fs::recursive_directory_iterator(Whole, Failed);
    for (; !Failed && Entry != fs::recursive_directory_iterator();
         Entry.increment(Failed))
      if (Entry->is_symlink(Failed))
        return {};
  }
  return Failed ? std::string() : Whole.string();
}

McpJson argumentSchema(const ToolArgument &A) {
  McpJson Schema = {{"type", "string"}, {"description", A.Help}};
  if (!A.Choices.empty())
    Schema["enum"] = A.Choices;
  return Schema;
}

McpJson toolSchema(const ToolSpec &T) {
  McpJson Properties = McpJson::object(), Needed = McpJson::array();
  for (const ToolArgument &A : T.Arguments) {
    Properties[std::string(A.Name)] = argumentSchema(A);
    if (A.IsNeeded)
      Needed.push_back(A.Name);
  }
  if (T.Rows != Paging::None)
    Properties["limit"] = {
        {"type", "integer"},
        {"minimum", 1},
        {"maximum", MostMcpRows},
        {"description", "rows to answer with; 20 if absent"}};
  if (T.Rows == Paging::Cursor)
    Properties["cursor"] = {
        {"type", "string"},
        {"description", "next_cursor of an answer, for the rows behind it"}};
  return {{"type", "object"},
          {"properties", std::move(Properties)},
          {"required", std::move(Needed)},
          {"additionalProperties", false}};
}

/// A text that stands for itself on a command line.
Result<std::string> plainText(std::string_view Name, const McpJson &Value) {
  if (!Value.is_string())
    return makeError(Name, Value.type_name(), "a text");
  std::string Text = Value.get<std::string>();
  if (Text.empty() || Text.front() == '-' || Text.find('\0') != Text.npos)
    return makeError(Name, "'" + Text + "'",
                     "a text that is not empty and does not begin with -");
  return Text;
}

Result<void> setRows(const McpJson &Given, McpCall &Call) {
  Call.Limit = McpRows;
  if (auto It = Given.find("limit"); It != Given.end()) {
    if (!It->is_number_unsigned() || It->get<uint64_t>() == 0 ||
        It->get<uint64_t>() > MostMcpRows)
      return makeError("limit", It->dump(), "a number from 1 to 500");
    Call.Limit = It->get<uint64_t>();
  }
  if (auto It = Given.find("cursor"); It != Given.end()) {
    INSTANTRACE_TRY_ASSIGN(std::string Text, plainText("cursor", *It));
    auto [End, Failed] =
        std::from_chars(Text.data(), Text.data() + Text.size(), Call.Offset);
    if (Failed != std::errc() || End != Text.data() + Text.size() ||
        Call.Offset > 1'000'000)
      return makeError("cursor", "'" + Text + "'", "next_cursor of an answer");
  }
  if (Call.Words.empty())
    return {};
  // One more, to know whether there are more.
  Call.Words.push_back("-n");
  Call.Words.push_back(std::to_string(Call.Offset + Call.Limit + 1));
  return {};
}

/// \p Known, or the paging that a tool with rows takes.
Result<void> refuseUnknown(const ToolSpec &Known, const McpJson &Given) {
  for (const auto &[Name, Value] : Given.items()) {
    bool IsKnown = (Known.Rows != Paging::None && Name == "limit") ||
                   (Known.Rows == Paging::Cursor && Name == "cursor") ||
                   std::any_of(Known.Arguments.begin(), Known.Arguments.end(),
                               [&Name = Name](const ToolArgument &A) {
                                 return A.Name == Name;
                               });
    if (!IsKnown)
      return makeError("arguments", "'" + Name + "'",
                       "those that tools/list has for " +
                           std::string(Known.Name));
  }
  return {};
}

Result<McpCall> makeCall(const ToolSpec &T, const McpJson &Given) {
  if (!Given.is_object())
    return makeError("arguments", Given.type_name(), "an object");
  INSTANTRACE_TRY(refuseUnknown(T, Given));
  McpCall Call;
  if (!T.Command.empty())
    Call.Words.emplace_back(T.Command);
  Call.Rows = T.Rows;
  std::vector<std::string> Before, Behind;
  for (const ToolArgument &A : T.Arguments) {
    auto It = Given.find(std::string(A.Name));
    if (It == Given.end()) {
      if (A.IsNeeded)
        return makeError("arguments", "no '" + std::string(A.Name) + "'",
                         "one: " + std::string(A.Help));
      continue;
    }
    INSTANTRACE_TRY_ASSIGN(std::string Text, plainText(A.Name, *It));
    if (!A.Choices.empty() &&
        std::find(A.Choices.begin(), A.Choices.end(), Text) == A.Choices.end())
      return makeError(A.Name, "'" + Text + "'",
                       "one of those that tools/list has");
    if (A.Where == ArgumentPlace::Option)
      Call.Words.push_back(std::string(A.Option) + Text);
    else
      (A.Where == ArgumentPlace::Before ? Before : Behind)
          .push_back(std::move(Text));
  }
  if (T.Rows != Paging::None)
    INSTANTRACE_TRY(setRows(Given, Call));
  Call.Words.insert(Call.Words.end(), Before.begin(), Before.end());
  Call.Words.insert(Call.Words.end(), Behind.begin(), Behind.end());
  return Call;
}

} // namespace

McpJson McpTools::list() const {
  McpJson All = McpJson::array();
  for (const ToolSpec &T : AllTools)
    if (!T.RunsCompilers || !RunFolder.empty())
      All.push_back(
          {{"name", T.Name},
           {"description", T.Help},
           {"inputSchema", toolSchema(T)},
           {"annotations",
            {{"readOnlyHint", !T.RunsCompilers}, {"openWorldHint", false}}}});
  return All;
}

std::optional<Result<McpCall>> McpTools::call(const std::string &Name,
                                              const McpJson &Given) const {
  const ToolSpec *Found = findTool(Name);
  if (!Found || (Found->RunsCompilers && RunFolder.empty()))
    return std::nullopt;
  Result<McpCall> Call = makeCall(*Found, Given);
  if (Call && Found->RunsCompilers) {
    std::string Path = pathInFolder(Call->Words.back(), RunFolder);
    if (Path.empty())
      return Result<McpCall>(
          makeError("session", "'" + Call->Words.back() + "'",
                    "one below " + RunFolder + ", without links in it"));
    Call->Words.back() = std::move(Path);
    if (!Given.contains("count"))
      Call->Words.insert(Call->Words.begin() + 1, "--try=3");
  }
  return Call;
}
