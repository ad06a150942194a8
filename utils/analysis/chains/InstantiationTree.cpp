#include "utils/analysis/chains/InstantiationTree.h"

#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/FunctionHomes.h"
#include "utils/analysis/view/SelfTimes.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

using namespace instantrace;

namespace {

class TreeBuilder {
public:
  TreeBuilder(const Trace &T, const TreeSpec &Spec, TraceFilter &Focus,
              TraceFilter &Rest)
      : T(T), Spec(Spec), Focus(Focus), Rest(Rest), Groups(T, Spec.Level) {
    Focus.enterTrace(T);
    Rest.enterTrace(T);
  }

  void add(uint32_t SequenceIndex) {
    const Sequence &S = T.Sequences[SequenceIndex];
    Groups.enterSequence(SequenceIndex);
    Focus.enterSequence(SequenceIndex);
    Rest.enterSequence(SequenceIndex);
    std::vector<uint64_t> SelfNs = selfTimes(S);
    FunctionHomes Homes;
    if (Spec.IsByRequest)
      Homes = FunctionHomes(S);
    std::vector<bool> IsInFocus(S.Intervals.size());
    std::vector<uint32_t> NodeOf(S.Intervals.size(), TreeNode::None);
    for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      if (!I.Parent)
        Tree.TotalNs += I.durationNs();
      IntervalId Outer = Spec.IsByRequest ? outwards(I) : I.Parent;
      // A trace that lies may have it before what made it.
      if (IntervalId Home = Homes.of(I.Entity);
          isFunctionWork(I) && Home && Home.Value < Index)
        Outer = Home;
      IsInFocus[Index] = (Outer && IsInFocus[Outer.Value]) || Focus.selects(I);
      // Our own work is in no one else's time, as in all analyses.
      uint32_t Parent = Outer && I.Kind != EventKind::Profiling
                            ? NodeOf[Outer.Value]
                            : TreeNode::None;
      NodeOf[Index] = Parent;
      if (!IsInFocus[Index] || !Rest.selects(I)) {
        Tree.FilteredNs += SelfNs[Index];
        continue;
      }
      TreeNode &Node = Tree.Nodes[NodeOf[Index] = child(S, Parent, I)];
      ++Node.Count;
      Node.SelfNs += SelfNs[Index];
      Node.AstBytes += I.AstBytes;
    }
  }

  InstantiationTree take() {
    for (size_t Index = Tree.Nodes.size(); Index-- != 0;) { // children first
      TreeNode &Node = Tree.Nodes[Index];
      Node.InclusiveNs += Node.SelfNs;
      Node.Within += Node.Count;
      if (Node.Parent == TreeNode::None)
        continue;
      Tree.Nodes[Node.Parent].InclusiveNs += Node.InclusiveNs;
      Tree.Nodes[Node.Parent].Within += Node.Within;
    }
    for (uint32_t Group = 0; Group != Groups.size(); ++Group)
      Tree.Names.push_back(Groups.name(Group));
    return std::move(Tree);
  }

private:
  uint32_t groupOf(const Sequence &S, const Interval &I) {
    if (isTemplateWork(I.Kind) || isFunctionWork(I))
      return Groups.groupFor(I.Entity);
    const Entity *File =
        I.Kind == EventKind::FileInclusion ? S.entity(I.Entity) : nullptr;
    return File ? Groups.fileGroup(File->Name)
                : Groups.fixed(surroundingsName(I.Kind));
  }

  uint32_t child(const Sequence &S, uint32_t Parent, const Interval &I) {
    uint32_t Group = groupOf(S, I);
    auto [Found, IsNew] = ByKind[static_cast<size_t>(I.Kind)].try_emplace(
        uint64_t(Parent) << 32 | Group,
        static_cast<uint32_t>(Tree.Nodes.size()));
    if (IsNew)
      Tree.Nodes.push_back({Parent, Group, I.Kind, 0, 0, 0, 0, 0});
    return Found->second;
  }

  const Trace &T;
  const TreeSpec &Spec;
  TraceFilter &Focus, &Rest;
  EntityGroups Groups;
  InstantiationTree Tree;
  /// By kind, then by parent and group.
  std::unordered_map<uint64_t, uint32_t> ByKind[256];
};

/// The nodes below each, as a list in an array.
class WholeTree : public TreeSource {
public:
  explicit WholeTree(const InstantiationTree &Tree)
      : Tree(Tree), Begins(Tree.Nodes.size() + 2), Sorted(Tree.Nodes.size()) {
    const std::vector<TreeNode> &Nodes = Tree.Nodes;
    // Roots are the children of the last one.
    auto Slot = [&](const TreeNode &N) {
      return N.Parent == TreeNode::None ? Nodes.size() : size_t(N.Parent);
    };
    for (const TreeNode &N : Nodes)
      ++Begins[Slot(N) + 1];
    for (size_t I = 1; I != Begins.size(); ++I)
      Begins[I] += Begins[I - 1];
    std::vector<uint32_t> Next(Begins.begin(), Begins.end() - 1);
    for (uint32_t I = 0; I != Nodes.size(); ++I)
      Sorted[Next[Slot(Nodes[I])]++] = I;
  }
  const InstantiationTree &tree() const override { return Tree; }
  void eachChild(uint32_t Node,
                 const std::function<void(uint32_t)> &See) override {
    size_t Slot = Node == TreeNode::None ? Sorted.size() : Node;
    std::for_each(Sorted.data() + Begins[Slot],
                  Sorted.data() + Begins[Slot + 1], See);
  }
  const RowName &name(uint32_t Group) override { return Tree.Names[Group]; }

private:
  const InstantiationTree &Tree;
  std::vector<uint32_t> Begins, Sorted;
};

} // namespace

InstantiationTree instantrace::instantiationTree(const Trace &T,
                                                 const TreeSpec &Spec,
                                                 TraceFilter &Focus,
                                                 TraceFilter &Rest) {
  TreeBuilder Builder(T, Spec, Focus, Rest);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index)
    Builder.add(Index);
  return Builder.take();
}

std::vector<TreeLine> instantrace::foldTree(const Trace &T,
                                            const InstantiationTree &Tree,
                                            const FoldSpec &Spec) {
  WholeTree Whole(Tree);
  return foldTree(T, Whole, Spec);
}

std::vector<TreeLine> instantrace::foldTree(const Trace &T, TreeSource &From,
                                            const FoldSpec &Spec) {
  const std::vector<TreeNode> &Nodes = From.tree().Nodes;
  std::unordered_map<uint32_t, TieText> Texts; // by group
  auto TextOf = [&](uint32_t Group) -> const TieText & {
    auto [At, IsNew] = Texts.try_emplace(Group);
    if (IsNew)
      At->second = tieText(T, From.name(Group));
    return At->second;
  };
  auto IsCheaper = [&](uint32_t A, uint32_t B) {
    const TreeNode &Left = Nodes[A], &Right = Nodes[B];
    if (Left.InclusiveNs != Right.InclusiveNs)
      return Left.InclusiveNs < Right.InclusiveNs;
    // By name, then by who is around it.
    for (; A != B; A = Nodes[A].Parent, B = Nodes[B].Parent) {
      if (A == TreeNode::None || B == TreeNode::None)
        return B == TreeNode::None;
      if (Nodes[A].Group != Nodes[B].Group)
        return TextOf(Nodes[A].Group) > TextOf(Nodes[B].Group);
      if (Nodes[A].Kind != Nodes[B].Kind)
        return Nodes[A].Kind > Nodes[B].Kind;
    }
    return false;
  };
  // The costliest first, so that those are shown that matter most. A node is
  // never costlier than the one above it, which is therefore shown, too.
  std::vector<bool> IsShown(Nodes.size());
  std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(IsCheaper)>
      Next(IsCheaper);
  std::vector<uint32_t> DepthOf(Nodes.size());
  auto Push = [&](uint32_t Node) {
    uint32_t Depth = Node == TreeNode::None ? 0 : DepthOf[Node] + 1;
    From.eachChild(Node, [&](uint32_t Child) {
      if (DepthOf.size() < Nodes.size()) {
        DepthOf.resize(Nodes.size());
        IsShown.resize(Nodes.size());
      }
      DepthOf[Child] = Depth;
      if (Nodes[Child].InclusiveNs >= Spec.MinTimeNs &&
          (Spec.MaxDepth == 0 || Depth < Spec.MaxDepth))
        Next.push(Child);
    });
  };
  size_t Left = Spec.MaxNodes == 0 ? SIZE_MAX : Spec.MaxNodes;
  for (Push(TreeNode::None); !Next.empty() && Left != 0; --Left) {
    uint32_t Node = Next.top();
    Next.pop();
    IsShown[Node] = true;
    Push(Node);
  }
  std::vector<TreeLine> Lines, Stack;
  // What is below a node, in reverse: the last one is on top of the stack.
  auto Open = [&](uint32_t Node, uint32_t Depth) {
    TreeLine Folded{TreeNode::None, Depth, 0, 0};
    std::vector<uint32_t> Shown;
    From.eachChild(Node, [&](uint32_t Child) {
      if (IsShown[Child]) {
        Shown.push_back(Child);
        return;
      }
      Folded.Count += Nodes[Child].Within;
      Folded.Ns += Nodes[Child].InclusiveNs;
    });
    if (Folded.Count != 0)
      Stack.push_back(Folded);
    std::sort(Shown.begin(), Shown.end(), IsCheaper);
    for (uint32_t Child : Shown)
      Stack.push_back({Child, Depth, 0, 0});
  };
  for (Open(TreeNode::None, 0); !Stack.empty();) {
    TreeLine Line = Stack.back();
    Stack.pop_back();
    Lines.push_back(Line);
    if (Line.Node != TreeNode::None)
      Open(Line.Node, Line.Depth + 1);
  }
  return Lines;
}
