/// \file
/// The rows of one session, in tables that no other process sees.
///
/// Flow:    CostSink -> [SessionTables] -> the tables of a file, or
///          ClickHouseUpload, which reads temp.new_names, new_compiles,
///          new_costs
/// Memory:  the keys of names; rows are in a temporary file of SQLite
#ifndef INSTANTRACE_UTILS_STORE_SESSIONTABLES_H
#define INSTANTRACE_UTILS_STORE_SESSIONTABLES_H

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/names/NameGroups.h"
#include "utils/sqlite/Statement.h"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
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
  /// Errors, here and below, are without the name of the store.
  static Result<SessionTables> make(sqlite3 *Database);

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
  /// Of all parts.
  uint64_t missingCount() const;
  /// The versions of all compiles.
  std::string clangs() const;

  /// Requires: a transaction, and the row of the build.
  Result<void> insertInto(uint64_t Build);

private:
  SessionTables(sqlite3 *Database, Statement Name, Statement Compile,
                Statement Cost)
      : Database(Database), InsertName(std::move(Name)),
        InsertCompile(std::move(Compile)), InsertCost(std::move(Cost)) {}

  Result<uint64_t> nameOf(const Trace &T, const CostRow &Row, CostKey By,
                          const std::string &Root);
  Result<void> addCosts(const Trace &T, const CostTable &Of, size_t Kind,
                        const std::string &Root);

  sqlite3 *Database;
  Statement InsertName, InsertCompile, InsertCost;
  /// Those of the names that we made up, such as (parsing), are apart.
  std::unordered_map<NameKey, uint64_t, NameKeyHash> Names, FixedNames;
  std::set<std::string> Clangs;
  std::vector<MissingPart> Missing;
  uint64_t Compiles = 0, LastName = 0;
};

} // namespace instantrace

#endif
