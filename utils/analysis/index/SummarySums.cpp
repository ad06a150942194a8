#include "utils/analysis/index/SummarySums.h"

#include "utils/analysis/costs/ObservedWork.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace instantrace;
using instantrace::index::IndexSummary;
using instantrace::index::SummaryName;
using instantrace::index::SummaryRow;
using instantrace::index::SummaryTable;

namespace {

SummaryName nameOf(const RowName &Name, const Trace &T,
                   const SummarySums::Addresses &Names, IndexBuilder &Strings) {
  SummaryName Of;
  Of.LineNo = Name.LineNo;
  if (!Name.Fixed.empty() || !Name.Text.empty()) {
    Of.Is =
        Name.Fixed.empty() ? SummaryName::Form::Text : SummaryName::Form::Fixed;
    Of.String =
        Strings.addText(Name.Fixed.empty() ? Name.Text.text() : Name.Fixed);
    return Of;
  }
  Of.Is = SummaryName::Form::Name;
  NameId Entry = Name.Name.Entry;
  Of.String = Names[Name.SequenceIndex][Entry.Value];
  // An entry that is no more than another one is not in the file, but the
  // other one is: so all of it must not be a number of bytes.
  if (Name.Name.MarkedBytes < Name.names(T).entry(Entry).MarkedName.size())
    Of.MarkedBytes = Name.Name.MarkedBytes;
  return Of;
}

void addKind(std::vector<KindSelf> &To, const KindSelf &More) {
  auto Known = std::find_if(To.begin(), To.end(), [&](const KindSelf &K) {
    return K.Kind == More.Kind;
  });
  if (Known == To.end())
    To.push_back(More);
  else
    Known->SelfNs += More.SelfNs;
}

} // namespace

void SummarySums::addRow(Sums &To, const CostRow &Row,
                         const std::vector<KindSelf> &Kinds,
                         const SummaryName &Name) {
  auto [At, IsNew] = To.ByKey.try_emplace(
      Row.Key, static_cast<uint32_t>(To.Table.Rows.size()));
  if (IsNew) {
    To.Table.Rows.emplace_back().Name = Name;
    To.Kinds.emplace_back();
  }
  SummaryRow &Sum = To.Table.Rows[At->second];
  for (const KindSelf &Kind : Kinds)
    addKind(To.Kinds[At->second], Kind);
  // In the order of SummaryRow::Number.
  const uint64_t Numbers[] = {Row.Count,    Row.Definitions, Row.Memoized,
                              Row.SelfNs,   Row.InclusiveNs, Row.RequestedNs,
                              Row.AstBytes, Row.Elided};
  static_assert(std::size(Numbers) == SummaryRow::NumberLimit);
  for (size_t I = 0; I != std::size(Numbers); ++I)
    Sum.Numbers[I] += Numbers[I];
  if (!Row.Backend.isThere())
    return;
  const BackendCost &B = Row.backend();
  const uint64_t Backend[] = {B.OptimizeNs,
                              B.GenerateNs,
                              B.IrGenerationEstimateNs,
                              B.IrInstructions,
                              B.MachineInstructions,
                              B.ObjectBytes,
                              B.Given,
                              B.Emitted,
                              B.InlinedAway};
  static_assert(std::size(Backend) == SummaryRow::BackendLimit);
  Sum.HasBackend = true;
  for (size_t I = 0; I != std::size(Backend); ++I)
    Sum.Backend[I] += Backend[I];
}

void SummarySums::add(const Trace &T, const Addresses &Names,
                      IndexBuilder &Strings) {
  bool IsIncomplete = !T.losses().empty();
  for (const TraceInput &File : T.Files)
    About.Traces.push_back({Strings.addText(File.Name), IsIncomplete});
  About.Sequences += T.Sequences.size();
  ObservedWork Observed = observedWork(T);
  About.Observed[0] += Observed.Compiles;
  About.Observed[1] += Observed.Instantiations;
  About.Observed[2] += Observed.Untimed;
  Chains.add(T);
  for (const CostKeyName &Each : CostKeyNames) {
    CostTable Of = costsWithKinds(T, Each.Key);
    Sums &To = Tables[Each.Key];
    for (size_t I = 0; I != Of.Rows.size(); ++I)
      addRow(To, Of.Rows[I], Of.Kinds[I],
             nameOf(Of.Rows[I].Name, T, Names, Strings));
    // In the order of SummaryTable::Total.
    const uint64_t Totals[] = {
        Of.TotalNs,    Of.ElidedCount,    Of.ElidedNs,        Of.DroppedCount,
        Of.HasBackend, Of.IrGenerationNs, Of.UnknownEmission, Of.CodeBytes};
    static_assert(std::size(Totals) == SummaryTable::TotalLimit);
    for (size_t I = 0; I != std::size(Totals); ++I)
      To.Table.Totals[I] += Totals[I];
  }
}

IndexSummary SummarySums::take(IndexBuilder &Strings) {
  IndexSummary S;
  S.About = std::move(About);
  std::vector<uint64_t> PathAt;
  for (const std::string &Path : Chains.paths())
    PathAt.push_back(Strings.addText(Path));
  for (const IncludeChains::Node &N : Chains.nodes())
    S.Inclusions.push_back(
        {N.Outer, PathAt[N.Path], N.LineNo, N.Count, N.InclusiveNs});
  for (auto &[By, Of] : Tables) {
    for (size_t I = 0; I != Of.Kinds.size(); ++I) {
      std::optional<EventKind> Kind = largestKind(Of.Kinds[I]);
      Of.Table.Rows[I].Kind =
          Kind ? static_cast<uint8_t>(*Kind) : SummaryRow::ElidedKind;
    }
    uint64_t &HasBackend = Of.Table.Totals[SummaryTable::HasBackend];
    HasBackend = HasBackend != 0;
    S.Tables.emplace(summaryNumber(By), std::move(Of.Table));
  }
  return S;
}
