#include "utils/analysis/view/UserFrame.h"

using namespace instantrace;

bool instantrace::isUserLocation(const Sequence &S, LocationId Id) {
  const Inclusion *I = S.inclusion(S.inclusionOf(Id));
  return I && !I->IsSystem;
}

std::vector<bool> instantrace::userLocations(const Sequence &S) {
  std::vector<bool> IsUser(S.Locations.Rows.size() + 1);
  for (uint32_t Id = 1; Id < IsUser.size(); ++Id)
    IsUser[Id] = isUserLocation(S, LocationId{Id});
  return IsUser;
}

void UserFrames::enterSequence(const Sequence &S, const LookAhead &Ahead) {
  IsUser = userLocations(S);
  Open.clear();
  Asked.enter(Ahead);
}

LocationId UserFrames::begin(IntervalId Id, const Interval &I) {
  LocationId Frame;
  if (I.Location.Value < IsUser.size() && IsUser[I.Location.Value]) {
    Frame = I.Location;
  } else if (I.Requester) {
    const LocationId *Requester = Asked.find(I.Requester);
    Frame = Requester ? *Requester : LocationId{};
  } else if (!Open.empty()) {
    Frame = Open.back();
  }
  if (Asked.isWanted(Id))
    Asked.keep(Frame);
  Open.push_back(Frame);
  return Frame;
}
