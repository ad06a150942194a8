/// \file
/// Where a series of numbers goes up or down for good.
///
/// Flow:   a number of each build -> [findSteps] -> regression
///
/// Counts are the same whenever the same is compiled, so each change is one.
/// Times are not: the series is cut in two where that explains most of its
/// variance, and each part again, as long as the means on both sides differ by
/// more than the noise allows.
///
/// Noise is the standard deviation of a single build, from the median of the
/// absolute differences of neighbours, which a few steps do not change.
///
/// Source: binary segmentation (Scott and Knott 1974); median of absolute
///         deviations (Hampel 1974), 0.6745 of it for a normal distribution
#pragma once

#include <cstddef>
#include <vector>

namespace instantrace {

struct Step {
  size_t End = 0;               ///< the first value after it
  double Before = 0, After = 0; ///< the means; of counts the values beside it
  size_t BuildsBefore = 0, BuildsAfter = 0; ///< that the means are of
};

struct Steps {
  double Noise = 0;         ///< of one value, in its unit; 0 of counts
  bool IsNoiseKnown = true; ///< false: there are too few values
  std::vector<Step> Found;  ///< by End
};

/// A mean within so many standard deviations is no step, nor is one within so
/// much of the value before.
inline constexpr double StepDeviations = 4, LeastStepShare = 0.01;
/// Fewer values do not tell noise from steps.
inline constexpr size_t LeastTimes = 4;

Steps findSteps(const std::vector<double> &Values, bool AreCounts);

} // namespace instantrace
