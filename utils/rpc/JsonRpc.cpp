#include "utils/rpc/JsonRpc.h"

#include "utils/session/RecordedSession.h"

#include <utility>

using namespace instantrace;

namespace {

bool isId(const RpcJson &Value) {
  return Value.is_string() || Value.is_number_integer();
}

RpcJson refused(const RpcJson &Id, const char *Message) {
  return rpcFailure(Id, RpcError::InvalidRequest, Message);
}

/// Of an object.
std::optional<RpcRequest> requestOf(RpcJson &Message, RpcJson &Refusal) {
  auto Id = Message.find("id"), Method = Message.find("method");
  const bool IsAsked = Id != Message.end();
  if (!IsAsked && (Method == Message.end() || !Method->is_string()))
    return std::nullopt;
  if (IsAsked && Method == Message.end() && Message.size() > 2)
    return std::nullopt; // an answer
  if (IsAsked &&
      (Method == Message.end() || !Method->is_string() || !isId(*Id))) {
    Refusal = refused(isId(*Id) ? *Id : RpcJson(),
                      "a request has a method and an id");
    return std::nullopt;
  }
  RpcRequest Request;
  if (IsAsked)
    Request.Id = *Id;
  Request.Method = Method->get<std::string>();
  auto Params = Message.find("params");
  Request.Params = Params == Message.end() || Params->is_null()
                       ? RpcJson::object()
                       : std::move(*Params);
  if (Request.Params.is_object())
    return Request;
  if (IsAsked)
    Refusal =
        rpcFailure(*Id, RpcError::InvalidParams, "params: expected an object");
  return std::nullopt;
}

} // namespace

std::optional<RpcRequest> instantrace::readRequest(std::string_view Text,
                                                   size_t MostBytes,
                                                   RpcJson &Refusal) {
  Refusal = RpcJson();
  if (Text.size() > MostBytes || !isSessionShaped(Text)) {
    Refusal = refused(nullptr,
                      ("a message has at most " +
                       std::to_string(MostBytes >> 20) + " MiB and 16 levels")
                          .c_str());
    return std::nullopt;
  }
  RpcJson Message = RpcJson::parse(Text, nullptr, /*allow_exceptions=*/false);
  if (Message.is_discarded())
    Refusal = rpcFailure(nullptr, RpcError::ParseFailed, "this is no JSON");
  else if (!Message.is_object() || Message.value("jsonrpc", RpcJson()) != "2.0")
    Refusal = refused(nullptr, "this is no JSON-RPC 2.0");
  else
    return requestOf(Message, Refusal);
  return std::nullopt;
}

RpcJson instantrace::rpcFailure(const RpcJson &Id, RpcError Code,
                                const std::string &Message) {
  return {{"jsonrpc", "2.0"},
          {"id", Id},
          {"error", {{"code", static_cast<int>(Code)}, {"message", Message}}}};
}

RpcJson instantrace::rpcResult(const RpcJson &Id, RpcJson Value) {
  return {{"jsonrpc", "2.0"}, {"id", Id}, {"result", std::move(Value)}};
}

RpcJson instantrace::rpcAnswer(const RpcJson &Id,
                               std::optional<Result<RpcJson>> Done) {
  if (!Done)
    return rpcFailure(Id, RpcError::MethodNotFound, "no such method");
  if (!*Done)
    return rpcFailure(Id, RpcError::InvalidParams, Done->error().Message);
  return rpcResult(Id, std::move(**Done));
}

std::string instantrace::rpcText(const RpcJson &Message) {
  return Message.dump(-1, ' ', false, RpcJson::error_handler_t::replace);
}

std::string instantrace::rpcString(const RpcJson &Object, const char *Name) {
  if (!Object.is_object())
    return {};
  auto Found = Object.find(Name);
  return Found != Object.end() && Found->is_string() ? Found->get<std::string>()
                                                     : std::string();
}
