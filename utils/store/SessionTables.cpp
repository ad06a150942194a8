#include "utils/store/SessionTables.h"

#include "runtime/base/Hash.h"
#include "utils/clickhouse/SqlText.h"
#include "utils/render/NameText.h"
#include "utils/render/RecordText.h"
#include "utils/store/StoreFiles.h"
#include "utils/store/UnitIdentity.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

using namespace instantrace;

namespace {

/// What no two names, or units, have in common.
uint64_t nameKey(const NameKey &Key, bool IsFixed) {
  const uint64_t Parts[] = {
      Key.Hash, std::min<uint64_t>(Key.SizeBytes, INT64_MAX), IsFixed};
  return hashBytes({reinterpret_cast<const char *>(Parts), sizeof(Parts)});
}

uint64_t unitKey(const UnitIdentity &Unit) {
  std::string All;
  for (const std::string *Part : {&Unit.Path, &Unit.Target, &Unit.Options})
    All += std::to_string(Part->size()) + ":" + *Part;
  return hashBytes(All);
}

void bindKey(Statement &Into, int Parameter, uint64_t Key) {
  sqlite3_bind_int64(Into.get(), Parameter, std::bit_cast<int64_t>(Key));
}

/// So that no order of compiles makes a sum that SQLite cannot have.
uint64_t sumOf(uint64_t A, uint64_t B) {
  return std::min<uint64_t>(A, INT64_MAX) + std::min<uint64_t>(B, INT64_MAX);
}

} // namespace

std::string MissingPart::line() const {
  return (Count == 1 ? Kind : std::to_string(Count) + " times " + Kind) + ": " +
         Text;
}

Result<SessionTables> SessionTables::make(sqlite3 *Database, Staged Which) {
  INSTANTRACE_TRY(
      execute(Database, std::string(fileText(StoreStatements, "stage"))));
  INSTANTRACE_TRY_ASSIGN(
      Statement Name,
      Statement::prepare(
          Database, "INSERT INTO temp.new_names VALUES (?,?,?,?,?,?,NULL)"));
  INSTANTRACE_TRY_ASSIGN(
      Statement Compile,
      Statement::prepare(Database, "INSERT INTO temp.new_compiles VALUES "
                                   "(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  INSTANTRACE_TRY_ASSIGN(
      Statement Cost,
      Statement::prepare(
          Database,
          "INSERT INTO temp.new_costs VALUES (?,?,?,?,?,?,?,?,?,?,?)"));
  return SessionTables(Database, Which, std::move(Name), std::move(Compile),
                       std::move(Cost));
}

void SessionTables::addMissing(std::string Kind, uint64_t Count,
                               std::string Text) {
  Missing.push_back({std::move(Kind), Count, std::move(Text)});
}

Result<void> SessionTables::stageMissing() {
  INSTANTRACE_TRY_ASSIGN(
      Statement Part,
      Statement::prepare(Database,
                         "INSERT INTO temp.new_missing VALUES (?,?,?)"));
  for (const MissingPart &M : Missing)
    INSTANTRACE_TRY(
        Part.bind(1, M.Kind).bind(2, M.Count).bind(3, M.Text).run());
  return {};
}

std::string SessionTables::clangs() const {
  return fmt::format("{}", fmt::join(Clangs, ", "));
}

Result<uint64_t> SessionTables::nameOf(const Trace &T, const CostRow &Row,
                                       CostKey Keyed, const std::string &Root) {
  bool IsFixed = !Row.Name.Fixed.empty();
  NameKey Key = Row.Key;
  std::string Path;
  if (Keyed == CostKey::Header && !IsFixed) {
    const Sequence &S = T.Sequences.front();
    Path = pathBelow(Root, S.Session ? S.Session->WorkingDirectory : "",
                     Row.Name.text(T, {}, RecordNameBytes));
    Key = Dictionary::keyOf(Path);
  }
  auto [Number, IsNew] = Names.add({Key, IsFixed});
  const uint64_t Id = uint64_t(Number) + 1;
  if (!IsNew)
    return Id;
  InsertName.bind(1, Id);
  bindKey(InsertName, 2, Key.Hash);
  InsertName.bind(3, Key.SizeBytes).bind(4, uint64_t(IsFixed));
  InsertName.bind(5, Path.empty()
                         ? Row.Name.text(T, scriptStyle({}), RecordNameBytes)
                         : Path);
  bindKey(InsertName, 6, nameKey(Key, IsFixed));
  INSTANTRACE_TRY(InsertName.run());
  return Id;
}

void SessionTables::Numbers::add(const Numbers &More) {
  for (size_t I = 0; I != Counts.size(); ++I)
    Counts[I] = sumOf(Counts[I], More.Counts[I]);
}

/// Two headers may have one path from the root on, so rows are added up.
Result<std::vector<SessionTables::NameRow>>
SessionTables::rowsByName(const Trace &T, const CostTable &Table, CostKey Key,
                          const std::string &Root) {
  std::vector<NameRow> Rows;
  Rows.reserve(Table.Rows.size());
  for (const CostRow &Row : Table.Rows) {
    INSTANTRACE_TRY_ASSIGN(uint64_t Name, nameOf(T, Row, Key, Root));
    const BackendCost &Backend = Row.backend();
    Rows.push_back(
        {Name,
         {{Row.Count, Row.Memoized, Row.SelfNs, Row.InclusiveNs, Row.AstBytes,
           Backend.OptimizeNs, Backend.GenerateNs, Backend.ObjectBytes}}});
  }
  std::sort(Rows.begin(), Rows.end(),
            [](const NameRow &A, const NameRow &B) { return A.Name < B.Name; });
  auto Last = Rows.begin();
  for (auto Row = Rows.begin(); Row != Rows.end(); ++Row)
    if (Row == Rows.begin())
      continue;
    else if (Row->Name == Last->Name)
      Last->Sum.add(Row->Sum);
    else
      *++Last = *Row;
  if (!Rows.empty())
    Rows.erase(Last + 1, Rows.end());
  return Rows;
}

Result<void> SessionTables::addCosts(const std::vector<NameRow> &Rows,
                                     size_t Kind) {
  const bool IsOfBuild = Which == Staged::WithoutSpecializations;
  const bool IsStaged = !IsOfBuild || Kinds[Kind] != CostKey::Specialization;
  for (const NameRow &Row : Rows) {
    if (IsOfBuild) {
      auto [Number, IsNew] = SumOf.add(uint64_t(Kind) << 32 | Row.Name);
      if (IsNew)
        Sums.emplace_back();
      ++Sums[Number].Compiles;
      Sums[Number].Sum.add(Row.Sum);
    }
    if (!IsStaged)
      continue;
    InsertCost.bind(1, Compiles).bind(2, Kind + 1).bind(3, Row.Name);
    int Index = 3;
    for (uint64_t Value : Row.Sum.Counts)
      InsertCost.bind(++Index, Value);
    INSTANTRACE_TRY(InsertCost.run());
  }
  return {};
}

Result<void> SessionTables::insertSums(uint64_t Build) {
  INSTANTRACE_TRY_ASSIGN(
      Statement Insert,
      Statement::prepare(
          Database, "INSERT INTO main.build_costs SELECT ?, ?, stored, "
                    "?, ?, ?, ?, ?, ?, ?, ?, ? FROM temp.new_names WHERE id = "
                    "?"));
  for (uint32_t Number = 0; Number != Sums.size(); ++Number) {
    Insert.bind(1, Build).bind(2, (SumOf[Number] >> 32) + 1);
    Insert.bind(3, Sums[Number].Compiles);
    int Index = 3;
    for (uint64_t Value : Sums[Number].Sum.Counts)
      Insert.bind(++Index, Value);
    Insert.bind(12, SumOf[Number] & UINT32_MAX);
    INSTANTRACE_TRY(Insert.run());
  }
  return {};
}

Result<void> SessionTables::add(const Trace &T,
                                const std::vector<CostTable> &Costs,
                                const std::string &TraceName, bool IsComplete,
                                const std::string &Root) {
  ++Compiles;
  const CostTable &ByTemplate = Costs.front();
  CostRow Sum =
      sumOfNamedRows(ByTemplate, [](const CostRow &) { return true; });
  const Sequence &S = T.Sequences.front();
  UnitIdentity Unit = unitIdentity(S, Root);
  if (S.Session && !S.Session->ClangVersion.empty())
    Clangs.insert(S.Session->ClangVersion);
  InsertCompile.bind(1, Compiles).bind(2, Unit.Path).bind(3, Unit.Target);
  InsertCompile.bind(4, Unit.Options);
  bindKey(InsertCompile, 5, unitKey(Unit));
  InsertCompile.bind(6, TraceName);
  int Index = 6;
  for (uint64_t Value :
       {uint64_t(IsComplete), ByTemplate.TotalNs, Sum.Count, Sum.Memoized,
        Sum.SelfNs, Sum.AstBytes, Sum.backend().ObjectBytes,
        S.Footer ? S.Footer->PeakRssBytes : 0})
    InsertCompile.bind(++Index, Value);
  INSTANTRACE_TRY(InsertCompile.run());
  for (size_t Kind = 0; Kind != Costs.size(); ++Kind) {
    INSTANTRACE_TRY_ASSIGN(std::vector<NameRow> Rows,
                           rowsByName(T, Costs[Kind], Kinds[Kind], Root));
    INSTANTRACE_TRY(addCosts(Rows, Kind));
  }
  return {};
}

Result<void> SessionTables::insertInto(uint64_t Build) {
  INSTANTRACE_TRY_ASSIGN(
      Statement Last,
      Statement::prepare(Database,
                         "SELECT coalesce(max(id), 0) FROM main.compiles"));
  INSTANTRACE_TRY(Last.step());
  auto LastCompile = static_cast<uint64_t>(Last.number(0));
  Last.reset();
  std::string Copy(fileText(StoreStatements, "copy"));
  replaceAll(Copy, "{{last}}", std::to_string(LastCompile));
  replaceAll(Copy, "{{build}}", std::to_string(Build));
  INSTANTRACE_TRY(execute(Database, Copy));
  INSTANTRACE_TRY(insertSums(Build));
  return {};
}
