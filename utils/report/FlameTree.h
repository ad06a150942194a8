/// \file
/// The call paths of one build, or of two, as one tree of bounded size: by what
/// was being worked on, or by who requested it.
///
/// Flow:   events, KeptIntervals -> [FlameSink] of each trace -> [FlameTree]
///         -> ReportModel
/// Memory: FlameTree::MostNodes, a number for each frame, and the paths of a
///         trace. Texts are made of what is shown
///
/// Paths of several traces, and of the old and the new build, meet where names
/// and kinds of work are equal. Names are compared by their keys, as in tables,
/// and by what is shown of them: one Clang says which arguments are defaults,
/// and another one does not. Of a tree that is too
/// large, the nodes with the largest share of anything are kept: of time,
/// intervals or memory, before or after. All others below one kept node are one
/// node there, which says how many they are, so that every sum stays what it
/// was.
#pragma once

#include "runtime/base/KeyNumbers.h"
#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/view/KeptIntervals.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/RequestedFrames.h"
#include "utils/export/CallTree.h"
#include "utils/export/ExportFrames.h"
#include "utils/report/ReportTexts.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// What a node is of: a name of its trace, or a text.
struct FlameFrame {
  NameKey Key;
  std::string_view Kind; ///< of event; empty: an input, a fold, elided leaves
  EventKind EventOf{};   ///< likewise
  std::string Text;      ///< clean; empty: a name
  uint32_t SequenceIndex = 0;
  NameId Name = {};
  bool IsPath = false; ///< which may be another one in another build
};

/// The frames of a trace.
class FlameFrames {
public:
  /// \p T must outlive it.
  FlameFrames(const Trace &T, const NameStyle &Style, size_t NameBytes)
      : T(T), Style(Style), NameBytes(NameBytes) {}

  void enterSequence(uint32_t Index);
  uint32_t frameFor(EventKind Kind, EntityId Entity);
  uint32_t ofInput();
  uint32_t fixed(std::string_view Name, bool IsPath = false);
  /// Ends the life of the object.
  std::vector<FlameFrame> take() { return std::move(Frames); }

private:
  friend class MergedFrames;
  struct Key {
    NameKey Name;
    uint32_t Kind; ///< Fixed: none
    friend bool operator==(const Key &, const Key &) = default;
  };
  static constexpr uint32_t Fixed = UINT32_MAX;
  struct KeyHash {
    uint64_t operator()(const Key &K) const {
      return NameKeyHash()(K.Name) ^ uint64_t(K.Kind) << 32;
    }
  };
  using Numbers = KeyNumbers<Key, KeyHash>;

  FlameFrame make(EventKind Kind, EntityId Entity) const;
  uint32_t add(uint32_t Kind, FlameFrame Frame);

  const Trace &T;
  const NameStyle Style;
  const size_t NameBytes;
  std::vector<FlameFrame> Frames;
  Numbers Known; ///< by number of the frame
  // Of this sequence:
  const Sequence *S = nullptr;
  uint32_t SequenceIndex = 0;
  KeyNumbers<uint64_t, PairHash> OfEntity; ///< and kind
  std::vector<uint32_t> FrameOfEntity;     ///< by number there
};

/// The paths of one trace, [0] around all: what an interval is in is the
/// interval around it, and in the other tree, of a body that came late, the one
/// that it was asked for in. The times of the latter are in no time of what
/// they are in, but sums of subtrees are.
struct FlamePaths {
  std::vector<CallTree::Node> Around, Requested;
  std::vector<FlameFrame> Frames;
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
      : Kept(Kept), HasRequests(HasRequests), Frames(T, Style, NameBytes) {}

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
  void add(CallTree &Tree, const Place &P, const Interval &I, uint64_t SelfNs,
           const ElidedLeaves &Leaves);

  const KeptByFile &Kept;
  const KeptIntervals *File = nullptr;
  const bool HasRequests;
  FlameFrames Frames;
  CallTree Around, Requested;
  LookAhead Ahead;
  // Of this sequence:
  const std::vector<bool> *IsKept = nullptr;
  uint32_t Root = 0, RequestedRoot = 0;
  std::vector<OpenInterval> Open;
  OpenTimes Times;
  RequestedFrames<uint32_t> Requesters; ///< nodes
};

struct FrameText {
  uint32_t Name = 0, Kind = 0; // ReportTexts; Kind 0: no event
};

struct FlameNode {
  uint32_t Parent = 0;         // smaller than the own number
  uint32_t Name = 0, Kind = 0; // ReportTexts; Kind 0: no event
  uint64_t Others = 0; // so many nodes are folded here, and it has no name
  ExportCost Self, OldSelf;
};

/// The frames of all traces. 0 is none.
class MergedFrames {
public:
  /// What a path of the old build is in the new one.
  using Rename = std::function<std::string(const FlameFrame &)>;

  /// The numbers of a trace's frames, which \p Names entered last and which
  /// must outlive this. \p Renamed is empty in the new build.
  std::vector<uint32_t> add(const std::vector<FlameFrame> &Frames,
                            MergedNames &Names, const Rename &Renamed);
  std::string_view kind(uint32_t Frame) const { return Frames[Frame].Kind; }
  /// Clean.
  std::string text(uint32_t Frame, const NameStyle &Style,
                   size_t LimitBytes) const;

private:
  struct Frame {
    std::string_view Kind;
    std::string Text; ///< empty: a name
    const MergedNames *Names = nullptr;
    NameId Name = {};
  };
  std::vector<Frame> Frames{1};
  FlameFrames::Numbers Known; ///< from Frames[1] on
};

class FlameTree {
public:
  /// Of more nodes, half are kept.
  static constexpr size_t MostNodes = size_t(1) << 20;
  explicit FlameTree(size_t Most = MostNodes) : Most(Most) {}

  /// \p Frames are those of the trace in MergedFrames. \p Side is
  /// FlameNode::Self, or OldSelf of an old build.
  void add(const std::vector<CallTree::Node> &Calls,
           const std::vector<uint32_t> &Frames, ExportCost FlameNode::*Side);
  /// Whether there were more nodes than are kept.
  bool isCut() const { return IsCut; }

  /// [0] is the whole. At most \p MaxNodes, which is 1 at least, and one more
  /// for each that has others inside. \p TextOf gives the text and the kind of
  /// a frame; of what is inside one node and looks alike, there is one.
  using FrameTexts = std::function<FrameText(uint32_t Frame)>;
  std::vector<FlameNode> folded(size_t MaxNodes,
                                const FrameTexts &TextOf) const;

private:
  struct Node {
    uint32_t Parent = 0; // smaller than the own number
    uint32_t Frame = 0;
    uint64_t Others = 0; // as FlameNode
    ExportCost Self, OldSelf;
  };
  std::vector<bool> kept(size_t MaxNodes) const;
  std::vector<Node> foldedNodes(size_t MaxNodes) const;
  void cut();

  const size_t Most;
  bool IsCut = false;
  std::vector<Node> Nodes{1};
  /// By parent and frame; the first one is Nodes[1].
  KeyNumbers<uint64_t, PairHash> Known;
};

} // namespace instantrace
