#include "utils/report/IndexedBuild.h"

#include "runtime/index/IndexTables.h"
#include "utils/analysis/index/IndexedTrace.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

using namespace instantrace;

namespace {

using Compile = InstantiationIndex::Compile;

Error faultOf(const InstantiationIndex &X) { return Error{X.fault()}; }

Result<std::vector<Compile>> compilesOf(const InstantiationIndex &X) {
  std::vector<Compile> All(X.compileCount());
  for (uint32_t Id = 0; Id != All.size(); ++Id)
    if (!X.compile(Id, All[Id]))
      return faultOf(X);
  return All;
}

std::vector<bool> longest(const std::vector<Compile> &All,
                          uint64_t MostIntervals) {
  std::vector<size_t> Order(All.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::stable_sort(Order.begin(), Order.end(), [&All](size_t A, size_t B) {
    return All[A].EndNs > All[B].EndNs;
  });
  std::vector<bool> AreWanted(All.size());
  uint64_t Intervals = 0;
  for (size_t At : Order) {
    Intervals += All[At].EndRecord - All[At].FirstRecord;
    if (At != Order.front() && Intervals > MostIntervals)
      break;
    AreWanted[At] = true;
  }
  return AreWanted;
}

/// Time of leaves that were too short for intervals of their own is no self
/// time of what it was in. By entity, of files that were being read.
Result<std::map<uint32_t, uint64_t>>
elidedInFiles(const InstantiationIndex &X, const std::vector<Compile> &All) {
  std::map<uint32_t, uint64_t> ElidedNs;
  std::vector<uint64_t> Rows;
  for (uint32_t Id = 0; Id != All.size(); ++Id) {
    if (!X.tableRows(Id, index::Table::Elided, Rows))
      return faultOf(X);
    for (size_t At = 0; At != Rows.size();
         At += index::columnCount(index::Table::Elided)) {
      uint32_t Record = All[Id].FirstRecord + static_cast<uint32_t>(Rows[At]);
      InstantiationIndex::Shape Is;
      uint64_t SelfNs = 0;
      if (!X.shape(Record, Is))
        return faultOf(X);
      if (static_cast<EventKind>(Is.Kind) != EventKind::FileInclusion)
        continue;
      if (!X.selfNs(Record, Record + 1, SelfNs))
        return faultOf(X);
      ElidedNs[Is.Entity] += std::min(Rows[At + 2], SelfNs);
    }
  }
  return ElidedNs;
}

Result<std::vector<ParsedFile>> filesRead(const InstantiationIndex &X,
                                          const std::vector<Compile> &All) {
  Result<std::map<uint32_t, uint64_t>> ElidedNs = elidedInFiles(X, All);
  if (!ElidedNs)
    return ElidedNs.error();
  std::vector<ParsedFile> Files;
  for (uint32_t Id = 0; Id != X.entityCount(); ++Id) {
    InstantiationIndex::Entity E;
    InstantiationIndex::Cost Cost;
    if (!X.entity(Id, E))
      return faultOf(X);
    if (static_cast<EntityKind>(E.Kind) != EntityKind::File)
      continue;
    std::string Path;
    if (!X.entityCost(Id, Cost) || !X.entityName(Id, {}, PathBytes, Path))
      return faultOf(X);
    auto Elided = ElidedNs->find(Id);
    Files.push_back(
        {normalPath(Path),
         Cost.SelfNs - (Elided == ElidedNs->end() ? 0 : Elided->second)});
  }
  return Files;
}

} // namespace

Result<IndexedBuild> IndexedBuild::read(const InstantiationIndex &X,
                                        uint64_t MostIntervals) {
  Result<IndexedCosts> Costs = IndexedCosts::of(X);
  if (!Costs)
    return Costs.error();
  IndexedBuild Build{std::move(*Costs), {}, {}, {}, {}, {}};
  for (const CostKeyName &Each : CostKeyNames) {
    Result<CostTable> Table = Build.Costs.keyedTable(Each.Key);
    if (!Table)
      return Table.error();
    Build.Tables.push_back(std::move(*Table));
  }
  Result<IncludeChains> Inclusions = Build.Costs.chains();
  if (!Inclusions)
    return Inclusions.error();
  Build.Inclusions = std::move(*Inclusions);
  Result<std::vector<Compile>> All = compilesOf(X);
  if (!All)
    return All.error();
  Result<std::vector<ParsedFile>> Files = filesRead(X, *All);
  if (!Files)
    return Files.error();
  for (size_t I = 0; I != Build.Tables.size(); ++I)
    if (CostKeyNames[I].Key == CostKey::Kind)
      Build.Parts = timeParts(Build.Tables[I], *Files);
  const std::vector<bool> AreOpened = longest(*All, MostIntervals);
  Result<Trace> Opened = IndexedTrace::some(X, AreOpened);
  if (!Opened)
    return Opened.error();
  Build.T = std::move(*Opened);
  for (uint32_t Id = 0; Id != All->size(); ++Id) {
    const Compile &C = (*All)[Id];
    ExportCost Whole;
    if (!X.selfNs(C.FirstRecord, C.EndRecord, Whole.Ns) ||
        !X.ownBytes(C.FirstRecord, C.EndRecord, Whole.AstBytes))
      return faultOf(X);
    Whole.Count = C.EndRecord - C.FirstRecord;
    if (AreOpened[Id]) {
      ++Build.OpenedCount;
      Build.OpenedNs += Whole.Ns;
      Build.Unopened.emplace_back();
    } else {
      Build.Unopened.emplace_back(Whole);
    }
  }
  return Build;
}
