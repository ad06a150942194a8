#include "utils/bench/hooks/SetTimes.h"

#include "utils/analysis/names/NameGroups.h"
#include "utils/analysis/view/SelfTimes.h"

#include <map>
#include <string_view>
#include <unordered_map>

using namespace instantrace;

namespace {

constexpr std::string_view UnnamedSet = "(unnamed)";

using SetMap = std::map<NameKey, PairedSet>;

/// Adds one sequence's times to one side of the pairs.
class SequenceTimes {
public:
  SequenceTimes(const Sequence &S, Times TimesPair::*Side, KindMask Kinds,
                SetMap &Sets)
      : S(S), Side(Side), Kinds(Kinds), Sets(Sets) {}

  void add() {
    std::vector<uint64_t> SelfNs = ownTimes();
    std::vector<uint64_t> InclusiveNs = inclusiveTimes(S);
    for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      while (!(Innermost == I.Parent))
        leave();
      Innermost.Value = Index;
      Open.push_back(isCounted(I.Kind) ? &setOf(I.Entity) : nullptr);
      if (!Open.back())
        continue;
      bool IsOutermost = Open.back()->OpenCount++ == 0;
      Times Own = {IsOutermost ? InclusiveNs[Index] : 0, SelfNs[Index]};
      Open.back()->Set->Total.*Side += Own;
    }
  }

private:
  struct OpenSet {
    PairedSet *Set = nullptr;
    uint32_t OpenCount = 0;
  };

  bool isCounted(EventKind Kind) const {
    return isTemplateWork(Kind) && (Kinds >> static_cast<unsigned>(Kind) & 1);
  }

  /// Self times, with those of work that does not count in what it is in.
  std::vector<uint64_t> ownTimes() const {
    std::vector<uint64_t> SelfNs = selfTimes(S);
    for (size_t Index = SelfNs.size(); Index-- != 0;) { // children first
      const Interval &I = S.Intervals[Index];
      if (I.Parent && isTemplateWork(I.Kind) && !isCounted(I.Kind))
        SelfNs[I.Parent.Value] += SelfNs[Index];
    }
    return SelfNs;
  }

  void leave() {
    if (Open.back())
      --Open.back()->OpenCount;
    Open.pop_back();
    Innermost = S.Intervals[Innermost.Value].Parent;
  }

  OpenSet &setOf(EntityId Id) {
    const Entity *E = S.entity(Id);
    NameKey Key = S.Names.key(E ? E->TemplateSet : NameId());
    if (Key.SizeBytes == 0)
      Key = Dictionary::keyOf(UnnamedSet);
    auto [Entry, IsNew] = ByKey.try_emplace(Key);
    if (IsNew) {
      Entry->second.Set = &Sets[Key];
      Entry->second.Set->Key = Key;
    }
    return Entry->second;
  }

  const Sequence &S;
  Times TimesPair::*Side;
  KindMask Kinds;
  SetMap &Sets;
  std::unordered_map<NameKey, OpenSet, NameKeyHash> ByKey; // keeps its places
  std::vector<OpenSet *> Open; // null: no template work
  IntervalId Innermost;
};

double ratio(double Part, uint64_t Whole) {
  return Whole == 0 ? 0 : Part / static_cast<double>(Whole);
}

} // namespace

std::vector<PairedSet> instantrace::pairedSets(const Sequence &Callback,
                                               const Sequence &Observer,
                                               KindMask Kinds) {
  SetMap Sets;
  SequenceTimes(Callback, &TimesPair::Callback, Kinds, Sets).add();
  SequenceTimes(Observer, &TimesPair::Observer, Kinds, Sets).add();
  std::vector<PairedSet> Sorted;
  Sorted.reserve(Sets.size());
  for (auto &[Key, Set] : Sets)
    Sorted.push_back(std::move(Set));
  return Sorted;
}

double Difference::share() const {
  return ratio(static_cast<double>(AbsoluteNs), CallbackNs);
}

double Difference::bias() const {
  return ratio(static_cast<double>(ObserverNs) -
                   static_cast<double>(CallbackNs),
               CallbackNs);
}

Difference instantrace::difference(const std::vector<PairedSet> &Sets,
                                   Measure M) {
  Difference D;
  for (const PairedSet &Set : Sets) {
    D.CallbackNs += timeNs(Set.Total.Callback, M);
    D.ObserverNs += timeNs(Set.Total.Observer, M);
    D.AbsoluteNs += Set.Total.differenceNs(M);
  }
  return D;
}
