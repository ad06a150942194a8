/// \file
/// Over which #includes each file came to be read.
///
/// Flow:   CostSink -> [IncludeChains] -> summary --by=header
/// Leaves: costs
///
/// From the intervals in which files were read, and so complete; the table of
/// inclusions has only those that a location needed.
#pragma once

#include "runtime/base/Hash.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/costs/CostFeed.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct IncludeChain {
  uint64_t Count = 0;       ///< how often the file was read over it
  uint64_t InclusiveNs = 0; ///< with everything it includes
  /// `file:line` of the #include of the file, of the one of that file, ...; of
  /// a longer chain the first ones.
  static constexpr size_t MostSteps = 256, MostBytes = 1 << 16;
  std::vector<std::string> Steps;
  uint64_t OtherSteps = 0;
  std::string Outermost; ///< the last of the other ones
};

struct IncludeChainList {
  std::vector<IncludeChain> Chains;
  uint64_t OtherChains = 0;
};

class IncludeChains : public IntervalListener {
public:
  /// A file that was read over one chain.
  struct Node {
    uint32_t Outer; ///< the inclusion of the file that has the #include
    uint32_t Path;
    uint32_t LineNo; ///< of the #include
    uint64_t Count = 0;
    uint64_t InclusiveNs = 0;
  };
  static constexpr uint32_t None = UINT32_MAX;

  void add(const IncludeChains &More);
  void enterSequence(const Sequence &Entered) override;
  void begin(const Interval &I) override;
  void end(const Interval &I, uint64_t InclusiveNs) override;
  /// Outer ones have smaller indices.
  const std::vector<Node> &nodes() const { return Nodes; }
  const std::vector<std::string> &paths() const { return Paths; }

  /// The \p Most most expensive, equal ones by their steps. Empty for a file
  /// that nothing includes. Paths are normal (PathRules).
  IncludeChainList chainsTo(const std::string &Path, size_t Most);
  /// The same as numbers of nodes; \p All is how many there are.
  std::vector<uint32_t> nodesTo(const std::string &Path, size_t Most,
                                size_t &All);

private:
  struct Step {
    uint32_t Outer, Path, LineNo;
    friend bool operator==(const Step &, const Step &) = default;
  };
  struct StepHash {
    size_t operator()(const Step &S) const {
      return static_cast<size_t>((hashPair(S.Outer, S.Path) ^ S.LineNo) *
                                 0x9E3779B97F4A7C15);
    }
  };
  uint32_t pathOf(const std::string &Normal);
  uint32_t nodeOf(const Step &Reached);
  bool isBefore(uint32_t A, uint32_t B) const;
  IncludeChain chain(uint32_t End) const;
  uint32_t pathOf(NameId Path);

  std::vector<std::string> Paths;
  std::unordered_map<std::string, uint32_t> ByPath;
  std::vector<Node> Nodes;
  std::vector<std::vector<uint32_t>> NodesOf; ///< by path, when it is asked for
  std::unordered_map<Step, uint32_t, StepHash> ByStep;
  // Of this sequence:
  const Sequence *S = nullptr;
  std::unordered_map<uint32_t, uint32_t> KnownPaths;
  std::vector<uint32_t> Open; ///< nodes
};

} // namespace instantrace
