/// \file
/// Which line outside system headers an interval comes from.
///
/// Flow:   Sequence -> [UserFrame] -> summary --by=user-frame
/// Leaves: costs
///
/// Most instantiations are asked for by other templates, and these often stand
/// in headers that nobody can change. The *user frame* is the first location
/// outside system headers on the way outwards: from an interval to who asked
/// for it, which is its requester if it has one, and otherwise its parent. What
/// a header does of its own accord has the line of the #include that brought it
/// in.
#ifndef INSTANTRACE_UTILS_ANALYSIS_VIEW_USERFRAME_H
#define INSTANTRACE_UTILS_ANALYSIS_VIEW_USERFRAME_H

#include "runtime/read/Trace.h"

#include <vector>

namespace instantrace {

/// False also when the trace does not say in which inclusion the location is,
/// as none before 1.2 does.
bool isUserLocation(const Sequence &S, LocationId Id);

/// Who asked for it: its requester if it has one, otherwise its parent. Begins
/// before the interval does.
inline IntervalId outwards(const Interval &I) {
  return I.Requester ? I.Requester : I.Parent;
}

/// 0 when there is none. Requires: the interval exists.
LocationId userFrame(const Sequence &S, IntervalId Id);

/// Of every interval, in one pass.
std::vector<LocationId> userFrames(const Sequence &S);

} // namespace instantrace

#endif
