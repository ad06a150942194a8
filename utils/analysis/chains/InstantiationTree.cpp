#include "utils/analysis/chains/InstantiationTree.h"

#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/names/TieOrder.h"

#include <algorithm>
#include <queue>
#include <span>
#include <utility>

using namespace instantrace;

namespace {

/// The nodes below each, as a list in an array.
class NodesBelow {
public:
  explicit NodesBelow(const std::vector<TreeNode> &Nodes)
      : Begins(Nodes.size() + 2), Sorted(Nodes.size()) {
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
  /// Of None: the roots.
  std::span<const uint32_t> operator[](uint32_t Node) const {
    size_t Slot = Node == TreeNode::None ? Sorted.size() : Node;
    return {Sorted.data() + Begins[Slot], Sorted.data() + Begins[Slot + 1]};
  }

private:
  std::vector<uint32_t> Begins, Sorted;
};

/// What nodes are with all that is below them.
void addUp(std::vector<TreeNode> &Nodes) {
  for (TreeNode &Node : Nodes) {
    Node.InclusiveNs = Node.SelfNs;
    Node.Within = Node.Count;
  }
  for (size_t Index = Nodes.size(); Index-- != 0;) { // children first
    const TreeNode &Node = Nodes[Index];
    if (Node.Parent == TreeNode::None)
      continue;
    Nodes[Node.Parent].InclusiveNs += Node.InclusiveNs;
    Nodes[Node.Parent].Within += Node.Within;
  }
}

/// So much of the time of a node says that it is only on the way.
constexpr double NearlyAll = 0.9;

} // namespace

TreeSink::TreeSink(const Trace &T, const TreeSpec &Spec,
                   const TraceFilter &Focus, const TraceFilter &Rest,
                   const LearnedScopes *Learned)
    : T(T), Spec(Spec), Focus(Focus), Rest(Rest), Learned(Learned) {}

EventSink &TreeSink::beginSequence(uint32_t Index) {
  // What is a class is learned from names, so not before there are some.
  if (!Groups) {
    Groups.emplace(T, Spec.Level, Learned);
    Focus.enterTrace(T, Learned);
    Rest.enterTrace(T, Learned);
  }
  S = &T.Sequences[Index];
  Groups->enterSequence(Index);
  Focus.enterSequence(Index);
  Rest.enterSequence(Index);
  Requested.enter(Ahead);
  Homes = {};
  ++Tree.Compiles;
  return *this;
}

/// Whom it is below; null: nobody.
const TreeSink::Frame *TreeSink::outer(const Interval &I) {
  const Frame *Found = nullptr;
  // Of an entity that is not defined, nothing is known.
  if (Spec.IsByRequest && isFunctionWork(I) && S->entity(I.Entity))
    Found = Homes.find(I.Entity);
  if (!Found && Spec.IsByRequest && I.Requester)
    Found = Requested.find(I.Requester);
  return Found || Open.empty() ? Found : &Open.back().Is;
}

void TreeSink::begin(IntervalId Id, const Interval &I) {
  const Frame *Outer = outer(I);
  Frame Is;
  Is.IsInFocus = (Outer && Outer->IsInFocus) || Focus.selects(I);
  // Our own work is in no one else's time, as in all analyses.
  if (Outer && I.Kind != EventKind::Profiling)
    Is.Node = Outer->Node;
  bool IsSelected = Is.IsInFocus && Rest.selects(I);
  if (IsSelected) {
    const uint32_t Group = group(I);
    const EventKind Kind = Spec.MergesNested && isTemplateWork(I.Kind)
                               ? EventKind::TemplateInstantiation
                               : I.Kind;
    if (!Spec.MergesNested || Is.Node == TreeNode::None ||
        Nodes[Is.Node].Group != Group)
      Is.Node = Nodes.add({Is.Node, Group, Kind, 0, 0, 0, 0, 0}).Number;
  }
  if (Requested.isWanted(Id))
    Requested.keep(Is);
  if (Spec.IsByRequest)
    Homes.begin(Id, I, Is);
  Times.begin();
  Open.push_back({Is, IsSelected});
}

void TreeSink::end(IntervalId Id, const Interval &I, const ElidedLeaves &) {
  const OpenInterval O = Open.back();
  Open.pop_back();
  const uint64_t SelfNs = Times.end(I).SelfNs;
  if (Open.empty())
    Tree.TotalNs += I.durationNs();
  if (Spec.IsByRequest)
    Homes.end(Id, I, O.Is);
  if (!O.IsSelected) {
    Tree.FilteredNs += SelfNs;
    return;
  }
  TreeNode &Node = Nodes[O.Is.Node];
  ++Node.Count;
  Node.SelfNs += SelfNs;
  Node.AstBytes += I.AstBytes;
}

uint32_t TreeSink::group(const Interval &I) {
  if (isTemplateWork(I.Kind) || isFunctionWork(I) ||
      (I.Kind == EventKind::ConstantEvaluation && I.Entity))
    return Groups->groupFor(I.Entity);
  const Entity *File =
      I.Kind == EventKind::FileInclusion ? S->entity(I.Entity) : nullptr;
  return File ? Groups->fileGroup(File->Name)
              : Groups->fixed(surroundingsName(I.Kind));
}

InstantiationTree TreeSink::take() {
  Tree.Nodes = Nodes.take();
  for (uint32_t Group = 0; Groups && Group != Groups->size(); ++Group) {
    Tree.Names.push_back(Groups->name(Group));
    Tree.Keys.push_back(Groups->key(Group));
  }
  return std::move(Tree);
}

void MergedTree::add(InstantiationTree More, MergedNames &Names) {
  Tree.TotalNs += More.TotalNs;
  Tree.FilteredNs += More.FilteredNs;
  Tree.Compiles += More.Compiles;
  std::vector<uint32_t> GroupOf, NodeOf;
  for (size_t Group = 0; Group != More.Names.size(); ++Group) {
    auto [Known, IsNew] = ByKey.try_emplace(
        More.Keys[Group], static_cast<uint32_t>(Tree.Names.size()));
    if (IsNew)
      Tree.Names.push_back(Names.add(More.Names[Group]));
    GroupOf.push_back(Known->second);
  }
  NodeOf.reserve(More.Nodes.size());
  for (const TreeNode &Node : More.Nodes) {
    uint32_t Parent =
        Node.Parent == TreeNode::None ? Node.Parent : NodeOf[Node.Parent];
    NodeOf.push_back(add(Node, Parent, GroupOf[Node.Group]));
  }
  if (Nodes.size() > Most)
    cut();
}

uint32_t MergedTree::add(const TreeNode &Node, uint32_t Parent,
                         uint32_t Group) {
  uint32_t Number = Nodes.add({Parent, Group, Node.Kind, 0, 0, 0, 0, 0}).Number;
  TreeNode &Into = Nodes[Number];
  Into.Count += Node.Count;
  Into.SelfNs += Node.SelfNs;
  Into.AstBytes += Node.AstBytes;
  return Number;
}

/// A node is never costlier than the one above it, so what is kept is a tree.
void MergedTree::cut() {
  std::vector<TreeNode> All = std::exchange(Nodes, {}).take();
  addUp(All);
  std::vector<uint64_t> Ns;
  Ns.reserve(All.size());
  for (const TreeNode &Node : All)
    Ns.push_back(Node.InclusiveNs);
  auto Middle = Ns.begin() + static_cast<std::ptrdiff_t>(Ns.size() / 2);
  std::nth_element(Ns.begin(), Middle, Ns.end());
  const uint64_t MostFoldedNs = *Middle;
  std::vector<uint32_t> NodeOf; // of what is folded, the one above
  NodeOf.reserve(All.size());
  for (const TreeNode &Node : All) {
    uint32_t Parent =
        Node.Parent == TreeNode::None ? Node.Parent : NodeOf[Node.Parent];
    if (Node.Group != TreeNode::None && Node.InclusiveNs > MostFoldedNs) {
      NodeOf.push_back(add(Node, Parent, Node.Group));
      continue;
    }
    TreeNode Folded = Node;
    Folded.Kind = {};
    add(Folded, Parent, TreeNode::None);
    NodeOf.push_back(Parent);
  }
  Tree.IsCut = true;
}

InstantiationTree MergedTree::take() {
  Tree.Nodes = Nodes.take();
  addUp(Tree.Nodes);
  return std::move(Tree);
}

std::vector<TreeLine> instantrace::foldTree(const Trace &T,
                                            const InstantiationTree &Tree,
                                            const FoldSpec &Spec) {
  const std::vector<TreeNode> &Nodes = Tree.Nodes;
  const NodesBelow Below(Nodes);
  std::unordered_map<uint32_t, TieText> Texts; // by group
  auto TextOf = [&](uint32_t Group) -> const TieText & {
    auto [Entry, IsNew] = Texts.try_emplace(Group);
    if (IsNew)
      Entry->second = tieText(T, Tree.Names[Group]);
    return Entry->second;
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
    for (uint32_t Child : Below[Node]) {
      DepthOf[Child] = Depth;
      if (Nodes[Child].Group != TreeNode::None &&
          Nodes[Child].InclusiveNs >= Spec.MinTimeNs &&
          (Spec.MaxDepth == 0 || Depth < Spec.MaxDepth))
        Next.push(Child);
    }
  };
  size_t Left = Spec.MaxNodes == 0 ? SIZE_MAX : Spec.MaxNodes;
  auto IsNearlyAll = [&](uint32_t Node) {
    uint32_t Above = Nodes[Node].Parent;
    return Spec.SkipsWays && Above != TreeNode::None &&
           static_cast<double>(Nodes[Node].InclusiveNs) >=
               NearlyAll * static_cast<double>(Nodes[Above].InclusiveNs);
  };
  for (Push(TreeNode::None); !Next.empty() && Left != 0;) {
    uint32_t Node = Next.top();
    Next.pop();
    Left -= !IsNearlyAll(Node);
    IsShown[Node] = true;
    Push(Node);
  }
  std::vector<TreeLine> Lines, Stack;
  auto OnlyShownBelow = [&](uint32_t Node) {
    uint32_t Only = TreeNode::None;
    for (uint32_t Child : Below[Node])
      if (IsShown[Child]) {
        if (Only != TreeNode::None)
          return TreeNode::None;
        Only = Child;
      }
    return Only;
  };
  // What is below a node, in reverse: the last one is on top of the stack.
  auto Open = [&](uint32_t Node, uint32_t Depth) {
    TreeLine Folded{TreeNode::None, Depth, 0, 0, 0};
    std::vector<uint32_t> Shown;
    for (uint32_t Child : Below[Node]) {
      if (IsShown[Child]) {
        Shown.push_back(Child);
        continue;
      }
      Folded.Count += Nodes[Child].Within;
      Folded.Ns += Nodes[Child].InclusiveNs;
    }
    if (Folded.Count != 0)
      Stack.push_back(Folded);
    std::sort(Shown.begin(), Shown.end(), IsCheaper);
    for (uint32_t Child : Shown) {
      TreeLine Line{Child, Depth, 0, 0, 0};
      for (uint32_t Next = OnlyShownBelow(Child);
           Shown.size() == 1 && Node != TreeNode::None &&
           Next != TreeNode::None && IsNearlyAll(Next);
           Next = OnlyShownBelow(Next)) {
        Line.Node = Next;
        ++Line.Skipped;
      }
      Stack.push_back(Line);
    }
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
