/// \file
/// What instantiates what, with equal things under one parent as one node.
///
/// Flow:    events, filters -> [TreeSink] of each trace -> [MergedTree]
///          -> foldTree -> TreeText
/// Leaves:  what is shown, to foldTree()
/// Memory:  a node for each distinct way, of all traces MergedTree::MostNodes
/// Threads: one for each TreeSink; one merges
///
/// A node's inclusive time is its own and that of the nodes below, so the tree
/// adds up whatever was moved or left out. Short leaves are in the self time of
/// what they were in.
#pragma once

#include "runtime/base/KeyNumbers.h"
#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/FunctionHomes.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/RequestedFrames.h"
#include "utils/analysis/view/TraceFilter.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct TreeNode {
  static constexpr uint32_t None = UINT32_MAX;
  uint32_t Parent = None; ///< smaller than the own index
  uint32_t Group = 0;     ///< None: what was folded while merging
  EventKind Kind{};
  uint64_t Count = 0;
  uint64_t SelfNs = 0;
  uint64_t InclusiveNs = 0;
  uint64_t AstBytes = 0;
  uint64_t Within = 0; ///< intervals of the node and of all below it

  /// Whether it is the same way; sums are beside it, where they are near.
  friend bool operator==(const TreeNode &A, const TreeNode &B) {
    return A.Parent == B.Parent && A.Group == B.Group && A.Kind == B.Kind;
  }
};

struct TreeNodeHash {
  uint64_t operator()(const TreeNode &Node) const {
    return (hashPair(Node.Parent, Node.Group) ^ uint64_t(Node.Kind)) *
           0xC2B2AE3D27D4EB4Fu;
  }
};

using TreeNodes = KeyNumbers<TreeNode, TreeNodeHash>;

struct InstantiationTree {
  std::vector<TreeNode> Nodes;
  std::vector<RowName> Names; ///< by group
  std::vector<NameKey> Keys;  ///< by group
  uint64_t TotalNs = 0;       ///< of the root intervals
  uint64_t FilteredNs = 0;    ///< of what is in no node
  size_t Compiles = 0;
  bool IsCut = false; ///< short nodes were folded while merging
};

struct TreeSpec {
  EntityLevel Level = EntityLevel::Specialization;
  /// Late bodies are below who asked for them, and what LLVM did for a function
  /// below the instantiation that made it, and not where they ran.
  bool IsByRequest = false;
  /// What is directly in a node of the same name is part of it, and template
  /// work of any kind is one kind: steps of a recursion, the check of a
  /// template's constraints.
  bool MergesNested = false;
};

/// The tree of one trace. Roots are the outermost intervals that Focus selects,
/// with everything inside; of that, what Rest does not select is left out, and
/// what is inside goes to its parent.
class TreeSink : public TraceSink, EventSink {
public:
  /// All must outlive it. \p T is what the trace is read into: it has its
  /// tables when its events begin. Filters remember what they are asked, so
  /// they are copied. \p Learned may be null.
  TreeSink(const Trace &T, const TreeSpec &Spec, const TraceFilter &Focus,
           const TraceFilter &Rest, const LearnedScopes *Learned = nullptr);

  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override {}

  /// Without InclusiveNs and Within. Ends the life of the sink.
  InstantiationTree take();

private:
  struct Frame {
    uint32_t Node = TreeNode::None; ///< its own, or that of what it is in
    bool IsInFocus = false;
  };
  struct OpenInterval {
    Frame Is;
    bool IsSelected;
  };

  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &) override;
  void instant(const Instant &) override {}
  const Frame *outer(const Interval &I);
  uint32_t group(const Interval &I);

  const Trace &T;
  const TreeSpec Spec;
  TraceFilter Focus, Rest;
  const LearnedScopes *Learned;
  std::optional<EntityGroups> Groups; ///< when there are names
  LookAhead Ahead;
  InstantiationTree Tree;
  TreeNodes Nodes;
  // Of this sequence:
  const Sequence *S = nullptr;
  std::vector<OpenInterval> Open;
  OpenTimes Times;
  RequestedFrames<Frame> Requested;
  HomeFrames<Frame> Homes;
};

/// The trees of all traces.
class MergedTree {
public:
  /// Of more nodes, the costliest half is kept, and what is below each of these
  /// is one node.
  static constexpr size_t MostNodes = size_t(1) << 22;
  explicit MergedTree(size_t Most = MostNodes) : Most(Most) {}

  /// \p More is of the trace that \p Names entered last.
  void add(InstantiationTree More, MergedNames &Names);
  /// Names are those of what it was added with.
  InstantiationTree take();

private:
  uint32_t add(const TreeNode &Node, uint32_t Parent, uint32_t Group);
  void cut();

  const size_t Most;
  InstantiationTree Tree;
  TreeNodes Nodes;
  std::unordered_map<NameKey, uint32_t, NameKeyHash> ByKey; ///< groups
};

struct FoldSpec {
  uint64_t MinTimeNs = 0;
  uint64_t MaxDepth = 0; ///< 0: all
  size_t MaxNodes = 0;   ///< the costliest; 0: all
  /// Leaves out nodes between others, in ways without branches along which the
  /// time stays nearly the same.
  bool SkipsWays = false;
};

/// A line: a node, or what is folded below one.
struct TreeLine {
  uint32_t Node = TreeNode::None; ///< None: folded
  uint32_t Depth = 0;
  uint64_t Count = 0;   ///< intervals that are folded
  uint64_t Ns = 0;      ///< time that is folded
  uint32_t Skipped = 0; ///< nodes between it and the line above
};

/// In the order of a walk from the top, costliest children first and equal ones
/// by name, with what is folded last. Self times of the nodes and folded times
/// are all of the tree.
std::vector<TreeLine> foldTree(const Trace &T, const InstantiationTree &Tree,
                               const FoldSpec &Spec);

} // namespace instantrace
