/// \file
/// A few hundred numbers for what a compile instantiates, so that compiles that
/// are called otherwise are known again.
///
/// Flow:   Sequence -> [CompileSketch] -> CompileMatch
/// Source: A. Broder, On the resemblance and containment of documents, 1997: of
///         two sets, the smallest hashes of each tell what share they have in
///         common
#pragma once

#include "runtime/read/Trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace instantrace {

struct CompileSketch {
  static constexpr size_t MostHashes = 512;
  /// With fewer, a share says nothing.
  static constexpr size_t FewestHashes = 4;
  std::vector<uint64_t> Hashes; ///< the smallest ones, ascending, each once
};

/// Of the names of specializations, whatever time they took.
CompileSketch sketchOf(const Sequence &S);
std::vector<CompileSketch> sketchesOf(const Trace &T);

/// What more than half of the compiles have, which tells none from another,
/// ascending: at most twice as many as of one. Nothing of fewer than four.
std::vector<uint64_t> commonHashes(const std::vector<CompileSketch> &Sketches);

/// Of the specializations of either, the share that both have, from 0 to 1;
/// without those in \p Common, which ascend. None of fewer than FewestHashes.
std::optional<double> sharedPart(const CompileSketch &A, const CompileSketch &B,
                                 const std::vector<uint64_t> &Common);

} // namespace instantrace
