#include "utils/analysis/chains/ChainTree.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/UserFrame.h"

using namespace instantrace;

void ChainTree::enterSequence(uint32_t Index) {
  S = &T.Sequences[Index];
  Groups.enterSequence(Index);
  NodeOf.assign(S->Intervals.size(), Unknown);
  PlaceOf.assign(S->Locations.Rows.size() + 1, Unknown);
}

uint32_t ChainTree::nodeFor(IntervalId Id) {
  std::vector<IntervalId> Way;
  uint32_t Outer = None;
  for (; Id; Id = outwards(S->Intervals[Id.Value])) {
    if (NodeOf[Id.Value] != Unknown) {
      Outer = NodeOf[Id.Value];
      break;
    }
    Way.push_back(Id);
    if (isUserLocation(*S, S->Intervals[Id.Value].Location))
      break;
  }
  for (; !Way.empty(); Way.pop_back()) {
    const Interval &I = S->Intervals[Way.back().Value];
    if (isTemplateWork(I.Kind) || I.Kind == EventKind::FileInclusion)
      Outer = node(Outer, I.Kind, I.Entity, I.Location,
                   static_cast<bool>(I.Requester));
    NodeOf[Way.back().Value] = Outer;
  }
  return Outer;
}

uint32_t ChainTree::nodeFor(const Instant &I) {
  uint32_t Outer = None;
  if (I.Parent && !isUserLocation(*S, I.Location))
    Outer = nodeFor(I.Parent);
  return node(Outer, I.Kind, I.Entity, I.Location, false);
}

uint32_t ChainTree::node(uint32_t Outer, EventKind Kind, EntityId Entity,
                         LocationId At, bool IsLate) {
  Step Key{Outer, Groups.groupFor(Entity), place(At), IsLate};
  auto [Found, IsNew] = ByStep.try_emplace(Key, None);
  if (!IsNew)
    return Found->second;
  for (uint32_t Same = Outer; Same != None; Same = Nodes[Same].Outer)
    if (Nodes[Same].Group == Key.Group && Nodes[Same].Place == Key.Place)
      return Found->second = Same;
  auto Index = static_cast<uint32_t>(Nodes.size());
  Nodes.push_back(
      {Outer, Key.Group, Key.Place, IsLate, Kind == EventKind::FileInclusion});
  return Found->second = Index;
}

uint32_t ChainTree::place(LocationId At) {
  const Location *L = S->location(At);
  if (!L || At.isDeclaration())
    return None;
  uint32_t &Known = PlaceOf[At.Value];
  if (Known != Unknown)
    return Known;
  std::string Text = normalPath(S->Names.text(L->File, PathBytes));
  if (Text.empty())
    return Known = None;
  Text.append(":").append(std::to_string(L->LineNo));
  auto [Found, IsNew] =
      ByPlace.try_emplace(Text, static_cast<uint32_t>(Places.size()));
  if (IsNew)
    Places.push_back(Text);
  return Known = Found->second;
}

RequestFrame ChainTree::frame(uint32_t Chain) const {
  const Node &N = Nodes[Chain];
  return {Groups.name(N.Group), std::string(placeText(Chain)), N.IsLate,
          N.IsInclusion};
}
