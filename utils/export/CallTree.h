/// \file
/// All intervals with the same frames around them, as one node.
///
/// Flow:   walkCosts -> [CallTree] -> folded, flame graph
#pragma once

#include "runtime/base/Hash.h"
#include "runtime/base/KeyNumbers.h"
#include "utils/export/CostWalk.h"

#include <utility>
#include <vector>

namespace instantrace {

inline uint64_t valueOf(const ExportCost &Cost, ExportMetric Metric) {
  switch (Metric) {
  case ExportMetric::Time:
    return Cost.Ns;
  case ExportMetric::Count:
    return Cost.Count;
  case ExportMetric::Memory:
    return Cost.AstBytes;
  }
  return 0;
}

class CallTree {
public:
  struct Node {
    uint32_t Parent = 0; // smaller than the own number; 0 for outermost ones
    uint32_t Frame = 0;
    uint32_t Depth = 0; // 1 for outermost ones
    ExportCost Self;
  };

  // For walkCosts().
  static constexpr bool NeedsCallSites = false;
  void enter(uint32_t Frame, CallSite);
  void leave(const ExportCost &Self);

  /// The same for who does not go through it inwards and outwards: the node of
  /// a frame in another node, which is new at first.
  uint32_t child(uint32_t Parent, uint32_t Frame);
  void add(uint32_t Node, const ExportCost &Self) { Nodes[Node].Self += Self; }

  /// By order of first appearance; Nodes[0] is around all and no interval.
  const std::vector<Node> &nodes() const { return Nodes; }
  /// The same. Ends the life of the tree, and what it finds nodes with.
  std::vector<Node> take() { return std::move(Nodes); }
  /// Of each node with everything inside; [0] is the whole.
  std::vector<uint64_t> inclusive(ExportMetric Metric) const;

private:
  std::vector<Node> Nodes{1};
  /// By parent and frame; the first one is Nodes[1].
  KeyNumbers<uint64_t, PairHash> Children;
  uint32_t Current = 0;
};

} // namespace instantrace
