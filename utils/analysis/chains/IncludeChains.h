/// \file
/// Over which #includes each file came to be read.
///
/// Flow:   Trace -> [IncludeChains] -> summary --by=header
/// Leaves: costs
///
/// From the intervals in which files were read, and so complete; the table of
/// inclusions has only those that a location needed.
#ifndef INSTANTRACE_UTILS_ANALYSIS_CHAINS_INCLUDECHAINS_H
#define INSTANTRACE_UTILS_ANALYSIS_CHAINS_INCLUDECHAINS_H

#include "runtime/read/Trace.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct IncludeChain {
  uint64_t Count = 0;       ///< how often the file was read over it
  uint64_t InclusiveNs = 0; ///< with everything it includes
  /// `file:line` of the #include of the file, of the one of that file, ...
  std::vector<std::string> Steps;
};

class IncludeChains {
public:
  /// Keeps nothing of the trace.
  explicit IncludeChains(const Trace &T);

  /// The most expensive first, equal ones by their steps. Empty for a file that
  /// nothing includes. Paths are normal (PathRules).
  std::vector<IncludeChain> chainsTo(const std::string &Path) const;

private:
  static constexpr uint32_t None = UINT32_MAX;
  struct Node {
    uint32_t Outer; ///< the inclusion of the file that has the #include
    uint32_t Path;
    uint32_t LineNo; ///< of the #include
    uint64_t Count = 0;
    uint64_t InclusiveNs = 0;
  };
  struct Step {
    uint32_t Outer, Path, LineNo;
    friend bool operator==(const Step &, const Step &) = default;
  };
  struct StepHash {
    size_t operator()(const Step &S) const {
      uint64_t Mixed = (uint64_t(S.Outer) << 32 | S.Path) * 0x9E3779B97F4A7C15;
      return static_cast<size_t>((Mixed ^ S.LineNo) * 0x9E3779B97F4A7C15);
    }
  };
  void add(const Sequence &S);
  uint32_t pathOf(const Sequence &S, NameId Path,
                  std::unordered_map<uint32_t, uint32_t> &Known);

  std::vector<std::string> Paths;
  std::unordered_map<std::string, uint32_t> ByPath;
  std::vector<Node> Nodes; ///< outer ones have smaller indices
  std::unordered_map<Step, uint32_t, StepHash> ByStep;
};

} // namespace instantrace

#endif
