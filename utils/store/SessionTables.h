/// \file
/// The rows of one session, in tables that no other process sees.
///
/// Flow:    CostSink -> [SessionTables], tables of statements/stage.sql
///          -> statements/copy.sql -> a file, or ClickHouseUpload
/// Memory:  the keys of names, and sums over the compiles; rows are in a
///          temporary file of SQLite
#pragma once

#include "runtime/base/KeyNumbers.h"
#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/names/NameGroups.h"
#include "utils/sqlite/Statement.h"
#include "utils/sqlite/Transaction.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace instantrace {

struct MissingPart {
  std::string Kind;
  uint64_t Count = 0;
  std::string Text;

  std::string line() const;
};

class SessionTables {
public:
  /// Which rows of costs are in the tables: for insertInto(), those of compiles
  /// without specializations, or of each compile all.
  enum class Staged { WithoutSpecializations, All };

  /// Errors, here and below, are without the name of the store.
  static Result<SessionTables> make(sqlite3 *Database, Staged Which);
  /// Of the tables, while rows come.
  Result<Transaction> begin() { return Transaction::beginOwn(Database); }

  /// What is stored, in the order of their numbers in the store, which begin
  /// with 1.
  static constexpr CostKey Kinds[] = {CostKey::Template, CostKey::Header,
                                      CostKey::Library,
                                      CostKey::Specialization};
  /// One compile, with a table for each of Kinds. Paths are kept from \p Root
  /// on.
  Result<void> add(const Trace &T, const std::vector<CostTable> &Costs,
                   const std::string &TraceName, bool IsComplete,
                   const std::string &Root);
  void addMissing(std::string Kind, uint64_t Count, std::string Text);

  uint64_t compiles() const { return Compiles; }
  const std::vector<MissingPart> &missing() const { return Missing; }
  /// Call once, when all of these are known.
  Result<void> stageMissing();
  /// The versions of all compiles.
  std::string clangs() const;

  /// Requires: a transaction, the row of the build, and no row of
  /// specializations in the tables.
  Result<void> insertInto(uint64_t Build);

private:
  /// Of a row, without its time in what is around it.
  struct Numbers {
    /// Count, memoized, self, inclusive, AST bytes, optimize, generate, object.
    std::array<uint64_t, 8> Counts{};
    void add(const Numbers &More);
  };
  struct NameRow {
    uint64_t Name;
    Numbers Sum;
  };
  struct BuildSum {
    uint64_t Compiles = 0;
    Numbers Sum;
  };
  /// Those of the names that we made up, such as (parsing), are apart.
  struct StoredName {
    NameKey Key;
    bool IsFixed;
    friend bool operator==(const StoredName &, const StoredName &) = default;
  };
  struct StoredNameHash {
    uint64_t operator()(const StoredName &Name) const {
      return NameKeyHash()(Name.Key) ^ uint64_t(Name.IsFixed) << 63;
    }
  };

  SessionTables(sqlite3 *Database, Staged Which, Statement Name,
                Statement Compile, Statement Cost)
      : Database(Database), Which(Which), InsertName(std::move(Name)),
        InsertCompile(std::move(Compile)), InsertCost(std::move(Cost)) {}

  Result<uint64_t> nameOf(const Trace &T, const CostRow &Row, CostKey Keyed,
                          const std::string &Root);
  Result<std::vector<NameRow>> rowsByName(const Trace &T,
                                          const CostTable &Table, CostKey Key,
                                          const std::string &Root);
  Result<void> addCosts(const std::vector<NameRow> &Rows, size_t Kind);
  Result<void> insertSums(uint64_t Build);

  sqlite3 *Database;
  Staged Which;
  Statement InsertName, InsertCompile, InsertCost;
  KeyNumbers<StoredName, StoredNameHash> Names; ///< their ids less 1
  /// Of a build, by kind and name.
  KeyNumbers<uint64_t, PairHash> SumOf;
  std::vector<BuildSum> Sums; ///< by number there
  std::set<std::string> Clangs;
  std::vector<MissingPart> Missing;
  uint64_t Compiles = 0;
};

} // namespace instantrace
