/// \file
/// A few hundred numbers for what a compile instantiates, so that compiles that
/// are called otherwise are known again.
///
/// Flow:   Sequence -> [CompileSketch] -> CompileMatch
/// Source: A. Broder, On the resemblance and containment of documents, 1997: of
///         two sets, the smallest hashes of each tell what share they have in
///         common
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_COMPILESKETCH_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_COMPILESKETCH_H

#include "runtime/read/Trace.h"

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace instantrace {

struct CompileSketch {
  static constexpr size_t MostHashes = 512;
  std::vector<uint64_t> Hashes; ///< the smallest ones, ascending, each once
};

/// Of the names of specializations, whatever time they took.
CompileSketch sketchOf(const Sequence &S);
std::vector<CompileSketch> sketchesOf(const Trace &T);

/// What more than half of the compiles have, which tells none from another;
/// nothing of fewer than four.
std::unordered_set<uint64_t>
commonHashes(const std::vector<CompileSketch> &Sketches);

/// Of the specializations of either, the share that both have, from 0 to 1;
/// without those in \p Common. 0 of fewer than four.
double sharedPart(const CompileSketch &A, const CompileSketch &B,
                  const std::unordered_set<uint64_t> &Common);

} // namespace instantrace

#endif
