#include "utils/analysis/overview/Overview.h"

#include "utils/analysis/costs/TimeParts.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace instantrace;

namespace {

constexpr CostKey OverviewKeys[] = {CostKey::Kind, CostKey::UserFrame};

uint64_t &shareOf(OverviewSums &Sums, TimeShareKind Kind) {
  return Sums.ShareNs[static_cast<size_t>(Kind)];
}

void addKind(OverviewSums &Sums, const CostRow &Row) {
  switch (timePartOfKind(Row)) {
  case TimePart::OwnFiles:
  case TimePart::SystemHeaders:
  case TimePart::Libraries:
    shareOf(Sums, TimeShareKind::Headers) += Row.SelfNs;
    break;
  case TimePart::Instantiating:
    shareOf(Sums, TimeShareKind::Templates) += Row.SelfNs;
    break;
  case TimePart::ConstantEvaluation:
    shareOf(Sums, TimeShareKind::Constants) += Row.SelfNs;
    break;
  case TimePart::CodeGeneration:
    shareOf(Sums, TimeShareKind::Code) += Row.SelfNs;
    break;
  case TimePart::Profiler:
    Sums.ProfilingNs += Row.SelfNs;
    break;
  case TimePart::Other:
    shareOf(Sums, TimeShareKind::Other) += Row.SelfNs;
    break;
  }
}

void addCompile(OverviewSums &Sums, const Sequence &S,
                const std::vector<CostTable> &Tables) {
  ++Sums.Units;
  SharedText Folder;
  if (S.Session) {
    Folder = SharedText(S.Session->WorkingDirectory);
    Sums.FirstRealtimeNs =
        std::min(Sums.FirstRealtimeNs, S.Session->RealtimeNs);
    if (Sums.Input.empty()) {
      Sums.Input = normalPathIn(S, S.Session->Input);
      Sums.WorkingDirectory = S.BuildFolder;
    }
  }
  if (uint64_t Bytes = Tables[0].PeakRssBytes) {
    Sums.PeaksBytes.push_back(Bytes);
    if (Bytes > Sums.Largest.PeakBytes && S.Session)
      Sums.Largest = {S.Session->Input, S.Session->WorkingDirectory, Bytes};
  }
  for (const CostRow &Row : Tables[0].Rows)
    addKind(Sums, Row);
  for (const CostRow &Row : Tables[1].Rows) {
    // `<built-in>:1` includes a precompiled header: nobody's line.
    if (Row.Name.LineNo == 0 || Row.Name.Text.text().starts_with('<'))
      continue;
    auto [Entry, IsNew] = Sums.Lines.try_emplace(Row.Key);
    UserLineSum &Line = Entry->second;
    if (IsNew)
      Line = {Row.Name.Text, Folder, Row.Name.LineNo};
    Line.Ns += Row.SelfNs;
    ++Line.Units;
  }
}

} // namespace

uint64_t OverviewSums::totalNs() const {
  return std::accumulate(ShareNs.begin(), ShareNs.end(), uint64_t(0));
}

/// Those with the largest rest get one each of what rounding down leaves over.
std::vector<TimeShare> OverviewSums::timeShares() const {
  constexpr unsigned Whole = 100;
  std::vector<std::pair<double, TimeShare>> Rests;
  const double TotalNs = static_cast<double>(totalNs());
  unsigned Left = TotalNs == 0 ? 0 : Whole;
  for (size_t I = 0; I != ShareNs.size(); ++I) {
    double Exact =
        TotalNs == 0 ? 0 : Whole * static_cast<double>(ShareNs[I]) / TotalNs;
    auto Down = static_cast<unsigned>(Exact);
    Left -= std::min(Left, Down);
    Rests.push_back(
        {Exact - Down, {static_cast<TimeShareKind>(I), ShareNs[I], Down}});
  }
  std::stable_sort(
      Rests.begin(), Rests.end(),
      [](const auto &A, const auto &B) { return A.first > B.first; });
  std::vector<TimeShare> Shares;
  for (auto &[Rest, Share] : Rests) {
    if (Left != 0) {
      ++Share.Percent;
      --Left;
    }
    if (Share.Percent != 0)
      Shares.push_back(Share);
  }
  std::sort(Shares.begin(), Shares.end(),
            [](const TimeShare &A, const TimeShare &B) {
              return A.Ns != B.Ns ? A.Ns > B.Ns : A.Kind < B.Kind;
            });
  return Shares;
}

uint64_t OverviewSums::parallelUnits(uint64_t MemoryBytes) const {
  std::vector<uint64_t> Largest = PeaksBytes;
  std::sort(Largest.rbegin(), Largest.rend());
  uint64_t Fit = 0;
  for (uint64_t Bytes : Largest) {
    if (Bytes > MemoryBytes)
      break;
    MemoryBytes -= Bytes;
    ++Fit;
  }
  return Fit;
}

void OverviewSums::add(const OverviewSums &More) {
  Headers.add(More.Headers);
  for (const auto &[Key, Line] : More.Lines) {
    auto [Entry, IsNew] = Lines.try_emplace(Key, Line);
    if (IsNew)
      continue;
    Entry->second.Ns += Line.Ns;
    Entry->second.Units += Line.Units;
  }
  for (size_t I = 0; I != ShareNs.size(); ++I)
    ShareNs[I] += More.ShareNs[I];
  ProfilingNs += More.ProfilingNs;
  Units += More.Units;
  if (More.Largest.PeakBytes > Largest.PeakBytes)
    Largest = More.Largest;
  PeaksBytes.insert(PeaksBytes.end(), More.PeaksBytes.begin(),
                    More.PeaksBytes.end());
  TraceBytes += More.TraceBytes;
  FirstRealtimeNs = std::min(FirstRealtimeNs, More.FirstRealtimeNs);
  if (Input.empty()) {
    Input = More.Input;
    WorkingDirectory = More.WorkingDirectory;
  }
}

OverviewSink::OverviewSink(const Trace &T, const TraceFilter *Filter)
    : OverviewSink(T, Filter ? *Filter : *TraceFilter::make({})) {}

OverviewSink::OverviewSink(const Trace &T, const TraceFilter &Filter)
    : T(T), Costs(T, OverviewKeys, Filter), Headers(T, {}, Filter) {}

void OverviewSink::addTo(SinkGroup &Group) {
  Group.add(Costs);
  Group.add(Headers);
}

OverviewSums OverviewSink::take() {
  OverviewSums Sums;
  Sums.Headers = std::move(Headers.Sums);
  for (size_t I = 0; I != Costs.Compiles.size(); ++I) {
    const uint64_t BeforeNs = shareOf(Sums, TimeShareKind::Code);
    addCompile(Sums, T.Sequences[I], Costs.Compiles[I]);
    Sums.CodeNs.push_back(shareOf(Sums, TimeShareKind::Code) - BeforeNs);
  }
  // Leaves that are too short for a record are in only one of the two.
  uint64_t &HeadersNs = shareOf(Sums, TimeShareKind::Headers);
  uint64_t MainNs = std::min(HeadersNs, Sums.Headers.mainNs());
  HeadersNs -= MainNs;
  shareOf(Sums, TimeShareKind::OwnFiles) += MainNs;
  for (const TraceInput &File : T.Files)
    Sums.TraceBytes += File.SizeBytes;
  return Sums;
}
