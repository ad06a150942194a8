#include "utils/analysis/index/SummarySums.h"

#include "utils/analysis/costs/CompileMatch.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace instantrace;
using instantrace::index::IndexSummary;
using instantrace::index::SummaryCompile;
using instantrace::index::SummaryName;
using instantrace::index::SummaryRow;
using instantrace::index::SummaryTable;

namespace {

SummaryName nameOf(const RowName &Name, const Dictionary &Names,
                   const std::vector<uint64_t> &AddressOf,
                   IndexBuilder &Strings) {
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
  Of.String = AddressOf[Entry.Value];
  // An entry that is no more than another one is not in the file, but the
  // other one is: so all of it must not be a number of bytes.
  if (Name.Name.MarkedBytes < Names.entry(Entry).MarkedName.size())
    Of.MarkedBytes = Name.Name.MarkedBytes;
  return Of;
}

SummaryRow summaryRow(const CostRow &Row, const std::vector<KindSelf> &Kinds) {
  SummaryRow Of;
  std::optional<EventKind> Kind = largestKind(Kinds);
  Of.Kind = Kind ? static_cast<uint8_t>(*Kind) : SummaryRow::ElidedKind;
  // In the order of SummaryRow::Number.
  Of.Numbers = {Row.Count,       Row.Definitions, Row.Memoized, Row.SelfNs,
                Row.InclusiveNs, Row.RequestedNs, Row.AstBytes, Row.Elided};
  Of.HasBackend = Row.Backend.isThere();
  const BackendCost &B = Row.backend();
  Of.Backend = {B.OptimizeNs,
                B.GenerateNs,
                B.IrGenerationEstimateNs,
                B.IrInstructions,
                B.MachineInstructions,
                B.ObjectBytes,
                B.Given,
                B.Emitted,
                B.InlinedAway};
  return Of;
}

} // namespace

Result<void>
SummarySums::add(const Trace &T,
                 const std::function<Result<void>(TraceSink &)> &Feed) {
  bool IsIncomplete = !T.losses().empty();
  for (const TraceInput &File : T.Files)
    Inputs.push_back({File.Name, IsIncomplete});
  for (const Sequence &S : T.Sequences) {
    Compile &C = Compiles.emplace_back();
    C.Path = inputPath(S);
    if (!S.Session)
      continue;
    C.Object = lastComponent(S.Session->Object);
    C.Target = S.Session->Triple;
    C.Hook = S.Session->Hook;
  }
  Names.enterTrace(T);
  std::vector<CostKey> Keys;
  for (const CostKeyName &By : CostKeyNames)
    Keys.push_back(By.Key);
  CostSink Events(T, Keys, *TraceFilter::make({}), Learned, &Chains);
  if (Result<void> Fed = Feed(Events); !Fed)
    return Fed;
  Observed += Events.observed();
  std::vector<CostTable> Taken = Events.take(/*AreKindsKept=*/true);
  for (size_t I = 0; I != Keys.size(); ++I)
    Tables[Keys[I]].add(std::move(Taken[I]), Names);
  return {};
}

IndexSummary SummarySums::take(IndexBuilder &Strings) {
  IndexSummary S;
  for (const Input &Each : Inputs)
    S.About.Traces.push_back({Strings.addText(Each.Path), Each.IsIncomplete});
  S.About.Sequences = Compiles.size();
  auto At = [&Strings](const std::string &Text) {
    return Text.empty() ? SummaryCompile::NoString : Strings.addText(Text);
  };
  for (const Compile &C : Compiles)
    S.About.Compiles.push_back(
        {{At(C.Path), At(C.Object), At(C.Target), At(C.Hook)}});
  S.About.Observed = {Observed.Compiles, Observed.Instantiations,
                      Observed.Untimed};
  std::vector<uint64_t> PathAt;
  for (const std::string &Path : Chains.paths())
    PathAt.push_back(Strings.addText(Path));
  for (const IncludeChains::Node &N : Chains.nodes())
    S.Inclusions.push_back(
        {N.Outer, PathAt[N.Path], N.LineNo, N.Count, N.InclusiveNs});
  const Dictionary &All = Names.trace().Sequences.front().Names;
  std::vector<uint64_t> AddressOf = Strings.addNames(All);
  for (auto &[By, Costs] : Tables) {
    CostTable Of = Costs.take();
    SummaryTable &To = S.Tables[summaryNumber(By)];
    // In the order of SummaryTable::Total.
    To.Totals = {Of.TotalNs,         Of.ElidedCount, Of.ElidedNs,
                 Of.DroppedCount,    Of.HasBackend,  Of.IrGenerationNs,
                 Of.UnknownEmission, Of.CodeBytes};
    for (size_t I = 0; I != Of.Rows.size(); ++I) {
      To.Rows.push_back(summaryRow(Of.Rows[I], Of.Kinds[I]));
      To.Rows.back().Name = nameOf(Of.Rows[I].Name, All, AddressOf, Strings);
    }
  }
  return S;
}
