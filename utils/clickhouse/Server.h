/// \file
/// A server of ClickHouse: statements, questions and blocks of rows.
///
/// Flow:   SQL, RowBlock -> [Server] -> HttpConnection; reply -> TabRows
/// Errors: "clickhouse://HOST:PORT/DATABASE: MESSAGE", of the server or of the
///         way there; never with a password
#pragma once

#include "runtime/base/Result.h"
#include "utils/clickhouse/HttpConnection.h"
#include "utils/clickhouse/RowBlock.h"
#include "utils/clickhouse/ServerAddress.h"
#include "utils/clickhouse/TabRows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// Rows of whole numbers and texts, as a question has few of.
using ServerRows = std::vector<TabRows::Row>;

class Server {
public:
  static Result<Server> open(const ServerAddress &Address,
                             const ServerAccess &Access);

  std::string place() const { return Address.text(); }
  const ServerAddress &address() const { return Address; }
  const ServerAccess &access() const { return Access; }
  Error failure(const std::string &Message) const {
    return {place() + ": " + Message};
  }
  Error failure(const Error &Reason) const { return failure(Reason.Message); }

  /// From now on each request says otherwise what the user's profile has and
  /// would change an answer; \p IsToRead: nothing is changed, the server sees
  /// to it. Errors: it is none; such a setting of a user who may say nothing.
  Result<void> settle(bool IsToRead);

  /// A statement without an answer. \p IsOfDatabase: false of what is done
  /// before there is the database.
  Result<void> run(const std::string &Sql, bool IsOfDatabase = true);
  /// What came back to a SELECT, for TabRows. \p Table, if there is one: a
  /// table of that name, and its rows in RowBinary, for this question alone.
  struct GivenTable {
    std::string Name, Structure;
    RowBlock Rows;
  };
  Result<std::string> ask(const std::string &Sql,
                          const GivenTable *Table = nullptr,
                          bool IsOfDatabase = true);
  /// The same, all of it.
  Result<ServerRows> rows(const std::string &Sql, bool IsOfDatabase = true);
  /// Of a question for one whole number; nothing of no row or NULL.
  Result<std::optional<int64_t>> number(const std::string &Sql);
  /// \p Into: TABLE(COLUMN, ...).
  Result<void> insert(const std::string &Into, const RowBlock &Rows);

  /// Of the last failure: it passes, and what was sent may be there or not.
  bool isTransient() const { return FailureIsTransient; }
  /// And nothing of what was sent was taken: the server has too much to do.
  bool wasRefused() const { return FailureIsRefusal; }
  /// What was answered is a failure of this kind.
  void setTransient() { FailureIsTransient = true; }

private:
  Server(ServerAddress Address, ServerAccess Access, HttpConnection Connection)
      : Address(std::move(Address)), Access(std::move(Access)),
        Connection(std::move(Connection)) {}
  Result<std::string> send(HttpRequest &Request, bool IsOfDatabase);
  Error judged(const HttpReply &Reply);

  ServerAddress Address;
  ServerAccess Access;
  HttpConnection Connection;
  std::vector<std::pair<std::string, std::string>> Settings;
  bool FailureIsTransient = false, FailureIsRefusal = false;
};

} // namespace instantrace
