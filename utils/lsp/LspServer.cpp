#include "utils/lsp/LspServer.h"

#include "runtime/base/SystemMessage.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/lsp/AdviceEdit.h"
#include "utils/lsp/LspText.h"
#include "utils/lsp/MessageStream.h"
#include "utils/render/NumberText.h"
#include "utils/render/UriText.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr size_t MostDocumentBytes = size_t(64) << 20;

/// What is at the end of a way through objects; null: nothing.
const RpcJson &memberAt(const RpcJson &Object,
                        std::initializer_list<const char *> Names) {
  static const RpcJson None;
  const RpcJson *Member = &Object;
  for (const char *Name : Names) {
    if (!Member->is_object())
      return None;
    auto Found = Member->find(Name);
    if (Found == Member->end())
      return None;
    Member = &*Found;
  }
  return *Member;
}

bool isTrue(const RpcJson &Value) {
  return Value.is_boolean() && Value.get<bool>();
}

/// False of what is no array, too.
bool contains(const RpcJson &Array, const RpcJson &Wanted) {
  return Array.is_array() && std::ranges::find(Array, Wanted) != Array.end();
}

/// None: it is no number of a line. One that no file has stands for the end.
std::optional<uint32_t> lineIn(const RpcJson &Value) {
  if (!Value.is_number_unsigned())
    return std::nullopt;
  return static_cast<uint32_t>(
      std::min<uint64_t>(Value.get<uint64_t>(), UINT32_MAX));
}

constexpr int UnnecessaryTag = 1; // of a diagnostic, whose text editors fade
constexpr const char *QuickFix = "quickfix";
constexpr const char *RecordCommand = "instantrace.record";
constexpr const char *ReportCommand = "instantrace.report";

Error wrongParams(const char *Expected) {
  return makeError("params", "something else", Expected);
}

struct LineSpan {
  uint32_t First = 0, Last = 0; ///< from 0
  bool contains(uint32_t Line) const { return First <= Line && Line <= Last; }
};

Result<LineSpan> linesIn(const RpcJson &Params) {
  const auto First = lineIn(memberAt(Params, {"range", "start", "line"}));
  const auto Last = lineIn(memberAt(Params, {"range", "end", "line"}));
  if (!First || !Last)
    return wrongParams("a textDocument and a range");
  return LineSpan{*First, *Last};
}

std::vector<std::string> foldersIn(const RpcJson &Named) {
  std::vector<std::string> Paths;
  if (Named.is_array())
    for (const RpcJson &Each : Named)
      if (auto Path = pathOfUri(rpcString(Each, "uri")))
        Paths.push_back(std::move(*Path));
  return Paths;
}

std::vector<std::string> workspaceOf(const RpcJson &Params) {
  std::vector<std::string> Named =
      foldersIn(memberAt(Params, {"workspaceFolders"}));
  if (!Named.empty())
    return Named;
  if (auto Path = pathOfUri(rpcString(Params, "rootUri")))
    return {*Path};
  const std::string Path = rpcString(Params, "rootPath");
  return {Path.starts_with('/') && Path.find('\0') == Path.npos ? Path : "."};
}

std::string lowerCase(std::string Text) {
  for (char &C : Text)
    if (C >= 'A' && C <= 'Z')
      C = static_cast<char>(C + ('a' - 'A'));
  return Text;
}

/// Where a browser finds the page, after the server has ended, too.
Result<std::string> reportPage(const std::string &Session) {
  const char *Cache = ::getenv("XDG_CACHE_HOME"), *Home = ::getenv("HOME");
  std::string Folder = Cache && *Cache == '/' ? Cache : "";
  if (Folder.empty() && Home && *Home == '/')
    Folder = std::string(Home) + "/.cache";
  if (Folder.empty())
    return makeError("XDG_CACHE_HOME and HOME", "no absolute path", "a folder");
  // Sessions of several projects have one name.
  std::error_code Failed;
  std::string Page = Folder + "/instantrace" +
                     normalPath(fs::absolute(Session, Failed).string()) +
                     ".html";
  Folder = folderOf(Page);
  fs::create_directories(Folder, Failed);
  if (Failed)
    return Error{Folder + ": " + systemMessage(Failed.value())};
  return Page;
}

RpcJson pointRange(uint32_t Line, size_t Begin, size_t End) {
  return {{"start", {{"line", Line}, {"character", Begin}}},
          {"end", {{"line", Line}, {"character", End}}}};
}

} // namespace

std::optional<int> LspServer::take(std::string_view Text) {
  if (Text.size() > MessageStream::MostMessageBytes) {
    // Only a text is as long, and nobody waits for an answer to that.
    forgetTexts("a message of more than " +
                std::to_string(MessageStream::MostMessageBytes >> 20) + " MiB");
    return std::nullopt;
  }
  RpcJson Refusal;
  const std::optional<RpcRequest> Request =
      readRequest(Text, MessageStream::MostMessageBytes, Refusal);
  if (!Request) {
    if (Refusal.is_null())
      return std::nullopt;
    Send(Refusal);
    if (Refusal["id"].is_null()) // it may have been a change
      forgetTexts(rpcString(Refusal["error"], "message"));
    return std::nullopt;
  }
  if (!Request->Id) {
    if (Request->Method == "exit")
      return Phase == ShutDown ? 0 : 1;
    if (Phase == Initialized)
      notice(Request->Method, Request->Params);
    return std::nullopt;
  }
  const RpcJson &Id = *Request->Id;
  if (Phase == Fresh && Request->Method != "initialize")
    Send(rpcFailure(Id, RpcError::NotInitialized, "initialize comes first"));
  else if (Phase == ShutDown)
    Send(rpcFailure(Id, RpcError::InvalidRequest, "the server is shut down"));
  else
    Send(rpcAnswer(Id, dispatch(Request->Method, Request->Params)));
  return std::nullopt;
}

LspServer::Answer LspServer::dispatch(const std::string &Method,
                                      const RpcJson &Params) {
  if (Method == "initialize") {
    if (Phase != Fresh)
      return Error{"initialize comes once"};
    return initialize(Params);
  }
  if (Method == "shutdown") {
    Phase = ShutDown;
    Command.stop();
    return RpcJson();
  }
  return dispatchQuestion(Method, Params);
}

LspServer::Answer LspServer::dispatchQuestion(const std::string &Method,
                                              const RpcJson &Params) {
  if (Method == "textDocument/inlayHint")
    return inlayHints(Params);
  if (Method == "textDocument/codeLens")
    return codeLenses(Params);
  if (Method == "textDocument/hover")
    return hover(Params);
  if (Method == "textDocument/codeAction")
    return codeActions(Params);
  if (Method == "workspace/symbol")
    return symbols(Params);
  if (Method == "textDocument/diagnostic")
    return diagnostics(Params);
  if (Method == "workspace/executeCommand")
    return executeCommand(Params);
  return std::nullopt;
}

void LspServer::notice(const std::string &Method, const RpcJson &Params) {
  if (Method == "initialized")
    refresh(); // so that the first question need not wait
  else if (Method == "textDocument/didOpen")
    openDocument(memberAt(Params, {"textDocument"}));
  else if (Method == "textDocument/didChange")
    changeDocument(Params);
  else if (Method == "textDocument/didClose")
    closeDocument(rpcString(memberAt(Params, {"textDocument"}), "uri"));
  else if (Method == "workspace/didChangeConfiguration") {
    configure(memberAt(Params, {"settings"}));
    lookAgain();
  } else if (Method == "workspace/didChangeWorkspaceFolders")
    changeFolders(memberAt(Params, {"event"}));
  else if (Method == "workspace/didChangeWatchedFiles")
    lookAgain();
  else if (Method == "window/workDoneProgress/cancel")
    cancelWork(memberAt(Params, {"token"}));
}

RpcJson LspServer::initialize(const RpcJson &Params) {
  Phase = Initialized;
  Folders = workspaceOf(Params);
  const RpcJson &Can = memberAt(Params, {"capabilities"});
  if (contains(memberAt(Can, {"general", "positionEncodings"}), "utf-8"))
    Unit = PositionUnit::Utf8;
  HasHints = memberAt(Can, {"textDocument", "inlayHint"}).is_object();
  RefreshesHints =
      isTrue(memberAt(Can, {"workspace", "inlayHint", "refreshSupport"}));
  RefreshesLenses =
      isTrue(memberAt(Can, {"workspace", "codeLens", "refreshSupport"}));
  // Without a refresh, a client that pulled before there was advice would get
  // none until it edits.
  PullsDiagnostics =
      memberAt(Can, {"textDocument", "diagnostic"}).is_object() &&
      isTrue(memberAt(Can, {"workspace", "diagnostics", "refreshSupport"}));
  FadesDiagnostics =
      contains(memberAt(Can, {"textDocument", "publishDiagnostics",
                              "tagSupport", "valueSet"}),
               UnnecessaryTag);
  ShowsProgress = isTrue(memberAt(Can, {"window", "workDoneProgress"}));
  if (ShowsProgress) {
    Reading.allow();
    Advising.allow();
    Running.allow();
  }
  ShowsDocuments = isTrue(memberAt(Can, {"window", "showDocument", "support"}));
  const RpcJson &Action = memberAt(Can, {"textDocument", "codeAction"});
  TakesActions = memberAt(Action, {"codeActionLiteralSupport"}).is_object();
  ShowsDisabledActions = isTrue(memberAt(Action, {"disabledSupport"}));
  configure(memberAt(Params, {"initializationOptions"}));
  watchSession();
  RpcJson Reply = {
      {"capabilities",
       {{"positionEncoding", Unit == PositionUnit::Utf8 ? "utf-8" : "utf-16"},
        {"textDocumentSync", {{"openClose", true}, {"change", 1}}},
        {"inlayHintProvider", true},
        {"codeLensProvider", {{"resolveProvider", false}}},
        {"hoverProvider", true},
        {"codeActionProvider",
         {{"codeActionKinds", RpcJson::array({QuickFix})}}},
        {"workspaceSymbolProvider", true},
        {"workspace",
         {{"workspaceFolders",
           {{"supported", true}, {"changeNotifications", true}}}}},
        {"executeCommandProvider",
         {{"commands", RpcJson::array({RecordCommand, ReportCommand})}}}}},
      {"serverInfo",
       {{"name", "instantrace"}, {"version", INSTANTRACE_VERSION}}}};
  if (PullsDiagnostics)
    Reply["capabilities"]["diagnosticProvider"] = {
        {"interFileDependencies", false}, {"workspaceDiagnostics", false}};
  return Reply;
}

void LspServer::configure(const RpcJson &Given) {
  const std::string Before = Settings.Session;
  const bool WasAdvised = Settings.Diagnostics;
  if (Result<void> Done = changeSettings(Settings, Given); !Done)
    log(Done.error().Message);
  const bool IsOther = Before != Settings.Session;
  if (IsOther)
    watchSession();
  if (IsOther || WasAdvised != Settings.Diagnostics)
    startAdvice();
  askAgain();
}

void LspServer::changeFolders(const RpcJson &Event) {
  std::erase(Folders, "."); // that of a workspace without one
  for (const std::string &Removed : foldersIn(memberAt(Event, {"removed"})))
    std::erase(Folders, Removed);
  for (std::string &Added : foldersIn(memberAt(Event, {"added"})))
    Folders.push_back(std::move(Added));
  watchSession();
  startAdvice();
  lookAgain();
  askAgain();
}

LspServer::DocumentEntry LspServer::openIn(const RpcJson &Params) {
  return Documents.find(rpcString(memberAt(Params, {"textDocument"}), "uri"));
}

void LspServer::openDocument(const RpcJson &Given) {
  const std::string Uri = rpcString(Given, "uri");
  if (const std::optional<std::string> Path = pathOfUri(Uri))
    setText(Documents.insert_or_assign(Uri, Document(*Path)).first,
            rpcString(Given, "text"));
}

/// Changes have all of the text.
void LspServer::changeDocument(const RpcJson &Params) {
  auto Open = openIn(Params);
  const RpcJson &Changes = memberAt(Params, {"contentChanges"});
  if (Open == Documents.end() || !Changes.is_array() || Changes.empty())
    return;
  const RpcJson &Last = Changes.back();
  const bool IsWhole = memberAt(Last, {"range"}).is_null();
  setText(Open, IsWhole ? rpcString(Last, "text") : std::string());
}

/// No costs rather than such at wrong lines. The next change of a document has
/// all of its text again.
void LspServer::forgetTexts(const std::string &Why) {
  log("cannot read a message: " + Why +
      (Documents.empty() ? ""
                         : "; an open file shows costs again after its next "
                           "change"));
  for (auto &[Uri, Open] : Documents) {
    Open.setText({});
    publish(Uri, Open);
  }
  askAgain();
}

void LspServer::setText(DocumentEntry Open, const std::string &Text) {
  Open->second.setText(Text);
  size_t Bytes = 0;
  for (const auto &[Uri, Each] : Documents)
    Bytes += Each.sizeBytes();
  if (Bytes <= MostDocumentBytes)
    return publish(Open->first, Open->second);
  log(Open->second.path() +
      ": more than 64 MiB are open; no costs are shown in it");
  Documents.erase(Open);
}

void LspServer::closeDocument(const std::string &Uri) {
  Documents.erase(Uri);
  publish(Uri, Document());
}

std::optional<LspServer::OpenCosts> LspServer::costsOf(const RpcJson &Params) {
  refresh();
  auto Open = openIn(Params);
  if (Open == Documents.end() || !Session.costs())
    return std::nullopt;
  const Document &Shown = Open->second;
  const EditorFile *File = Session.costs()->find(Shown.path());
  if (!File)
    return std::nullopt;
  return OpenCosts{Shown, *File, Shown.isStale(File->FirstRealtimeNs)};
}

bool LspServer::isShown(const EditorLine &Line) const {
  const auto Ns = static_cast<double>(Line.shownNs());
  return Line.shownNs() >= Settings.MinimumNs &&
         Ns * 100 >=
             Settings.MinimumPercent * static_cast<double>(Line.UnitsNs);
}

void LspServer::forEachLine(
    const OpenCosts &Costs,
    const std::function<void(uint32_t, const EditorLine &)> &Use) const {
  for (const auto &[Line, Cost] : Costs.File.Lines)
    if (isShown(Cost))
      if (const uint32_t Now = Costs.Open.lineNow(Line, Costs.IsStale))
        Use(Now - 1, Cost);
}

RpcJson LspServer::endOfLine(const OpenCosts &Costs, uint32_t Line) const {
  return {{"line", Line}, {"character", Costs.Open.lineLength(Unit, Line)}};
}

Result<RpcJson> LspServer::inlayHints(const RpcJson &Params) {
  INSTANTRACE_TRY_ASSIGN(const LineSpan Asked, linesIn(Params));
  RpcJson Hints = RpcJson::array();
  const auto Costs = costsOf(Params);
  if (Costs && Settings.InlayHints.value_or(HasHints))
    forEachLine(*Costs, [&](uint32_t Line, const EditorLine &Cost) {
      if (Asked.contains(Line))
        Hints.push_back({{"position", endOfLine(*Costs, Line)},
                         {"label", costLabel(Cost, Costs->IsStale)},
                         {"paddingLeft", true}});
    });
  return Hints;
}

Result<RpcJson> LspServer::codeLenses(const RpcJson &Params) {
  RpcJson Lenses = RpcJson::array();
  const auto Costs = costsOf(Params);
  if (Costs && Settings.CodeLens.value_or(!HasHints))
    forEachLine(*Costs, [&](uint32_t Line, const EditorLine &Cost) {
      Lenses.push_back(
          {{"range", pointRange(Line, 0, 0)},
           {"command",
            {{"title", costLabel(Cost, Costs->IsStale)}, {"command", ""}}}});
    });
  return Lenses;
}

Result<RpcJson> LspServer::hover(const RpcJson &Params) {
  const auto Wanted = lineIn(memberAt(Params, {"position", "line"}));
  if (!Wanted)
    return wrongParams("a textDocument and a position");
  const auto Costs = costsOf(Params);
  if (!Costs)
    return RpcJson();
  for (const auto &[Line, Cost] : Costs->File.Lines) {
    if (Cost.shownNs() == 0 ||
        Costs->Open.lineNow(Line, Costs->IsStale) != uint64_t(*Wanted) + 1)
      continue;
    const EditorUnit &Costliest =
        Session.costs()->Units[Cost.Costliest[0].Index];
    // Of a trace that has gone meanwhile, the rest is known.
    Result<LineWork> Work = readLineWork(Costliest, Costs->File.Path, Line);
    return RpcJson{
        {"contents",
         {{"kind", "markdown"},
          {"value",
           costMarkdown(Cost, Work ? *Work : LineWork(), *Session.costs(),
                        Session.path(), Costs->IsStale)}}},
        {"range",
         pointRange(*Wanted, 0, Costs->Open.lineLength(Unit, *Wanted))}};
  }
  return RpcJson();
}

Result<RpcJson> LspServer::symbols(const RpcJson &Params) {
  constexpr size_t MostAtOnce = 100;
  constexpr int ClassKind = 5;
  refresh();
  if (!Symbols && Session.costs()) {
    INSTANTRACE_TRY_ASSIGN(Symbols, readSessionSymbols(Session.path()));
  }
  const std::string Query = lowerCase(rpcString(Params, "query"));
  RpcJson Found = RpcJson::array();
  if (Symbols)
    for (const EditorSymbol &Each : *Symbols) {
      if (lowerCase(Each.Name).find(Query) == Query.npos)
        continue;
      Found.push_back(
          {{"name", Each.Name},
           {"kind", ClassKind},
           {"containerName", timeText(Each.SelfNs) + " self, " +
                                 counted(Each.Count, "instantiation")},
           {"location",
            {{"uri", fileUri(Each.Path)},
             {"range", pointRange(Each.LineNo - (Each.LineNo != 0), 0, 0)}}}});
      if (Found.size() == MostAtOnce)
        break;
    }
  return Found;
}

void LspServer::forEachAdvice(
    const Document &Open,
    const std::function<void(const LineAdvice &, uint32_t Line,
                             RpcJson Diagnostic)> &Use) const {
  constexpr int HintSeverity = 4;
  const EditorFile *File =
      Session.costs() ? Session.costs()->find(Open.path()) : nullptr;
  const bool IsStale = File && Open.isStale(File->FirstRealtimeNs);
  auto Known = Advice.find(File ? File->Path : Open.path());
  if (Known == Advice.end())
    return;
  for (const LineAdvice &Each : Known->second) {
    const uint32_t Now = Open.lineNow(Each.LineNo, IsStale);
    if (Now == 0)
      continue;
    RpcJson Diagnostic = {
        {"range", pointRange(Now - 1, 0, Open.lineLength(Unit, Now - 1))},
        {"severity", HintSeverity},
        {"code", Each.Kind},
        {"source", "instantrace"},
        {"message", (IsStale ? "Stale: " : "") + Each.Message}};
    if (IsStale && FadesDiagnostics)
      Diagnostic["tags"] = RpcJson::array({UnnecessaryTag});
    Use(Each, Now - 1, std::move(Diagnostic));
  }
}

RpcJson LspServer::diagnosticsOf(const Document &Open) const {
  RpcJson Items = RpcJson::array();
  forEachAdvice(Open,
                [&Items](const LineAdvice &, uint32_t, RpcJson Diagnostic) {
                  Items.push_back(std::move(Diagnostic));
                });
  return Items;
}

/// What `advise --try` could apply of the advice for the lines.
Result<RpcJson> LspServer::codeActions(const RpcJson &Params) {
  INSTANTRACE_TRY_ASSIGN(const LineSpan Asked, linesIn(Params));
  RpcJson Actions = RpcJson::array();
  const RpcJson &Only = memberAt(Params, {"context", "only"});
  auto Open = openIn(Params);
  if (!TakesActions || Open == Documents.end() ||
      (Only.is_array() && !contains(Only, QuickFix)))
    return Actions;
  forEachAdvice(Open->second, [&](const LineAdvice &Each, uint32_t Line,
                                  RpcJson Diagnostic) {
    if (Each.Edits.empty() || !Asked.contains(Line))
      return;
    RpcJson Action = {{"title", Each.ToDo},
                      {"kind", QuickFix},
                      {"diagnostics", RpcJson::array({std::move(Diagnostic)})}};
    if (Result<RpcJson> Edit = adviceEdit(Each, Unit, Documents))
      Action["edit"] = std::move(*Edit);
    else if (ShowsDisabledActions)
      Action["disabled"] = {{"reason", Edit.error().Message}};
    else
      return;
    Actions.push_back(std::move(Action));
  });
  return Actions;
}

Result<RpcJson> LspServer::diagnostics(const RpcJson &Params) {
  refresh();
  auto Open = openIn(Params);
  return RpcJson{{"kind", "full"},
                 {"items", Open == Documents.end()
                               ? RpcJson::array()
                               : diagnosticsOf(Open->second)}};
}

/// What was said of it goes when there is nothing to say.
void LspServer::publish(const std::string &Uri, const Document &Open) {
  if (PullsDiagnostics)
    return;
  RpcJson Items = diagnosticsOf(Open);
  if (Items.empty() && Published.erase(Uri) == 0)
    return;
  if (!Items.empty())
    Published.insert(Uri);
  notify("textDocument/publishDiagnostics",
         {{"uri", Uri}, {"diagnostics", std::move(Items)}});
}

void LspServer::startAdvice() {
  AdviceTask.stop();
  Advising.end();
  const bool WasAdvised = !Advice.empty();
  Advice.clear();
  Symbols.reset();
  const bool IsAdvised = Settings.Diagnostics && Session.costs();
  if (WasAdvised || !IsAdvised)
    showAdvice(); // it would stay if the user ended the search for another
  if (!IsAdvised)
    return;
  AdviceTask.start([Path = Session.path()](const WorkState &State) {
    return readSessionAdvice(Path, State);
  });
  Advising.start("looking for what would save time");
}

int LspServer::patienceMs() const {
  constexpr int ForEver = -1, Working = 100, Idle = 1000;
  return Phase != Initialized ? ForEver : isWorking() ? Working : Idle;
}

void LspServer::showWork(bool IsIdle) {
  if (Phase != Initialized)
    return;
  if (IsIdle)
    Session.lookUnasked();
  takeCosts({});
  Advising.at(std::nullopt);
  if (std::optional<SessionAdvice> Done = AdviceTask.take()) {
    Advising.end();
    Advice = std::move(*Done);
    showAdvice();
  }
  Running.at(std::nullopt);
  if (std::optional<int> ExitCode = Command.take())
    showCommand(*ExitCode);
}

void LspServer::showAdvice() {
  for (const auto &[Uri, Open] : Documents)
    publish(Uri, Open);
  if (PullsDiagnostics && !Session.path().empty())
    askClient("workspace/diagnostic/refresh");
}

Result<RpcJson> LspServer::executeCommand(const RpcJson &Params) {
  const std::string Name = rpcString(Params, "command");
  const bool IsReport = Name == ReportCommand;
  if (Name != RecordCommand && !IsReport)
    return makeError("workspace/executeCommand",
                     "'" + Name.substr(0, 100) + "'",
                     "instantrace.record or instantrace.report");
  INSTANTRACE_TRY(IsReport ? startReport() : startRecording());
  Running.start(IsReport ? "writing the report" : "recording the build");
  return RpcJson();
}

/// Only what the editor sets is run, and nothing that a session names.
Result<void> LspServer::startRecording() {
  if (Settings.BuildCommand.empty())
    return Error{"the setting buildCommand is empty; set what builds the "
                 "project, such as \"ninja -C build\""};
  if (Folders.empty())
    return Error{"open a folder to record a build of it"};
  INSTANTRACE_TRY(
      Command.start({"record", "--", "/bin/sh", "-c", Settings.BuildCommand},
                    Folders.front()));
  Page.clear();
  return {};
}

Result<void> LspServer::startReport() {
  refresh();
  if (!Session.costs())
    return Error{Session.isReading() ? "traces are still being read"
                                     : Session.problem()};
  INSTANTRACE_TRY_ASSIGN(std::string Path, reportPage(Session.path()));
  INSTANTRACE_TRY(Command.start({"report", "-o", Path, "--", Session.path()},
                                Folders.empty() ? "." : Folders.front()));
  Page = std::move(Path);
  return {};
}

void LspServer::showCommand(int ExitCode) {
  Running.end();
  if (Page.empty())
    lookAgain(); // a build that failed has traces, too
  if (Command.isStopped())
    return; // as the user wanted
  if (ExitCode != 0)
    showMessage(true, std::string(Page.empty() ? "recording the build"
                                               : "writing the report") +
                          " failed with " + std::to_string(ExitCode) +
                          "; the server's error output says why");
  else if (!Page.empty() && ShowsDocuments)
    askClient("window/showDocument",
              {{"uri", fileUri(Page)}, {"external", true}});
  else if (!Page.empty())
    showMessage(false, "the report is " + Page);
}

void LspServer::cancelWork(const RpcJson &Token) {
  const std::string Name = Token.is_string() ? Token.get<std::string>() : "";
  if (Reading.isCancelledBy(Name)) {
    Session.stopReading();
    SaysProblem = false; // the user knows
    Reading.end();
  } else if (Advising.isCancelledBy(Name)) {
    AdviceTask.stop();
    Advising.end();
  } else if (Running.isCancelledBy(Name)) {
    Command.stop();
  }
}

void LspServer::watchSession() {
  Session.watch(Folders, Settings.Session);
  SaysProblem = !Settings.Session.empty();
}

/// Whether the editor goes on while traces are read: it shows that they are,
/// and asks again.
bool LspServer::readsBeside() const {
  return ShowsProgress && (HasHints ? RefreshesHints : RefreshesLenses);
}

void LspServer::refresh() {
  constexpr std::chrono::milliseconds Pause(100);
  Session.look();
  takeCosts({});
  while (Session.isReading() && !readsBeside())
    takeCosts(Pause);
}

void LspServer::lookAgain() {
  Session.lookNow(); // a short build begins and ends within a second
  refresh();
}

void LspServer::takeCosts(std::chrono::milliseconds Patience) {
  if (Session.isReading() && !Reading.isStarted())
    Reading.start("reading traces");
  const bool IsNew = Session.take(Patience);
  if (Session.isReading())
    return Reading.at(Session.percent());
  Reading.end();
  if (!Session.problem().empty() && Session.problem() != LoggedProblem) {
    log(Session.problem());
    if (SaysProblem)
      showMessage(true,
                  "cannot show the session that is set: " + Session.problem());
  }
  SaysProblem = false;
  LoggedProblem = Session.problem();
  nameSession();
  if (!IsNew)
    return;
  for (auto &[Uri, Open] : Documents)
    Open.readDisk();
  log("costs are those of " + Session.path() + ", " +
      counted(Session.costs()->Units.size(), "unit"));
  logProblems();
  startAdvice();
  askAgain();
}

/// Clients may ignore what begins with $/, as those do that show no session.
void LspServer::nameSession() {
  const std::string Shown = Session.costs() ? Session.path() : "";
  if (Shown == NamedSession)
    return;
  NamedSession = Shown;
  notify("$/instantrace/session", {{"path", Shown}});
}

void LspServer::logProblems() {
  constexpr size_t MostLogged = 10;
  const std::vector<std::string> &Problems = Session.costs()->Problems;
  const size_t Logged = std::min(Problems.size(), MostLogged);
  for (size_t I = 0; I != Logged; ++I)
    log(Problems[I]);
  if (Logged != Problems.size())
    log("and " + counted(Problems.size() - Logged, "other problem"));
}

/// What the editor shows is out of date.
void LspServer::askAgain() {
  if (Session.path().empty())
    return; // it has not asked yet
  if (RefreshesHints)
    askClient("workspace/inlayHint/refresh");
  if (RefreshesLenses)
    askClient("workspace/codeLens/refresh");
}

void LspServer::askClient(const char *Method, RpcJson Params) {
  Send(rpcQuestion("instantrace-" + std::to_string(++Asked), Method,
                   std::move(Params)));
}

void LspServer::notify(const char *Method, RpcJson Params) {
  Send(rpcNotice(Method, std::move(Params)));
}

void LspServer::showMessage(bool IsError, const std::string &Message) {
  constexpr int ErrorType = 1, Info = 3;
  notify("window/showMessage", {{"type", IsError ? ErrorType : Info},
                                {"message", "instantrace: " + Message}});
}

void LspServer::log(const std::string &Message) {
  constexpr int Info = 3;
  notify("window/logMessage",
         {{"type", Info}, {"message", "instantrace: " + Message}});
}
