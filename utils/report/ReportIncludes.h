/// \file
/// Which file includes which, with costs, as a tree of bounded size.
///
/// Flow:   IncludeChains -> [ReportIncludes] -> ReportModel
///
/// Of a tree that is too large, the files that take longest are kept, and what
/// chains of rows lead over. All others that one of these includes are one node
/// there, which says how many they are.
#pragma once

#include "utils/analysis/chains/IncludeChains.h"
#include "utils/report/ReportTexts.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace instantrace {

struct ReportInclude {
  uint32_t Outer = 0;  // its number from 1, smaller than the own; 0: none
  uint32_t Name = 0;   // ReportTexts: the path
  uint32_t LineNo = 0; // of the #include, in the outer one
  uint64_t Count = 0;
  uint64_t InclusiveNs = 0;
  uint64_t Others = 0; // so many nodes are folded here, and it has no name
};

/// What is kept besides the tree: where each node went.
struct ReportIncludes {
  std::vector<ReportInclude> Nodes;
  std::vector<uint32_t> NumberOf; // by node of the chains, from 1; 0: folded
};

/// At most \p MaxNodes, those of \p Wanted with what they are in, and one more
/// for each that has others inside.
ReportIncludes reportIncludes(const IncludeChains &Chains,
                              const std::vector<uint32_t> &Wanted,
                              size_t MaxNodes, ReportTexts &Texts);

} // namespace instantrace
