#include "utils/analysis/index/IndexedRequests.h"

#include "utils/analysis/index/NameBegins.h"
#include "utils/analysis/index/PartialSequence.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <unordered_set>

using namespace instantrace;
using instantrace::index::columnCount;
using instantrace::index::Table;

namespace {

bool needsAllNames(const std::string &Text, const NameQuery &Query,
                   const FilterSpec &Spec) {
  return Text.empty() || Query.isPattern() || !Spec.Match.empty() ||
         !Spec.Exclude.empty() ||
         (Spec.Level != EntityLevel::Specialization &&
          Spec.Level != EntityLevel::Template);
}

class RequestFinder {
public:
  RequestFinder(const InstantiationIndex &X, IndexedTrace &All,
                NameQuery &Query, bool HasAllNames)
      : X(X), All(All), Query(Query), HasAllNames(HasAllNames) {}

  /// Which entities are meant, by compile. They get their names.
  bool findEntities(NameBegins &Begins) {
    Query.enterTrace(All.trace());
    for (uint32_t C = 0; C != All.trace().Sequences.size(); ++C) {
      Sequence &S = All.trace().Sequences[C];
      Partials.emplace_back(X, All, C, HasAllNames);
      if (!HasAllNames && !keepNames(Begins, C))
        return false;
      Query.enterSequence(S);
      std::vector<bool> &Of = Meant.emplace_back(S.Entities.size() + 1);
      const std::vector<uint64_t> &Rows = *All.table(C, Table::Entities);
      for (uint32_t Id = 1; Id <= S.Entities.size(); ++Id)
        if (Query.selects(EntityId{Id})) {
          Of[Id] = true;
          Wanted.insert(static_cast<uint32_t>(
              Rows[Id * columnCount(Table::Entities) - 1]));
        }
    }
    return true;
  }

  bool findRecords() {
    std::vector<uint32_t> Found, More;
    for (uint32_t Entity : Wanted) {
      if (!X.recordsOf(Entity, More))
        return false;
      Found.insert(Found.end(), More.begin(), More.end());
    }
    std::sort(Found.begin(), Found.end());
    auto At = Found.begin();
    for (uint32_t C = 0; C != Partials.size(); ++C) {
      InstantiationIndex::Compile Of;
      if (!X.compile(C, Of) || !All.enterCompile(C))
        return false;
      for (; At != Found.end() && *At < Of.EndRecord; ++At)
        if (!addMeant(C, *At))
          return false;
      if (!addInstants(C) || !Partials[C].finish(Times.emplace_back()))
        return false;
    }
    return true;
  }

  std::vector<IntervalTimes> Times;

private:
  bool keepNames(NameBegins &Begins, uint32_t C) {
    const Sequence &S = All.trace().Sequences[C];
    if (!All.table(C, Table::Names))
      return false;
    PartialSequence &P = Partials[C];
    std::vector<bool> MayBe(S.Entities.size());
    auto IsLikely = [&](NameId Name) {
      uint64_t String = All.nameAt(C, Name);
      return String != IndexedTrace::NoName && Begins.mayBe(String);
    };
    NameId LastSet;
    bool IsLastLikely = false;
    for (size_t I = 0; I != MayBe.size(); ++I) {
      const Entity &E = S.Entities[I];
      if (E.TemplateSet.Value != LastSet.Value) {
        LastSet = E.TemplateSet;
        IsLastLikely = IsLikely(LastSet);
      }
      MayBe[I] = IsLastLikely || IsLikely(E.Name);
    }
    if (!X.fault().empty())
      return false;
    return P.keepNamesOf(MayBe);
  }

  bool addMeant(uint32_t C, uint32_t Record) {
    InstantiationIndex::Record R;
    if (!X.record(Record, R))
      return false;
    EntityId Entity = All.entityOf(Record, R.Entity);
    return Entity.Value >= Meant[C].size() || !Meant[C][Entity.Value] ||
           Partials[C].addWithWay(Record);
  }

  bool addInstants(uint32_t C) {
    std::vector<Instant> Kept;
    Sequence &S = All.trace().Sequences[C];
    for (const Instant &I : S.Instants) {
      if (I.Kind != EventKind::Memoization ||
          I.Entity.Value >= Meant[C].size() || !Meant[C][I.Entity.Value])
        continue;
      Kept.push_back(I);
      if (I.Parent && !isUserLocation(S, I.Location) &&
          !Partials[C].addWithWay(All.firstRecord(C) + I.Parent.Value))
        return false;
    }
    S.Instants = std::move(Kept);
    return true;
  }

  const InstantiationIndex &X;
  IndexedTrace &All;
  NameQuery &Query;
  bool HasAllNames;
  std::vector<PartialSequence> Partials;
  std::vector<std::vector<bool>> Meant;
  std::unordered_set<uint32_t> Wanted; ///< entities of the index
};

} // namespace

Result<IndexedRequests> IndexedRequests::of(const InstantiationIndex &X,
                                            const std::string &Text,
                                            NameQuery &Query,
                                            const FilterSpec &Spec,
                                            TraceFilter &Filter) {
  Result<IndexedTrace> All = IndexedTrace::of(X);
  if (!All)
    return All.error();
  bool HasAllNames = needsAllNames(Text, Query, Spec);
  for (uint32_t C = 0; C != X.compileCount(); ++C)
    if (!All->readTables(C) || (HasAllNames && !All->readNames(C)))
      return All->fault();
  NameBegins Begins(X, Text);
  RequestFinder Finder(X, *All, Query, HasAllNames);
  if (!Finder.findEntities(Begins) || !Finder.findRecords())
    return All->fault();
  IndexedRequests Found;
  // What the report refers to must not move.
  Found.T = std::make_unique<Trace>(std::move(All->trace()));
  Found.Report =
      requestChains(*Found.T, Query, Filter, Spec.Level, &Finder.Times);
  return Found;
}

Result<std::vector<std::string>>
instantrace::indexedSimilar(const InstantiationIndex &X, const NameQuery &Query,
                            size_t Most) {
  Result<IndexedTrace> All = IndexedTrace::of(X);
  if (!All)
    return All.error();
  for (uint32_t C = 0; C != X.compileCount(); ++C)
    if (!All->readEntities(C) || !All->readNames(C))
      return All->fault();
  return Query.similar(All->trace(), Most);
}
