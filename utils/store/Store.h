/// \file
/// A database of builds over time: a file, or a server.
///
/// Flow:   sessions -> SessionAdding -> [Store] -> AskStore -> Answer
/// Errors: "PLACE: found, expected"; place is the file or the address
///
/// Questions see the same tables in both: those of schema/*.sql, and what
/// schema/clickhouse/*.sql makes of them.
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/costs/Budget.h"
#include "utils/clickhouse/SqlText.h"
#include "utils/query/Query.h"
#include "utils/store/Answer.h"
#include "utils/store/BuildFacts.h"
#include "utils/store/SessionTables.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

struct StoreLocation {
  std::string Place;        ///< a file, or clickhouse://HOST:PORT/DATABASE
  std::string Cluster;      ///< over whose shards tables are made; or none
  bool IsReplicated = true; ///< those of a cluster, by ZooKeeper
};

class Store {
public:
  /// \p IsToWrite: makes it where there is none, and brings an older one up to
  /// date. Otherwise requires that there is one, and nothing is changed.
  static Result<std::unique_ptr<Store>> open(const StoreLocation &Location,
                                             bool IsToWrite);
  /// All of what one there is made of, as SQL.
  static Result<std::string> schema(const StoreLocation &Location);

  Store() = default;
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;
  virtual ~Store() = default;

  virtual std::string place() const = 0;
  /// "PLACE: MESSAGE".
  Error failure(const Error &E) const { return {place() + ": " + E.Message}; }

  /// What read() says from now on is of the builds that there are now, whatever
  /// is added meanwhile.
  virtual Result<void> beginAnswer() { return {}; }
  /// Whether it was: false if one of these was replaced or taken out since
  /// then, so that some of what was read may be without it, or with a part.
  virtual Result<bool> endAnswer() { return true; }
  /// The question as this store is asked it: `sql`, or `detail`, of a step.
  virtual const std::string &sqlOf(const Question &Q, bool IsDetail) const = 0;
  /// The rows of a SELECT, one of ours, with `:NAME` for values and
  /// `{{chosen}}` for the builds that since, until, branch, machine and clang
  /// choose. \p Budget: what `in_budget` is about, if it asks that.
  virtual Result<void> read(const std::string &Sql, const SqlValues &Values,
                            const Bound *Budget, AnswerTable &Into) = 0;
  /// A SELECT of somebody else, written to \p Out. The exit code: 0.
  virtual Result<int> select(const std::string &Sql, RowFormat Format,
                             Output &Out) = 0;

  struct Checked {
    std::vector<std::string> Faults; ///< a line each
    std::vector<std::string> Notes;  ///< no faults, and good to know
  };
  virtual Result<Checked> check() = 0;

  struct Pruned {
    uint64_t Builds = 0;
    std::string Rest; ///< what went with them, behind their number
    std::vector<std::string> Notes;
  };
  /// Takes out all builds that began before \p BeforeNs, since 1970; 0: of
  /// those that it keeps no longer. \p KeepDays, of a server: how long that is
  /// from now on, 0 for ever.
  virtual Result<Pruned> prune(uint64_t BeforeNs,
                               std::optional<uint64_t> KeepDays) = 0;
  /// What began before then, since 1970, is not taken in.
  virtual Result<uint64_t> keptSinceNs() { return 0; }

  struct KnownBuild {
    uint64_t Build = 0; ///< its number
    std::string Content;
  };
  virtual Result<std::optional<KnownBuild>>
  known(const std::string &Session) = 0;
  /// Where the rows of a session are gathered.
  virtual Result<SessionTables> stage() = 0;

  struct Inserted {
    /// IsOther, IsTooOld: nothing was done.
    enum OutcomeKind { Added, AlreadyThere, Replaced, IsOther, IsTooOld };
    OutcomeKind Outcome = Added;
    uint64_t Build = 0;
  };
  /// The build as a whole or not at all. \p Replaces: one of the same session
  /// and other content; otherwise that IsOther.
  virtual Result<Inserted> insert(const BuildFacts &Facts, SessionTables &Rows,
                                  bool Replaces) = 0;
};

/// What \p Once reads of \p Db, as of builds that were there from its begin to
/// its end; what it says of others, an error or not, is asked again. Errors, as
/// well: each time some of them were not.
template <class Do>
auto wholeAnswer(Store &Db, const Do &Once) -> decltype(Once()) {
  constexpr int MostTurns = 8;
  for (int Turn = 0; Turn != MostTurns; ++Turn) {
    INSTANTRACE_TRY(Db.beginAnswer());
    auto Said = Once();
    Result<bool> IsWhole = Db.endAnswer();
    if (!IsWhole && Said)
      return IsWhole.error();
    if (!IsWhole || *IsWhole)
      return Said; // an error, too
  }
  return makeError(
      Db.place(),
      "builds that were replaced or taken out while it was asked, " +
          std::to_string(MostTurns) + " times",
      "none of that for as long; ask again");
}

/// By the rules of XDG; an error when there is no home.
Result<std::string> defaultStorePath();

} // namespace instantrace
