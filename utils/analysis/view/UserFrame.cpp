#include "utils/analysis/view/UserFrame.h"

using namespace instantrace;

bool instantrace::isUserLocation(const Sequence &S, LocationId Id) {
  const Inclusion *I = S.inclusion(S.inclusionOf(Id));
  return I && !I->IsSystem;
}

LocationId instantrace::userFrame(const Sequence &S, IntervalId Id) {
  for (; Id; Id = outwards(S.Intervals[Id.Value]))
    if (LocationId At = S.Intervals[Id.Value].Location; isUserLocation(S, At))
      return At;
  return {};
}

std::vector<LocationId> instantrace::userFrames(const Sequence &S) {
  // Of locations there are far fewer than of intervals.
  std::vector<bool> IsUser(S.Locations.Rows.size() + 1);
  for (uint32_t Id = 1; Id < IsUser.size(); ++Id)
    IsUser[Id] = isUserLocation(S, LocationId{Id});
  std::vector<LocationId> Frames(S.Intervals.size());
  for (size_t Index = 0; Index != Frames.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    IntervalId Outer = outwards(I);
    if (I.Location.Value < IsUser.size() && IsUser[I.Location.Value])
      Frames[Index] = I.Location;
    else if (Outer)
      Frames[Index] = Frames[Outer.Value];
  }
  return Frames;
}
