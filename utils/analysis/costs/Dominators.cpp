#include "utils/analysis/costs/Dominators.h"

#include <cstddef>
#include <utility>

using namespace instantrace;

namespace {

using Edges = std::vector<std::vector<uint32_t>>;
constexpr uint32_t None = DominatorTree::None;

/// In what follows a node goes by its number: when a search, depth first, came
/// to it.
struct DepthFirst {
  explicit DepthFirst(const Edges &E);

  std::vector<uint32_t> NodeOf;   ///< by number
  std::vector<uint32_t> ParentOf; ///< by number, in the tree of the search
  std::vector<std::vector<uint32_t>> Predecessors; ///< by number
};

DepthFirst::DepthFirst(const Edges &E) {
  if (E.empty())
    return;
  std::vector<uint32_t> NumberOf(E.size(), None);
  std::vector<std::pair<uint32_t, size_t>> Open; // a number, its next edge
  auto reach = [&](uint32_t Node, uint32_t Parent) {
    NumberOf[Node] = static_cast<uint32_t>(NodeOf.size());
    NodeOf.push_back(Node);
    ParentOf.push_back(Parent);
    Predecessors.emplace_back();
    Open.emplace_back(NumberOf[Node], 0);
  };
  reach(0, None);
  while (!Open.empty()) {
    auto [Number, Next] = Open.back();
    const std::vector<uint32_t> &Inner = E[NodeOf[Number]];
    if (Next == Inner.size()) {
      Open.pop_back();
      continue;
    }
    ++Open.back().second;
    if (NumberOf[Inner[Next]] == None)
      reach(Inner[Next], Number);
    Predecessors[NumberOf[Inner[Next]]].push_back(Number);
  }
}

/// Of each number the smallest semidominator on the way up the forest that has
/// been linked so far.
class Forest {
public:
  explicit Forest(size_t Count) : Above(Count, None) {
    for (uint32_t Number = 0; Number != Count; ++Number) {
      Semi.push_back(Number);
      Best.push_back(Number);
    }
  }

  void link(uint32_t Parent, uint32_t Number) { Above[Number] = Parent; }

  /// Which of those on the way, the root aside, has it.
  uint32_t best(uint32_t Number) {
    if (Above[Number] == None)
      return Number;
    Way.clear();
    for (uint32_t Index = Number; Above[Above[Index]] != None;
         Index = Above[Index])
      Way.push_back(Index);
    while (!Way.empty()) { // the uppermost first
      uint32_t Index = Way.back(), Upper = Above[Index];
      Way.pop_back();
      if (Semi[Best[Upper]] < Semi[Best[Index]])
        Best[Index] = Best[Upper];
      Above[Index] = Above[Upper];
    }
    return Best[Number];
  }

  std::vector<uint32_t> Semi; ///< semidominators, by number

private:
  std::vector<uint32_t> Above, Best, Way;
};

} // namespace

DominatorTree instantrace::dominators(const Edges &Successors) {
  DepthFirst Search(Successors);
  size_t Count = Search.NodeOf.size();
  Forest Linked(Count);
  std::vector<uint32_t> Before(Count, None);
  std::vector<std::vector<uint32_t>> SemidominatedBy(Count);
  for (auto Number = static_cast<uint32_t>(Count); Number-- > 1;) {
    uint32_t &Semi = Linked.Semi[Number];
    for (uint32_t Outer : Search.Predecessors[Number])
      if (uint32_t Index = Linked.Semi[Linked.best(Outer)]; Index < Semi)
        Semi = Index;
    SemidominatedBy[Semi].push_back(Number);
    uint32_t Parent = Search.ParentOf[Number];
    Linked.link(Parent, Number);
    for (uint32_t Inner : SemidominatedBy[Parent]) {
      uint32_t Best = Linked.best(Inner);
      Before[Inner] = Linked.Semi[Best] < Linked.Semi[Inner] ? Best : Parent;
    }
    SemidominatedBy[Parent].clear();
  }
  for (uint32_t Number = 1; Number < Count; ++Number)
    if (Before[Number] != Linked.Semi[Number])
      Before[Number] = Before[Before[Number]];
  DominatorTree Tree;
  Tree.Before.assign(Successors.size(), None);
  for (uint32_t Number = 1; Number < Count; ++Number)
    Tree.Before[Search.NodeOf[Number]] = Search.NodeOf[Before[Number]];
  Tree.Order = std::move(Search.NodeOf);
  return Tree;
}
