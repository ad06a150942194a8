/// \file
/// What instantiates what, with equal things under one parent as one node.
///
/// Flow:   Trace, filters -> [InstantiationTree] -> foldTree -> TreeText
/// Leaves: what is shown, to foldTree()
///
/// A node's inclusive time is its own and that of the nodes below, so the tree
/// adds up whatever was moved or left out. Short leaves are in the self time of
/// what they were in.
#ifndef INSTANTRACE_UTILS_ANALYSIS_CHAINS_INSTANTIATIONTREE_H
#define INSTANTRACE_UTILS_ANALYSIS_CHAINS_INSTANTIATIONTREE_H

#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/TraceFilter.h"

#include <functional>
#include <vector>

namespace instantrace {

struct TreeNode {
  static constexpr uint32_t None = UINT32_MAX;
  uint32_t Parent = None; ///< smaller than the own index
  uint32_t Group = 0;
  EventKind Kind{};
  uint64_t Count = 0;
  uint64_t SelfNs = 0;
  uint64_t InclusiveNs = 0;
  uint64_t AstBytes = 0;
  uint64_t Within = 0; ///< intervals of the node and of all below it
};

struct InstantiationTree {
  std::vector<TreeNode> Nodes;
  std::vector<RowName> Names; ///< by group
  uint64_t TotalNs = 0;       ///< of the root intervals
  uint64_t FilteredNs = 0;    ///< of what is in no node
};

struct TreeSpec {
  EntityLevel Level = EntityLevel::Specialization;
  /// Late bodies are below who asked for them, and what LLVM did for a function
  /// below the instantiation that made it, and not where they ran.
  bool IsByRequest = false;
};

/// Roots are the outermost intervals that Focus selects, with everything
/// inside; of that, what Rest does not select is left out, and what is inside
/// goes to its parent.
InstantiationTree instantiationTree(const Trace &T, const TreeSpec &Spec,
                                    TraceFilter &Focus, TraceFilter &Rest);

/// A tree of which nodes are made when they are asked for.
class TreeSource {
public:
  virtual ~TreeSource() = default;
  /// The nodes so far. Their numbers are right, whether those below are there
  /// or not.
  virtual const InstantiationTree &tree() const = 0;
  /// Those directly below; None: the roots.
  virtual void eachChild(uint32_t Node,
                         const std::function<void(uint32_t)> &See) = 0;
  virtual const RowName &name(uint32_t Group) = 0;
};

struct FoldSpec {
  uint64_t MinTimeNs = 0;
  uint64_t MaxDepth = 0; ///< 0: all
  size_t MaxNodes = 0;   ///< the costliest; 0: all
};

/// A line: a node, or what is folded below one.
struct TreeLine {
  uint32_t Node = TreeNode::None; ///< None: folded
  uint32_t Depth = 0;
  uint64_t Count = 0; ///< intervals that are folded
  uint64_t Ns = 0;    ///< time that is folded
};

/// In the order of a walk from the top, costliest children first and equal ones
/// by name, with what is folded last. Self times of the nodes and folded times
/// are all of the tree.
std::vector<TreeLine> foldTree(const Trace &T, const InstantiationTree &Tree,
                               const FoldSpec &Spec);
/// Asks for what is below the nodes that are shown, and for no more.
std::vector<TreeLine> foldTree(const Trace &T, TreeSource &From,
                               const FoldSpec &Spec);

} // namespace instantrace

#endif
