/// \file
/// All intervals of a frame as one node, and who asked for whom, and where.
///
/// Flow:   walkCosts -> [CallGraph] -> callgrind, DOT
///
/// Recursion is counted once: what is inside another interval of the same node,
/// or of the same edge, adds nothing to that one's inclusive cost.
#pragma once

#include "utils/export/CostWalk.h"

#include <unordered_map>
#include <vector>

namespace instantrace {

class CallGraph {
public:
  struct Node {
    ExportCost Self;
    ExportCost Inclusive;
    uint32_t Open = 0; // of its intervals, while the graph grows
  };
  struct Edge {
    uint32_t Caller = 0; // frames
    uint32_t Callee = 0;
    CallSite Site;
    uint64_t Calls = 0;
    ExportCost Inclusive;
    uint32_t Open = 0;
  };

  // For walkCosts().
  static constexpr bool NeedsCallSites = true;
  void enter(uint32_t Frame, CallSite Site);
  void leave(const ExportCost &Self);

  /// By frame. The frames of inputs are nodes as well.
  const std::vector<Node> &nodes() const { return Nodes; }
  /// Ordered by From, then by first appearance.
  std::vector<Edge> takeEdges();

private:
  static constexpr uint32_t None = UINT32_MAX;
  struct Key {
    uint32_t Caller, Callee;
    CallSite Site;
    friend bool operator==(const Key &, const Key &) = default;
  };
  struct KeyHash {
    size_t operator()(const Key &K) const;
  };
  struct Active {
    uint32_t Frame;
    uint32_t Edge; // None: outermost
    ExportCost Inclusive;
  };

  std::vector<Node> Nodes;
  std::vector<Edge> Edges;
  std::unordered_map<Key, uint32_t, KeyHash> ByKey;
  std::vector<Active> Stack;
};

} // namespace instantrace
