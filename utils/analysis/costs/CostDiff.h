/// \file
/// Two cost tables side by side, and what of the difference means something.
///
/// Flow:   CostTable of old and new -> [diffCosts] -> DiffText
/// Leaves: which compiles are compared, to CompileMatch
///
/// Counts are the same in every run of one compiler on one source, so each
/// difference counts. Times are not: one within the noise is no change.
#pragma once

#include "utils/analysis/costs/Costs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct CostDiffRow;

/// What the times of each row are in several recordings of one build.
class TimeSpreads {
public:
  void add(const CostTable &Recording);
  size_t recordings() const { return Recordings; }
  /// Whether it is no further from those times than these are from each other.
  /// None: no recording has the row, or \p Time is another one.
  std::optional<bool> contains(const NameKey &Row, CostOrder Time,
                               uint64_t Ns) const;

private:
  struct Range {
    uint64_t LeastNs = UINT64_MAX, MostNs = 0;
    void add(uint64_t Ns);
  };
  struct Ranges {
    Range Self, Inclusive;
    size_t Recordings = 0;
  };
  std::unordered_map<NameKey, Ranges, NameKeyHash> ByRow;
  size_t Recordings = 0;
};

/// A time changed if it did by more than both.
struct Noise {
  double Percent = 10; ///< of the larger one
  uint64_t FloorNs = 1000000;
  /// Of the old build, in place of the percentage; null: there is one recording
  /// alone.
  const TimeSpreads *Spreads = nullptr;

  bool contains(uint64_t OldNs, uint64_t NewNs) const;
  bool contains(const CostDiffRow &Row, CostOrder Time) const;
};

struct CostDiffRow {
  const CostRow *Old = nullptr, *New = nullptr; ///< not both null

  uint64_t before(CostOrder Number) const {
    return Old ? valueOf(*Old, Number) : 0;
  }
  uint64_t after(CostOrder Number) const {
    return New ? valueOf(*New, Number) : 0;
  }
  /// Requires: it is a row of one of the two.
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn)
  const CostRow &any() const { return New ? *New : *Old; }
  bool hasAppeared() const { return !Old && isSteady(); }
  bool hasDisappeared() const { return !New && isSteady(); }
  /// False: it is there where the parser took long enough for a line, which no
  /// two runs agree on, and is compared with nothing where it is not.
  bool isSteady() const;
};

struct CostDiff {
  std::vector<CostDiffRow> Rows; ///< those that changed
  size_t UnchangedRows = 0;
  size_t Appeared = 0, Disappeared = 0;
  /// Each count of each template is the same in both. Rows whose times alone
  /// differ are in Rows only where these are ordered by a time.
  bool HasSameWork = true;
  size_t TimesOnly = 0; ///< rows that are left out for that
  /// Of templates that did the same work in both builds, by their counts: what
  /// their times differ by is how these runs vary, or a body that grew.
  uint64_t SameWorkOldNs = 0, SameWorkNewNs = 0;
};

/// Largest change first; a time within the noise is no change, and one of the
/// bytes alone is where \p Order is by them. Ties by count,
/// or self time where counts are equal; then name.
CostDiff diffCosts(const CostTable &Old, const Trace &OldTrace,
                   const CostTable &New, const Trace &NewTrace, CostOrder Order,
                   const Noise &Within);

} // namespace instantrace
