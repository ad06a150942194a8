/// \file
/// The records that a breakpoint is about: the next one, and the one before.
///
/// Flow:   StopSpec, InstantiationIndex -> [RecordSearch] -> StopSearch
/// Errors: a name, a file or a pattern that fits nothing; a damaged index;
///         Interrupted when the user wants no more
///
/// Names, places and counts are looked up once, in the entities and locations
/// and not in the records: what their postings name is a bit each, and a search
/// passes 64 records at a time. A least duration D is found by looks at every
/// Dth nanosecond, since what takes as long covers one of them. All else is
/// asked of record after record, without those that SearchTables exclude.
#pragma once

#include "utils/replay/Interrupt.h"
#include "utils/replay/RecordSet.h"
#include "utils/replay/StopSpec.h"
#include "utils/replay/Timeline.h"

#include <optional>
#include <vector>

namespace instantrace {

/// The entities that a name, or a pattern, means; there may be none.
Result<std::vector<uint32_t>> entitiesMeant(const Timeline &Line,
                                            const StopSpec &Spec);
/// Says that there is none.
Error noEntity(const Timeline &Line, const StopSpec &Spec);

class RecordSearch {
public:
  static constexpr uint32_t None = RecordSet::None;

  /// \p Line must outlive the object. A name or a file that is nowhere is an
  /// error, unless \p MayPend: then nothing fits.
  static Result<RecordSearch> make(const Timeline &Line, const StopSpec &Spec,
                                   bool MayPend);

  /// The first that fits in [From, End); None: no one does.
  Result<uint32_t> next(uint32_t Begin, uint32_t End) const;
  /// The last that fits in [Begin, Upto).
  Result<uint32_t> previous(uint32_t Upto, uint32_t Begin) const;
  Result<bool> fits(uint32_t Record) const;

  /// How many there are by what was looked up; none: nothing was.
  std::optional<uint64_t> knownCount() const;
  /// What is to be looked up was not there.
  bool isPending() const { return IsPending; }
  void setCondition(Condition New);

  /// Adds to \p Late what was looked up here, and had begun but was not found
  /// by \p Before: the same search when the index had fewer events.
  void addLate(const RecordSearch &Before, std::vector<uint32_t> &Late) const;
  /// The same search in these records alone.
  RecordSearch among(const std::vector<uint32_t> &Records) const;

private:
  RecordSearch(const Timeline &Line, const StopSpec &Spec, bool MayPend)
      : Line(&Line), X(&Line.index()), Spec(Spec), MayPend(MayPend) {}

  Result<void> lookUp();
  Result<void> addEntities();
  Result<void> addPlaces();
  Result<void> pend(Error Why);
  Result<uint32_t> nextFitting(uint32_t Begin, uint32_t End) const;
  Result<uint32_t> previousFitting(uint32_t Upto, uint32_t Begin) const;
  Result<uint32_t> nextLong(uint32_t Begin, uint32_t End) const;
  Result<uint32_t> previousLong(uint32_t Upto, uint32_t Begin) const;
  Result<bool> fitsWithoutSet(uint32_t Record) const;
  bool mayFit(const RecordBlock &Block) const;
  Error fault() const { return Error{X->fault()}; }

  const Timeline *Line;
  const InstantiationIndex *X;
  StopSpec Spec;
  bool MayPend, IsPending = false;
  std::optional<RecordSet> Known;
  uint64_t LeastNs = 0; ///< of any that fits
};

} // namespace instantrace
