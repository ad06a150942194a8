#include "utils/rpc/JsonRpc.h"

#include "utils/session/RecordedSession.h"

#include <charconv>
#include <cstdint>
#include <utility>

using namespace instantrace;

namespace {

bool isId(const RpcJson &Value) {
  return Value.is_string() || Value.is_number_integer();
}

RpcJson refused(const RpcJson &Id, const char *Message) {
  return rpcFailure(Id, RpcError::InvalidRequest, Message);
}

/// None: \p Text begins otherwise than with `\uXXXX`.
std::optional<uint32_t> escapedUnit(std::string_view Text) {
  uint32_t Unit = 0;
  if (Text.size() < 6 || !Text.starts_with("\\u"))
    return std::nullopt;
  auto [Rest, Failed] =
      std::from_chars(Text.data() + 2, Text.data() + 6, Unit, 16);
  return Failed == std::errc() && Rest == Text.data() + 6 ? std::optional(Unit)
                                                          : std::nullopt;
}

/// Half of a character, which editors have in a text, is no JSON.
std::string withoutHalves(std::string_view Text) {
  constexpr uint32_t High = 0xd800, Low = 0xdc00, End = 0xe000;
  std::string Whole(Text);
  for (size_t I = Text.find('\\'); I < Text.size(); I = Text.find('\\', I)) {
    const std::optional<uint32_t> Unit = escapedUnit(Text.substr(I));
    if (!Unit || *Unit < High || *Unit >= End) {
      I += 2; // `\\u` is no escape of a unit
      continue;
    }
    const uint32_t Next = *Unit < Low && I + 6 < Text.size()
                              ? escapedUnit(Text.substr(I + 6)).value_or(0)
                              : 0;
    const bool IsPair = Next >= Low && Next < End;
    if (!IsPair)
      Whole.replace(I, 6, "\\ufffd");
    I += IsPair ? 12 : 6;
  }
  return Whole;
}

/// Requires: \p Message is an object.
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
    Message = RpcJson::parse(withoutHalves(Text), nullptr, false);
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

RpcJson instantrace::rpcNotice(const std::string &Method, RpcJson Params) {
  return {
      {"jsonrpc", "2.0"}, {"method", Method}, {"params", std::move(Params)}};
}

RpcJson instantrace::rpcQuestion(const std::string &Id,
                                 const std::string &Method, RpcJson Params) {
  RpcJson Message = {{"jsonrpc", "2.0"}, {"id", Id}, {"method", Method}};
  if (!Params.is_null())
    Message["params"] = std::move(Params);
  return Message;
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
