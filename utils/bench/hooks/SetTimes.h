/// \file
/// Time by template set, side by side for two traces of one compile.
///
/// Flow:   two Sequences -> [pairedSets] -> Difference, Ranking -> JSON
/// Leaves: taking our own work out before, to OwnWork
///
/// A template set is the text of Entity::TemplateSet; template work about
/// nothing that has a name is the set "(unnamed)". Phases and files are no
/// template work. Inclusive time is of the outermost intervals of a set, and so
/// belongs to the kind of these; self time is of each interval.
#pragma once

#include "runtime/read/Trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace instantrace {

struct Times {
  uint64_t Count = 0; // of intervals
  uint64_t InclusiveNs = 0;
  uint64_t SelfNs = 0;

  Times &operator+=(const Times &Other) {
    Count += Other.Count;
    InclusiveNs += Other.InclusiveNs;
    SelfNs += Other.SelfNs;
    return *this;
  }
};

enum class Measure { Inclusive, Self };
inline uint64_t timeNs(const Times &Sum, Measure M) {
  return M == Measure::Inclusive ? Sum.InclusiveNs : Sum.SelfNs;
}

struct TimesPair {
  Times Callback, Observer;

  TimesPair &operator+=(const TimesPair &Other) {
    Callback += Other.Callback;
    Observer += Other.Observer;
    return *this;
  }
  uint64_t differenceNs(Measure M) const {
    uint64_t C = timeNs(Callback, M), O = timeNs(Observer, M);
    return C > O ? C - O : O - C;
  }
};

/// In either trace or in both.
struct PairedSet {
  NameKey Key;
  std::string Name; // its begin, if it is long
  TimesPair Total;
  std::map<EventKind, TimesPair> ByKind;
};

/// A bit per kind.
using KindMask = uint64_t;
inline constexpr KindMask AllKinds = ~KindMask(0);
inline constexpr KindMask InstantiationsAlone =
    KindMask(1) << static_cast<unsigned>(EventKind::TemplateInstantiation);

/// Sorted by key. Intervals of other kinds than \p Kinds are taken for a part
/// of what they are in.
std::vector<PairedSet> pairedSets(const Sequence &Callback,
                                  const Sequence &Observer,
                                  KindMask Kinds = AllKinds);

/// Over all sets; no sets or no time: no difference.
struct Difference {
  uint64_t CallbackNs = 0;
  uint64_t ObserverNs = 0;
  uint64_t AbsoluteNs = 0; // sum of the sets' absolute differences

  /// Of the callback's time; 0.02 is two percent.
  double share() const;
  /// The same without absolute values: below 0 where the observer saw less.
  double bias() const;
};
Difference difference(const std::vector<PairedSet> &Sets, Measure M);

/// What intervals of each kind contribute: sums of both, and of the absolute
/// differences that each set has in what they contribute to it. These add up to
/// at least the difference of the sets, as one kind's may be another's.
struct KindDifference {
  TimesPair Total;
  uint64_t InclusiveNs = 0;
  uint64_t SelfNs = 0;
};
std::map<EventKind, KindDifference>
differenceByKind(const std::vector<PairedSet> &Sets);

} // namespace instantrace
