#include "test/fuzz/FuzzTargets.h"
#include "test/fuzz/TraceUses.h"
#include "utils/query/Query.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sqlite3.h>

namespace instantrace::fuzz {

namespace {

/// What one query may take here; who runs one may wait as long as they like.
constexpr int MostSteps = 30000;
constexpr int MostTextBytes = 1 << 15, MostPatternBytes = 50;
constexpr sqlite3_int64 MostHeapBytes = 1 << 26;

/// Called for each database that is opened, that of runQuery() as well.
int limit(sqlite3 *Database, char **, const sqlite3_api_routines *) {
  sqlite3_progress_handler(
      Database, MostSteps, [](void *) { return 1; }, nullptr);
  sqlite3_limit(Database, SQLITE_LIMIT_LENGTH, MostTextBytes);
  sqlite3_limit(Database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MostPatternBytes);
  sqlite3_update_hook(
      Database,
      [](void *, int, const char *, const char *, sqlite3_int64) {
        std::abort(); // a row was changed
      },
      nullptr);
  return SQLITE_OK;
}

/// While it lives, databases have these limits, and no file that has a name is
/// opened or removed, and no library loaded.
class Limited {
public:
  Limited() {
    Files = *Original;
    Files.zName = "no-files";
    Files.xOpen = [](sqlite3_vfs *, const char *Name, sqlite3_file *File,
                     int Flags, int *OutFlags) {
      // Large sorts have files that nobody else can see.
      require(Name == nullptr);
      return Original->xOpen(Original, Name, File, Flags, OutFlags);
    };
    Files.xDelete = [](sqlite3_vfs *, const char *, int) -> int {
      std::abort();
    };
    Files.xDlOpen = [](sqlite3_vfs *, const char *) -> void * { std::abort(); };
    sqlite3_vfs_register(&Files, /*makeDflt=*/1);
    sqlite3_auto_extension(AtOpen);
    sqlite3_hard_heap_limit64(MostHeapBytes);
  }
  ~Limited() {
    sqlite3_hard_heap_limit64(0);
    sqlite3_cancel_auto_extension(AtOpen);
    sqlite3_vfs_unregister(&Files);
    sqlite3_vfs_register(Original, /*makeDflt=*/1);
  }

private:
  // SQLite calls it with the arguments of limit(), as its manual says.
  static inline const auto AtOpen = reinterpret_cast<void (*)()>(limit);
  static inline sqlite3_vfs *const Original = sqlite3_vfs_find(nullptr);
  sqlite3_vfs Files;
};

/// A statement that begins like this changes something, wherever it succeeds.
bool isChange(std::string_view Sql) {
  constexpr std::string_view Changes[] = {
      "ALTER", "ATTACH", "BEGIN",  "COMMIT", "CREATE",  "DELETE",   "DETACH",
      "DROP",  "INSERT", "UPDATE", "VACUUM", "REPLACE", "SAVEPOINT"};
  Sql.remove_prefix(std::min(Sql.find_first_not_of(" \t\n\r\f"), Sql.size()));
  std::string Word;
  for (char C : Sql.substr(0, Sql.find_first_of(" \t\n\r\f;")))
    Word += static_cast<char>(std::toupper(static_cast<unsigned char>(C)));
  return std::find(std::begin(Changes), std::end(Changes), Word) !=
         std::end(Changes);
}

} // namespace

void fuzzSql(const uint8_t *Data, size_t SizeBytes) {
  if (SizeBytes == 0)
    return;
  std::string Sql(reinterpret_cast<const char *>(Data) + 1, SizeBytes - 1);
  TraceModel Model(sampleTrace(), {}, 100, nullptr);
  DroppedOutput Out;
  Limited Limits;
  Result<int> Ran =
      runQuery(Model, Sql, static_cast<RowFormat>(Data[0] % 3), Out);
  require(Ran || Ran.error().Message.starts_with("query"));
  require(!Ran || !isChange(Sql));
}

std::vector<std::string> sqlSeeds() {
  constexpr const char *Queries[] = {
      "SELECT * FROM sequences",
      "SELECT * FROM intervals WHERE sequence = 1 AND id = 3",
      "SELECT * FROM events ORDER BY time_ns DESC",
      "SELECT * FROM entities WHERE id IN (1, 2, 9)",
      "SELECT * FROM locations WHERE line > 5",
      "SELECT * FROM files",
      "SELECT id, name, size_bytes FROM names WHERE id = 2.5",
      "SELECT template, self_ns FROM templates ORDER BY self_ns DESC LIMIT 10",
      "SELECT * FROM instantiations",
      "SELECT kind, count, self_ns FROM kinds ORDER BY kind",
      "SELECT * FROM lines",
      "SELECT * FROM requests",
      ("SELECT input, count(*) FROM intervals JOIN sequences USING (sequence) "
       "GROUP BY input"),
      ("WITH RECURSIVE up(id) AS (SELECT 5 UNION ALL SELECT parent FROM "
       "intervals JOIN up USING (id)) SELECT * FROM up"),
      "SELECT count(*) OVER (PARTITION BY kind) FROM intervals",
      "SELECT * FROM pragma_table_info('intervals')",
      "PRAGMA table_list",
      "EXPLAIN QUERY PLAN SELECT * FROM kinds",
      "SELECT 1; SELECT 2",
      "SELECT 1e999, -1, x'00ff', NULL, 'a''\x1b[2J', printf('%d', 1)",
      "SELECT load_extension('x')",
      "SELECT writefile('x', 'y')",
      "SELECT fts3_tokenizer('x', x'00')",
      "ATTACH 'x' AS x",
      "VACUUM INTO 'x'",
      "VACUUM",
      "CREATE TABLE x(y)",
      "CREATE VIRTUAL TABLE x USING fts5(y)",
      "CREATE TEMP TRIGGER x AFTER INSERT ON kinds BEGIN SELECT 1; END",
      "DELETE FROM intervals",
      "INSERT INTO sqlite_temp_master VALUES (1, 2, 3, 4, 5)",
      "UPDATE intervals SET id = 1",
      "DROP VIEW kinds",
      "ALTER TABLE intervals RENAME TO x",
      "PRAGMA temp_store_directory = 'x'",
      "PRAGMA writable_schema = 1",
      "BEGIN",
      "REINDEX",
      "ANALYZE",
      "SELECT * FORM intervals"};
  std::vector<std::string> Seeds;
  for (const char *Query : Queries)
    Seeds.push_back(static_cast<char>(Seeds.size() % 3) + std::string(Query));
  return Seeds;
}

} // namespace instantrace::fuzz
