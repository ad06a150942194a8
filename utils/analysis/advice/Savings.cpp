#include "utils/analysis/advice/Savings.h"

#include "utils/analysis/advice/FunctionCosts.h"
#include "utils/analysis/view/SelfTimes.h"

#include <algorithm>
#include <iterator>

using namespace instantrace;

namespace {

/// What Clang keeps, so that somebody else can come to need it.
bool isKept(const Interval &I) {
  return I.Kind == EventKind::TemplateInstantiation && I.Entity;
}

struct Part {
  uint64_t CertainNs = 0;
  uint64_t DoubtfulNs = 0;

  void add(uint64_t Ns, bool IsDoubtful) {
    (IsDoubtful ? DoubtfulNs : CertainNs) += Ns;
  }
  Saving saving(double Share) const {
    return {CertainNs, CertainNs + scaled(DoubtfulNs, Share),
            CertainNs + DoubtfulNs};
  }
};

struct Tally {
  Part Frontend, Backend;
  uint64_t Functions = 0;
  uint64_t HitsInside = 0;
  uint64_t HitsOfDoubtful = 0; // of classes that would go

  RootSaving saving(double WholePerFunctions) const {
    double Share = HitsOfDoubtful == 0
                       ? 1
                       : std::min(1.0, static_cast<double>(HitsInside) /
                                           static_cast<double>(HitsOfDoubtful));
    RootSaving Removed{Frontend.saving(Share), Backend.saving(Share),
                       Functions};
    Removed.Backend.EstimateNs =
        scaled(Removed.Backend.EstimateNs, WholePerFunctions);
    Removed.Backend.MostNs = scaled(Removed.Backend.MostNs, WholePerFunctions);
    Removed.Saves += Removed.Backend;
    return Removed;
  }
};

} // namespace

Saving &Saving::operator+=(const Saving &Other) {
  LeastNs += Other.LeastNs;
  EstimateNs += Other.EstimateNs;
  MostNs += Other.MostNs;
  return *this;
}

CompileFacts::CompileFacts(const Sequence &Compile)
    : S(&Compile), SelfNs(selfTimes(Compile)),
      InclusiveNs(inclusiveTimes(Compile)), HitsIn(Compile.Intervals.size()),
      HitsOf(Compile.Entities.size() + 1) {
  KnowsHits =
      !Compile.Session || Compile.Session->Memoization != MemoizationMode::Off;
  for (size_t I = 0; I != SelfNs.size(); ++I) {
    const Interval &Place = Compile.Intervals[I];
    HitsIn[I] = Place.memoized();
    if (Place.Kind == EventKind::Profiling)
      SelfNs[I] = 0;
    TotalNs += SelfNs[I];
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

std::vector<RootSaving>
instantrace::savings(const CompileFacts &C, const FunctionCosts &Functions,
                     const std::vector<uint32_t> &RootOf, size_t Count) {
  const Sequence &S = *C.S;
  std::vector<Tally> Tallies(Count);
  std::vector<uint32_t> Roots(S.Intervals.size(), NoRoot);
  std::vector<bool> IsDoubtful(S.Intervals.size());
  for (size_t I = 0; I != Roots.size(); ++I) {
    const Interval &Place = S.Intervals[I];
    const Entity *E = S.entity(Place.Entity);
    Roots[I] = RootOf[I];
    if (Roots[I] == NoRoot) {
      IntervalId Outer = Place.Parent;
      if (Outer && Roots[Outer.Value] != NoRoot) {
        IsDoubtful[I] = IsDoubtful[Outer.Value];
      } else if (Place.Requester && Roots[Place.Requester.Value] != NoRoot) {
        Outer = Place.Requester;
        IsDoubtful[I] = true;
      } else {
        continue;
      }
      Roots[I] = Roots[Outer.Value];
      if (isKept(Place) && E) {
        bool IsClass = E->Kind == EntityKind::Class;
        if (!IsClass || !C.isUsedOnce(Place.Entity))
          IsDoubtful[I] = true;
        if (IsClass && Place.Definition && IsDoubtful[I])
          Tallies[Roots[I]].HitsOfDoubtful += C.HitsOf[Place.Entity.Value];
      }
    }
    Tally &Sum = Tallies[Roots[I]];
    Sum.Frontend.add(C.SelfNs[I], IsDoubtful[I]);
    Sum.HitsInside += C.HitsIn[I];
    if (const BackendCost *Cost =
            Functions.madeBy(IntervalId{static_cast<uint32_t>(I)})) {
      Sum.Backend.add(Cost->timeNs(), IsDoubtful[I]);
      Sum.Functions += Cost->Given;
    }
  }
  std::vector<RootSaving> Savings;
  std::transform(Tallies.begin(), Tallies.end(), std::back_inserter(Savings),
                 [&](const Tally &Sum) {
                   return Sum.saving(Functions.WholePerFunctions);
                 });
  return Savings;
}
