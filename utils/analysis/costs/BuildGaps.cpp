#include "utils/analysis/costs/BuildGaps.h"

#include <algorithm>

using namespace instantrace;

namespace {

void addLinks(BuildGap &Gap, const std::vector<LinkTimes> &Links) {
  for (size_t I = 0; I != Links.size(); ++I) {
    const uint64_t BeginNs =
        std::max(Links[I].Times.BeginNs, Gap.Times.BeginNs);
    const uint64_t EndNs = std::min(Links[I].Times.EndNs, Gap.Times.EndNs);
    if (BeginNs < EndNs)
      Gap.Links.push_back({I, EndNs - BeginNs});
  }
  std::stable_sort(Gap.Links.begin(), Gap.Links.end(),
                   [](const BuildGap::Part &A, const BuildGap::Part &B) {
                     return A.Ns > B.Ns;
                   });
}

} // namespace

std::vector<BuildGap>
instantrace::buildGaps(std::vector<CompileTimes> Compiles,
                       const std::vector<LinkTimes> &Links,
                       CompileTimes Whole) {
  std::sort(Compiles.begin(), Compiles.end(),
            [](const CompileTimes &A, const CompileTimes &B) {
              return A.BeginNs < B.BeginNs;
            });
  std::vector<BuildGap> Gaps;
  uint64_t BusyUntilNs = Whole.BeginNs;
  auto Add = [&](uint64_t UntilNs, bool IsFirst, bool IsLast) {
    if (UntilNs > BusyUntilNs)
      Gaps.push_back({{BusyUntilNs, UntilNs}, IsFirst, IsLast, {}});
  };
  for (const CompileTimes &Each : Compiles) {
    Add(Each.BeginNs, &Each == &Compiles.front(), false);
    BusyUntilNs = std::max(BusyUntilNs, Each.EndNs);
  }
  Add(Whole.EndNs, false, true);
  for (BuildGap &Gap : Gaps)
    addLinks(Gap, Links);
  std::stable_sort(Gaps.begin(), Gaps.end(),
                   [](const BuildGap &A, const BuildGap &B) {
                     return A.Times.durationNs() > B.Times.durationNs();
                   });
  return Gaps;
}
