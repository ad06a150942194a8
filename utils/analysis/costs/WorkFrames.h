/// \file
/// Works out once for each event what rows of every kind of table are chosen
/// by: who asked for it, what it belongs to, and its user frame.
///
/// Flow:   begins and ends of a sequence -> [WorkFrames] -> RowIndex
/// Memory: open intervals, and those that later ones name as who asked
#pragma once

#include "runtime/read/LookAhead.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/names/RowName.h"

#include <vector>

namespace instantrace {

/// What an interval says to those inside it, and to those that it asked for.
struct WorkFrame {
  EventKind Kind;
  /// To which work without a name inside belongs, as the requirements of a
  /// concept do.
  EntityId Owner = {};
  LocationId UserFrame = {}; ///< if user frames are wanted
};

/// An interval that begins.
struct BegunWork {
  WorkFrame Is;
  bool HasOuter = false; ///< somebody asked for it, who is known
  EventKind OuterKind{}; ///< of who did
  /// If it was an interval that is requested: the number of that among those,
  /// from 0.
  uint32_t AskedBy = NoIndex;
  /// Its own number among them; NoIndex: no other names it.
  uint32_t Requested = NoIndex;
};

class WorkFrames {
public:
  WorkFrames() = default;
  /// Both must outlive it; the sequence has its tables. \p Requested are the
  /// intervals that later ones name, ascending.
  WorkFrames(const Sequence &S, const std::vector<uint32_t> &Requested,
             bool AreUserFramesWanted);

  /// Requires: all intervals, in their order.
  BegunWork begin(IntervalId Id, const Interval &I);
  /// Of the innermost one.
  void end() { Open.pop_back(); }
  /// Around what begins next; null: there is none.
  const WorkFrame *innermost() const {
    return Open.empty() ? nullptr : &Open.back();
  }
  /// Of something inside the innermost one.
  LocationId userFrame(LocationId Location) const {
    return userFrame(Location, innermost());
  }

private:
  uint32_t numberOf(IntervalId Id) const;
  EntityId owner(EventKind Kind, EntityId Entity, const WorkFrame *Outer) const;
  LocationId userFrame(LocationId Location, const WorkFrame *Outer) const {
    if (Location.Value < IsUser.size() && IsUser[Location.Value])
      return Location;
    return Outer ? Outer->UserFrame : LocationId{};
  }

  const Sequence *S = nullptr;
  const std::vector<uint32_t> *Requested = nullptr;
  std::vector<bool> IsUser; ///< by location; empty: nobody wants to know
  std::vector<WorkFrame> Open;
  std::vector<WorkFrame> Askers; ///< of those that are requested
};

} // namespace instantrace
