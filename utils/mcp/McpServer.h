/// \file
/// Answers an agent over the Model Context Protocol: JSON-RPC, a message per
/// line.
///
/// Flow:    stdin -> [McpServer] -> McpTools -> a command as a child -> stdout
/// Bounds:  messages of 1 MiB and 16 levels, answers of 64 KiB, ten minutes for
///          a command; the answer says what was left out
/// Errors:  of the protocol as JSON-RPC has them; of a command as a result with
///          isError
/// Threads: one; a request is answered before the next one is read
/// Source:  modelcontextprotocol.io, revisions 2026-07-28, which each request
///          names, 2025-11-25 and 2025-06-18
#pragma once

#include "runtime/base/Result.h"
#include "utils/mcp/McpTools.h"

#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

class McpServer {
public:
  explicit McpServer(McpTools Tools) : Tools(std::move(Tools)) {}

  /// The line to answer with; empty: none, as for a notification.
  std::string answer(std::string_view Message) const;

private:
  /// None: there is no such method.
  std::optional<Result<McpJson>> dispatch(const std::string &Method,
                                          const McpJson &Params) const;
  Result<McpJson> callTool(const McpJson &Params) const;

  McpTools Tools;
};

/// Longest line that is read.
inline constexpr size_t MostMessageBytes = size_t(1) << 20;

} // namespace instantrace
