/// \file
/// Which server of ClickHouse is meant, and who asks it.
///
/// Flow:   --to, environment -> [ServerAddress, ServerAccess] -> Server
/// Errors: what is no address; a password in one, where every process of the
///         machine could read it
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <string>

namespace instantrace {

struct ServerAddress {
  bool IsEncrypted = false; ///< TLS: clickhouses://
  std::string Host;         ///< in brackets, if it is an IPv6 address
  uint16_t Port = 0;        ///< of HTTP
  std::string Database;

  /// As it was given.
  std::string text() const;
};

/// Whether \p Place is meant to be one.
bool isServerAddress(const std::string &Place);
/// "clickhouse://HOST:PORT/DATABASE". A database or a cluster is a word of
/// letters, digits and _, so that it needs no quotes anywhere.
Result<ServerAddress> parseServerAddress(const std::string &Text);
bool isServerWord(const std::string &Text);

/// What is in no command line and in no message.
struct ServerAccess {
  std::string User, Password;
  std::string AuthorityFile; ///< of certificates; empty: those of the system
  uint32_t SilenceS = 300;   ///< how long to wait for a byte
  uint32_t Attempts = 6;     ///< to add a session
};

/// From INSTANTRACE_STORE_USER, _PASSWORD or _PASSWORD_FILE, _CA, _TIMEOUT and
/// _ATTEMPTS.
Result<ServerAccess> accessOfEnvironment();

} // namespace instantrace
