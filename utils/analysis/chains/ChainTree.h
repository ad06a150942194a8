/// \file
/// All ways from what was asked for out to who asked, as one tree.
///
/// Flow:   Sequence -> [ChainTree] -> RequestChains, RowChains
/// Leaves: what is counted at a node, to its users
///
/// A node is a frame, and its way outwards is the rest of the chain. See
/// RequestChains.h for where a way ends and what of a recursion is left out.
#ifndef INSTANTRACE_UTILS_ANALYSIS_CHAINS_CHAINTREE_H
#define INSTANTRACE_UTILS_ANALYSIS_CHAINS_CHAINTREE_H

#include "utils/analysis/chains/RequestChains.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace instantrace {

class ChainTree {
public:
  static constexpr uint32_t None = UINT32_MAX;
  struct Node {
    uint32_t Outer, Group, Place; // Outer has a smaller number; or None
    bool IsLate, IsInclusion;
  };

  /// The trace must outlive the object and not change.
  ChainTree(const Trace &T, EntityLevel Level) : T(T), Groups(T, Level) {}

  void enterSequence(uint32_t Index);
  /// The chain of an interval; None if there is nothing to say.
  uint32_t nodeFor(IntervalId Id);
  uint32_t nodeFor(const Instant &I);

  const Node &operator[](uint32_t Chain) const { return Nodes[Chain]; }
  size_t size() const { return Nodes.size(); }
  RequestFrame frame(uint32_t Chain) const;
  /// Empty: none is known. A view as long as no node is added.
  std::string_view placeText(uint32_t Chain) const {
    uint32_t Place = Nodes[Chain].Place;
    return Place == None ? std::string_view() : Places[Place];
  }
  const NameKey &key(uint32_t Chain) const {
    return Groups.key(Nodes[Chain].Group);
  }

private:
  static constexpr uint32_t Unknown = UINT32_MAX - 1;
  struct Step {
    uint32_t Outer, Group, Place;
    bool IsLate;
    friend auto operator<=>(const Step &, const Step &) = default;
  };
  uint32_t node(uint32_t Outer, EventKind Kind, EntityId Entity, LocationId At,
                bool IsLate);
  uint32_t place(LocationId At);

  const Trace &T;
  EntityGroups Groups;
  const Sequence *S = nullptr;
  std::vector<Node> Nodes; // outer ones first
  std::map<Step, uint32_t> ByStep;
  std::vector<std::string> Places;
  std::unordered_map<std::string, uint32_t> ByPlace;
  std::vector<uint32_t> NodeOf;  // by interval of this sequence
  std::vector<uint32_t> PlaceOf; // by location of this sequence
};

} // namespace instantrace

#endif
