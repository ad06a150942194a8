/// \file
/// `instantrace mcp`: answers an agent's questions about recorded builds.
///
/// Flow: stdin -> McpServer -> stdout
#include "runtime/base/SystemMessage.h"
#include "utils/commands/Commands.h"
#include "utils/mcp/McpServer.h"
#include "utils/render/Output.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <memory>
#include <string>
#include <unistd.h>

using namespace instantrace;

namespace {

/// Answers as soon as a line is there; of one that is too long, no more is kept
/// than tells that.
Result<int> serve(const McpServer &Server) {
  Output Out(stdout);
  std::string Line;
  char Bytes[1 << 14];
  while (true) {
    ssize_t Got = ::read(STDIN_FILENO, Bytes, sizeof(Bytes));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return Error{"the standard input: " + systemMessage(errno)};
    if (Got == 0) {
      if (!Line.empty())
        Out.append(Server.answer(Line));
      return Out.finish();
    }
    for (ssize_t I = 0; I != Got; ++I) {
      if (Bytes[I] != '\n') {
        if (Line.size() <= MostMessageBytes)
          Line.push_back(Bytes[I]);
        continue;
      }
      if (Line.find_first_not_of(" \r\t") != Line.npos)
        Out.append(Server.answer(Line));
      Line.clear();
      INSTANTRACE_TRY(Out.finish());
    }
  }
}

} // namespace

CommandRun instantrace::addMcp(CLI::App &App) {
  auto Folder = std::make_shared<std::string>();
  CLI::App *Command = App.add_subcommand(
      "mcp", "Answer an agent's questions about recorded builds.");
  Command
      ->add_option("--allow-run", *Folder,
                   "let `try` run the compilers of sessions below this folder; "
                   "without it no compiler is run and nothing written")
      ->check(CLI::ExistingDirectory);
  Command->footer(
      R"(A server of the Model Context Protocol (revisions 2026-07-28, 2025-11-25 and
2025-06-18) on the standard input and output, for an agent that edits, builds
and measures. Its tools are commands of this one that print JSON: overview,
costs, why, lines, headers, advise, diff, critical, touch, and try with
--allow-run; sessions lists what was recorded. An answer has at most 64 KiB,
says what was left out, and where the next rows begin. A session that is not
named is the newest below the folder in which the server was started.

Examples:
  echo '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' | instantrace mcp
  instantrace mcp --allow-run=.)");
  return [Folder] { return serve(McpServer(McpTools(*Folder))); };
}
