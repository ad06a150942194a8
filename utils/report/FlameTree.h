/// \file
/// The call paths of one build, or of two, as one tree of bounded size: by what
/// was being worked on, or by who requested it.
///
/// Flow:   events, KeptIntervals -> [FlameSink] of each trace -> [FlameTree]
///         -> ReportModel
/// Memory: FlameTree::MostNodes, and the paths of a trace
///
/// Paths of the old and the new build meet where names and kinds of work are
/// equal. Of a tree that is too large, the nodes with the largest share of
/// anything are kept: of time, intervals or memory, before or after. All others
/// below one kept node are one node there, which says how many they are, so
/// that every sum stays what it was.
#ifndef INSTANTRACE_UTILS_REPORT_FLAMETREE_H
#define INSTANTRACE_UTILS_REPORT_FLAMETREE_H

#include "runtime/base/KeyNumbers.h"
#include "runtime/read/TraceReader.h"
#include "utils/analysis/view/KeptIntervals.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/RequestedFrames.h"
#include "utils/export/CallTree.h"
#include "utils/report/ReportTexts.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// The paths of one trace, [0] around all: what an interval is in is the
/// interval around it, and in the other tree, of a body that came late, the one
/// that it was asked for in. The times of the latter are in no time of what
/// they are in, but sums of subtrees are.
struct FlamePaths {
  std::vector<CallTree::Node> Around, Requested;
  std::vector<ExportFrame> Frames;
};

/// Of the round before.
using KeptByFile = std::unordered_map<std::string, KeptIntervals>;

class FlameSink final : public TraceSink, EventSink {
public:
  /// A picture of more levels is taller than anybody scrolls.
  static constexpr uint64_t MostDepth = 256;

  /// All must outlive it. \p T is what the trace is read into.
  FlameSink(const Trace &T, const KeptByFile &Kept, bool HasRequests,
            const NameStyle &Style, size_t NameBytes)
      : Kept(Kept), HasRequests(HasRequests),
        Frames(T, Style, NameBytes, ExportFrames::Says::NameOnly) {}

  void beginTrace(const std::string &Name) override { File = &Kept.at(Name); }
  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override {}
  FlamePaths take();

private:
  struct Place {
    uint32_t Node; ///< its own, or that of what it is in
    bool IsKept;
  };
  struct OpenInterval {
    Place Around, Requested;
  };

  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I,
           const ElidedLeaves &Leaves) override;
  void instant(const Instant &) override {} // takes no time
  void add(CallTree &Tree, const Place &At, const Interval &I, uint64_t SelfNs,
           const ElidedLeaves &Leaves);

  const KeptByFile &Kept;
  const KeptIntervals *File = nullptr;
  const bool HasRequests;
  ExportFrames Frames;
  CallTree Around, Requested;
  LookAhead Ahead;
  // Of this sequence:
  const std::vector<bool> *IsKept = nullptr;
  uint32_t Root = 0, RequestedRoot = 0;
  std::vector<OpenInterval> Open;
  OpenTimes Times;
  RequestedFrames<uint32_t> Requesters; ///< nodes
};

struct FlameNode {
  uint32_t Parent = 0;         // smaller than the own number
  uint32_t Name = 0, Kind = 0; // ReportTexts; Kind 0: no event
  uint64_t Others = 0; // so many nodes are folded here, and it has no name
  ExportCost Self, OldSelf;
};

class FlameTree {
public:
  /// Of more nodes, half are kept.
  static constexpr size_t MostNodes = size_t(1) << 20;
  explicit FlameTree(size_t Most = MostNodes) : Most(Most) {}

  /// What a frame of the old build is called in the new one.
  using Rename = std::function<std::string(const ExportFrame &)>;

  /// \p Side is FlameNode::Self, or OldSelf of an old build, whose frames may
  /// be renamed.
  void add(const std::vector<CallTree::Node> &Calls,
           const std::vector<ExportFrame> &Frames, ExportCost FlameNode::*Side,
           const Rename &Renamed = {});

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
  std::vector<bool> kept(size_t MaxNodes) const;
  std::vector<FlameNode> foldedNodes(size_t MaxNodes) const;
  void cut();

  const size_t Most;
  ReportTexts Texts; // of all nodes
  std::vector<FlameNode> Nodes{1};
  KeyNumbers<Step, StepHash> Known; // the first one is Nodes[1]
};

} // namespace instantrace

#endif
