#include "utils/replay/Replay.h"

#include "utils/replay/Interrupt.h"

#include <algorithm>
#include <map>

using namespace instantrace;

Result<Replay> Replay::make(const InstantiationIndex &X) {
  INSTANTRACE_TRY_ASSIGN(Timeline Line, Timeline::make(X));
  Replay New;
  New.Line = std::make_unique<Timeline>(std::move(Line));
  return New;
}

std::shared_ptr<SearchTables> Replay::makeTables(uint32_t BlockRecords) {
  auto Made = std::make_shared<SearchTables>(index(), BlockRecords);
  Line->setTables(Made);
  return Made;
}

Result<void> Replay::refresh() {
  INSTANTRACE_TRY_ASSIGN(Timeline New, Timeline::make(index()));
  *Line = std::move(New);
  Current = std::min(Current, Line->end());
  for (Breakpoint &B : Breakpoints) {
    Result<StopSearch> Search =
        StopSearch::make(*Line, B.Search.spec(), /*MayPend=*/true);
    if (!Search) {
      Error Why = Search.error();
      Breakpoints.clear(); // they are of records that are not there any more
      return Why;
    }
    Search->addLate(B.Search, B.Late);
    B.Search = std::move(*Search);
  }
  return {};
}

Result<std::optional<Stop>> Replay::stopMissed() {
  const Position P = Current;
  Position First = P;
  std::map<uint32_t, StopSearch> Late; // by number of breakpoint
  for (Breakpoint &B : Breakpoints)
    if (!B.Late.empty()) {
      Late.emplace(B.Number, B.Search.among(B.Late));
      First = std::min(First, B.Since);
    }
  std::optional<Stop> Missed;
  if (First < P) {
    Result<Stop> Reached = orStay([&] {
      Current = First;
      return search(Direction::Forward, P,
                    [&](Breakpoint &B, Position Start) -> Result<Position> {
                      auto Found = Late.find(B.Number);
                      Start = std::max(Start, B.Since);
                      return Found == Late.end() || Start >= P
                                 ? StopSearch::Nowhere
                                 : Found->second.next(Start, P);
                    });
    });
    if (!Reached)
      return Reached.error();
    if (Reached->Why == Stop::Reason::Breakpoint) {
      uncrossBehind(Current);
      Missed = std::move(*Reached);
    }
  }
  for (Breakpoint &B : Breakpoints)
    B.Late.clear();
  return Missed;
}

void Replay::uncrossBehind(Position P) {
  for (Breakpoint &B : Breakpoints)
    std::erase_if(B.Crossings, [&](const Breakpoint::Crossing &C) {
      if (C.Crossed <= P)
        return false;
      --B.Hits;
      B.Ignore += C.IsIgnored;
      return true;
    });
}

Stop Replay::atEnd(Direction Way) const {
  return {Way == Direction::Forward ? Stop::Reason::AtEnd
                                    : Stop::Reason::AtBegin,
          {},
          {}};
}

/// A breakpoint that is passed on the way is counted at once, and has not been
/// passed when the motion fails behind it. None is deleted before one succeeds.
template <class Motion> Result<Stop> Replay::orStay(Motion Move) {
  struct Counts {
    uint64_t Ignore, Hits;
    size_t Crossings;
  };
  const Position Before = Current;
  std::vector<Counts> Then;
  for (Breakpoint &B : Breakpoints) {
    // The user has gone back from these himself.
    std::erase_if(B.Crossings,
                  [&](const auto &C) { return C.Crossed > Before; });
    Then.push_back({B.Ignore, B.Hits, B.Crossings.size()});
  }
  Result<Stop> Reached = Move();
  if (Reached) {
    for (Breakpoint &B : Breakpoints)
      B.Since = std::min(B.Since, Before);
    return Reached;
  }
  Current = Before;
  for (size_t I = 0; I != Then.size(); ++I) {
    Breakpoints[I].Ignore = Then[I].Ignore;
    Breakpoints[I].Hits = Then[I].Hits;
    Breakpoints[I].Crossings.resize(Then[I].Crossings);
  }
  return Reached;
}

Result<Stop> Replay::travel(Direction Way, Position Target) {
  return orStay([&] { return search(Way, Target); });
}

Result<Stop> Replay::search(Direction Way, Position Target) {
  return search(Way, Target, [&](Breakpoint &B, Position Start) {
    return Way == Direction::Forward ? B.Search.next(Start, Target)
                                     : B.Search.previous(Start, Target);
  });
}

/// Stops at the first enabled breakpoint, whose hits it counts; \p Next gives
/// the next place of one behind a position. Requires: To is in that direction.
template <class NextOf>
Result<Stop> Replay::search(Direction Way, Position Target, NextOf Next) {
  const bool IsForward = Way == Direction::Forward;
  Position Start = Current;
  while (Start != Target) {
    if (isInterrupted())
      return interruptedError();
    Position Nearest = StopSearch::Nowhere;
    std::vector<Breakpoint *> Hit;
    for (Breakpoint &B : Breakpoints) {
      if (!B.IsEnabled)
        continue;
      INSTANTRACE_TRY_ASSIGN(Position Place, Next(B, Start));
      if (Place == StopSearch::Nowhere)
        continue;
      bool IsNearer = Nearest == StopSearch::Nowhere ||
                      (IsForward ? Place < Nearest : Place > Nearest);
      if (IsNearer)
        Hit.clear();
      if (IsNearer || Place == Nearest) {
        Nearest = Place;
        Hit.push_back(&B);
      }
    }
    if (Hit.empty())
      break;
    // A damaged index could say anything.
    if (IsForward ? Nearest <= Start || Nearest > Target
                  : Nearest >= Start || Nearest < Target)
      return makeError(index().name(), "events out of their order",
                       "records inside each other");
    Start = Nearest;
    Stop Found = {Stop::Reason::Breakpoint, {}, {}};
    for (Breakpoint *B : Hit) {
      ++B->Hits;
      if (KeepsCrossings && IsForward)
        B->Crossings.push_back({Start, B->Ignore != 0});
      if (B->Ignore != 0)
        --B->Ignore;
      else {
        Found.Hit.push_back(B->Number);
        Found.Commands.insert(Found.Commands.end(), B->Commands.begin(),
                              B->Commands.end());
      }
    }
    if (Found.Hit.empty())
      continue;
    Current = Start;
    std::erase_if(Breakpoints, [&](const Breakpoint &B) {
      return B.IsTemporary && std::find(Found.Hit.begin(), Found.Hit.end(),
                                        B.Number) != Found.Hit.end();
    });
    return Found;
  }
  Current = Target;
  return Stop{};
}

Result<Stop> Replay::step(Direction Way, uint64_t Count) {
  bool IsForward = Way == Direction::Forward;
  uint64_t Left = IsForward ? Line->end() - Current : Current;
  if (Left == 0 && Count != 0)
    return atEnd(Way);
  uint64_t Steps = std::min(Left, Count);
  Result<Stop> Reached =
      travel(Way, IsForward ? Current + Steps : Current - Steps);
  bool IsCut = Reached && Reached->Why == Stop::Reason::Moved && Steps < Count;
  return IsCut ? atEnd(Way) : Reached;
}

/// Where the next one of `next` ends.
Result<Position> Replay::afterNext(Direction Way) const {
  bool IsForward = Way == Direction::Forward;
  INSTANTRACE_TRY_ASSIGN(Timeline::Event E,
                         Line->last(IsForward ? Current + 1 : Current));
  if (IsForward)
    return E.IsBegin ? Line->afterEnd(E.Record) : Current + 1;
  return E.IsBegin ? Current - 1 : Line->beforeBegin(E.Record);
}

Result<Stop> Replay::next(Direction Way, uint64_t Count) {
  return orStay([&] { return eachNext(Way, Count); });
}

Result<Stop> Replay::eachNext(Direction Way, uint64_t Count) {
  const Position Limit = Way == Direction::Forward ? Line->end() : 0;
  Stop Reached;
  for (; Count != 0; --Count) {
    if (Current == Limit)
      return atEnd(Way);
    INSTANTRACE_TRY_ASSIGN(Position Target, afterNext(Way));
    bool IsOnward = Way == Direction::Forward
                        ? Target > Current && Target <= Limit
                        : Target < Current;
    if (!IsOnward)
      return makeError(index().name(), "a record that ends before it begins",
                       "records inside each other");
    Result<Stop> One = search(Way, Target);
    if (!One || One->Why == Stop::Reason::Breakpoint)
      return One;
    Reached = *One;
  }
  return Reached;
}

Result<Stop> Replay::finish(Direction Way, uint32_t Record) {
  bool IsForward = Way == Direction::Forward;
  INSTANTRACE_TRY_ASSIGN(Position Target, IsForward
                                              ? Line->afterEnd(Record)
                                              : Line->beforeBegin(Record));
  if (IsForward ? Target <= Current || Target > Line->end() : Target >= Current)
    return atEnd(Way);
  return travel(Way, Target);
}

Result<Stop> Replay::run(Direction Way) {
  Position Limit = Way == Direction::Forward ? Line->end() : 0;
  if (Current == Limit)
    return atEnd(Way);
  Result<Stop> Reached = travel(Way, Limit);
  bool IsCut = Reached && Reached->Why != Stop::Reason::Breakpoint;
  return IsCut ? atEnd(Way) : Reached;
}

Result<uint32_t> Replay::addBreakpoint(const StopSpec &Spec, bool IsWatch,
                                       bool IsTemporary, bool MayPend) {
  INSTANTRACE_TRY_ASSIGN(StopSearch Search,
                         StopSearch::make(*Line, Spec, MayPend));
  Breakpoints.push_back({++LastNumber,
                         IsWatch,
                         IsTemporary,
                         true,
                         0,
                         0,
                         std::move(Search),
                         {},
                         Current});
  KeepsCrossings |= MayPend;
  return LastNumber;
}

Breakpoint *Replay::breakpoint(uint64_t Number) {
  for (Breakpoint &B : Breakpoints)
    if (B.Number == Number)
      return &B;
  return nullptr;
}

bool Replay::removeBreakpoint(uint64_t Number) {
  return std::erase_if(Breakpoints, [&](const Breakpoint &B) {
           return B.Number == Number;
         }) != 0;
}
