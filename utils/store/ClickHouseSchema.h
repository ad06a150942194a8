/// \file
/// The tables of a store on a server of ClickHouse, or on a cluster of them.
///
/// Flow:   schema/clickhouse/*.sql, where -> [ClickHouseSchema] -> Server
/// Errors: a name of a cluster that would need quotes
///
/// The files have marks for what differs. On a cluster the rows of a table X
/// are in X_local of its shards, and X is a Distributed table over these.
///   {{local X}}           where rows are: X, or X_local
///   {{name X}}            the same, where no ON CLUSTER may stand
///   {{view X}}            X
///   {{engine E X ARG}}    of the family MergeTree, replicated on a cluster
///   {{distributed X BY}}  the table over all shards, each row on one by BY
#pragma once

#include "runtime/base/Result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace instantrace {

class ClickHouseSchema {
public:
  static Result<ClickHouseSchema> make(const std::string &Database,
                                       const std::string &Cluster,
                                       bool IsReplicated);

  /// What makes the database.
  std::string databaseStatement() const;
  /// Those that lead from \p Version to the newest, in order.
  std::vector<std::string> statementsFrom(size_t Version) const;
  static size_t newestVersion();
  /// Of everything that the statements make.
  std::vector<std::string> names() const;

  /// \p Text with what the marks stand for.
  std::string expanded(std::string_view Text) const;
  /// Whether tables are made and changed on this server alone, of several.
  bool isOfOneShard() const { return !Cluster.empty() && !IsReplicated; }

private:
  ClickHouseSchema() = default;
  std::string meant(const std::string &Mark) const;

  std::string Database, Cluster;
  bool IsReplicated = false;
};

} // namespace instantrace
