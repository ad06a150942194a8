/// \file
/// Something for each interval that a later one names as its requester, behind
/// its end too, and for no other.
///
/// Flow: LookAhead, begins of intervals -> [RequestedFrames] -> sinks
#pragma once

#include "runtime/read/LookAhead.h"

#include <algorithm>
#include <vector>

namespace instantrace {

template <class Frame> class RequestedFrames {
public:
  /// Before the first event of a sequence. \p Ahead must outlive its events.
  void enter(const LookAhead &Ahead) {
    Requested = &Ahead.Requested;
    Frames.clear();
  }
  /// Whether the interval that begins is requested later.
  bool isWanted(IntervalId Id) const {
    return Frames.size() != Requested->size() &&
           (*Requested)[Frames.size()] == Id.Value;
  }
  /// Requires: isWanted() of the interval, and none is left out.
  void keep(Frame F) { Frames.push_back(std::move(F)); }
  /// Null: no such interval has begun. Valid until the next keep().
  Frame *find(IntervalId Id) {
    auto Found =
        std::lower_bound(Requested->begin(), Requested->end(), Id.Value);
    auto Number = static_cast<size_t>(Found - Requested->begin());
    return Number < Frames.size() && *Found == Id.Value ? &Frames[Number]
                                                        : nullptr;
  }

private:
  const std::vector<uint32_t> *Requested = nullptr;
  std::vector<Frame> Frames; ///< of the first ones, by number
};

} // namespace instantrace
