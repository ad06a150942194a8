#include "utils/analysis/chains/OpenWays.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/UserFrame.h"

#include <utility>

using namespace instantrace;

void OpenWays::enterSequence(uint32_t Index, const LookAhead &Ahead) {
  S = &T.Sequences[Index];
  Groups.enterSequence(Index);
  Requested.enter(Ahead);
  Open.clear();
  PathOf.clear();
  PlaceOf.assign(S->Locations.Rows.size() + 1, Unknown);
}

void OpenWays::begin(IntervalId Id, const Interval &I) {
  const uint32_t *Requester =
      I.Requester ? Requested.find(I.Requester) : nullptr;
  Open.push_back({I.Entity, I.Location, I.Kind, static_cast<bool>(I.Requester),
                  Requester ? *Requester : Unknown, Unknown});
  // What it is in may have ended when somebody asks.
  if (Requested.isWanted(Id))
    Requested.keep(node());
}

uint32_t OpenWays::node() {
  size_t Known = Open.size(); // of the outermost ones
  uint32_t Outer = ChainTree::None;
  while (Known != 0) {
    const OpenInterval &Interval = Open[Known - 1];
    if (Interval.Node != Unknown) {
      Outer = Interval.Node;
      break;
    }
    --Known;
    if (isUserLocation(*S, Interval.Location))
      break;
    if (Interval.Requester != Unknown) {
      Outer = Interval.Requester;
      break;
    }
  }
  for (; Known != Open.size(); ++Known) {
    OpenInterval &Interval = Open[Known];
    if (isTemplateWork(Interval.Kind) ||
        Interval.Kind == EventKind::FileInclusion ||
        Interval.Kind == EventKind::ConstantEvaluation)
      Outer = add(Outer, Interval);
    Interval.Node = Outer;
  }
  return Outer;
}

uint32_t OpenWays::node(const Instant &I) {
  uint32_t Outer = ChainTree::None;
  if (!isUserLocation(*S, I.Location))
    Outer = node();
  return add(Outer, {I.Entity, I.Location, I.Kind, false, Unknown, Unknown});
}

uint32_t OpenWays::add(uint32_t Outer, const OpenInterval &Interval) {
  return Tree.add({Outer, Groups.groupFor(Interval.Entity),
                   place(Interval.Location), Interval.IsLate,
                   Interval.Kind == EventKind::FileInclusion});
}

uint32_t OpenWays::place(LocationId Place) {
  const Location *L = S->location(Place);
  if (!L || Place.isDeclaration())
    return ChainTree::None;
  uint32_t &Known = PlaceOf[Place.Value];
  if (Known != Unknown)
    return Known;
  auto [Path, IsNew] = PathOf.try_emplace(L->File.Value);
  if (IsNew)
    Path->second = normalPathOf(*S, L->File);
  return Known = Tree.addPlace(Path->second, L->LineNo);
}

ChainTree OpenWays::take() {
  for (uint32_t Group = 0; Group != Groups.size(); ++Group)
    Tree.addGroup(Groups.name(Group), Groups.key(Group));
  return std::move(Tree);
}
