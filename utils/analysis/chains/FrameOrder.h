/// \file
/// The order of chains whose numbers are equal: that of their frames, from what
/// was asked for outwards.
///
/// Flow:   ChainTree -> [FrameOrder] -> sortRows
///
/// Chains share their frames, and those of a deep recursion have more together
/// than there is memory for. So none is made: two are followed outwards until
/// they differ, or are one.
#pragma once

#include "utils/analysis/chains/ChainTree.h"
#include "utils/analysis/names/TieOrder.h"

#include <unordered_map>

namespace instantrace {

class FrameOrder {
public:
  /// Both must outlive the object, and the tree must not grow.
  FrameOrder(const Trace &T, const ChainTree &Tree) : T(T), Tree(Tree) {}

  /// Of two nodes; None is an empty chain.
  bool isBefore(uint32_t A, uint32_t B);

private:
  const TieText &text(uint32_t Node);

  const Trace &T;
  const ChainTree &Tree;
  std::unordered_map<uint32_t, TieText> Texts; // by group
};

/// What sortRows orders by.
struct OrderedChain {
  FrameOrder *Order;
  uint32_t Node;
  friend bool operator<(const OrderedChain &A, const OrderedChain &B) {
    return A.Order->isBefore(A.Node, B.Node);
  }
};

} // namespace instantrace
