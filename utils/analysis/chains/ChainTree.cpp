#include "utils/analysis/chains/ChainTree.h"

using namespace instantrace;

uint32_t ChainTree::add(const Node &N) {
  auto [Number, IsNew] = Steps.add({N.Outer, N.Group, N.Place, N.IsLate});
  if (!IsNew)
    return NodeOfStep[Number];
  bool IsNewFrame = Frames.add(uint64_t(N.Group) << 32 | N.Place).IsNew;
  // As far as chains are shown: a way can be as long as the trace, and all of
  // it would be gone through for each step of another.
  size_t Removed = 0;
  for (uint32_t Same = IsNewFrame ? None : N.Outer;
       Same != None && Removed != MostFrames;
       Same = Nodes[Same].Outer, ++Removed)
    if (Nodes[Same].Group == N.Group && Nodes[Same].Place == N.Place) {
      NodeOfStep.push_back(Same);
      return Same;
    }
  auto Index = static_cast<uint32_t>(Nodes.size());
  Nodes.push_back(N);
  NodeOfStep.push_back(Index);
  return Index;
}

uint32_t ChainTree::addPlace(const std::string &Path, uint32_t LineNo) {
  if (Path.empty())
    return None;
  auto [Shared, IsNewPath] =
      ByPath.try_emplace(Path, static_cast<uint32_t>(Paths.size()));
  if (IsNewPath)
    Paths.push_back(Path);
  std::pair<uint32_t, uint32_t> Place(Shared->second, LineNo);
  auto [Found, IsNew] =
      ByPlace.try_emplace(Place, static_cast<uint32_t>(Places.size()));
  if (IsNew)
    Places.push_back(Place);
  return Found->second;
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
  return {Groups[N.Group].first, placeText(Chain), N.IsLate, N.IsInclusion};
}

uint32_t ChainCopy::operator()(uint32_t Node) {
  for (; Node != ChainTree::None && NodeOf[Node] == ChainTree::None;
       Node = Source[Node].Outer)
    Way.push_back(Node);
  uint32_t Outer = Node == ChainTree::None ? Node : NodeOf[Node];
  for (; !Way.empty(); Way.pop_back()) {
    ChainTree::Node N = Source[Way.back()];
    N.Outer = Outer;
    NodeOf[Way.back()] = Outer = Into.add(N);
  }
  return Outer;
}

uint32_t ChainImport::operator()(uint32_t Node) {
  for (; Node != ChainTree::None && NodeOf[Node] == Unknown;
       Node = Source[Node].Outer)
    Way.push_back(Node);
  uint32_t Outer = Node == ChainTree::None ? Node : NodeOf[Node];
  for (; !Way.empty(); Way.pop_back()) {
    const ChainTree::Node &N = Source[Way.back()];
    NodeOf[Way.back()] = Outer = Into.add(
        {Outer, group(N.Group), place(N.Place), N.IsLate, N.IsInclusion});
  }
  return Outer;
}

uint32_t ChainImport::group(uint32_t Number) {
  if (GroupOf[Number] != Unknown)
    return GroupOf[Number];
  const auto &[Name, Key] = Source.Groups[Number];
  auto [Known, IsNew] = Groups.add(Key);
  if (IsNew)
    Into.addGroup(Names.add(Name), Key);
  return GroupOf[Number] = Known;
}

uint32_t ChainImport::place(uint32_t Number) {
  if (Number == ChainTree::None)
    return Number;
  if (PlaceOf[Number] == Unknown) {
    auto [Path, LineNo] = Source.Places[Number];
    PlaceOf[Number] = Into.addPlace(Source.Paths[Path], LineNo);
  }
  return PlaceOf[Number];
}
