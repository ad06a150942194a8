#include "utils/replay/Timeline.h"

using namespace instantrace;

using Shape = InstantiationIndex::Shape;

Result<Timeline> Timeline::make(const InstantiationIndex &X) {
  Timeline Line(X);
  InstantiationIndex::Compile C;
  Position P = 0;
  for (uint32_t Id = 0; Id != X.compileCount(); ++Id) {
    if (!X.compile(Id, C))
      return Line.fault();
    Position End = P + X.eventCount(C);
    Line.Parts.push_back({P, End, C.FirstRecord, C.EndRecord, C.EndNs});
    P = End;
  }
  return Line;
}

uint32_t Timeline::compileAt(Position Place) const {
  auto Behind =
      std::partition_point(Parts.begin(), Parts.end(),
                           [Place](const Part &P) { return P.End < Place; });
  // Before everything is the first compile that has anything.
  if (Place == 0)
    Behind = std::find_if(Parts.begin(), Parts.end(),
                          [](const Part &P) { return P.End != 0; });
  if (Behind == Parts.end())
    return static_cast<uint32_t>(Parts.size() - 1);
  return static_cast<uint32_t>(Behind - Parts.begin());
}

Result<uint32_t> Timeline::partOf(uint32_t Record) const {
  auto Behind =
      std::partition_point(Parts.begin(), Parts.end(), [Record](const Part &P) {
        return P.EndRecord <= Record;
      });
  if (Behind == Parts.end())
    return makeError(X->name(), "record " + std::to_string(Record),
                     "one below " + std::to_string(X->recordCount()));
  return static_cast<uint32_t>(Behind - Parts.begin());
}

Result<uint64_t> Timeline::depth(uint32_t Record, const Shape &Is) const {
  if (Is.Depth != InstantiationIndex::DeepestShape)
    return Is.Depth;
  InstantiationIndex::Record R;
  if (!X->record(Record, R))
    return fault();
  return R.Depth;
}

Result<Timeline::Placed> Timeline::place(uint32_t Record) const {
  Placed P;
  if (!X->shape(Record, P.Is))
    return fault();
  INSTANTRACE_TRY_ASSIGN(uint32_t In, partOf(Record));
  INSTANTRACE_TRY_ASSIGN(P.Depth, depth(Record, P.Is));
  P.In = &Parts[In];
  return P;
}

Result<Position> Timeline::beforeBegin(uint32_t Record) const {
  Result<Placed> R = place(Record);
  return R ? R->before(Record) : Result<Position>(R.error());
}

Result<Position> Timeline::afterEnd(uint32_t Record) const {
  INSTANTRACE_TRY_ASSIGN(Placed Place, place(Record));
  const Part &P = *Place.In;
  if (Place.Is.IsOpen)
    return P.End;
  return std::min(Place.before(std::min(Place.Is.SubtreeEnd, P.EndRecord)),
                  P.End);
}

Result<Timeline::Event> Timeline::last(Position Place) const {
  if (Place == 0 || Place > end())
    return Event{};
  uint32_t Compile = compileAt(Place);
  const Part &P = Parts[Compile];
  const Position Before = Place - 1; // the event
  uint32_t Low = P.FirstRecord, High = P.EndRecord;
  Position LowBegin = P.Begin;
  while (High - Low > 1) {
    uint32_t Middle = Low + (High - Low) / 2;
    INSTANTRACE_TRY_ASSIGN(Position Begin, beforeBegin(Middle));
    if (Begin <= Before) {
      Low = Middle;
      LowBegin = Begin;
    } else {
      High = Middle;
    }
  }
  Event E = {Compile, Before - P.Begin, Low, LowBegin == Before};
  // Behind its begin come its end, and those of the ones around it.
  Shape Is;
  for (uint64_t Ends = Before - LowBegin; Ends > 1; --Ends) {
    if (!X->shape(E.Record, Is))
      return fault();
    if (Is.Parent == None)
      return makeError(X->name(),
                       "event " + std::to_string(E.Number) +
                           " behind the end of everything",
                       "one of a record");
    E.Record = Is.Parent;
  }
  return E;
}

Result<uint32_t> Timeline::notBegun(Position P) const {
  INSTANTRACE_TRY_ASSIGN(Event E, last(P));
  if (E.Record == None)
    return P == 0 ? 0 : X->recordCount();
  if (E.IsBegin)
    return E.Record + 1;
  Shape Is;
  if (!X->shape(E.Record, Is))
    return fault();
  return Is.SubtreeEnd;
}

Result<std::vector<uint32_t>> Timeline::stack(Position P) const {
  INSTANTRACE_TRY_ASSIGN(Event E, last(P));
  std::vector<uint32_t> Open;
  uint32_t Id = E.Record;
  bool IsOpen = E.IsBegin;
  while (Id != None) {
    if (IsOpen)
      Open.push_back(Id);
    IsOpen = true;
    Shape Is;
    if (!X->shape(Id, Is))
      return fault();
    Id = Is.Parent;
  }
  return Open;
}

Result<uint64_t> Timeline::timeNs(Position P) const {
  INSTANTRACE_TRY_ASSIGN(Event E, last(P));
  if (E.Record == None)
    return uint64_t(0);
  InstantiationIndex::Record R;
  if (!X->record(E.Record, R))
    return fault();
  return E.IsBegin ? R.BeginNs : R.EndNs;
}

Result<Position> Timeline::after(uint32_t Compile, uint64_t TimeNs) const {
  const Part &P = Parts[Compile];
  Position Low = P.Begin, High = P.End; // the answer is in between
  while (Low != High) {
    Position Middle = Low + (High - Low) / 2;
    INSTANTRACE_TRY_ASSIGN(uint64_t Ns, timeNs(Middle + 1));
    if (Ns <= TimeNs)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}
