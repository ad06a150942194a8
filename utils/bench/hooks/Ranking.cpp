#include "utils/bench/hooks/Ranking.h"

#include <algorithm>

using namespace instantrace;

namespace {

constexpr uint64_t TiePercent = 1;
constexpr uint64_t TieNs = 1000;

using SetList = std::vector<const PairedSet *>;

template <class Function>
SetList firstBy(const std::vector<PairedSet> &Sets, size_t N, Function Value) {
  SetList List;
  List.reserve(Sets.size());
  for (const PairedSet &Set : Sets)
    List.push_back(&Set);
  std::sort(
      List.begin(), List.end(), [&](const PairedSet *A, const PairedSet *B) {
        uint64_t ValueOfA = Value(*A), ValueOfB = Value(*B);
        return ValueOfA != ValueOfB ? ValueOfA > ValueOfB : A->Key < B->Key;
      });
  List.resize(std::min(N, List.size()));
  return List;
}

bool isTied(uint64_t A, uint64_t B) {
  auto [Less, More] = std::minmax(A, B);
  return More - Less <= TieNs || static_cast<double>(More - Less) * 100 <=
                                     static_cast<double>(More) * TiePercent;
}

} // namespace

Ranking instantrace::ranking(const std::vector<PairedSet> &Sets, Measure M,
                             size_t N) {
  auto callbackNs = [M](const PairedSet &Set) {
    return timeNs(Set.Total.Callback, M);
  };
  SetList Callback = firstBy(Sets, N, callbackNs);
  SetList Observer = firstBy(Sets, N, [M](const PairedSet &Set) {
    return timeNs(Set.Total.Observer, M);
  });
  Ranking R;
  R.Compared = Callback.size();
  for (size_t Index = 0; Index != R.Compared; ++Index) {
    R.Shared += std::find(Observer.begin(), Observer.end(), Callback[Index]) !=
                Observer.end();
    R.Violations +=
        Observer[Index] != Callback[Index] &&
        !isTied(callbackNs(*Observer[Index]), callbackNs(*Callback[Index]));
  }
  return R;
}
