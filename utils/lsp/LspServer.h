/// \file
/// Answers an editor over the Language Server Protocol: what lines cost to
/// compile.
///
/// Flow:    MessageStream -> [LspServer] -> SessionWatch, Document -> messages
/// Bounds:  64 MiB of open documents, with their lines and files; nothing is
///          shown in one that is more
/// Errors:  of the protocol as JSON-RPC has them; those of a session, and a
///          message that cannot be read, in the editor's log
/// Threads: one, and one each that reads costs and works out advice, which a
///          user may cancel; a request is answered before the next one is read
/// Source:  the Language Server Protocol, 3.17
#pragma once

#include "runtime/base/Result.h"
#include "utils/lsp/Document.h"
#include "utils/lsp/EditorCommand.h"
#include "utils/lsp/LspSettings.h"
#include "utils/lsp/SessionAdvice.h"
#include "utils/lsp/SessionSymbols.h"
#include "utils/lsp/SessionWatch.h"
#include "utils/lsp/WorkProgress.h"
#include "utils/rpc/JsonRpc.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

class LspServer {
public:
  using SendMessage = std::function<void(const RpcJson &)>;

  /// \p Named: a session; empty: the newest.
  LspServer(SendMessage Send, std::string Named) : Send(std::move(Send)) {
    Settings.Session = std::move(Named);
  }

  /// Takes a message, and sends what answers it. The exit code when it ends the
  /// server.
  std::optional<int> take(std::string_view Text);
  /// When there is no more to take: 1 if an editor has gone without a word.
  int codeAtEnd() const { return Phase == Initialized ? 1 : 0; }
  /// How long the next message may take until showWork() has something to do;
  /// -1: for ever.
  int patienceMs() const;
  /// Shows what was done meanwhile. \p IsIdle: no message has come, and so it
  /// looks for a newer session.
  void showWork(bool IsIdle);

private:
  enum { Fresh, Initialized, ShutDown } Phase = Fresh;
  using Answer = std::optional<Result<RpcJson>>; ///< none: no such method

  /// What a document has costs of.
  struct OpenCosts {
    const Document &Open;
    const EditorFile &File;
    bool IsStale;
  };

  Answer dispatch(const std::string &Method, const RpcJson &Params);
  Answer dispatchQuestion(const std::string &Method, const RpcJson &Params);
  void notice(const std::string &Method, const RpcJson &Params);
  RpcJson initialize(const RpcJson &Params);
  void openDocument(const RpcJson &Given);
  void changeDocument(const RpcJson &Params);
  using DocumentEntry = std::map<std::string, Document>::iterator;
  /// The one that a message is about; the end: it is not open.
  DocumentEntry openIn(const RpcJson &Params);
  void setText(DocumentEntry Open, const std::string &Text);
  void forgetTexts(const std::string &Why);
  void closeDocument(const std::string &Uri);
  void configure(const RpcJson &Given);
  void changeFolders(const RpcJson &Event);

  Result<RpcJson> inlayHints(const RpcJson &Params);
  Result<RpcJson> codeLenses(const RpcJson &Params);
  Result<RpcJson> hover(const RpcJson &Params);

  Result<RpcJson> symbols(const RpcJson &Params);
  Result<RpcJson> diagnostics(const RpcJson &Params);
  Result<RpcJson> codeActions(const RpcJson &Params);

  void forEachAdvice(const Document &Open,
                     const std::function<void(const LineAdvice &, uint32_t Line,
                                              RpcJson Diagnostic)> &Use) const;
  RpcJson diagnosticsOf(const Document &Open) const;
  void publish(const std::string &Uri, const Document &Open);
  void startAdvice();
  void showAdvice();

  Result<RpcJson> executeCommand(const RpcJson &Params);
  Result<void> startRecording();
  Result<void> startReport();
  void showCommand(int ExitCode);
  void showMessage(bool IsError, const std::string &Message);
  void cancelWork(const RpcJson &Token);

  /// None: nothing is known of it.
  std::optional<OpenCosts> costsOf(const RpcJson &Params);
  /// Each line that is worth it: its number now, from 0, and its cost.
  void forEachLine(
      const OpenCosts &Costs,
      const std::function<void(uint32_t, const EditorLine &)> &Use) const;
  bool isShown(const EditorLine &Line) const;
  RpcJson endOfLine(const OpenCosts &Costs, uint32_t Line) const;

  void watchSession();
  bool isWorking() const {
    return Session.isReading() || AdviceTask.isRunning() || Command.isRunning();
  }
  bool readsBeside() const;
  void refresh();
  void lookAgain();
  void takeCosts(std::chrono::milliseconds Patience);
  void nameSession();
  void logProblems();
  void askAgain();
  void askClient(const char *Method, RpcJson Params = {});
  void notify(const char *Method, RpcJson Params);
  void log(const std::string &Message);

  SendMessage Send;
  LspSettings Settings;
  SessionWatch Session;
  std::vector<std::string> Folders; ///< of the workspace
  bool SaysProblem = false; ///< that of the session that is set, to the user
  std::string LoggedProblem;
  std::string NamedSession; ///< as the client knows it; empty: none is shown
  std::map<std::string, Document> Documents; ///< by URI
  PositionUnit Unit = PositionUnit::Utf16;
  bool HasHints = false; ///< the client shows them
  bool RefreshesHints = false, RefreshesLenses = false;
  bool PullsDiagnostics = false; ///< and else they are pushed
  bool FadesDiagnostics = false; ///< that are unnecessary
  bool TakesActions = false, ShowsDisabledActions = false;
  bool ShowsDocuments = false, ShowsProgress = false;
  uint64_t Asked = 0;                               ///< requests of ours
  std::optional<std::vector<EditorSymbol>> Symbols; ///< if they were asked for
  SessionAdvice Advice;
  std::set<std::string> Published; ///< URIs that have diagnostics
  WorkTask<SessionAdvice> AdviceTask;
  EditorCommand Command;
  std::string Page; ///< that Command writes; empty: it records
  WorkProgress Reading{Send, "reading"}, Advising{Send, "advice"},
      Running{Send, "command"};
};

} // namespace instantrace
