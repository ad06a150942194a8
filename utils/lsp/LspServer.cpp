#include "utils/lsp/LspServer.h"

#include "utils/lsp/LspText.h"
#include "utils/lsp/MessageStream.h"
#include "utils/render/NumberText.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

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

/// None: it is no number of a line.
std::optional<uint32_t> lineIn(const RpcJson &Value) {
  if (!Value.is_number_unsigned() || Value > UINT32_MAX)
    return std::nullopt;
  return Value.get<uint32_t>();
}

Error wrongParams(const char *Expected) {
  return makeError("params", "something else", Expected);
}

std::string workspaceOf(const RpcJson &Params) {
  const RpcJson &Folders = memberAt(Params, {"workspaceFolders"});
  if (Folders.is_array() && !Folders.empty())
    if (auto Path = pathOfUri(rpcString(Folders[0], "uri")))
      return *Path;
  if (auto Path = pathOfUri(rpcString(Params, "rootUri")))
    return *Path;
  const std::string Path = rpcString(Params, "rootPath");
  return Path.starts_with('/') ? Path : ".";
}

RpcJson pointRange(uint32_t Line, size_t Begin, size_t End) {
  return {{"start", {{"line", Line}, {"character", Begin}}},
          {"end", {{"line", Line}, {"character", End}}}};
}

} // namespace

std::optional<int> LspServer::take(std::string_view Text) {
  RpcJson Refusal;
  const std::optional<RpcRequest> Request =
      readRequest(Text, MessageStream::MostMessageBytes, Refusal);
  if (!Request) {
    if (!Refusal.is_null())
      Send(Refusal);
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
    Documents.erase(rpcString(memberAt(Params, {"textDocument"}), "uri"));
  else if (Method == "workspace/didChangeConfiguration")
    configure(memberAt(Params, {"settings"}));
}

RpcJson LspServer::initialize(const RpcJson &Params) {
  Phase = Initialized;
  Workspace = workspaceOf(Params);
  const RpcJson &Can = memberAt(Params, {"capabilities"});
  const RpcJson &Encodings = memberAt(Can, {"general", "positionEncodings"});
  if (Encodings.is_array() &&
      std::ranges::find(Encodings, "utf-8") != Encodings.end())
    Unit = PositionUnit::Utf8;
  HasHints = memberAt(Can, {"textDocument", "inlayHint"}).is_object();
  RefreshesHints =
      isTrue(memberAt(Can, {"workspace", "inlayHint", "refreshSupport"}));
  RefreshesLenses =
      isTrue(memberAt(Can, {"workspace", "codeLens", "refreshSupport"}));
  configure(memberAt(Params, {"initializationOptions"}));
  return {
      {"capabilities",
       {{"positionEncoding", Unit == PositionUnit::Utf8 ? "utf-8" : "utf-16"},
        {"textDocumentSync", {{"openClose", true}, {"change", 1}}},
        {"inlayHintProvider", true},
        {"codeLensProvider", {{"resolveProvider", false}}},
        {"hoverProvider", true}}},
      {"serverInfo",
       {{"name", "instantrace"}, {"version", INSTANTRACE_VERSION}}}};
}

void LspServer::configure(const RpcJson &Given) {
  const std::string Before = Settings.Session;
  if (Result<void> Done = changeSettings(Settings, Given); !Done)
    log(Done.error().Message);
  if (Session.path().empty() || Before != Settings.Session)
    Session.watch(Workspace, Settings.Session);
  askAgain();
}

void LspServer::openDocument(const RpcJson &Given) {
  const std::string Uri = rpcString(Given, "uri");
  if (const std::optional<std::string> Path = pathOfUri(Uri))
    setText(Documents.insert_or_assign(Uri, Document(*Path)).first,
            rpcString(Given, "text"));
}

/// Changes have all of the text.
void LspServer::changeDocument(const RpcJson &Params) {
  auto Open =
      Documents.find(rpcString(memberAt(Params, {"textDocument"}), "uri"));
  const RpcJson &Changes = memberAt(Params, {"contentChanges"});
  if (Open == Documents.end() || !Changes.is_array() || Changes.empty())
    return;
  const RpcJson &Last = Changes.back();
  if (memberAt(Last, {"range"}).is_null())
    setText(Open, rpcString(Last, "text"));
}

void LspServer::setText(DocumentEntry Open, const std::string &Text) {
  Open->second.setText(Text);
  size_t Bytes = 0;
  for (const auto &[Uri, Each] : Documents)
    Bytes += Each.sizeBytes();
  if (Bytes <= MostDocumentBytes)
    return;
  log(Open->second.path() +
      ": more than 64 MiB are open; no costs are shown in it");
  Documents.erase(Open);
}

std::optional<LspServer::OpenCosts> LspServer::costsOf(const RpcJson &Params) {
  refresh();
  auto Open =
      Documents.find(rpcString(memberAt(Params, {"textDocument"}), "uri"));
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
  return {{"line", Line},
          {"character", lengthIn(Unit, Costs.Open.lines()[Line])}};
}

Result<RpcJson> LspServer::inlayHints(const RpcJson &Params) {
  const auto First = lineIn(memberAt(Params, {"range", "start", "line"}));
  const auto Last = lineIn(memberAt(Params, {"range", "end", "line"}));
  if (!First || !Last)
    return wrongParams("a textDocument and a range");
  RpcJson Hints = RpcJson::array();
  const auto Costs = costsOf(Params);
  if (Costs && Settings.InlayHints.value_or(HasHints))
    forEachLine(*Costs, [&](uint32_t Line, const EditorLine &Cost) {
      if (Line >= *First && Line <= *Last)
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
    return RpcJson{
        {"contents",
         {{"kind", "markdown"},
          {"value", costMarkdown(Cost, *Session.costs(), Session.path(),
                                 Costs->IsStale)}}},
        {"range",
         pointRange(*Wanted, 0, lengthIn(Unit, Costs->Open.lines()[*Wanted]))}};
  }
  return RpcJson();
}

void LspServer::refresh() {
  const bool IsFirst = Session.path().empty();
  const bool IsNew = Session.refresh();
  if (!Session.problem().empty() && Session.problem() != LoggedProblem)
    log(Session.problem());
  LoggedProblem = Session.problem();
  if (!IsNew)
    return;
  for (auto &[Uri, Open] : Documents)
    Open.readDisk();
  if (Session.costs())
    log("costs are those of " + Session.path() + ", " +
        counted(Session.costs()->Units.size(), "unit"));
  if (!IsFirst)
    askAgain();
}

/// What the editor shows is out of date.
void LspServer::askAgain() {
  auto Ask = [this](const char *Method) {
    Send({{"jsonrpc", "2.0"},
          {"id", "instantrace-" + std::to_string(++Asked)},
          {"method", Method}});
  };
  if (Session.path().empty())
    return; // it has not asked yet
  if (RefreshesHints)
    Ask("workspace/inlayHint/refresh");
  if (RefreshesLenses)
    Ask("workspace/codeLens/refresh");
}

void LspServer::notify(const char *Method, RpcJson Params) {
  Send({{"jsonrpc", "2.0"}, {"method", Method}, {"params", std::move(Params)}});
}

void LspServer::log(const std::string &Message) {
  constexpr int Info = 3;
  notify("window/logMessage",
         {{"type", Info}, {"message", "instantrace: " + Message}});
}
