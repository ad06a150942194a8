#include "utils/store/Steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace instantrace;

namespace {

double noiseOf(const std::vector<double> &Values) {
  std::vector<double> Changes;
  for (size_t I = 1; I < Values.size(); ++I)
    Changes.push_back(std::abs(Values[I] - Values[I - 1]));
  // The lower one of two, so that one step among three is none.
  auto Middle =
      Changes.begin() + static_cast<std::ptrdiff_t>((Changes.size() - 1) / 2);
  std::nth_element(Changes.begin(), Middle, Changes.end());
  return *Middle / (0.6745 * std::sqrt(2.0));
}

double meanOf(const std::vector<double> &Values, size_t Begin, size_t End) {
  double Sum = 0;
  for (size_t I = Begin; I != End; ++I)
    Sum += Values[I];
  return Sum / static_cast<double>(End - Begin);
}

/// Where a cut explains most. Requires: two values at least.
Step bestCut(const std::vector<double> &Values, size_t Begin, size_t End) {
  // Around the mean, so that sums of squares keep their digits.
  double Whole = meanOf(Values, Begin, End);
  double Left = 0, Best = -1;
  size_t Index = Begin + 1;
  for (size_t I = Begin + 1; I != End; ++I) {
    Left += Values[I - 1] - Whole;
    double Gain = Left * Left / static_cast<double>(I - Begin) +
                  Left * Left / static_cast<double>(End - I);
    if (Gain > Best) {
      Best = Gain;
      Index = I;
    }
  }
  return {Index, meanOf(Values, Begin, Index), meanOf(Values, Index, End),
          Index - Begin, End - Index};
}

bool isStep(const Step &S, double Noise) {
  double Change = std::abs(S.After - S.Before);
  double Deviation =
      Noise * std::sqrt(1.0 / static_cast<double>(S.BuildsBefore) +
                        1.0 / static_cast<double>(S.BuildsAfter));
  return Change > StepDeviations * Deviation &&
         Change > LeastStepShare * std::abs(S.Before);
}

} // namespace

Steps instantrace::findSteps(const std::vector<double> &Values,
                             bool AreCounts) {
  Steps Result;
  if (AreCounts) {
    for (size_t I = 1; I < Values.size(); ++I)
      if (Values[I] != Values[I - 1])
        Result.Found.push_back({I, Values[I - 1], Values[I], 1, 1});
    return Result;
  }
  Result.IsNoiseKnown = Values.size() >= LeastTimes;
  if (!Result.IsNoiseKnown)
    return Result;
  Result.Noise = noiseOf(Values);
  std::vector<std::pair<size_t, size_t>> Parts = {{0, Values.size()}};
  while (!Parts.empty()) {
    auto [Begin, End] = Parts.back();
    Parts.pop_back();
    if (End - Begin < 2)
      continue;
    Step S = bestCut(Values, Begin, End);
    if (!isStep(S, Result.Noise))
      continue;
    Result.Found.push_back(S);
    Parts.emplace_back(Begin, S.End);
    Parts.emplace_back(S.End, End);
  }
  std::sort(Result.Found.begin(), Result.Found.end(),
            [](const Step &A, const Step &B) { return A.End < B.End; });
  return Result;
}
