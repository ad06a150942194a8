/// \file
/// Which line outside system headers an interval comes from.
///
/// Flow:   begins and ends of a sequence -> [UserFrames] -> annotate
/// Leaves: costs
///
/// Most instantiations are asked for by other templates, and these often stand
/// in headers that nobody can change. The *user frame* is the first location
/// outside system headers on the way outwards: from an interval to who asked
/// for it, which is its requester if it has one, and otherwise its parent. What
/// a header does of its own accord has the line of the #include that brought it
/// in.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/view/RequestedFrames.h"

#include <vector>

namespace instantrace {

/// False also when the trace does not say in which inclusion the location is,
/// as none before 1.2 does.
bool isUserLocation(const Sequence &S, LocationId Id);
/// By the number of a location: there are far fewer than intervals.
std::vector<bool> userLocations(const Sequence &S);

/// Who asked for it: its requester if it has one, otherwise its parent. Begins
/// before the interval does.
inline IntervalId outwards(const Interval &I) {
  return I.Requester ? I.Requester : I.Parent;
}

/// Of open intervals, and of those that are requested later.
class UserFrames {
public:
  /// Before the first event. \p Ahead must outlive the events.
  void enterSequence(const Sequence &S, const LookAhead &Ahead);
  /// Of all intervals, in their order; 0 when there is none.
  LocationId begin(IntervalId Id, const Interval &I);
  /// Of the innermost one.
  LocationId end() {
    LocationId Frame = Open.back();
    Open.pop_back();
    return Frame;
  }

private:
  std::vector<bool> IsUser;
  std::vector<LocationId> Open;
  RequestedFrames<LocationId> Asked;
};

} // namespace instantrace
