/// \file
/// The call paths of one build, or of two, as one tree of bounded size: by what
/// was being worked on, or by who requested it.
///
/// Flow:   walkCosts -> CallTree -> [FlameTree] -> ReportModel
///
/// Paths of the old and the new build meet where names and kinds of work are
/// equal. Of a tree that is too large, the nodes with the largest share of
/// anything are kept: of time, intervals or memory, before or after. All others
/// below one kept node are one node there, which says how many they are, so
/// that every sum stays what it was.
#ifndef INSTANTRACE_UTILS_REPORT_FLAMETREE_H
#define INSTANTRACE_UTILS_REPORT_FLAMETREE_H

#include "runtime/base/KeyNumbers.h"
#include "utils/export/CallTree.h"
#include "utils/export/ExportJob.h"
#include "utils/report/ReportTexts.h"

#include <functional>
#include <string>
#include <vector>

namespace instantrace {

struct FlameNode {
  uint32_t Parent = 0;         // smaller than the own number
  uint32_t Name = 0, Kind = 0; // ReportTexts; Kind 0: no event
  uint64_t Others = 0; // so many nodes are folded here, and it has no name
  ExportCost Self, OldSelf;
};

/// What an interval is in: the interval around it; or, of a body that came
/// late, the one that it was asked for in. The times of the latter are in no
/// time of what they are in, but sums of subtrees are.
enum class FlameNesting { Around, Requested };

class FlameTree {
public:
  explicit FlameTree(FlameNesting By) : By(By) {}

  /// What a frame of the old build is called in the new one.
  using Rename = std::function<std::string(const ExportFrame &)>;

  void add(const ExportJob &Job) { add(Job, &FlameNode::Self, {}); }
  void addOld(const ExportJob &Job, const Rename &Renamed) {
    add(Job, &FlameNode::OldSelf, Renamed);
  }

  /// After the last add(): forgets what nodes are found with.
  void finish() { Known = {}; }

  /// [0] is the whole. At most \p MaxNodes, which is 1 at least, and one more
  /// for each that has others inside. Their names and kinds are put into
  /// \p Into, and no others.
  std::vector<FlameNode> folded(size_t MaxNodes, ReportTexts &Into) const;

private:
  struct Step {
    uint32_t Parent, Name, Kind;
    friend bool operator==(const Step &, const Step &) = default;
  };
  struct StepHash {
    uint64_t operator()(const Step &S) const {
      uint64_t Names = uint64_t(S.Name) << 32 | S.Kind;
      return (Names ^ uint64_t(S.Parent) << 20) * 0x9E3779B97F4A7C15u;
    }
  };
  std::vector<Step> stepsOf(const ExportJob &Job, const Rename &Renamed,
                            std::vector<CallTree::Node> &Calls);
  void add(const ExportJob &Job, ExportCost FlameNode::*Side,
           const Rename &Renamed);
  std::vector<bool> kept(size_t MaxNodes) const;

  const FlameNesting By;
  ReportTexts Texts; // of all nodes
  std::vector<FlameNode> Nodes{1};
  KeyNumbers<Step, StepHash> Known; // the first one is Nodes[1]
};

} // namespace instantrace

#endif
