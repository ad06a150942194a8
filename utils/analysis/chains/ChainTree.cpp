#include "utils/analysis/chains/ChainTree.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/UserFrame.h"

using namespace instantrace;

void ChainTree::enterSequence(uint32_t Index) {
  S = &T.Sequences[Index];
  Groups.enterSequence(Index);
  NodeOf.assign(S->Intervals.size(), Unknown);
  PathOf.clear();
  PlaceOf.assign(S->Locations.Rows.size() + 1, Unknown);
}

uint32_t ChainTree::nodeFor(IntervalId Id) {
  Way.clear();
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
  auto [Number, IsNew] = Steps.add(Key);
  if (!IsNew)
    return NodeOfStep[Number];
  bool IsNewFrame = Frames.insert(uint64_t(Key.Group) << 32 | Key.Place).second;
  // As far as chains are shown: a way can be as long as the trace, and all of
  // it would be gone through for each step of another.
  size_t Gone = 0;
  for (uint32_t Same = IsNewFrame ? None : Outer;
       Same != None && Gone != MostFrames; Same = Nodes[Same].Outer, ++Gone)
    if (Nodes[Same].Group == Key.Group && Nodes[Same].Place == Key.Place) {
      NodeOfStep.push_back(Same);
      return Same;
    }
  auto Index = static_cast<uint32_t>(Nodes.size());
  Nodes.push_back(
      {Outer, Key.Group, Key.Place, IsLate, Kind == EventKind::FileInclusion});
  NodeOfStep.push_back(Index);
  return Index;
}

uint32_t ChainTree::place(LocationId At) {
  const Location *L = S->location(At);
  if (!L || At.isDeclaration())
    return None;
  uint32_t &Known = PlaceOf[At.Value];
  if (Known != Unknown)
    return Known;
  uint32_t Path = path(L->File);
  if (Path == None)
    return Known = None;
  std::pair<uint32_t, uint32_t> Place(Path, L->LineNo);
  auto [Found, IsNew] =
      ByPlace.try_emplace(Place, static_cast<uint32_t>(Places.size()));
  if (IsNew)
    Places.push_back(Place);
  return Known = Found->second;
}

/// None: it has no name.
uint32_t ChainTree::path(NameId File) {
  auto [Found, IsNew] = PathOf.try_emplace(File.Value, None);
  if (!IsNew)
    return Found->second;
  std::string Text = normalPathOf(*S, File);
  if (Text.empty())
    return None;
  auto [Shared, IsNewPath] =
      ByPath.try_emplace(Text, static_cast<uint32_t>(Paths.size()));
  if (IsNewPath)
    Paths.push_back(std::move(Text));
  return Found->second = Shared->second;
}

std::string ChainTree::placeText(uint32_t Chain) const {
  if (Nodes[Chain].Place == None)
    return {};
  auto [Path, LineNo] = Places[Nodes[Chain].Place];
  return Paths[Path] + ":" + std::to_string(LineNo);
}

int ChainTree::comparePlaces(uint32_t A, uint32_t B) const {
  uint32_t One = Nodes[A].Place, Other = Nodes[B].Place;
  if (One == Other)
    return 0;
  if (One == None || Other == None)
    return One == None ? -1 : 1;
  auto [Path, LineNo] = Places[One];
  auto [OtherPath, OtherLineNo] = Places[Other];
  return Path == OtherPath
             ? std::to_string(LineNo).compare(std::to_string(OtherLineNo))
             : placeText(A).compare(placeText(B));
}

RequestFrame ChainTree::frame(uint32_t Chain) const {
  const Node &N = Nodes[Chain];
  return {Groups.name(N.Group), placeText(Chain), N.IsLate, N.IsInclusion};
}
