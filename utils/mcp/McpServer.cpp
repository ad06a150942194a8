#include "utils/mcp/McpServer.h"

#include "utils/cli/NewestTrace.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"
#include "utils/session/CommandOutput.h"
#include "utils/session/RecordedSession.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

using namespace instantrace;

namespace {

// Newest first. The first has no `initialize`: each request names its revision.
constexpr std::string_view Revisions[] = {"2026-07-28", "2025-11-25",
                                          "2025-06-18"};
constexpr std::string_view RevisionMember =
    "io.modelcontextprotocol/protocolVersion";
/// What is listed stays as it is while the server runs.
constexpr int FreshMs = 60 * 60 * 1000;
constexpr int PatienceMs = 10 * 60 * 1000;
constexpr size_t MostAnswerBytes = size_t(64) << 10, MostTextBytes = 2000;
constexpr size_t MostNoteBytes = 500;

constexpr std::string_view Instructions =
    "Instantrace shows which lines of a C++ program make it slow to compile "
    "with Clang. Record a build first: `instantrace record -- ninja`. Then ask "
    "`overview`, and `advise` for what to change; after a change, record again "
    "and ask `diff`. Names that end in _ns are nanoseconds of CPU time, in "
    "_bytes bytes; savings are estimates.";

struct Prompt {
  std::string_view Name, Help, Text;
};
constexpr Prompt Prompts[] = {
    {"make-this-build-faster", "Find what makes a build slow, and mend it.",
     "Make this C++ build faster. Ask `overview` and `advise` of the newest "
     "session (record one with `instantrace record -- BUILD` if there is "
     "none). "
     "Apply the first suggestion that fits, build, record again, and ask "
     "`diff` with both sessions. Keep the change only if the build's total_ns "
     "fell by more than a few percent; then go on with the next suggestion."},
    {"why-is-this-file-slow", "Explain what one source file costs.",
     "Explain why this C++ file is slow to compile: profile it with "
     "`instantrace run CLANG_COMMAND`, ask `overview`, then `lines` of the "
     "file, "
     "and `why` for the costliest template. Name the lines, what each costs, "
     "and what to write instead."},
};

std::string messageLine(const McpJson &Message) {
  return rpcText(Message) + "\n";
}

/// How many texts were longer than \p MostTextBytes.
size_t shortenTexts(McpJson &Value) {
  if (Value.is_string()) {
    auto &Text = Value.get_ref<std::string &>();
    if (Text.size() <= MostTextBytes)
      return 0;
    Text.resize(MostTextBytes);
    Text += "...";
    return 1;
  }
  size_t Shortened = 0;
  if (Value.is_structured())
    for (McpJson &Item : Value)
      Shortened += shortenTexts(Item);
  return Shortened;
}

/// The command was asked for one row more than \p Wanted.
void dropCheapest(McpJson &Answer, McpJson &Rows, size_t Wanted) {
  if (Rows.size() <= Wanted)
    return;
  Rows.erase(std::ranges::min_element(Rows, {}, [](const McpJson &Row) {
    return Row.value("caused_ns", uint64_t(0));
  }));
  Answer["has_more_rows"] = true;
}

/// Leaves \p Call's rows, as many as fit, and says where the next ones begin.
void cutRows(McpJson &Answer, const McpCall &Call) {
  auto Found = Answer.find("rows");
  if (Found == Answer.end() || !Found->is_array())
    return;
  McpJson Rows = std::exchange(*Found, McpJson::array());
  if (Call.Rows == Paging::Costliest)
    dropCheapest(Answer, Rows, Call.Limit);
  const bool HasCursor = Call.Rows == Paging::Cursor;
  const size_t There = Rows.size();
  const size_t Begin = std::min(Call.Offset, There);
  const size_t Most = HasCursor ? Call.Limit : There;
  McpJson Kept = McpJson::array();
  constexpr size_t RoomBytes = size_t(8) << 10; // for what is added behind this
  size_t Bytes = messageLine(Answer).size() + RoomBytes;
  for (size_t I = Begin; I != There && Kept.size() != Most; ++I) {
    Bytes += messageLine(Rows[I]).size();
    if (Bytes > MostAnswerBytes && !Kept.empty())
      break;
    Kept.push_back(std::move(Rows[I]));
  }
  const size_t End = Begin + Kept.size();
  Answer["rows"] = std::move(Kept);
  if (End == There)
    return;
  if (HasCursor)
    Answer["next_cursor"] = std::to_string(End);
  else
    Answer["rows_left_out"] = There - End;
}

/// Long texts and what is beyond the bounds are left out.
std::string boundedText(McpJson Answer, const McpCall &Call) {
  if (size_t Shortened = shortenTexts(Answer); Shortened != 0)
    Answer["texts_shortened"] = Shortened;
  cutRows(Answer, Call);
  return messageLine(Answer);
}

/// Only rows of the part that is wanted are looked into.
McpJson listSessions(const McpCall &Call) {
  const NewestTraces Newest = newestTracesBelow({"."});
  McpJson Rows = McpJson::array();
  for (size_t I = 0; I != Newest.Found.size(); ++I) {
    const FoundTrace &Each = Newest.Found[I];
    McpJson &Row = Rows.emplace_back(McpJson{{"session", Each.Path}});
    if (I < Call.Offset || I - Call.Offset >= Call.Limit)
      continue;
    Row["written"] =
        utcText(Each.WrittenNs / 1'000'000'000, "%FT%TZ").value_or("");
    if (!Each.IsSession)
      continue;
    if (Result<RecordedSession> Known = readSession(Each.Path)) {
      Row["state"] = Known->State;
      Row["command"] = Known->Command;
      Row["commit"] = Known->Commit;
      Row["traces"] = Known->Traces.size();
    } else {
      Row["problem"] = Known.error().Message;
    }
  }
  return {{"schema_version", JsonSchemaVersion},
          {"row_count", Newest.Found.size()},
          {"is_complete", Newest.IsComplete},
          {"rows", std::move(Rows)}};
}

McpJson toolResult(const std::string &Text, bool IsError) {
  return {{"content", {{{"type", "text"}, {"text", Text}}}},
          {"isError", IsError}};
}

/// What the command said to people, a line each.
McpJson notesOf(std::string_view Errors) {
  McpJson Notes = McpJson::array();
  constexpr std::string_view Ours = "instantrace: ";
  while (!Errors.empty() && Notes.size() != 10) {
    std::string_view Line = Errors.substr(0, Errors.find('\n'));
    Errors.remove_prefix(std::min(Errors.size(), Line.size() + 1));
    if (Line.starts_with(Ours))
      Line.remove_prefix(Ours.size());
    Notes.push_back(Line.substr(0, MostNoteBytes));
  }
  return Notes;
}

std::string failureText(const CommandOutput &Done) {
  if (Done.StartError != 0)
    return "the command could not be started";
  if (Done.IsTooLate)
    return "the command took longer than ten minutes, and was stopped";
  if (Done.ExitCode < 0 && Done.Errors.empty())
    return "more than 1 MiB would be left out in front of the answer; choose "
           "rows by a filter, or ask for fewer";
  McpJson Notes = notesOf(Done.Errors);
  std::string Text;
  for (const McpJson &Note : Notes)
    Text += (Text.empty() ? "" : "\n") + Note.get<std::string>();
  return Text.empty() ? "the command failed" : Text;
}

McpJson listPrompts() {
  McpJson All = McpJson::array();
  for (const Prompt &P : Prompts)
    All.push_back({{"name", P.Name}, {"description", P.Help}});
  return {{"prompts", std::move(All)}};
}

Result<McpJson> getPrompt(const McpJson &Params) {
  const std::string Name = rpcString(Params, "name");
  for (const Prompt &P : Prompts)
    if (P.Name == Name)
      return McpJson{{"description", P.Help},
                     {"messages",
                      {{{"role", "user"},
                        {"content", {{"type", "text"}, {"text", P.Text}}}}}}};
  return makeError("prompts/get", "'" + Name + "'",
                   "a name that prompts/list has");
}

constexpr std::string_view HelpScheme = "instantrace://help/";
constexpr std::string_view HelpPages[] = {"record", "summary",      "advise",
                                          "why",    "headers",      "annotate",
                                          "diff",   "critical-path"};

McpJson listResources() {
  McpJson All = McpJson::array();
  for (std::string_view Page : HelpPages)
    All.push_back({{"uri", std::string(HelpScheme) + std::string(Page)},
                   {"name", "instantrace " + std::string(Page)},
                   {"mimeType", "text/plain"}});
  return {{"resources", std::move(All)}};
}

Result<McpJson> readResource(const McpJson &Params) {
  const std::string Uri = rpcString(Params, "uri");
  for (std::string_view Page : HelpPages) {
    if (Uri != std::string(HelpScheme) + std::string(Page))
      continue;
    CommandOutput Done =
        runShortly({"/proc/self/exe", "help", std::string(Page)}, PatienceMs);
    if (!Done.isGood())
      return Error{failureText(Done)};
    return McpJson{
        {"contents",
         {{{"uri", Uri}, {"mimeType", "text/plain"}, {"text", Done.Text}}}}};
  }
  return makeError("resources/read", "'" + Uri + "'",
                   "an address that resources/list has");
}

bool isKnown(std::string_view Revision) {
  return std::ranges::find(Revisions, Revision) != std::end(Revisions);
}

McpJson capabilities() {
  return {{"tools", McpJson::object()},
          {"resources", McpJson::object()},
          {"prompts", McpJson::object()}};
}

McpJson serverInfo() {
  return {{"name", "instantrace"}, {"version", INSTANTRACE_VERSION}};
}

McpJson initialize(const McpJson &Params) {
  std::string Wanted = rpcString(Params, "protocolVersion");
  if (!isKnown(Wanted) || Wanted == Revisions[0])
    Wanted = Revisions[1];
  return {{"protocolVersion", std::move(Wanted)},
          {"capabilities", capabilities()},
          {"serverInfo", serverInfo()},
          {"instructions", Instructions}};
}

McpJson discover() {
  return {{"supportedVersions", Revisions},
          {"capabilities", capabilities()},
          {"instructions", Instructions}};
}

/// The one that a request names; null: none, as before the first of ours.
McpJson namedRevision(const McpJson &Params) {
  auto Meta = Params.find("_meta");
  if (Meta == Params.end() || !Meta->is_object())
    return {};
  auto Named = Meta->find(RevisionMember);
  return Named == Meta->end() ? McpJson() : *Named;
}

McpJson unknownRevision(const McpJson &Id, const McpJson &Named) {
  McpJson Failure = rpcFailure(Id, RpcError::UnknownRevision,
                               "a revision of the protocol that is not known");
  Failure["error"]["data"] = {{"supported", Revisions}, {"requested", Named}};
  return Failure;
}

/// What the newest revision wants in each result.
void addNewest(McpJson &Result, std::string_view Method) {
  Result["resultType"] = "complete";
  Result["_meta"] = {{"io.modelcontextprotocol/serverInfo", serverInfo()}};
  if (Method.ends_with("/list") || Method == "resources/read" ||
      Method == "server/discover") {
    Result["ttlMs"] = FreshMs;
    Result["cacheScope"] = "private";
  }
}

} // namespace

Result<McpJson> McpServer::callTool(const McpJson &Params) const {
  auto Name = Params.find("name");
  if (Name == Params.end() || !Name->is_string())
    return makeError("tools/call", "no name", "one that tools/list has");
  auto Arguments = Params.find("arguments");
  auto Call =
      Tools.call(Name->get<std::string>(),
                 Arguments == Params.end() ? McpJson::object() : *Arguments);
  if (!Call)
    return makeError("tools/call", Name->dump(), "a name that tools/list has");
  if (!*Call)
    return toolResult(Call->error().Message, true);
  if ((*Call)->Words.empty())
    return toolResult(boundedText(listSessions(**Call), **Call), false);
  std::vector<std::string> Words = {"/proc/self/exe"};
  Words.insert(Words.end(), (*Call)->Words.begin(), (*Call)->Words.end());
  Words.emplace_back("--json");
  CommandOutput Done = runShortly(Words, PatienceMs, ErrorOutput::Apart);
  McpJson Answer =
      McpJson::parse(Done.Text, nullptr, /*allow_exceptions=*/false);
  if (!Done.isGood() || !Answer.is_object())
    return toolResult(failureText(Done), true);
  if (!Done.Errors.empty())
    Answer["notes"] = notesOf(Done.Errors);
  return toolResult(boundedText(std::move(Answer), **Call), false);
}

std::optional<Result<McpJson>>
McpServer::dispatch(const std::string &Method, const McpJson &Params) const {
  if (Method == "initialize")
    return initialize(Params);
  if (Method == "server/discover")
    return discover();
  if (Method == "ping")
    return McpJson::object();
  if (Method == "tools/list")
    return McpJson{{"tools", Tools.list()}};
  if (Method == "tools/call")
    return callTool(Params);
  if (Method == "prompts/list")
    return listPrompts();
  if (Method == "prompts/get")
    return getPrompt(Params);
  if (Method == "resources/list")
    return listResources();
  if (Method == "resources/templates/list")
    return McpJson{{"resourceTemplates", McpJson::array()}};
  if (Method == "resources/read")
    return readResource(Params);
  return std::nullopt;
}

std::string McpServer::answer(std::string_view Message) const {
  McpJson Refusal;
  const std::optional<RpcRequest> Request =
      readRequest(Message, MostMessageBytes, Refusal);
  if (!Request)
    return Refusal.is_null() ? std::string() : messageLine(Refusal);
  if (!Request->Id)
    return {}; // a notification
  const McpJson Named = namedRevision(Request->Params);
  if (!Named.is_null() &&
      (!Named.is_string() || !isKnown(Named.get<std::string>())))
    return messageLine(unknownRevision(*Request->Id, Named));
  auto Done = dispatch(Request->Method, Request->Params);
  if (Done && *Done &&
      (Named == Revisions[0] || Request->Method == "server/discover"))
    addNewest(**Done, Request->Method);
  return messageLine(rpcAnswer(*Request->Id, std::move(Done)));
}
