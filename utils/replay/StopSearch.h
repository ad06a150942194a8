/// \file
/// Where a breakpoint stops: the next position, and the one before.
///
/// Flow:   StopSpec, Timeline -> [StopSearch] -> Replay
/// Errors: those of RecordSearch; of `watch memory`, that none was recorded
///
/// Forwards and backwards give the same positions.
#pragma once

#include "utils/replay/RecordSearch.h"

namespace instantrace {

class StopSearch {
public:
  static constexpr Position Nowhere = UINT64_MAX;

  /// \p Line must outlive the object; \p MayPend is RecordSearch's.
  static Result<StopSearch> make(const Timeline &Line, const StopSpec &Spec,
                                 bool MayPend = false);

  const StopSpec &spec() const { return Spec; }
  std::optional<uint64_t> knownCount() const { return Records.knownCount(); }
  bool isPending() const { return Records.isPending(); }
  void setCondition(Condition New);
  /// As RecordSearch has them.
  void addLate(const StopSearch &Before, std::vector<uint32_t> &Late) const {
    Records.addLate(Before.Records, Late);
  }
  StopSearch among(const std::vector<uint32_t> &Ids) const {
    return {*Line, Spec, Records.among(Ids)};
  }

  /// The first stop in (From, Upto]; Nowhere: there is none.
  Result<Position> next(Position Begin, Position Upto);
  /// The last one in [Downto, From).
  Result<Position> previous(Position Begin, Position Downto);

  /// Bytes of the syntax trees of what has ended in the compile at \p P.
  static Result<uint64_t> endedBytes(const Timeline &Line, Position P);

private:
  StopSearch(const Timeline &Line, StopSpec Spec, RecordSearch Records)
      : Line(&Line), Spec(std::move(Spec)), Records(std::move(Records)) {}

  Result<Position> find(Position Begin, Position Upto) const;
  Result<Position> findBack(Position Begin, Position Downto) const;
  Result<Position> behindBegin(const Result<uint32_t> &Found) const;
  Result<Position> nextBegin(Position Begin, Position Upto) const;
  Result<Position> previousBegin(Position Begin, Position Downto) const;
  Result<Position> nextEnd(Position Begin, Position Upto) const;
  Result<Position> previousEnd(Position Begin, Position Downto) const;
  Result<uint32_t> nextEnding(uint32_t Begin, uint32_t End) const;
  Result<Position> singleOf(uint32_t Compile) const;
  Result<Position> firstWithBytes(uint32_t Compile, uint64_t Bytes) const;
  Result<Position> levelAfter(uint32_t Compile, Position Begin) const;
  Result<Position> levelBefore(uint32_t Compile, Position Begin) const;
  Result<bool> fitsAt(Position P) const;
  Result<Position> fittingLevel(uint32_t Compile, Position Begin,
                                Position Last) const;
  bool isOfSingles() const { return Spec.TimeNs || Spec.Event; }
  bool isOfLevels() const {
    return Spec.MemoryStep != 0 || Spec.MemoryThreshold != 0;
  }
  Error fault() const { return Error{Line->index().fault()}; }

  const Timeline *Line;
  StopSpec Spec;
  RecordSearch Records;

  /// There is no stop between the two, and one at each that says so; of one
  /// that does not, nothing is known. What was searched for is not searched for
  /// again when something else stops before.
  struct {
    Position Low = 0, High = 0;
    bool LowStops = false, HighStops = false;
  } Free;
};

} // namespace instantrace
