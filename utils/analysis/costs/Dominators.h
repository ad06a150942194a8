/// \file
/// What of a graph is reached through one node alone.
///
/// Flow:   edges -> [dominators] -> HeaderCosts
/// Source: Lengauer, Tarjan, "A Fast Algorithm for Finding Dominators in a
///         Flowgraph", with path compression alone: near to linear whatever the
///         graph is, which simpler ways are not
#pragma once

#include <cstdint>
#include <vector>

namespace instantrace {

struct DominatorTree {
  static constexpr uint32_t None = UINT32_MAX;

  /// By node: the last one that every way from node 0 goes through before it.
  /// None of node 0, and of what is not reached.
  std::vector<uint32_t> Before;
  /// Nodes that are reached, node 0 first, each after the one before it in the
  /// above sense.
  std::vector<uint32_t> Order;
};

/// \p Successors has, by node, where its edges lead to.
DominatorTree dominators(const std::vector<std::vector<uint32_t>> &Successors);

} // namespace instantrace
