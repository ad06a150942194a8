/// \file
/// All ways from what was asked for out to who asked, as one tree.
///
/// Flow:   OpenWays -> [ChainTree] of a trace -> [ChainImport] -> that of all
///         -> RequestChains, RowChains
/// Leaves: what is counted at a node, to its users
///
/// A node is a frame, and its way outwards is the rest of the chain. See
/// RequestChains.h for where a way ends and what of a recursion is left out.
#pragma once

#include "runtime/base/Hash.h"
#include "runtime/base/KeyNumbers.h"
#include "utils/analysis/costs/MergedCosts.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace instantrace {

struct RequestFrame {
  RowName What;        ///< the template, or the file that is included
  std::string Place;   ///< `file:line` that asked for it; empty: none is known
  bool IsLate = false; ///< a body that was asked for here and came later
  bool IsInclusion = false; ///< of the file that What is
  uint64_t LeftOut = 0;     ///< stands for so many frames and says nothing else
};

/// More frames of a chain are left out in its middle. As many as templates may
/// be within each other unless -ftemplate-depth says otherwise.
inline constexpr size_t MostFrames = 1024;

class ChainTree {
public:
  static constexpr uint32_t None = UINT32_MAX;
  struct Node {
    uint32_t Outer, Group, Place; ///< Outer has a smaller number; or None
    bool IsLate, IsInclusion;
  };

  /// The number of that frame; of an equal one outside it, if there is one.
  uint32_t add(const Node &N);
  /// The number of a place; None for an empty path.
  uint32_t addPlace(const std::string &Path, uint32_t LineNo);
  /// The next group. Whoever adds has numbers of their own for them.
  void addGroup(const RowName &Name, const NameKey &Key) {
    Groups.emplace_back(Name, Key);
  }

  const Node &operator[](uint32_t Chain) const { return Nodes[Chain]; }
  size_t size() const { return Nodes.size(); }
  RequestFrame frame(uint32_t Chain) const;
  /// `path:line`; empty: none is known.
  std::string placeText(uint32_t Chain) const;
  /// As the texts are: less than 0, 0, more than 0.
  int comparePlaces(uint32_t A, uint32_t B) const;
  const NameKey &key(uint32_t Chain) const {
    return Groups[Nodes[Chain].Group].second;
  }

private:
  friend class ChainCopy;
  friend class ChainImport;
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

  std::vector<Node> Nodes; // outer ones first
  KeyNumbers<Step, StepHash> Steps;
  std::vector<uint32_t> NodeOfStep;      // by number of the step
  KeyNumbers<uint64_t, PairHash> Frames; // group and place of a node
  std::vector<std::pair<RowName, NameKey>> Groups;
  /// A path and a line; of each path there may be many lines.
  std::vector<std::pair<uint32_t, uint32_t>> Places;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> ByPlace;
  std::vector<std::string> Paths;
  std::unordered_map<std::string, uint32_t> ByPath;
};

/// Nodes of a tree with what is outside them, in another one that has the same
/// groups and places. Those that nobody asks for are not copied.
class ChainCopy {
public:
  /// \p Source must outlive it. \p Into is new.
  ChainCopy(const ChainTree &Source, ChainTree &Into)
      : Source(Source), Into(Into), NodeOf(Source.size(), ChainTree::None) {
    Into.Groups = Source.Groups;
    Into.Places = Source.Places;
    Into.ByPlace = Source.ByPlace;
    Into.Paths = Source.Paths;
    Into.ByPath = Source.ByPath;
  }

  /// None for None.
  uint32_t operator()(uint32_t Node);

private:
  const ChainTree &Source;
  ChainTree &Into;
  std::vector<uint32_t> NodeOf, Way;
};

/// Groups of a tree of several traces, by their keys.
using ChainGroups = NameNumbers;

/// What nodes of one trace's tree are in that of all. Those that nobody asks
/// for are not added.
class ChainImport {
public:
  /// All must outlive it; \p Source is of the trace that \p Names entered last.
  ChainImport(const ChainTree &Source, ChainTree &Into, ChainGroups &Groups,
              MergedNames &Names)
      : Source(Source), Into(Into), Groups(Groups), Names(Names),
        NodeOf(Source.size(), Unknown), GroupOf(Source.Groups.size(), Unknown),
        PlaceOf(Source.Places.size(), Unknown) {}

  /// None for None.
  uint32_t operator()(uint32_t Node);

private:
  static constexpr uint32_t Unknown = UINT32_MAX - 1;
  uint32_t group(uint32_t Number);
  uint32_t place(uint32_t Number);

  const ChainTree &Source;
  ChainTree &Into;
  ChainGroups &Groups;
  MergedNames &Names;
  std::vector<uint32_t> NodeOf, GroupOf, PlaceOf, Way;
};

} // namespace instantrace
