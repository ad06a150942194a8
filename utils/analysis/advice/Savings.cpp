#include "utils/analysis/advice/Savings.h"

#include "utils/analysis/view/SelfTimes.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// What Clang keeps, so that somebody else can come to need it.
bool isKept(const Interval &I) {
  return I.Kind == EventKind::TemplateInstantiation && I.Entity;
}

struct Tally {
  uint64_t CertainNs = 0;
  uint64_t DoubtfulNs = 0;
  uint64_t HitsInside = 0;
  uint64_t HitsOfDoubtful = 0; // of classes that would go
};

} // namespace

Saving &Saving::operator+=(const Saving &Other) {
  LeastNs += Other.LeastNs;
  EstimateNs += Other.EstimateNs;
  MostNs += Other.MostNs;
  return *this;
}

Saving Saving::times(double Factor) const {
  auto Scaled = [Factor](uint64_t Ns) {
    return static_cast<uint64_t>(static_cast<double>(Ns) * Factor);
  };
  return {Scaled(LeastNs), Scaled(EstimateNs), Scaled(MostNs)};
}

CompileFacts::CompileFacts(const Sequence &Compile)
    : S(&Compile), SelfNs(selfTimes(Compile)),
      InclusiveNs(inclusiveTimes(Compile)), HitsIn(Compile.Intervals.size()),
      HitsOf(Compile.Entities.size() + 1) {
  KnowsHits =
      !Compile.Session || Compile.Session->Memoization != MemoizationMode::Off;
  for (size_t I = 0; I != SelfNs.size(); ++I) {
    const Interval &At = Compile.Intervals[I];
    HitsIn[I] = At.memoized();
    if (At.Kind == EventKind::Profiling)
      SelfNs[I] = 0;
    if (!At.Parent)
      TotalNs += At.durationNs();
  }
  for (const MemoizedHits &M : Compile.Memoized)
    if (M.Entity.Value < HitsOf.size())
      HitsOf[M.Entity.Value] += M.Hits;
  for (const Instant &I : Compile.Instants) {
    if (I.Kind != EventKind::Memoization)
      continue;
    if (I.Entity.Value < HitsOf.size())
      ++HitsOf[I.Entity.Value];
    if (I.Parent)
      ++HitsIn[I.Parent.Value];
  }
}

std::vector<Saving> instantrace::savings(const CompileFacts &C,
                                         const std::vector<uint32_t> &RootOf,
                                         size_t Count) {
  const Sequence &S = *C.S;
  std::vector<Tally> Tallies(Count);
  std::vector<uint32_t> Roots(S.Intervals.size(), NoRoot);
  std::vector<bool> IsDoubtful(S.Intervals.size());
  for (size_t I = 0; I != Roots.size(); ++I) {
    const Interval &At = S.Intervals[I];
    const Entity *E = S.entity(At.Entity);
    Roots[I] = RootOf[I];
    if (Roots[I] == NoRoot) {
      IntervalId Outer = At.Parent;
      if (Outer && Roots[Outer.Value] != NoRoot) {
        IsDoubtful[I] = IsDoubtful[Outer.Value];
      } else if (At.Requester && Roots[At.Requester.Value] != NoRoot) {
        Outer = At.Requester;
        IsDoubtful[I] = true;
      } else {
        continue;
      }
      Roots[I] = Roots[Outer.Value];
      if (isKept(At) && E) {
        bool IsClass = E->Kind == EntityKind::Class;
        if (!IsClass || !C.isUsedOnce(At.Entity))
          IsDoubtful[I] = true;
        if (IsClass && At.Definition && IsDoubtful[I])
          Tallies[Roots[I]].HitsOfDoubtful += C.HitsOf[At.Entity.Value];
      }
    }
    Tally &Sum = Tallies[Roots[I]];
    (IsDoubtful[I] ? Sum.DoubtfulNs : Sum.CertainNs) += C.SelfNs[I];
    Sum.HitsInside += C.HitsIn[I];
  }
  std::vector<Saving> Savings;
  for (const Tally &Sum : Tallies) {
    double Share =
        Sum.HitsOfDoubtful == 0
            ? 1
            : std::min(1.0, static_cast<double>(Sum.HitsInside) /
                                static_cast<double>(Sum.HitsOfDoubtful));
    auto GoesNs =
        static_cast<uint64_t>(static_cast<double>(Sum.DoubtfulNs) * Share);
    Savings.push_back({Sum.CertainNs, Sum.CertainNs + GoesNs,
                       Sum.CertainNs + Sum.DoubtfulNs});
  }
  return Savings;
}
