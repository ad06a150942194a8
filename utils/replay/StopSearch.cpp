#include "utils/replay/StopSearch.h"

#include <algorithm>

using namespace instantrace;

using Shape = InstantiationIndex::Shape;

Result<StopSearch> StopSearch::make(const Timeline &Line, const StopSpec &Spec,
                                    bool MayPend) {
  const InstantiationIndex &X = Line.index();
  if (Spec.IsMemory) {
    uint64_t Bytes = 0;
    if (!X.ownBytes(0, X.recordCount(), Bytes))
      return Error{X.fault()};
    if (Bytes == 0)
      return makeError(X.name(), "no memory of any record",
                       "a trace with what syntax trees took, which the "
                       "plugin's option memory=ast records");
  }
  INSTANTRACE_TRY_ASSIGN(RecordSearch Records,
                         RecordSearch::make(Line, Spec, MayPend));
  StopSearch New(Line, Spec, std::move(Records));
  New.Spec.AtEnd |= Spec.IsMemory;
  return New;
}

void StopSearch::setCondition(Condition If) {
  Spec.If = If;
  Records.setCondition(std::move(If));
  Free = {};
}

//===----------------------------------------------------------------------===//
// What was found before
//===----------------------------------------------------------------------===//

Result<Position> StopSearch::next(Position Begin, Position Upto) {
  bool IsInside = Free.Low <= Begin && Begin < Free.High;
  if (IsInside && (Free.High > Upto || Free.HighStops))
    return Free.HighStops && Free.High <= Upto ? Free.High : Nowhere;
  INSTANTRACE_TRY_ASSIGN(Position Found,
                         find(IsInside ? Free.High - 1 : Begin, Upto));
  // Nothing is known of Begin itself, unless it was known before.
  if (!IsInside)
    Free.Low = Begin, Free.LowStops = false;
  Free.HighStops = Found != Nowhere;
  Free.High = Free.HighStops ? Found : Upto + 1;
  return Found;
}

Result<Position> StopSearch::previous(Position Begin, Position Downto) {
  bool IsInside = Free.Low < Begin && Begin <= Free.High;
  if (IsInside && (Free.Low < Downto || Free.LowStops))
    return Free.LowStops && Free.Low >= Downto ? Free.Low : Nowhere;
  INSTANTRACE_TRY_ASSIGN(Position Found,
                         findBack(IsInside ? Free.Low + 1 : Begin, Downto));
  if (!IsInside)
    Free.High = Begin, Free.HighStops = false;
  Free.LowStops = Found != Nowhere;
  Free.Low = Free.LowStops ? Found : Downto == 0 ? 0 : Downto - 1;
  return Found;
}

//===----------------------------------------------------------------------===//
// One for each sort
//===----------------------------------------------------------------------===//

namespace {

constexpr Position Nowhere = StopSearch::Nowhere;

/// The first in (From, Upto] that \p StopIn gives for the number of a compile.
template <class Search>
Result<Position> firstOfParts(const Timeline &Line, Position Begin,
                              Position Upto, Search StopIn) {
  for (uint32_t No = 0; No != Line.parts().size(); ++No) {
    const Timeline::Part &P = Line.parts()[No];
    if (P.End <= Begin)
      continue;
    if (P.Begin >= Upto)
      break;
    Result<Position> R = StopIn(No);
    if (!R || (*R != Nowhere && *R > Begin && *R <= Upto))
      return R;
  }
  return Nowhere;
}

/// The last in [Downto, From).
template <class Search>
Result<Position> lastOfParts(const Timeline &Line, Position Begin,
                             Position Downto, Search StopIn) {
  for (auto No = static_cast<uint32_t>(Line.parts().size()); No-- != 0;) {
    const Timeline::Part &P = Line.parts()[No];
    if (P.Begin + 1 >= Begin) // its first event is not before either
      continue;
    if (P.End < Downto)
      break;
    Result<Position> R = StopIn(No);
    if (!R || (*R != Nowhere && *R < Begin && *R >= Downto))
      return R;
  }
  return Nowhere;
}

} // namespace

Result<Position> StopSearch::find(Position Begin, Position Upto) const {
  if (isOfLevels() || isOfSingles())
    return firstOfParts(*Line, Begin, Upto, [&](uint32_t No) {
      return isOfLevels() ? fittingLevel(No, Begin, Upto) : singleOf(No);
    });
  return Spec.AtEnd ? nextEnd(Begin, Upto) : nextBegin(Begin, Upto);
}

Result<Position> StopSearch::findBack(Position Begin, Position Downto) const {
  if (isOfLevels() || isOfSingles())
    return lastOfParts(*Line, Begin, Downto, [&](uint32_t No) {
      return isOfLevels() ? fittingLevel(No, Begin, Downto) : singleOf(No);
    });
  return Spec.AtEnd ? previousEnd(Begin, Downto) : previousBegin(Begin, Downto);
}

Result<Position> StopSearch::behindBegin(const Result<uint32_t> &Found) const {
  if (!Found)
    return Found.error();
  return *Found == RecordSearch::None ? Nowhere : Line->afterBegin(*Found);
}

Result<Position> StopSearch::nextBegin(Position Begin, Position Upto) const {
  INSTANTRACE_TRY_ASSIGN(uint32_t First, Line->notBegun(Begin));
  INSTANTRACE_TRY_ASSIGN(uint32_t End, Line->notBegun(Upto));
  return behindBegin(Records.next(First, End));
}

Result<Position> StopSearch::previousBegin(Position Begin,
                                           Position Downto) const {
  if (Begin == 0)
    return Nowhere;
  INSTANTRACE_TRY_ASSIGN(uint32_t First,
                         Line->notBegun(Downto == 0 ? 0 : Downto - 1));
  INSTANTRACE_TRY_ASSIGN(uint32_t End, Line->notBegun(Begin - 1));
  return behindBegin(Records.previous(End, First));
}

/// The next one that has an end at all.
Result<uint32_t> StopSearch::nextEnding(uint32_t Begin, uint32_t End) const {
  Shape Is;
  for (uint32_t Index = Begin;; ++Index) {
    Result<uint32_t> Found = Records.next(Index, End);
    if (!Found || *Found == RecordSearch::None)
      return Found;
    if (!Line->index().shape(*Found, Is))
      return fault();
    if (!Is.IsOpen)
      return Found;
    Index = *Found;
  }
}

/// The first one to end is one that is open at From, or one that begins before
/// that ends; and inside that, one that begins and ends in it.
Result<Position> StopSearch::nextEnd(Position Begin, Position Upto) const {
  INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, Line->stack(Begin));
  INSTANTRACE_TRY_ASSIGN(uint32_t First, Line->notBegun(Begin));
  INSTANTRACE_TRY_ASSIGN(uint32_t End, Line->notBegun(Upto));
  Shape Is;
  uint32_t Ending = RecordSearch::None;
  for (uint32_t Id : Open) {
    if (!Line->index().shape(Id, Is))
      return fault();
    if (Is.IsOpen)
      break; // and so are those around it
    INSTANTRACE_TRY_ASSIGN(bool Fits, Records.fits(Id));
    if (Fits) {
      Ending = Id;
      End = std::min(End, Is.SubtreeEnd);
      break;
    }
  }
  while (First < End) {
    INSTANTRACE_TRY_ASSIGN(uint32_t Inner, nextEnding(First, End));
    if (Inner == RecordSearch::None)
      break;
    Ending = Inner;
    if (!Line->index().shape(Ending, Is))
      return fault();
    First = Ending + 1;
    End = std::min(End, Is.SubtreeEnd);
  }
  if (Ending == RecordSearch::None)
    return Nowhere;
  Result<Position> R = Line->afterEnd(Ending);
  return !R || *R <= Upto ? R : Nowhere;
}

/// The last one to end is one of the last to begin, or the outermost around it
/// that has ended as well.
Result<Position> StopSearch::previousEnd(Position Begin,
                                         Position Downto) const {
  if (Begin == 0)
    return Nowhere;
  const Position Last = Begin - 1, Before = Downto == 0 ? 0 : Downto - 1;
  INSTANTRACE_TRY_ASSIGN(uint32_t First, Line->notBegun(Before));
  INSTANTRACE_TRY_ASSIGN(uint32_t End, Line->notBegun(Last));
  Shape Is;
  uint32_t Id = RecordSearch::None;
  Position P = Nowhere;
  auto Ended = [&](uint32_t Record) -> Result<bool> {
    if (!Line->index().shape(Record, Is))
      return fault();
    INSTANTRACE_TRY_ASSIGN(Position Behind, Line->afterEnd(Record));
    bool Has = !Is.IsOpen && Behind <= Last;
    if (Has)
      P = Behind;
    return Has;
  };
  while (Id == RecordSearch::None) {
    INSTANTRACE_TRY_ASSIGN(uint32_t Found, Records.previous(End, First));
    if (Found == RecordSearch::None)
      break;
    INSTANTRACE_TRY_ASSIGN(bool Has, Ended(Found));
    if (Has)
      Id = Found;
    End = Found;
  }
  if (Id == RecordSearch::None) {
    // Nothing that begins here; of what was open before, the outermost.
    INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, Line->stack(Before));
    Id = Open.empty() ? RecordSearch::None : Open.front();
  } else {
    Id = Is.Parent;
  }
  Position Best = P;
  while (Id != RecordSearch::None) {
    INSTANTRACE_TRY_ASSIGN(bool Has, Ended(Id));
    if (!Has)
      break;
    uint32_t Parent = Is.Parent;
    INSTANTRACE_TRY_ASSIGN(bool Fits, Records.fits(Id));
    if (Fits)
      Best = P;
    Id = Parent;
  }
  return Best != Nowhere && Best >= Downto ? Best : Nowhere;
}

Result<Position> StopSearch::singleOf(uint32_t Compile) const {
  const Timeline::Part &P = Line->parts()[Compile];
  Position Place = P.Begin;
  if (Spec.Event) {
    if (*Spec.Event >= P.End - P.Begin)
      return Nowhere;
    Place += *Spec.Event + 1;
  } else {
    if (*Spec.TimeNs != 0) {
      INSTANTRACE_TRY_ASSIGN(Place, Line->after(Compile, *Spec.TimeNs - 1));
    }
    if (++Place > P.End)
      return Nowhere;
  }
  INSTANTRACE_TRY_ASSIGN(Timeline::Event E, Line->last(Place));
  INSTANTRACE_TRY_ASSIGN(bool Fits, Records.fits(E.Record));
  return Fits ? Place : Nowhere;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// All that have begun, without what is still open.
Result<uint64_t> StopSearch::endedBytes(const Timeline &Line, Position P) {
  const InstantiationIndex &X = Line.index();
  INSTANTRACE_TRY_ASSIGN(uint32_t End, Line.notBegun(P));
  INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Open, Line.stack(P));
  if (End == 0 || Line.parts().empty())
    return uint64_t(0);
  uint64_t Bytes = 0, Own = 0;
  uint32_t First = Line.parts()[Line.compileAt(P)].FirstRecord;
  if (!X.ownBytes(std::min(First, End), End, Bytes))
    return Error{X.fault()};
  for (uint32_t Id : Open) {
    if (!X.ownBytes(Id, Id + 1, Own))
      return Error{X.fault()};
    Bytes -= std::min(Own, Bytes);
  }
  return Bytes;
}

/// They only become more.
Result<Position> StopSearch::firstWithBytes(uint32_t Compile,
                                            uint64_t Bytes) const {
  const Timeline::Part &P = Line->parts()[Compile];
  Position Low = P.Begin + 1, High = P.End + 1;
  while (Low < High) {
    Position Middle = Low + (High - Low) / 2;
    INSTANTRACE_TRY_ASSIGN(uint64_t There, endedBytes(*Line, Middle));
    if (There < Bytes)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low > P.End ? Nowhere : Low;
}

/// Of a threshold, the only one that there is.
Result<Position> StopSearch::levelAfter(uint32_t Compile,
                                        Position Begin) const {
  if (Spec.MemoryStep == 0)
    return firstWithBytes(Compile, Spec.MemoryThreshold);
  INSTANTRACE_TRY_ASSIGN(uint64_t Now, Begin > Line->parts()[Compile].Begin
                                           ? endedBytes(*Line, Begin)
                                           : Result<uint64_t>(0));
  return firstWithBytes(Compile, (Now / Spec.MemoryStep + 1) * Spec.MemoryStep);
}

Result<Position> StopSearch::levelBefore(uint32_t Compile,
                                         Position Begin) const {
  const Timeline::Part &P = Line->parts()[Compile];
  if (Spec.MemoryStep == 0)
    return firstWithBytes(Compile, Spec.MemoryThreshold);
  if (Begin <= P.Begin + 1)
    return Nowhere;
  INSTANTRACE_TRY_ASSIGN(uint64_t Then,
                         endedBytes(*Line, std::min(Begin - 1, P.End)));
  uint64_t Wanted = Then / Spec.MemoryStep * Spec.MemoryStep;
  return Wanted == 0 ? Nowhere : firstWithBytes(Compile, Wanted);
}

/// What ended there has made it so much.
Result<bool> StopSearch::fitsAt(Position P) const {
  if (Spec.If.isEmpty())
    return true;
  if (isInterrupted())
    return interruptedError();
  INSTANTRACE_TRY_ASSIGN(Timeline::Event E, Line->last(P));
  return Records.fits(E.Record);
}

/// From \p Begin to \p Last, which may be before it.
Result<Position> StopSearch::fittingLevel(uint32_t No, Position Begin,
                                          Position Last) const {
  const bool IsBack = Last < Begin;
  for (Position Now = Begin;;) {
    Result<Position> R = IsBack ? levelBefore(No, Now) : levelAfter(No, Now);
    if (!R || *R == Nowhere ||
        (IsBack ? *R >= Now || *R < Last : *R <= Now || *R > Last))
      return R;
    INSTANTRACE_TRY_ASSIGN(bool Fits, fitsAt(*R));
    if (Fits)
      return R;
    if (Spec.MemoryStep == 0)
      return Nowhere;
    Now = *R;
  }
}
