/// \file
/// A position in what was recorded, and how it moves: the debugger without its
/// commands.
///
/// Flow:   InstantiationIndex, StopSpec -> Timeline, StopSearch -> [Replay] ->
///         Debugger
/// Errors: of a damaged index; Interrupted. The position is then as before, and
///         so is what breakpoints count
///
/// Moving stops where the move ends, at the first breakpoint on the way, or at
/// an end of what was recorded. A position that is reached backwards is the one
/// that is reached forwards: what is hit is the event that has just happened.
#pragma once

#include "utils/replay/StopSearch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace instantrace {

struct Breakpoint {
  uint32_t Number = 0; ///< from 1
  bool IsWatch = false;
  bool IsTemporary = false;
  bool IsEnabled = true;
  uint64_t Ignore = 0; ///< so many hits do not stop
  uint64_t Hits = 0;
  StopSearch Search;
  std::vector<std::string> Commands; ///< to be run at each stop

  // Of a compile that runs: names come behind what they are of.
  /// The least position that one has moved on from since it was made.
  Position Since = 0;
  /// Records that were passed before a refresh() found that they are its.
  std::vector<uint32_t> Late = {};
  /// What was counted on the way to here.
  struct Crossing {
    Position Crossed = 0;
    bool IsIgnored = false;
  };
  std::vector<Crossing> Crossings = {};
};

enum class Direction { Forward, Backward };

/// Where a move has ended.
struct Stop {
  enum class Reason { Moved, Breakpoint, AtBegin, AtEnd };
  Reason Why = Reason::Moved;
  std::vector<uint32_t> Hit;              ///< numbers of breakpoints
  std::vector<std::string> Commands = {}; ///< of these
};

class Replay {
public:
  static constexpr uint32_t None = InstantiationIndex::None;

  /// \p X must outlive the object.
  static Result<Replay> make(const InstantiationIndex &X);

  /// Has tables made meanwhile, with which searches pass over what cannot fit.
  /// Requires: the index stays as it is.
  std::shared_ptr<SearchTables>
  makeTables(uint32_t BlockRecords = SearchTables::UsualBlock);

  /// The index has become one of more events, behind those that it had.
  /// Breakpoints are looked up again.
  Result<void> refresh();
  /// The first stop on the way to here that was none when it was passed, since
  /// its name or file came with a refresh() behind that. What breakpoints count
  /// is then as it was there, since what follows is passed again. None: there
  /// is no such stop, and the position is as before.
  Result<std::optional<Stop>> stopMissed();

  const InstantiationIndex &index() const { return Line->index(); }
  const Timeline &timeline() const { return *Line; }
  Position position() const { return Current; }
  Result<Timeline::Event> event() const { return Line->last(Current); }
  Result<std::vector<uint32_t>> stack() const { return Line->stack(Current); }

  Result<Stop> step(Direction Way, uint64_t Count);
  /// As step, but what begins is left at its end.
  Result<Stop> next(Direction Way, uint64_t Count);
  /// To the end of an open record; backwards to before its begin.
  Result<Stop> finish(Direction Way, uint32_t Record);
  /// To the next stop.
  Result<Stop> run(Direction Way);
  /// Without a look at breakpoints. Requires: a position that there is.
  void goTo(Position Target) { Current = Target; }

  /// \p MayPend: of what is not there yet, and may come with a refresh().
  Result<uint32_t> addBreakpoint(const StopSpec &Spec, bool IsWatch,
                                 bool IsTemporary, bool MayPend = false);
  std::vector<Breakpoint> &breakpoints() { return Breakpoints; }
  Breakpoint *breakpoint(uint64_t Number);
  /// False: there is none of that number.
  bool removeBreakpoint(uint64_t Number);

private:
  Replay() = default;
  template <class Motion> Result<Stop> orStay(Motion Move);
  Result<Stop> travel(Direction Way, Position Target);
  Result<Stop> search(Direction Way, Position Target);
  template <class NextOf>
  Result<Stop> search(Direction Way, Position Target, NextOf Next);
  void uncrossBehind(Position P);
  Result<Stop> eachNext(Direction Way, uint64_t Count);
  Result<Position> afterNext(Direction Way) const;
  Stop atEnd(Direction Way) const;

  std::unique_ptr<Timeline> Line; ///< breakpoints refer to it
  Position Current = 0;
  std::vector<Breakpoint> Breakpoints;
  uint32_t LastNumber = 0;
  bool KeepsCrossings = false; ///< a breakpoint may have late records
};

} // namespace instantrace
