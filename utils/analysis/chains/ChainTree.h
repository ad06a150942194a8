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

#include "runtime/base/Hash.h"
#include "runtime/base/KeyNumbers.h"
#include "utils/analysis/chains/RequestChains.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
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
  /// `path:line`; empty: none is known.
  std::string placeText(uint32_t Chain) const;
  /// As the texts are: less than 0, 0, more than 0.
  int comparePlaces(uint32_t A, uint32_t B) const;
  const NameKey &key(uint32_t Chain) const {
    return Groups.key(Nodes[Chain].Group);
  }

private:
  static constexpr uint32_t Unknown = UINT32_MAX - 1;
  struct Step {
    uint32_t Outer, Group, Place;
    bool IsLate;
    friend bool operator==(const Step &, const Step &) = default;
  };
  struct StepHash {
    uint64_t operator()(const Step &S) const {
      return (hashPair(S.Group, S.Place) ^
              (uint64_t(S.Outer) << 1 | S.IsLate)) *
             0xC2B2AE3D27D4EB4Fu;
    }
  };
  uint32_t node(uint32_t Outer, EventKind Kind, EntityId Entity, LocationId At,
                bool IsLate);
  uint32_t place(LocationId At);
  uint32_t path(NameId File);

  const Trace &T;
  EntityGroups Groups;
  const Sequence *S = nullptr;
  std::vector<Node> Nodes; // outer ones first
  KeyNumbers<Step, StepHash> Steps;
  std::vector<uint32_t> NodeOfStep;    // by number of the step
  std::unordered_set<uint64_t> Frames; // group and place of a node
  /// A path and a line; of each path there may be many lines.
  std::vector<std::pair<uint32_t, uint32_t>> Places;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> ByPlace;
  std::vector<std::string> Paths;
  std::unordered_map<std::string, uint32_t> ByPath;
  std::vector<IntervalId> Way;                   // of nodeFor()
  std::vector<uint32_t> NodeOf;                  // by interval of this sequence
  std::vector<uint32_t> PlaceOf;                 // by location of this sequence
  std::unordered_map<uint32_t, uint32_t> PathOf; // by file of this sequence
};

} // namespace instantrace

#endif
