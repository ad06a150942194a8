#include "utils/report/FlameTree.h"

#include "utils/analysis/view/SelfTimes.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <array>
#include <unordered_map>

using namespace instantrace;

namespace {

constexpr std::array<uint64_t ExportCost::*, 3> TreeMetrics = {
    &ExportCost::Ns, &ExportCost::Count, &ExportCost::AstBytes};
constexpr std::array<ExportCost FlameNode::*, 2> Sides = {&FlameNode::Self,
                                                          &FlameNode::OldSelf};

/// What is not kept, or too deep, is folded in the next one outwards that is.
class RequestTree {
public:
  RequestTree(const ExportJob &Job, ExportFrames &Frames)
      : Job(Job), Frames(Frames) {}

  std::vector<CallTree::Node> take() {
    for (size_t Index = 0; Index != Job.T.Sequences.size(); ++Index) {
      Frames.enterSequence(Index);
      add(Job.T.Sequences[Index], Index);
    }
    return Tree.take();
  }

private:
  void add(const Sequence &S, size_t Index);

  const ExportJob &Job;
  ExportFrames &Frames;
  CallTree Tree;
};

void RequestTree::add(const Sequence &S, size_t Index) {
  uint32_t Root = Tree.child(0, Frames.ofInput());
  std::vector<uint64_t> SelfNs = selfTimes(S);
  std::vector<uint32_t> NodeOf(S.Intervals.size()); // it, or what it is in
  for (uint32_t Id = 0; Id != S.Intervals.size(); ++Id) {
    const Interval &I = S.Intervals[Id];
    IntervalId Outer = outwards(I);
    uint32_t Around = Outer ? NodeOf[Outer.Value] : Root;
    // The input is around what has a depth.
    bool IsKept = Job.Plan.keeps(Index, IntervalId{Id}) &&
                  Tree.nodes()[Around].Depth <= Job.Limits.MaxDepth;
    NodeOf[Id] = IsKept ? Tree.child(Around, Frames.frameFor(I)) : Around;
    uint64_t Ns = SelfNs[Id];
    if (I.HasElided && IsKept) {
      ElidedLeaves Leaves = S.elidedIn(IntervalId{Id});
      // A lying trace has no more of them than there is time.
      uint64_t ElidedNs = std::min(Leaves.SumNs, Ns);
      Tree.add(Tree.child(NodeOf[Id], Frames.fixed(ElidedFrame)),
               {ElidedNs, 0, Leaves.Count});
      Ns -= ElidedNs;
    }
    Tree.add(IsKept ? NodeOf[Id]
                    : Tree.child(Around, Frames.fixed(FoldedFrame)),
             {Ns, I.AstBytes, 1});
  }
}

} // namespace

/// Of each frame, without its parent. What the frames and the paths are found
/// with is gone before the paths are merged.
std::vector<FlameTree::Step>
FlameTree::stepsOf(const ExportJob &Job, const Rename &Renamed,
                   std::vector<CallTree::Node> &Calls) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameOnly);
  if (By == FlameNesting::Requested) {
    Calls = RequestTree(Job, Frames).take();
  } else {
    CallTree Tree;
    walkCosts(Job.T, Job.Plan, Frames, Tree);
    Calls = Tree.take();
  }
  std::vector<Step> OfFrame;
  OfFrame.reserve(Frames.size());
  for (uint32_t Frame = 0; Frame != Frames.size(); ++Frame) {
    const ExportFrame &F = Frames[Frame];
    OfFrame.push_back(
        {0, Texts.index(Renamed ? Renamed(F) : F.Name), Texts.index(F.Kind)});
  }
  return OfFrame;
}

void FlameTree::add(const ExportJob &Job, ExportCost FlameNode::*Side,
                    const Rename &Renamed) {
  std::vector<CallTree::Node> Calls;
  std::vector<Step> OfFrame = stepsOf(Job, Renamed, Calls);
  Nodes.reserve(Nodes.size() + Calls.size());
  std::vector<uint32_t> Merged(Calls.size());
  for (size_t At = 1; At != Merged.size(); ++At) {
    const CallTree::Node &Node = Calls[At];
    Step S = OfFrame[Node.Frame];
    S.Parent = Merged[Node.Parent];
    auto [Number, IsNew] = Known.add(S);
    if (IsNew)
      Nodes.push_back({S.Parent, S.Name, S.Kind, 0, {}, {}});
    Merged[At] = Number + 1;
    Nodes[Merged[At]].*Side += Node.Self;
  }
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
  std::vector<bool> Keeps = kept(MaxNodes);
  std::vector<FlameNode> Folded;
  std::vector<uint32_t> NewNumber(Nodes.size());   // of what it is in now
  std::unordered_map<uint32_t, uint32_t> OthersOf; // by kept parent
  for (size_t At = 0; At != Nodes.size(); ++At) {
    const FlameNode &Node = Nodes[At];
    uint32_t Parent = NewNumber[Node.Parent];
    auto Next = static_cast<uint32_t>(Folded.size());
    if (Keeps[At]) {
      NewNumber[At] = Next;
      Folded.push_back(Node);
      Folded.back().Parent = Parent;
      Folded.back().Name = Into.index(Texts.all()[Node.Name]);
      Folded.back().Kind = Into.index(Texts.all()[Node.Kind]);
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
    ++Others.Others;
    Others.Self += Node.Self;
    Others.OldSelf += Node.OldSelf;
  }
  return Folded;
}
