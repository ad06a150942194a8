/// \file
/// Requests to one HTTP server, one after the other, over a connection that is
/// kept.
///
/// Flow:   Server -> [HttpConnection] -> libcurl
/// Errors: what libcurl says
/// Trust:  the server may be anybody: a request lasts four times as long as it
///         may be silent, however slowly bytes come, and an answer has 1 GiB at
///         most and leads nowhere else
#pragma once

#include "runtime/base/Result.h"
#include "utils/clickhouse/ServerAddress.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace instantrace {

struct HttpRequest {
  /// Encoded here, in the address.
  std::vector<std::pair<std::string, std::string>> Parameters;
  std::string_view Body;
  bool IsGzip = false; ///< the body
  /// A file beside the body, as of a form: its name and bytes.
  std::pair<std::string, std::string_view> File;
};

struct HttpReply {
  int64_t Status = 0; ///< 0: there was none
  std::string Body;
  std::string Failure; ///< of the transfer; empty: it was whole
};

class HttpConnection {
public:
  static Result<HttpConnection> open(const ServerAddress &Address,
                                     const ServerAccess &Account);
  HttpConnection(HttpConnection &&) noexcept;
  HttpConnection &operator=(HttpConnection &&) noexcept;
  ~HttpConnection();

  /// By POST. An answer of more than 1 GiB is a failure.
  HttpReply send(const HttpRequest &Request);

private:
  struct Handles;
  explicit HttpConnection(std::unique_ptr<Handles> Own);

  std::unique_ptr<Handles> Own;
};

} // namespace instantrace
