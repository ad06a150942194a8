/// \file
/// Which compiles of two sets of traces are of the same translation unit.
///
/// Flow:   two Traces -> [matchCompiles] -> keepCompiles -> costs of each
///
/// Builds to compare often lie in two folders: /base/build and /branch/build.
/// So inputs are compared by the end of their paths, as many components as
/// agree, and what precedes these is the root of the one tree and of the other.
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_COMPILEMATCH_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_COMPILEMATCH_H

#include "runtime/read/Trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct MatchedCompile {
  uint32_t Old = 0, New = 0; ///< into Trace::Sequences
};

struct CompileMatch {
  std::vector<MatchedCompile> Pairs;      ///< by Old
  std::vector<uint32_t> OnlyOld, OnlyNew; ///< ascending
  /// The folders that the trees lie in, by most of the pairs; both empty where
  /// paths are the same.
  std::string OldRoot, NewRoot;
};

/// Each compile has one partner at most: of those with the same file name that
/// with the most components in common from the end of the path, then from that
/// of the object's, then with the same target; then the first. A compile on
/// either side alone is matched whatever it is called.
CompileMatch matchCompiles(const Trace &Old, const Trace &New);

/// The source file of a compile as an absolute path, as far as is known.
std::string inputPath(const Sequence &S);

/// Compiles with equal ones are partners rather than others. Valid as long as
/// the path.
std::string_view lastComponent(std::string_view Path);

/// Drops all other compiles; the rest are in the order of \p Kept, which names
/// each once.
void keepCompiles(Trace &T, const std::vector<uint32_t> &Kept);
/// Drops what has no partner; compiles of one index are partners then.
void keepPairs(Trace &Old, Trace &New, const CompileMatch &Match);

} // namespace instantrace

#endif
