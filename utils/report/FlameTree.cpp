#include "utils/report/FlameTree.h"

#include <algorithm>
#include <array>
#include <unordered_map>

using namespace instantrace;

namespace {

constexpr std::array<uint64_t ExportCost::*, 3> TreeMetrics = {
    &ExportCost::Ns, &ExportCost::Count, &ExportCost::AstBytes};
constexpr std::array<ExportCost FlameNode::*, 2> Sides = {&FlameNode::Self,
                                                          &FlameNode::OldSelf};

} // namespace

EventSink &FlameSink::beginSequence(uint32_t Index) {
  Frames.enterSequence(Index);
  Requesters.enter(Ahead);
  IsKept = &File->Kept[Index];
  Root = Around.child(0, Frames.ofInput());
  if (HasRequests)
    RequestedRoot = Requested.child(0, Frames.ofInput());
  return *this;
}

void FlameSink::begin(IntervalId Id, const Interval &I) {
  const uint32_t Frame = (*IsKept)[Id.Value] ? Frames.frameFor(I) : 0;
  OpenInterval O;
  O.Around = {Open.empty() ? Root : Open.back().Around.Node,
              (*IsKept)[Id.Value]};
  if (O.Around.IsKept)
    O.Around.Node = Around.child(O.Around.Node, Frame);
  if (HasRequests) {
    const uint32_t *Requester =
        I.Requester ? Requesters.find(I.Requester) : nullptr;
    O.Requested.Node = Requester      ? *Requester
                       : Open.empty() ? RequestedRoot
                                      : Open.back().Requested.Node;
    // The input is around what has a depth.
    O.Requested.IsKept = O.Around.IsKept &&
                         Requested.nodes()[O.Requested.Node].Depth <= MostDepth;
    if (O.Requested.IsKept)
      O.Requested.Node = Requested.child(O.Requested.Node, Frame);
    if (Requesters.isWanted(Id))
      Requesters.keep(O.Requested.Node);
  }
  Open.push_back(O);
  Times.begin();
}

void FlameSink::end(IntervalId, const Interval &I, const ElidedLeaves &Leaves) {
  const OpenInterval O = Open.back();
  Open.pop_back();
  const uint64_t SelfNs = Times.end(I).SelfNs;
  add(Around, O.Around, I, SelfNs, Leaves);
  if (HasRequests)
    add(Requested, O.Requested, I, SelfNs, Leaves);
}

/// What is not kept is folded in the next one outwards that is.
void FlameSink::add(CallTree &Tree, const Place &At, const Interval &I,
                    uint64_t SelfNs, const ElidedLeaves &Leaves) {
  if (!At.IsKept) {
    Tree.add(Tree.child(At.Node, Frames.fixed(FoldedFrame)),
             {SelfNs, I.AstBytes, 1});
    return;
  }
  if (I.HasElided) {
    // A lying trace has no more of them than there is time.
    uint64_t ElidedNs = std::min(Leaves.SumNs, SelfNs);
    Tree.add(Tree.child(At.Node, Frames.fixed(ElidedFrame)),
             {ElidedNs, 0, Leaves.Count});
    SelfNs -= ElidedNs;
  }
  Tree.add(At.Node, {SelfNs, I.AstBytes, 1});
}

FlamePaths FlameSink::take() {
  FlamePaths Paths{Around.take(), Requested.take(), {}};
  for (uint32_t Frame = 0; Frame != Frames.size(); ++Frame)
    Paths.Frames.push_back(Frames[Frame]);
  return Paths;
}

void FlameTree::add(const std::vector<CallTree::Node> &Calls,
                    const std::vector<ExportFrame> &Frames,
                    ExportCost FlameNode::*Side, const Rename &Renamed) {
  std::vector<Step> OfFrame; // without its parent
  OfFrame.reserve(Frames.size());
  for (const ExportFrame &F : Frames)
    OfFrame.push_back(
        {0, Texts.index(Renamed ? Renamed(F) : F.Name), Texts.index(F.Kind)});
  std::vector<uint32_t> Merged(Calls.size());
  for (size_t At = 1; At < Merged.size(); ++At) {
    const CallTree::Node &Node = Calls[At];
    Step S = OfFrame[Node.Frame];
    S.Parent = Merged[Node.Parent];
    auto [Number, IsNew] = Known.add(S);
    if (IsNew)
      Nodes.push_back({S.Parent, S.Name, S.Kind, 0, {}, {}});
    Merged[At] = Number + 1;
    Nodes[Merged[At]].*Side += Node.Self;
  }
  if (Nodes.size() > Most)
    cut();
}

/// What is folded has no name, which no other node lacks.
void FlameTree::cut() {
  Nodes = foldedNodes(Most / 2);
  Known = {};
  for (size_t At = 1; At != Nodes.size(); ++At)
    Known.add({Nodes[At].Parent, Nodes[At].Name, Nodes[At].Kind});
}

/// A node's share is never larger than its parent's, and of equal shares the
/// first ones are kept, so what is kept is a tree.
std::vector<bool> FlameTree::kept(size_t MaxNodes) const {
  std::vector<double> Share(Nodes.size());
  std::vector<uint64_t> Inclusive(Nodes.size());
  for (auto Side : Sides)
    for (auto Metric : TreeMetrics) {
      for (size_t At = 0; At != Nodes.size(); ++At)
        Inclusive[At] = Nodes[At].*Side.*Metric;
      for (size_t At = Nodes.size(); --At != 0;)
        Inclusive[Nodes[At].Parent] += Inclusive[At];
      for (size_t At = 0; Inclusive[0] != 0 && At != Nodes.size(); ++At)
        Share[At] =
            std::max(Share[At], double(Inclusive[At]) / double(Inclusive[0]));
    }
  std::vector<bool> Keeps(Nodes.size(), Nodes.size() <= MaxNodes);
  if (Keeps[0])
    return Keeps;
  std::vector<uint32_t> Order(Nodes.size());
  for (uint32_t At = 0; At != Order.size(); ++At)
    Order[At] = At;
  std::nth_element(Order.begin(),
                   Order.begin() + static_cast<std::ptrdiff_t>(MaxNodes),
                   Order.end(), [&Share](uint32_t A, uint32_t B) {
                     return Share[A] != Share[B] ? Share[A] > Share[B] : A < B;
                   });
  for (size_t I = 0; I != MaxNodes; ++I)
    Keeps[Order[I]] = true;
  Keeps[0] = true;
  return Keeps;
}

std::vector<FlameNode> FlameTree::folded(size_t MaxNodes,
                                         ReportTexts &Into) const {
  std::vector<FlameNode> Folded = foldedNodes(MaxNodes);
  for (FlameNode &Node : Folded) {
    Node.Name = Into.index(Texts.all()[Node.Name]);
    Node.Kind = Into.index(Texts.all()[Node.Kind]);
  }
  return Folded;
}

std::vector<FlameNode> FlameTree::foldedNodes(size_t MaxNodes) const {
  std::vector<bool> Keeps = kept(MaxNodes);
  std::vector<FlameNode> Folded;
  std::vector<uint32_t> NewNumber(Nodes.size());   // of what it is in now
  std::unordered_map<uint32_t, uint32_t> OthersOf; // by kept parent
  for (size_t At = 0; At != Nodes.size(); ++At) {
    const FlameNode &Node = Nodes[At];
    uint32_t Parent = NewNumber[Node.Parent];
    auto Next = static_cast<uint32_t>(Folded.size());
    if (Keeps[At] && Node.Others == 0) {
      NewNumber[At] = Next;
      Folded.push_back(Node);
      Folded.back().Parent = Parent;
      continue;
    }
    if (Folded[Parent].Others == 0) {
      auto [Found, IsNew] = OthersOf.try_emplace(Parent, Next);
      if (IsNew)
        Folded.push_back({Parent, 0, 0, 0, {}, {}});
      Parent = Found->second;
    }
    NewNumber[At] = Parent;
    FlameNode &Others = Folded[Parent];
    Others.Others += std::max<uint64_t>(Node.Others, 1);
    Others.Self += Node.Self;
    Others.OldSelf += Node.OldSelf;
  }
  return Folded;
}
