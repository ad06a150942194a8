#include "utils/analysis/index/IndexedCosts.h"

#include "utils/analysis/costs/OtherWork.h"
#include "utils/analysis/index/SummarySums.h"
#include "utils/analysis/names/TieOrder.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace instantrace;
using instantrace::index::SummaryCompile;
using instantrace::index::SummaryInclusion;
using instantrace::index::SummaryName;
using instantrace::index::SummaryRow;
using instantrace::index::SummaryTable;
using instantrace::index::SummaryTrace;

namespace {

/// More than a path or a fixed name has (PathRules).
constexpr size_t TextBytes = 1 << 20;

/// Of a row whose name was not needed yet. Its entry is the number of the row
/// in the table as it was stored.
constexpr uint32_t Unnamed = NoIndex;

CostRow costRow(const SummaryRow &Row, uint32_t No) {
  CostRow Of;
  Of.Name = RowName::named(Unnamed, {NameId{No}});
  Of.Kind = kindText(Row.Kind == SummaryRow::ElidedKind
                         ? std::nullopt
                         : std::optional(static_cast<EventKind>(Row.Kind)));
  uint64_t *const Numbers[] = {&Of.Count,    &Of.Definitions, &Of.Memoized,
                               &Of.SelfNs,   &Of.InclusiveNs, &Of.RequestedNs,
                               &Of.AstBytes, &Of.Elided};
  static_assert(std::size(Numbers) == SummaryRow::NumberLimit);
  for (size_t I = 0; I != std::size(Numbers); ++I)
    *Numbers[I] = Row.Numbers[I];
  if (!Row.HasBackend)
    return Of;
  BackendCost &B = Of.Backend.edit();
  uint64_t *const Backend[] = {&B.OptimizeNs,
                               &B.GenerateNs,
                               &B.IrGenerationEstimateNs,
                               &B.IrInstructions,
                               &B.MachineInstructions,
                               &B.ObjectBytes,
                               &B.Given,
                               &B.Emitted,
                               &B.InlinedAway};
  static_assert(std::size(Backend) == SummaryRow::BackendLimit);
  for (size_t I = 0; I != std::size(Backend); ++I)
    *Backend[I] = Row.Backend[I];
  return Of;
}

void setTotals(CostTable &Into, const SummaryTable &From) {
  auto Total = [&From](SummaryTable::Total Of) { return From.Totals[Of]; };
  Into.TotalNs = Total(SummaryTable::TotalNs);
  Into.ElidedCount = Total(SummaryTable::ElidedCount);
  Into.ElidedNs = Total(SummaryTable::ElidedNs);
  Into.DroppedCount = Total(SummaryTable::DroppedCount);
  Into.HasBackend = Total(SummaryTable::HasBackend) != 0;
  Into.IrGenerationNs = Total(SummaryTable::IrGenerationNs);
  Into.UnknownEmission = Total(SummaryTable::UnknownEmission);
  Into.CodeBytes = Total(SummaryTable::CodeBytes);
}

} // namespace

Result<IndexedCosts> IndexedCosts::of(const InstantiationIndex &X) {
  IndexedCosts Of(X);
  if (!X.summary(Of.Reader))
    return Of.faultOf();
  if (!Of.isRead(Of.Reader->about(Of.About)))
    return Of.faultOf();
  Of.Names->Sequences.emplace_back();
  return Of;
}

bool IndexedCosts::text(uint64_t String, std::string &Into) {
  Dictionary &All = Names->Sequences.front().Names;
  NameId Id = Entries.add(String, All);
  if (Id)
    Into = All.text(Id, TextBytes);
  return static_cast<bool>(Id);
}

bool IndexedCosts::name(const SummaryName &Of, RowName &Into) {
  if (Of.Is == SummaryName::Form::Name) {
    NameId Id = Entries.add(Of.String, Names->Sequences.front().Names);
    Into = RowName::named(0, {Id, Of.MarkedBytes}, Of.LineNo);
    return static_cast<bool>(Id);
  }
  std::string Text;
  if (!text(Of.String, Text))
    return false;
  if (Of.Is == SummaryName::Form::Fixed)
    Into = RowName::fixed(Fixed.emplace_back(std::move(Text)));
  else
    Into = RowName::fromText(std::move(Text));
  Into.LineNo = Of.LineNo;
  return true;
}

Result<std::vector<std::string>> IndexedCosts::traces() {
  std::vector<std::string> Paths;
  for (const SummaryTrace &T : About.Traces)
    if (std::string Then; text(T.Path, Then))
      Paths.push_back(X->traceName(Then));
    else
      return faultOf();
  return Paths;
}

bool IndexedCosts::isIncomplete() const {
  return std::any_of(About.Traces.begin(), About.Traces.end(),
                     [](const SummaryTrace &T) { return T.IsIncomplete; });
}

bool IndexedCosts::stored(CostKey By, SummaryTable &Into) {
  return isRead(Reader->table(summaryNumber(By), Into));
}

Result<CostTable> IndexedCosts::table(CostKey By, CostOrder Order,
                                      size_t Wanted, bool SetsApart) {
  SummaryTable Stored;
  if (!stored(By, Stored))
    return faultOf();
  CostTable Table;
  setTotals(Table, Stored);
  Table.Rows.reserve(Stored.Rows.size());
  for (const SummaryRow &Row : Stored.Rows)
    Table.Rows.push_back(
        costRow(Row, static_cast<uint32_t>(Table.Rows.size())));
  // Those that are fixed are few.
  if (SetsApart) {
    for (size_t I = 0; I != Stored.Rows.size(); ++I)
      if (const SummaryName &Name = Stored.Rows[I].Name;
          Name.Is == SummaryName::Form::Fixed &&
          !name(Name, Table.Rows[I].Name))
        return faultOf();
    takeOtherWork(Table);
  }
  bool AreNamed = true;
  auto Named = [&](RowName Name) {
    if (Name.SequenceIndex == Unnamed)
      AreNamed &= name(Stored.Rows[Name.Name.Entry.Value].Name, Name);
    return Name;
  };
  auto Tie = [&](const CostRow &Row) {
    RowName Name = Named(Row.Name);
    return AreNamed ? tieText(*Names, Name) : TieText();
  };
  sortCosts(Table, Order, Wanted, Tie);
  size_t Shown =
      Wanted == 0 ? Table.Rows.size() : std::min(Wanted, Table.Rows.size());
  for (size_t I = 0; I != Shown; ++I)
    Table.Rows[I].Name = Named(Table.Rows[I].Name);
  if (!AreNamed)
    return faultOf();
  return Table;
}

Result<CostTable> IndexedCosts::keyedTable(CostKey By) {
  SummaryTable Stored;
  if (!stored(By, Stored))
    return faultOf();
  CostTable Table;
  setTotals(Table, Stored);
  Table.Rows.reserve(Stored.Rows.size());
  for (const SummaryRow &Row : Stored.Rows) {
    CostRow &Of = Table.Rows.emplace_back(costRow(Row, 0));
    if (!name(Row.Name, Of.Name))
      return faultOf();
    Of.Key = keyOf(Of.Name);
  }
  return Table;
}

NameKey IndexedCosts::keyOf(const RowName &Name) const {
  if (!Name.Fixed.empty())
    return Dictionary::keyOf(Name.Fixed);
  if (Name.Text.empty())
    return Name.names(*Names).prefixKey(Name.Name);
  NameKey Key = Dictionary::keyOf(Name.Text.text());
  return Name.LineNo == 0 ? Key : Dictionary::keyOf(Key, Name.lineSuffix());
}

Result<Trace> IndexedCosts::compiles() {
  Result<std::vector<std::string>> Paths = traces();
  if (!Paths)
    return Paths.error();
  if (About.Compiles.size() != About.Sequences)
    return makeError(std::string(X->name()),
                     "an index that does not say what its compiles are matched "
                     "by, of version 1.1",
                     "one of version 1.2; `instantrace index` makes it of the "
                     "trace");
  Trace Of;
  for (std::string &Path : *Paths)
    Of.Files.emplace_back().Name = std::move(Path);
  for (const SummaryCompile &C : About.Compiles) {
    TraceSession &Session = Of.Sequences.emplace_back().Session.emplace();
    std::string *const Into[] = {&Session.Input, &Session.Object,
                                 &Session.Triple, &Session.Hook};
    static_assert(std::size(Into) == SummaryCompile::StringLimit);
    for (size_t I = 0; I != std::size(Into); ++I)
      if (C.Strings[I] != SummaryCompile::NoString &&
          !text(C.Strings[I], *Into[I]))
        return faultOf();
  }
  return Of;
}

Result<IncludeChains> IndexedCosts::chains() {
  std::vector<SummaryInclusion> Stored;
  if (!isRead(Reader->inclusions(Stored)))
    return faultOf();
  std::vector<std::string> Paths;
  std::vector<IncludeChains::Node> Nodes;
  std::unordered_map<uint64_t, uint32_t> PathAt;
  for (const SummaryInclusion &I : Stored) {
    auto [At, IsNew] =
        PathAt.try_emplace(I.Path, static_cast<uint32_t>(Paths.size()));
    if (IsNew && !text(I.Path, Paths.emplace_back()))
      return faultOf();
    Nodes.push_back({I.Outer, At->second, I.LineNo, I.Count, I.InclusiveNs});
  }
  return IncludeChains(std::move(Nodes), std::move(Paths));
}
