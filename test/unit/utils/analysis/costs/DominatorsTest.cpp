/// \file
/// What of a graph is reached through one node alone, against the definition.
#include "utils/analysis/costs/Dominators.h"

#include <gtest/gtest.h>

#include <random>

using namespace instantrace;

namespace {

using Graph = std::vector<std::vector<uint32_t>>;

std::vector<bool> reached(const Graph &G, uint32_t Without) {
  std::vector<bool> Is(G.size());
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
    for (uint32_t Inner : G[Node])
      Reach(Inner);
  }
  return Is;
}

TEST(DominatorsTest, EveryWayGoesThroughThem) {
  std::mt19937 Random(19);
  for (int Round = 0; Round != 300; ++Round) {
    uint32_t Nodes = 1 + Random() % 12;
    Graph G(Nodes);
    for (uint32_t Edges = Random() % (2 * Nodes); Edges != 0; --Edges)
      G[Random() % Nodes].push_back(Random() % Nodes);
    DominatorTree Tree = dominators(G);
    std::vector<bool> All = reached(G, DominatorTree::None);
    for (uint32_t Node = 1; Node != Nodes; ++Node) {
      // By the tree, those on the way to node 0; by definition, those without
      // which it is not reached.
      std::vector<bool> Above(Nodes);
      for (uint32_t Index = Tree.Before[Node]; Index != DominatorTree::None;
           Index = Tree.Before[Index])
        Above[Index] = true;
      for (uint32_t Other = 0; Other != Nodes; ++Other) {
        if (Other == Node)
          continue;
        ASSERT_EQ(bool(Above[Other]),
                  All[Node] && All[Other] && !reached(G, Other)[Node])
            << "round " << Round << ", " << Other << " before " << Node;
      }
    }
  }
}

/// Where simpler ways take a step for each pair of nodes.
TEST(DominatorsTest, LeavesOfALongChainTakeNoLongTime) {
  constexpr uint32_t Chain = 1 << 16, Leaves = 1 << 16;
  Graph G(Chain + Leaves);
  for (uint32_t Node = 0; Node + 1 != Chain; ++Node)
    G[Node].push_back(Node + 1);
  for (uint32_t Leaf = Chain; Leaf != Chain + Leaves; ++Leaf) {
    G[Chain - 1].push_back(Leaf);
    G[0].push_back(Leaf);
  }
  EXPECT_EQ(dominators(G).Before.back(), 0u);
}

TEST(DominatorsTest, ALongChainNeedsNoStack) {
  constexpr uint32_t Nodes = 1 << 16;
  Graph G(Nodes);
  for (uint32_t Node = 0; Node + 1 != Nodes; ++Node)
    G[Node].push_back(Node + 1);
  EXPECT_EQ(dominators(G).Before.back(), Nodes - 2);
}

} // namespace
