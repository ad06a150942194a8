/// \file
/// JSON-RPC 2.0, as the Model Context Protocol and the Language Server Protocol
/// have it, whatever frames its messages.
///
/// Flow:   text of a message -> [readRequest] -> McpServer, LspServer
///         -> [rpcText] -> text
/// Bounds: 16 levels, 1,000 members of an object, a million values
/// Errors: as objects that are sent, with the protocol's numbers
#pragma once

#include "runtime/base/Result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

using RpcJson = nlohmann::ordered_json;

enum class RpcError : int {
  ParseFailed = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  NotInitialized = -32002,  ///< of the Language Server Protocol
  UnknownRevision = -32022, ///< of the Model Context Protocol
};

/// Somebody asks or tells something.
struct RpcRequest {
  std::optional<RpcJson> Id; ///< none: a notification, which has no answer
  std::string Method;
  RpcJson Params; ///< an object
};

/// Half of a character in a string is replaced. None: \p Refusal has what to
/// answer with, or null, as for an answer to what nobody asked.
std::optional<RpcRequest> readRequest(std::string_view Text, size_t MostBytes,
                                      RpcJson &Refusal);

RpcJson rpcFailure(const RpcJson &Id, RpcError Code,
                   const std::string &Message);
RpcJson rpcResult(const RpcJson &Id, RpcJson Value);
/// What to answer \p Id with; none: there is no such method.
RpcJson rpcAnswer(const RpcJson &Id, std::optional<Result<RpcJson>> Done);
/// What we tell, and what we ask: an answer has \p Id. Null: no parameters.
RpcJson rpcNotice(const std::string &Method, RpcJson Params);
RpcJson rpcQuestion(const std::string &Id, const std::string &Method,
                    RpcJson Params);
/// On one line. What is no UTF-8 is replaced.
std::string rpcText(const RpcJson &Message);

/// A member that is a text; empty: it is not there, or is something else.
std::string rpcString(const RpcJson &Object, const char *Name);

} // namespace instantrace
