/// \file
/// The ways outwards from what is going on, as far as somebody asks for them.
///
/// Flow:   events of a trace -> [OpenWays] -> ChainTree
/// Memory: open and requested intervals, and the nodes of ways that were asked
///         for; a place for each location and path
#pragma once

#include "utils/analysis/chains/ChainTree.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/RequestedFrames.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

class OpenWays {
public:
  /// All must outlive it. The trace has its tables. \p Learned may be null.
  OpenWays(const Trace &T, EntityLevel Level, const LearnedScopes *Learned)
      : T(T), Groups(T, Level, Learned) {}

  /// \p Ahead must outlive the events.
  void enterSequence(uint32_t Index, const LookAhead &Ahead);
  void begin(IntervalId Id, const Interval &I);
  /// Of the innermost one.
  void end() { Open.pop_back(); }

  /// The chain of the innermost interval; None if there is nothing to say.
  uint32_t node();
  /// That of one inside it.
  uint32_t node(const Instant &I);

  size_t size() const { return Tree.size(); }
  /// Names are those of the trace. Ends the life of this.
  ChainTree take();

private:
  static constexpr uint32_t Unknown = UINT32_MAX - 1;
  struct OpenInterval {
    EntityId Entity;
    LocationId Location;
    EventKind Kind;
    bool IsLate;
    uint32_t Requester; ///< chain of who asked; Unknown: what it is in did
    uint32_t Node;      ///< Unknown: nobody has asked yet
  };
  uint32_t add(uint32_t Outer, const OpenInterval &Interval);
  uint32_t place(LocationId Place);

  const Trace &T;
  EntityGroups Groups;
  ChainTree Tree;
  // Of this sequence:
  const Sequence *S = nullptr;
  std::vector<OpenInterval> Open;
  RequestedFrames<uint32_t> Requested;
  std::vector<uint32_t> PlaceOf;                    ///< by location
  std::unordered_map<uint32_t, std::string> PathOf; ///< by file
};

} // namespace instantrace
