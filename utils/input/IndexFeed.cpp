#include "utils/input/IndexFeed.h"

#include "utils/analysis/index/SequenceTables.h"

#include <array>
#include <utility>

using namespace instantrace;

namespace {

IndexBuilder::LocationIs placeOf(const Location &L) {
  return {L.File, L.LineNo, L.ColumnNo};
}

IndexBuilder::Tables tablesOf(const Sequence &S, const ById<uint64_t> &Memoized,
                              index::CompileTables More) {
  IndexBuilder::Tables Tables;
  Tables.More = std::move(More);
  Tables.Names = &S.Names;
  for (const Location &L : S.Locations.Rows)
    Tables.Locations.push_back(placeOf(L));
  for (const Location &L : S.DeclarationLocations.Rows)
    Tables.Declarations.push_back(placeOf(L));
  for (const Entity &E : S.Entities) {
    IndexBuilder::EntityIs &Is = Tables.Entities.emplace_back();
    Is.Name = E.Name;
    Is.TemplateSet = E.TemplateSet;
    Is.Kind = static_cast<uint8_t>(E.Kind);
    Is.Memoized = Memoized.get(static_cast<uint32_t>(Tables.Entities.size()));
    if (E.DeclaredAt) {
      Is.DeclaredAt = E.DeclaredAt.number() - 1;
      Is.IsDeclaration = E.DeclaredAt.isDeclaration();
    }
  }
  for (const MemoizedHits &M : S.Memoized)
    if (M.Entity && M.Entity.Value <= Tables.Entities.size())
      Tables.Entities[M.Entity.Value - 1].Memoized += M.Hits;
  return Tables;
}

} // namespace

EventSink &IndexFeed::beginSequence(uint32_t) {
  Memoized = {};
  Elided.clear();
  Into.beginCompile();
  return *this;
}

void IndexFeed::begin(IntervalId, const Interval &I) {
  Into.begin(I.BeginNs, static_cast<uint8_t>(I.Kind), I.Entity.Value,
             I.Location.Value, I.Requester.Value);
}

void IndexFeed::end(IntervalId, const Interval &I, const ElidedLeaves &Leaves) {
  if (I.HasElided)
    Elided.push_back(Leaves);
  if (!I.Open) // endCompile() ends it
    Into.end(I.EndNs, {I.AstBytes, I.Definition, I.HasElided, I.memoized()});
}

void IndexFeed::instant(const Instant &I) {
  if (I.Kind == EventKind::Memoization && I.Entity)
    ++Memoized[I.Entity.Value];
  Into.instant(
      std::array<uint64_t, 6>{I.TimeNs, I.Entity.Value, I.Location.Value,
                              I.Parent ? I.Parent.Value + uint64_t(1) : 0,
                              I.BegunBefore, static_cast<uint64_t>(I.Kind)});
}

void IndexFeed::endSequence(Sequence &S) {
  IndexBuilder::Compile Of;
  Of.Trace = Trace;
  Of.Sequence = S.Id;
  if (S.Session) {
    Of.Input = S.Session->Input;
    Of.MonotonicNs = S.Session->MonotonicNs;
    Of.RealtimeNs = S.Session->RealtimeNs;
  }
  Into.endCompile(
      Of, S.LastTimeNs,
      tablesOf(S, Memoized, sequenceTables(S, std::move(Elided), Into)));
}
