#include "utils/store/ClickHouseSchema.h"

#include "utils/clickhouse/ServerAddress.h"
#include "utils/store/StoreFiles.h"

#include <sstream>

using namespace instantrace;

Result<ClickHouseSchema> ClickHouseSchema::make(const std::string &Database,
                                                const std::string &Cluster,
                                                bool IsReplicated) {
  if (!Cluster.empty() && !isServerWord(Cluster))
    return usageError(makeError("--cluster", "'" + Cluster + "'",
                                "a word of letters, digits and _"));
  if (Cluster.empty() && !IsReplicated)
    return usageError(makeError("--unreplicated", "no --cluster",
                                "one, whose tables it is of"));
  ClickHouseSchema S;
  S.Database = Database;
  S.Cluster = Cluster;
  S.IsReplicated = IsReplicated && !Cluster.empty();
  return S;
}

std::string ClickHouseSchema::meant(const std::string &Mark) const {
  std::istringstream In(Mark);
  std::string What, Name, First, Rest;
  In >> What >> Name;
  std::string OnCluster = IsReplicated ? " ON CLUSTER " + Cluster : "";
  std::string Suffix = Cluster.empty() ? "" : "_local";
  // Who runs it on the other servers is in no database of ours.
  std::string Full = (IsReplicated ? Database + "." : "") + Name;
  if (What == "local")
    return Full + Suffix + OnCluster;
  if (What == "name")
    return Full + Suffix;
  if (What == "view")
    return Full + OnCluster;
  if (What == "table")
    return Full;
  In >> First >> std::ws;
  std::getline(In, Rest);
  if (What == "distributed")
    return Cluster.empty()
               ? ""
               : "CREATE TABLE IF NOT EXISTS " + Full + OnCluster + " AS " +
                     Full + "_local ENGINE = Distributed(" + Cluster + ", " +
                     Database + ", " + Name + "_local, " + First + ");";
  // The engine, a table, and what the engine is given.
  if (!IsReplicated)
    return Name + "(" + Rest + ")";
  return "Replicated" + Name + "('/clickhouse/tables/{shard}/" + Database +
         "/" + First + "', '{replica}'" + (Rest.empty() ? "" : ", " + Rest) +
         ")";
}

std::string ClickHouseSchema::expanded(std::string_view Text) const {
  std::string Whole;
  while (true) {
    size_t Begin = Text.find("{{"), End = Text.find("}}", Begin);
    if (End == Text.npos)
      return Whole.append(Text);
    Whole.append(Text.substr(0, Begin));
    Whole += meant(std::string(Text.substr(Begin + 2, End - Begin - 2)));
    Text.remove_prefix(End + 2);
  }
}

std::string ClickHouseSchema::databaseStatement() const {
  return "CREATE DATABASE IF NOT EXISTS " + Database +
         (IsReplicated ? " ON CLUSTER " + Cluster : "");
}

size_t ClickHouseSchema::newestVersion() { return ClickHouseMigrations.size(); }

std::vector<std::string>
ClickHouseSchema::statementsFrom(size_t Version) const {
  std::vector<std::string> All;
  for (size_t I = Version; I < ClickHouseMigrations.size(); ++I)
    for (std::string &Each :
         splitStatements(expanded(ClickHouseMigrations[I].Text)))
      All.push_back(std::move(Each));
  return All;
}

std::vector<std::string> ClickHouseSchema::names() const {
  std::vector<std::string> All;
  constexpr std::string_view Mark = " IF NOT EXISTS ";
  for (const std::string &Statement : statementsFrom(0))
    if (size_t Offset = Statement.find(Mark); Offset != Statement.npos) {
      Offset += Mark.size();
      std::string Name = Statement.substr(
          Offset, Statement.find_first_of(" (", Offset) - Offset);
      All.push_back(Name.substr(Name.find('.') + 1));
    }
  return All;
}
