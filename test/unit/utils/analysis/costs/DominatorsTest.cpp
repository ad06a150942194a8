/// \file
/// What of a graph is reached through one node alone, against the definition.
#include "utils/analysis/costs/Dominators.h"

#include <gtest/gtest.h>

#include <random>

using namespace instantrace;

namespace {

using Graph = std::vector<std::vector<uint32_t>>;

std::vector<bool> reached(const Graph &To, uint32_t Without) {
  std::vector<bool> Is(To.size());
  std::vector<uint32_t> Open;
  auto Reach = [&](uint32_t Node) {
    if (Node == Without || Is[Node])
      return;
    Is[Node] = true;
    Open.push_back(Node);
  };
  Reach(0);
  while (!Open.empty()) {
    uint32_t Node = Open.back();
    Open.pop_back();
    for (uint32_t Inner : To[Node])
      Reach(Inner);
  }
  return Is;
}

TEST(DominatorsTest, EveryWayGoesThroughThem) {
  std::mt19937 Random(19);
  for (int Round = 0; Round != 300; ++Round) {
    uint32_t Nodes = 1 + Random() % 12;
    Graph To(Nodes);
    for (uint32_t Edges = Random() % (2 * Nodes); Edges != 0; --Edges)
      To[Random() % Nodes].push_back(Random() % Nodes);
    DominatorTree Tree = dominators(To);
    std::vector<bool> All = reached(To, DominatorTree::None);
    for (uint32_t Node = 1; Node != Nodes; ++Node) {
      // By the tree, those on the way to node 0; by definition, those without
      // which it is not reached.
      std::vector<bool> Above(Nodes);
      for (uint32_t At = Tree.Before[Node]; At != DominatorTree::None;
           At = Tree.Before[At])
        Above[At] = true;
      for (uint32_t Other = 0; Other != Nodes; ++Other) {
        if (Other == Node)
          continue;
        ASSERT_EQ(bool(Above[Other]),
                  All[Node] && All[Other] && !reached(To, Other)[Node])
            << "round " << Round << ", " << Other << " before " << Node;
      }
    }
  }
}

/// Where simpler ways take a step for each pair of nodes.
TEST(DominatorsTest, LeavesOfALongChainTakeNoLongTime) {
  constexpr uint32_t Chain = 1 << 16, Leaves = 1 << 16;
  Graph To(Chain + Leaves);
  for (uint32_t Node = 0; Node + 1 != Chain; ++Node)
    To[Node].push_back(Node + 1);
  for (uint32_t Leaf = Chain; Leaf != Chain + Leaves; ++Leaf) {
    To[Chain - 1].push_back(Leaf);
    To[0].push_back(Leaf);
  }
  EXPECT_EQ(dominators(To).Before.back(), 0u);
}

TEST(DominatorsTest, ALongChainNeedsNoStack) {
  constexpr uint32_t Nodes = 1 << 16;
  Graph To(Nodes);
  for (uint32_t Node = 0; Node + 1 != Nodes; ++Node)
    To[Node].push_back(Node + 1);
  EXPECT_EQ(dominators(To).Before.back(), Nodes - 2);
}

} // namespace
