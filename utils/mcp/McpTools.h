/// \file
/// What an agent can ask for: each tool is a command that prints JSON.
///
/// Flow:   tools/call -> [McpTools] -> words of a command -> McpServer
/// Errors: an argument that is missing, unknown or of another type is refused
///         by its name. A text that begins with `-` is refused: it would be an
///         option
#pragma once

#include "runtime/base/Result.h"
#include "utils/rpc/JsonRpc.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

using McpJson = RpcJson;

/// Which of its `rows` an answer has.
enum class Paging {
  None,      ///< all that fit
  Costliest, ///< as many as a limit says, in another order
  Cursor     ///< the same, the costliest first, and then the next ones
};

struct McpCall {
  /// Behind `instantrace`, without --json; none: it lists sessions.
  std::vector<std::string> Words;
  Paging Rows = Paging::None;
  size_t Offset = 0, Limit = 0; ///< of the rows
};

class McpTools {
public:
  /// \p RunFolder: commands may run compilers on sessions below it; empty: none
  /// may.
  explicit McpTools(std::string RunFolder) : RunFolder(std::move(RunFolder)) {}

  /// For tools/list.
  McpJson list() const;
  /// None: there is no such tool.
  std::optional<Result<McpCall>> call(const std::string &Name,
                                      const McpJson &Given) const;

private:
  std::string RunFolder;
};

/// Rows of one answer if nobody says how many, and the most.
inline constexpr size_t McpRows = 20, MostMcpRows = 500;

} // namespace instantrace
