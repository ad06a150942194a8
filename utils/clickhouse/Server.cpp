#include "utils/clickhouse/Server.h"

#include "utils/clickhouse/SqlText.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>

using namespace instantrace;

namespace {

constexpr int StatusOk = 200;
/// Longer messages have a stack or a statement behind what matters.
constexpr size_t MostMessageBytes = 500;
/// Of a statement, beyond what a server reads by itself.
constexpr size_t LongStatementBytes = 200'000;

/// What passes: the server is busy, or another one that it needs is away.
/// Source: ErrorCodes.cpp of ClickHouse
constexpr int TooManyQueries = 202; // TOO_MANY_SIMULTANEOUS_QUERIES
constexpr int TooManyParts = 252;   // TOO_MANY_PARTS
constexpr int PassingCodes[] = {
    TooManyQueries,
    TooManyParts,
    57,  // TABLE_ALREADY_EXISTS, and
    60,  // UNKNOWN_TABLE: another one makes them at this moment
    159, // TIMEOUT_EXCEEDED
    209, // SOCKET_TIMEOUT
    210, // NETWORK_ERROR
    218, // TABLE_IS_DROPPED: another one makes it anew at this moment
    225, // NO_ZOOKEEPER
    236, // ABORTED
    241, // MEMORY_LIMIT_EXCEEDED
    242, // TABLE_IS_READ_ONLY: its ZooKeeper is away
    279, // ALL_CONNECTION_TRIES_FAILED
    285, // TOO_FEW_LIVE_REPLICAS
    319, // UNKNOWN_STATUS_OF_INSERT
    999, // KEEPER_EXCEPTION
};

struct ServerSetting {
  const char *Name, *Value;
};
/// What a profile may have otherwise, so that rows are left out, come twice, or
/// are written in another way, without an error. Servers have those of their
/// time. Source: Settings.h of ClickHouse 18.16, Settings.cpp of 26
constexpr ServerSetting NeededSettings[] = {
    // What is too much ends a question, rather than its rows.
    {"join_overflow_mode", "throw"},
    {"set_overflow_mode", "throw"},
    {"group_by_overflow_mode", "throw"},
    {"sort_overflow_mode", "throw"},
    {"distinct_overflow_mode", "throw"},
    {"read_overflow_mode", "throw"},
    {"read_overflow_mode_leaf", "throw"},
    {"result_overflow_mode", "throw"},
    {"transfer_overflow_mode", "throw"},
    {"timeout_overflow_mode", "throw"},
    {"timeout_overflow_mode_leaf", "throw"},
    {"additional_result_filter", ""},
    {"additional_table_filters", "{}"},
    // Of shards, all of them, and their rows together.
    {"skip_unavailable_shards", "0"},
    {"distributed_group_by_no_merge", "0"},
    {"distributed_product_mode", "deny"},
    // What no row, no build or NULL means.
    {"join_use_nulls", "0"},
    {"transform_null_in", "0"},
    {"aggregate_functions_null_for_empty", "0"},
    {"empty_result_for_aggregation_by_empty_set", "0"},
    {"any_join_distinct_right_table_keys", "0"},
    {"prefer_column_name_to_alias", "0"},
    // Rows as they are now, and as we read them.
    {"use_query_cache", "0"},
    {"extremes", "0"},
    {"output_format_tsv_crlf_end_of_line", "0"},
    {"format_tsv_null_representation", "\\N"},
    {"async_insert", "0"},
};

/// "Code: 60, e.displayText() = ..." of old servers, "Code: 60. DB::..." of new
/// ones; 0: it is neither.
int codeOfMessage(const std::string &Message) {
  constexpr std::string_view Begin = "Code: ";
  if (!Message.starts_with(Begin))
    return 0;
  int Code = 0;
  std::from_chars(Message.data() + Begin.size(),
                  Message.data() + Message.size(), Code);
  return Code;
}

/// The first line, with nothing in it that a terminal would obey.
std::string messageLine(std::string_view Message) {
  Message = Message.substr(0, 100 * MostMessageBytes);
  std::string Line(Message.substr(0, Message.find('\n')));
  for (std::string_view End : {", e.what() = DB::Exception", ", Stack trace"})
    Line = Line.substr(0, Line.find(End));
  std::replace_if(
      Line.begin(), Line.end(),
      [](unsigned char C) { return C < ' ' || C == 0x7f; }, '?');
  if (Line.size() > MostMessageBytes)
    Line.replace(MostMessageBytes, Line.npos, "...");
  return Line;
}

/// Of a statement ON CLUSTER, each server has a row in the answer: host, port,
/// status, error and more. It may fail on some; empty: it did not.
std::string failureOnCluster(std::string_view Rows) {
  constexpr size_t Status = 2, Message = 3, Fewest = 4;
  while (!Rows.empty()) {
    size_t End = std::min(Rows.find('\n'), Rows.size());
    std::string_view Row = Rows.substr(0, End);
    std::vector<std::string_view> Cells;
    for (size_t Index = 0; Index <= Row.size() && Cells.size() != Fewest;) {
      size_t Tab = std::min(Row.find('\t', Index), Row.size());
      Cells.push_back(Row.substr(Index, Tab - Index));
      Index = Tab + 1;
    }
    if (Cells.size() == Fewest && Cells[Status] != "0")
      return messageLine(Cells[0])
          .append(":")
          .append(messageLine(Cells[1]))
          .append(": ")
          .append(messageLine(Cells[Message]));
    Rows.remove_prefix(std::min(End + 1, Rows.size()));
  }
  return {};
}

} // namespace

Result<Server> Server::open(const ServerAddress &Address,
                            const ServerAccess &Access) {
  INSTANTRACE_TRY_ASSIGN(HttpConnection Connection,
                         HttpConnection::open(Address, Access));
  return Server(Address, Access, std::move(Connection));
}

Error Server::judged(const HttpReply &Reply) {
  FailureIsTransient = true;
  FailureIsRefusal = false;
  if (!Reply.Failure.empty())
    return failure(Reply.Failure);
  int Code = codeOfMessage(Reply.Body);
  if (Code == 0) {
    // What is between us and the server, or none of its kind.
    constexpr int TooMany = 429, FirstOfServer = 500, Unavailable = 503;
    FailureIsRefusal = Reply.Status == TooMany || Reply.Status == Unavailable;
    FailureIsTransient =
        Reply.Status == TooMany || Reply.Status > FirstOfServer;
    std::string Line = messageLine(Reply.Body);
    return {makeError(place(),
                      "status " + std::to_string(Reply.Status) +
                          (Line.empty() ? "" : " with '" + Line + "'"),
                      "an answer of ClickHouse")
                .Message};
  }
  FailureIsRefusal = Code == TooManyQueries || Code == TooManyParts;
  FailureIsTransient =
      std::find(std::begin(PassingCodes), std::end(PassingCodes), Code) !=
      std::end(PassingCodes);
  return failure(messageLine(Reply.Body));
}

Result<std::string> Server::send(HttpRequest &Request, bool IsOfDatabase) {
  if (IsOfDatabase)
    Request.Parameters.emplace_back("database", Address.Database);
  // The status says whether it went well, rather than the end of the answer.
  // Most answers need no file of the server for that, whose disk may be full.
  Request.Parameters.emplace_back("wait_end_of_query", "1");
  Request.Parameters.emplace_back("buffer_size", "4194304");
  if (!Request.IsGzip && Request.Body.size() > LongStatementBytes)
    Request.Parameters.emplace_back("max_query_size",
                                    std::to_string(2 * Request.Body.size()));
  Request.Parameters.insert(Request.Parameters.end(), Settings.begin(),
                            Settings.end());
  HttpReply Reply = Connection.send(Request);
  // 18.16 says some failures with a status of success.
  if (Reply.Failure.empty() && Reply.Status == StatusOk &&
      codeOfMessage(Reply.Body) == 0) {
    FailureIsTransient = false;
    return std::move(Reply.Body);
  }
  return judged(Reply);
}

Result<void> Server::settle(bool IsToRead) {
  // All in one row of one text, which none of them changes.
  std::string Sql = "SELECT concat('readonly=', (SELECT value FROM "
                    "system.settings WHERE name = 'readonly'), '\\n', "
                    "arrayStringConcat(groupArray(concat(name, '=', value)), "
                    "'\\n'), '\\n') AS text FROM system.settings WHERE 0";
  for (const ServerSetting &Each : NeededSettings)
    Sql.append(" OR (name = ")
        .append(sqlText(Each.Name))
        .append(" AND value != ")
        .append(sqlText(Each.Value))
        .append(")");
  INSTANTRACE_TRY_ASSIGN(ServerRows Found, rows(Sql, /*IsOfDatabase=*/false));
  std::istringstream Lines(Found.empty() ? ""
                                         : Found.front().front().value_or(""));
  std::string Level;
  for (std::string Line; std::getline(Lines, Line);) {
    if (Level.empty()) {
      Level = Line;
      continue;
    }
    // A text may have several lines.
    std::string Name = Line.substr(0, Line.find('='));
    const auto *Setting = std::find_if(
        std::begin(NeededSettings), std::end(NeededSettings),
        [&](const ServerSetting &Each) { return Name == Each.Name; });
    if (Setting == std::end(NeededSettings))
      continue;
    // A user who may only read may not even say so.
    if (Level == "readonly=1")
      return failure("found the setting " + Line +
                     " of a user whose readonly is 1, expected " + Name + "=" +
                     Setting->Value + ", or readonly 2");
    Settings.emplace_back(Setting->Name, Setting->Value);
    if (Settings.size() > std::size(NeededSettings))
      return failure("found a setting twice, expected those of ClickHouse");
  }
  if (Level.empty())
    return failure("found no settings, expected those of ClickHouse");
  if (IsToRead && Level == "readonly=0")
    Settings.emplace_back("readonly", "1");
  return {};
}

Result<void> Server::run(const std::string &Sql, bool IsOfDatabase) {
  HttpRequest Request;
  Request.Body = Sql;
  // What it changes is changed on every shard when we are told so.
  Request.Parameters.emplace_back("insert_distributed_sync", "1");
  INSTANTRACE_TRY_ASSIGN(std::string Done, send(Request, IsOfDatabase));
  std::string Failed = failureOnCluster(Done);
  return Failed.empty() ? Result<void>() : failure(Failed);
}

Result<std::string> Server::ask(const std::string &Sql, const GivenTable *Table,
                                bool IsOfDatabase) {
  std::string Whole = Sql + "\nFORMAT TabSeparatedWithNamesAndTypes";
  HttpRequest Request;
  std::string Given;
  if (Table) {
    Given = Table->Rows.bytes();
    Request.File = {Table->Name, Given};
    Request.Parameters.emplace_back("query", Whole);
    Request.Parameters.emplace_back(Table->Name + "_structure",
                                    Table->Structure);
    Request.Parameters.emplace_back(Table->Name + "_format", "RowBinary");
  } else {
    Request.Body = Whole;
  }
  return send(Request, IsOfDatabase);
}

Result<ServerRows> Server::rows(const std::string &Sql, bool IsOfDatabase) {
  INSTANTRACE_TRY_ASSIGN(std::string Reply, ask(Sql, nullptr, IsOfDatabase));
  INSTANTRACE_TRY_ASSIGN_AS(failure, TabRows Rows, TabRows::read(Reply));
  INSTANTRACE_TRY_AS(failure, Rows.checkSize());
  ServerRows All;
  INSTANTRACE_TRY_AS(failure, Rows.forEach([&](TabRows::Row &Cells) {
    All.push_back(std::move(Cells));
    return Result<void>();
  }));
  return All;
}

Result<std::optional<int64_t>> Server::number(const std::string &Sql) {
  INSTANTRACE_TRY_ASSIGN(ServerRows Found, rows(Sql));
  if (Found.empty() || Found.front().empty() || !Found.front()[0])
    return std::optional<int64_t>();
  const std::string &Text = *Found.front()[0];
  int64_t Value = 0;
  auto [End, Failed] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Failed != std::errc() || End != Text.data() + Text.size())
    return failure("found '" + messageLine(Text) + "', expected a number");
  return std::optional<int64_t>(Value);
}

Result<void> Server::insert(const std::string &Into, const RowBlock &Rows) {
  std::string Packed = Rows.compressed();
  if (Packed.empty())
    return failure("no memory to compress rows");
  HttpRequest Request;
  Request.Body = Packed;
  Request.IsGzip = true;
  Request.Parameters.emplace_back("query",
                                  "INSERT INTO " + Into + " FORMAT RowBinary");
  // Rows are on their shard when we are told so. Those that look like others
  // are no repetition: what is sent twice is found by counting.
  Request.Parameters.emplace_back("insert_distributed_sync", "1");
  Request.Parameters.emplace_back("insert_deduplicate", "0");
  INSTANTRACE_TRY(send(Request, /*IsOfDatabase=*/true));
  return {};
}
