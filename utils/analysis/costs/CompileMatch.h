/// \file
/// Which compiles of two sets of traces are of the same translation unit.
///
/// Flow:   two Traces -> [matchCompiles] -> costs of each
///
/// Builds to compare often lie in two folders: /base/build and /branch/build.
/// So inputs are compared by the end of their paths, as many components as
/// agree, and what precedes these is the root of the one tree and of the other.
/// What is left was renamed, or is new: a file that instantiates the same as no
/// other does is the same, and so is one whose name differs in its ending
/// alone.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/costs/CompileSketch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct MatchedCompile {
  uint32_t Old = 0, New = 0; ///< into Trace::Sequences
};

/// One of the pairs, whose files have different names.
struct RenamedCompile {
  uint32_t Old = 0, New = 0;
  /// Of the specializations of either, in both: 0 to 1. None: they are too few.
  std::optional<double> Shared;
};

struct CompileMatch {
  std::vector<MatchedCompile> Pairs;      ///< by Old
  std::vector<RenamedCompile> Renamed;    ///< by Old
  std::vector<uint32_t> OnlyOld, OnlyNew; ///< ascending
  /// The folders that the trees lie in, by most of the pairs; both empty where
  /// paths are the same.
  std::string OldRoot, NewRoot;

  /// Those of the pairs.
  std::vector<uint32_t> oldCompiles() const;
  std::vector<uint32_t> newCompiles() const;
};

/// Each compile has one partner at most: of those with the same file name that
/// with the most components in common from the end of the path, then from that
/// of the object's, then with the same target; then the first. A compile on
/// either side alone is matched whatever it is called. Of what has no partner
/// then, two are if they have at least half of their specializations in common,
/// and both at least a tenth more than with any other; or if their files' names
/// without the ending are those of no other, and no less than a tenth of their
/// specializations are known to be in common. Sketches are by sequence; without
/// them nothing is found to be renamed.
CompileMatch matchCompiles(const Trace &Old, const Trace &New,
                           const std::vector<CompileSketch> &OldSketches = {},
                           const std::vector<CompileSketch> &NewSketches = {});

/// Moves from \p Only to \p Compared what makes a precompiled header or a
/// module for one of the latter, whose work may have moved there. Returns it,
/// ascending.
std::vector<uint32_t> takePrerequisites(const Trace &Build,
                                        std::vector<uint32_t> &Compared,
                                        std::vector<uint32_t> &Only);

/// What compiles are matched by, and the names of the files, of a trace that
/// then need not stay.
Trace identityOf(const Trace &T);

/// The source file of a compile as an absolute path, as far as is known.
std::string inputPath(const Sequence &S);
/// Likewise what it makes, and the precompiled headers and modules that it
/// uses.
std::string productPath(const Sequence &S);
std::vector<std::string> usedProducts(const Sequence &S);

/// Compiles with equal ones are partners rather than others. Valid as long as
/// the path.
std::string_view lastComponent(std::string_view Path);

} // namespace instantrace
