#include "utils/analysis/RowIndex.h"

#include "utils/analysis/UserFrame.h"

#include <algorithm>

using namespace instantrace;

namespace {

constexpr std::string_view ElidedName = "(elided)";

/// Paths are compared as far as that.
constexpr size_t PathBytes = 1 << 16;

std::string_view surroundingsName(EventKind Kind) {
  switch (Kind) {
  case EventKind::Frontend:
    return "(frontend)";
  case EventKind::Parsing:
    return "(parsing)";
  case EventKind::PendingInstantiations:
    return "(pending instantiations)";
  case EventKind::CodeGeneration:
    return "(code generation)";
  case EventKind::Profiling:
    return "(profiling)";
  case EventKind::FileInclusion:
    return "(file inclusion)";
  default:
    return "(other)";
  }
}

} // namespace

RowIndex::RowIndex(const Trace &T, CostKey By) : By(By) {
  if (By == CostKey::Template)
    Groups.emplace(T, NameGrouping::Template);
  else if (By == CostKey::Class)
    Groups.emplace(T, NameGrouping::Class);
  else if (By == CostKey::Namespace)
    Groups.emplace(T, NameGrouping::Namespace);
}

void RowIndex::enterSequence(const Sequence &Of, uint32_t Index) {
  S = &Of;
  SequenceIndex = Index;
  KindRows.fill(Unknown);
  EntityRows.assign(Of.Entities.size() + 1, Unknown);
  LocationRows.assign(Of.Locations.Rows.size() + 1, Unknown);
  if (By == CostKey::UserFrame)
    UserFrames = userFrames(Of);
}

uint32_t RowIndex::add(const RowName &Name, NameKey Key) {
  auto [At, IsNew] = ByKey.try_emplace(Key, static_cast<uint32_t>(Rows.size()));
  if (IsNew) {
    CostRow &Row = Rows.emplace_back();
    Row.Name = Name;
    Row.Key = Key;
    States.emplace_back();
  }
  return At->second;
}

uint32_t RowIndex::fixed(std::string_view Name) {
  return add({Name, 0, {}, 0}, Dictionary::keyOf(Name));
}

uint32_t RowIndex::named(NameId Name, std::string_view Otherwise) {
  NameKey Key = S->Names.key(Name);
  if (Key.SizeBytes == 0)
    return fixed(Otherwise);
  return add({{}, SequenceIndex, {Name}, 0}, Key);
}

uint32_t RowIndex::of(IntervalId Id) {
  const Interval &I = S->Intervals[Id.Value];
  LocationId Frame;
  if (By == CostKey::UserFrame)
    Frame = UserFrames[Id.Value];
  return of({I.Kind, I.Entity, I.Location, Frame});
}

uint32_t RowIndex::of(const Subject &Of) {
  if (By == CostKey::Kind || !isTemplateWork(Of.Kind)) {
    if (isByPlace() && Of.Kind == EventKind::FileInclusion)
      return By == CostKey::File ? ofFileInclusion(Of.Entity, Of.Location)
                                 : ofUserFrame(Of.Kind, Of.UserFrame);
    return ofKind(Of.Kind);
  }
  if (By == CostKey::UserFrame)
    return ofUserFrame(Of.Kind, Of.UserFrame);
  return By == CostKey::File ? ofLocation(Of.Location) : ofEntity(Of.Entity);
}

uint32_t RowIndex::elided() {
  if (ElidedRow == Unknown)
    ElidedRow = fixed(ElidedName);
  return ElidedRow;
}

uint32_t RowIndex::ofKind(EventKind Kind) {
  uint32_t &Row = KindRows[static_cast<size_t>(Kind)];
  if (Row == Unknown)
    Row = fixed(By == CostKey::Kind ? eventKindName(Kind)
                                    : surroundingsName(Kind));
  return Row;
}

uint32_t RowIndex::ofEntity(EntityId Id) {
  if (!Id)
    return fixed("(unnamed)");
  const Entity *E = S->entity(Id);
  if (!E)
    return fixed("(unresolved)");
  uint32_t &Row = EntityRows[Id.Value];
  if (Row != Unknown)
    return Row;
  if (S->Names.key(E->Name).SizeBytes == 0)
    return Row = fixed(S->Names.contains(E->Name) || !E->Name ? "(unnamed)"
                                                              : "(unresolved)");
  if (!Groups)
    return Row = named(E->Name, "(unnamed)");
  NameGroup Group = Groups->groupOf(SequenceIndex, *E);
  return Row = Group.Fixed.empty()
                   ? add({{}, SequenceIndex, Group.Name, 0}, Group.Key)
                   : fixed(Group.Fixed);
}

uint32_t RowIndex::ofLocation(LocationId Id) {
  const Location *L = S->location(Id);
  if (!L)
    return fixed("(no file)");
  uint32_t &Row = LocationRows[Id.Value];
  if (Row == Unknown)
    Row = named(L->File, "(no file)");
  return Row;
}

uint32_t RowIndex::ofUserFrame(EventKind Kind, LocationId Frame) {
  const Location *L = S->location(Frame);
  if (!L) // the main file is included by no line
    return Kind == EventKind::FileInclusion ? ofKind(Kind)
                                            : fixed("(no user frame)");
  uint32_t &Row = LocationRows[Frame.Value];
  if (Row == Unknown) {
    RowName Name{{}, SequenceIndex, {L->File}, L->LineNo};
    std::string Text = S->Names.text(L->File, PathBytes);
    Row = add(Name, Dictionary::keyOf(Text + ":" + std::to_string(L->LineNo)));
  }
  return Row;
}

uint32_t RowIndex::ofFileInclusion(EntityId Id, LocationId At) {
  const Entity *E = S->entity(Id);
  if (!E || !S->Names.contains(E->Name))
    return ofLocation(At);
  return named(E->Name, "(no file)");
}

void RowIndex::addKind(uint32_t Row, EventKind Kind, uint64_t SelfNs) {
  for (KindSelf &Known : States[Row].Kinds) {
    if (Known.Kind != Kind)
      continue;
    Known.SelfNs += SelfNs;
    return;
  }
  States[Row].Kinds.push_back({Kind, SelfNs});
}

void RowIndex::addDirectHits(uint32_t Row, uint64_t Hits) {
  if (isByPlace())
    Rows[Row].Memoized += Hits;
}

void RowIndex::addHits(EntityId Entity, uint64_t Hits) {
  if (isByPlace())
    return;
  uint32_t Row =
      By == CostKey::Kind ? ofKind(EventKind::Memoization) : ofEntity(Entity);
  Rows[Row].Memoized += Hits;
  addKind(Row, EventKind::Memoization, 0);
}

void RowIndex::addInstant(const Instant &I) {
  LocationId Frame;
  if (By == CostKey::UserFrame)
    Frame = isUserLocation(*S, I.Location) ? I.Location
            : I.Parent                     ? UserFrames[I.Parent.Value]
                                           : LocationId{};
  uint32_t Row = of({I.Kind, I.Entity, I.Location, Frame});
  if (I.Kind == EventKind::Memoization)
    ++Rows[Row].Memoized;
  else
    ++Rows[Row].Count;
  addKind(Row, I.Kind, 0);
}

std::vector<CostRow> RowIndex::take() {
  for (size_t Row = 0; Row != Rows.size(); ++Row) {
    const std::vector<KindSelf> &Kinds = States[Row].Kinds;
    auto Largest = std::max_element(
        Kinds.begin(), Kinds.end(), [](const KindSelf &A, const KindSelf &B) {
          return A.SelfNs != B.SelfNs ? A.SelfNs < B.SelfNs : A.Kind > B.Kind;
        });
    Rows[Row].Kind =
        Largest == Kinds.end() ? ElidedName : eventKindName(Largest->Kind);
  }
  return std::move(Rows);
}
