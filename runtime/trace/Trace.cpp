#include "runtime/trace/Trace.h"

#include <algorithm>

using namespace instantrace;

std::string TraceIssue::message(const std::string &File) const {
  return File + ": packet " + std::to_string(PacketNo) + " (byte " +
         std::to_string(OffsetBytes) + "): " + std::string(Invariant) +
         ": found " + Found + ", expected " + Expected;
}

ElidedLeaves Sequence::elidedIn(IntervalId Id) const {
  auto Found =
      std::lower_bound(Elided.begin(), Elided.end(), Id,
                       [](const ElidedLeaves &Leaves, IntervalId Wanted) {
                         return Leaves.Inside.Value < Wanted.Value;
                       });
  if (Found == Elided.end() || !(Found->Inside == Id))
    return {Id, 0, 0};
  return *Found;
}

const TraceIssue *TraceInput::damage() const {
  for (const TraceIssue &Issue : Issues)
    if (Issue.Fatal)
      return &Issue;
  return nullptr;
}

std::vector<std::string> Trace::losses() const {
  std::vector<std::string> Lines;
  for (const TraceInput &File : Files)
    if (const TraceIssue *Damage = File.damage())
      Lines.push_back(Damage->message(File.Name) +
                      "; what precedes it is used");
  for (const Sequence &S : Sequences) {
    std::string Of =
        Files[S.FileIndex].Name + ": sequence " + std::to_string(S.Id);
    if (!S.Footer && Files[S.FileIndex].damage())
      continue; // said above
    if (!S.Footer)
      Lines.push_back(Of + ": found no footer, so the compile did not end or "
                           "its last events are missing");
    else if (S.Footer->EventsDropped != 0)
      Lines.push_back(Of + ": " + std::to_string(S.Footer->EventsDropped) +
                      " events were dropped while recording");
  }
  return Lines;
}
