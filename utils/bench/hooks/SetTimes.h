/// \file
/// Time by template set, side by side for two traces of one compile.
///
/// Flow:   two Sequences -> [pairedSets] -> Difference, Ranking -> JSON
/// Leaves: taking our own work out before, to OwnWork
///
/// A template set is the text of Entity::TemplateSet; template work about
/// nothing that has a name is the set "(unnamed)". Phases and files are no
/// template work. Inclusive time is of the outermost intervals of a set, self
/// time of each.
#pragma once

#include "runtime/read/Trace.h"

#include <cstdint>
#include <vector>

namespace instantrace {

struct Times {
  uint64_t InclusiveNs = 0;
  uint64_t SelfNs = 0;

  Times &operator+=(const Times &Other) {
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

  uint64_t differenceNs(Measure M) const {
    uint64_t C = timeNs(Callback, M), O = timeNs(Observer, M);
    return C > O ? C - O : O - C;
  }
};

/// In either trace or in both.
struct PairedSet {
  NameKey Key;
  TimesPair Total;
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

} // namespace instantrace
