/// \file
/// `instantrace lsp`: shows in an editor what lines cost to compile.
///
/// Flow: stdin -> MessageStream -> LspServer -> stdout
#include "utils/commands/Commands.h"
#include "utils/lsp/LspServer.h"
#include "utils/lsp/MessageStream.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/Output.h"

#include <CLI/CLI.hpp>

#include <malloc.h>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

using namespace instantrace;

namespace {

Result<int> serve(const std::string &Session) {
  arePipesRead() = false; // one may come in the place of a trace
  // What one thread has freed is for the others, too: a server keeps half of
  // the memory, and takes as long.
  ::mallopt(M_ARENA_MAX, 1);
  Output Out(stdout);
  Result<int> Sent = ExitSuccess;
  LspServer Server(
      [&](const RpcJson &Message) {
        Out.append(framedMessage(rpcText(Message)));
        if (Sent)
          Sent = Out.finish(); // how far a long work is, is for now
      },
      Session);
  MessageStream In(STDIN_FILENO);
  while (true) {
    const bool HasInput = In.hasInput(Server.patienceMs());
    Server.showWork(!HasInput); // also to an editor that asks without a pause
    INSTANTRACE_TRY(Sent);
    if (!HasInput)
      continue;
    INSTANTRACE_TRY_ASSIGN(std::optional<std::string> Text, In.next());
    const std::optional<int> Code =
        Text ? Server.take(*Text) : std::optional(Server.codeAtEnd());
    INSTANTRACE_TRY(Sent);
    if (Code)
      return *Code;
  }
}

} // namespace

CommandRun instantrace::addLsp(CLI::App &App) {
  auto Session = std::make_shared<std::string>();
  CLI::App *Command = App.add_subcommand(
      "lsp", "Show in an editor what lines cost to compile.");
  Command->add_option("--session", *Session,
                      "a session, a trace, or a folder of traces; the newest "
                      "below the editor's workspace if absent");
  Command->footer(
      R"(A server of the Language Server Protocol (3.17) on the standard input and
output, beside clangd or another one. It shows the cost of lines as inlay hints,
or as code lenses where the editor has no inlay hints, and a table when one
points at such a line; what advise says of lines, as diagnostics; and the
costliest templates, as symbols of the workspace. A new recording is shown as
soon as it has ended. It reads traces and sources. It runs and writes nothing
but by two commands of the protocol: instantrace.record records what builds the
project, and instantrace.report shows the report in a browser.

A hint says "8.90 s in 6 units, 69 %": the time of all that comes from the line,
in the compiles that have it, and its share of their time. "stale:" in front of
it: the file is newer than its compile, or is not on the disk.

Settings, as initializationOptions or in workspace/didChangeConfiguration:
  session      as --session
  minimumCost  lines of less have no hint: "50ms" (the default), "1%" of the
               compiles that have the line, or a number of milliseconds
  inlayHints   true or false
  codeLens     true or false
  diagnostics  true (the default) or false
  buildCommand what instantrace.record runs in the workspace's first folder, by
               the shell

docs/use/editors.md says how editors start it.

Examples:
  instantrace lsp
  instantrace lsp --session=build/session)");
  return [Session] { return serve(*Session); };
}
