#include "utils/report/FlameTree.h"

#include "utils/analysis/costs/OtherWork.h"
#include "utils/analysis/costs/RowIndex.h"
#include "utils/render/CleanText.h"
#include "utils/render/EventLine.h"

#include <algorithm>
#include <array>

using namespace instantrace;

namespace {

constexpr std::array<uint64_t ExportCost::*, 3> TreeMetrics = {
    &ExportCost::Ns, &ExportCost::Count, &ExportCost::AstBytes};

} // namespace

void FlameFrames::enterSequence(uint32_t Index) {
  S = &T.Sequences[Index];
  SequenceIndex = Index;
  OfEntity = {};
  FrameOfEntity.clear();
}

uint32_t FlameFrames::add(uint32_t Kind, FlameFrame Frame) {
  auto [Number, IsNew] = Known.add({Frame.Key, Kind});
  if (IsNew)
    Frames.push_back(std::move(Frame));
  return Number;
}

uint32_t FlameFrames::frameFor(EventKind Kind, EntityId Entity) {
  const auto KindNumber = static_cast<uint32_t>(Kind);
  auto [Number, IsNew] =
      OfEntity.add(uint64_t(Entity.Value) << 32 | KindNumber);
  if (IsNew)
    FrameOfEntity.push_back(add(KindNumber, make(Kind, Entity)));
  return FrameOfEntity[Number];
}

FlameFrame FlameFrames::make(EventKind Kind, EntityId Entity) const {
  FlameFrame Frame;
  Frame.Kind = eventKindName(Kind);
  Frame.EventOf = Kind;
  Frame.IsPath = Kind == EventKind::FileInclusion;
  const instantrace::Entity *E = S->entity(Entity);
  if (E && S->Names.key(E->Name).SizeBytes != 0) {
    Frame.Key = S->Names.key(E->Name);
    Frame.SequenceIndex = SequenceIndex;
    Frame.Name = E->Name;
    return Frame;
  }
  if (!E || !S->Names.contains(E->Name))
    Frame.Text = entityText(*S, Entity, Style, NameBytes);
  // Words for others are about their self time, and a frame has all inside it.
  if (Frame.Text.empty() && Kind == EventKind::PendingInstantiations)
    Frame.Text = otherWorkWords(surroundingsName(Kind));
  if (Frame.Text.empty())
    Frame.Text = Frame.Kind;
  Frame.Key = Dictionary::keyOf(Frame.Text);
  return Frame;
}

uint32_t FlameFrames::ofInput() {
  return fixed(inputText(T, *S), /*IsPath=*/true);
}

uint32_t FlameFrames::fixed(std::string_view Name, bool IsPath) {
  FlameFrame Frame;
  Frame.Key = Dictionary::keyOf(Name);
  Frame.Text = Name;
  Frame.IsPath = IsPath;
  return add(Fixed, std::move(Frame));
}

EventSink &FlameSink::beginSequence(uint32_t Index) {
  Frames.enterSequence(Index);
  Requesters.enter(Ahead);
  IsKept = &File->Kept[Index];
  Root = Around.child(0, Frames.ofInput());
  if (HasRequests)
    RequestedRoot = Requested.child(0, Frames.ofInput());
  return *this;
}

void FlameSink::begin(IntervalId Id, const Interval &I) {
  const uint32_t Frame =
      (*IsKept)[Id.Value] ? Frames.frameFor(I.Kind, I.Entity) : 0;
  OpenInterval O;
  O.Around = {Open.empty() ? Root : Open.back().Around.Node,
              (*IsKept)[Id.Value]};
  if (O.Around.IsKept)
    O.Around.Node = Around.child(O.Around.Node, Frame);
  if (HasRequests) {
    const uint32_t *Requester =
        I.Requester ? Requesters.find(I.Requester) : nullptr;
    O.Requested.Node = Requester      ? *Requester
                       : Open.empty() ? RequestedRoot
                                      : Open.back().Requested.Node;
    // The input is around what has a depth.
    O.Requested.IsKept = O.Around.IsKept &&
                         Requested.nodes()[O.Requested.Node].Depth <= MostDepth;
    if (O.Requested.IsKept)
      O.Requested.Node = Requested.child(O.Requested.Node, Frame);
    if (Requesters.isWanted(Id))
      Requesters.keep(O.Requested.Node);
  }
  Open.push_back(O);
  Times.begin();
}

void FlameSink::end(IntervalId, const Interval &I, const ElidedLeaves &Leaves) {
  const OpenInterval O = Open.back();
  Open.pop_back();
  const uint64_t SelfNs = Times.end(I).SelfNs;
  add(Around, O.Around, I, SelfNs, Leaves);
  if (HasRequests)
    add(Requested, O.Requested, I, SelfNs, Leaves);
}

/// What is not kept is folded in the next one outwards that is.
void FlameSink::add(CallTree &Tree, const Place &P, const Interval &I,
                    uint64_t SelfNs, const ElidedLeaves &Leaves) {
  if (!P.IsKept) {
    Tree.add(Tree.child(P.Node, Frames.fixed(FoldedFrame)),
             {SelfNs, I.AstBytes, 1});
    return;
  }
  if (I.HasElided) {
    // A lying trace has no more of them than there is time.
    uint64_t ElidedNs = std::min(Leaves.SumNs, SelfNs);
    Tree.add(Tree.child(P.Node, Frames.fixed(ElidedFrame)),
             {ElidedNs, 0, Leaves.Count});
    SelfNs -= ElidedNs;
  }
  Tree.add(P.Node, {SelfNs, I.AstBytes, 1});
}

FlamePaths FlameSink::take() {
  return {Around.take(), Requested.take(), Frames.take()};
}

std::vector<uint32_t> MergedFrames::add(const std::vector<FlameFrame> &Added,
                                        MergedNames &Names,
                                        const Rename &Renamed) {
  std::vector<uint32_t> Numbers;
  Numbers.reserve(Added.size());
  for (const FlameFrame &F : Added) {
    const uint32_t Kind =
        F.Kind.empty() ? FlameFrames::Fixed : static_cast<uint32_t>(F.EventOf);
    // It is found where the same path of the new build is.
    const std::string Path = Renamed && F.IsPath ? Renamed(F) : std::string();
    const NameKey Key = Path.empty() ? F.Key : Dictionary::keyOf(Path);
    auto [Number, IsNew] = Known.add({Key, Kind});
    Numbers.push_back(Number + 1);
    if (!IsNew)
      continue;
    Frame &Made = Frames.emplace_back(Frame{F.Kind, F.Text});
    if (!Path.empty()) {
      Made.Text = Path;
    } else if (F.Text.empty()) {
      Made.Names = &Names;
      Made.Name =
          Names.add(RowName::named(F.SequenceIndex, {F.Name})).Name.Entry;
    }
  }
  return Numbers;
}

std::string MergedFrames::text(uint32_t Number, const NameStyle &Style,
                               size_t LimitBytes) const {
  const Frame &F = Frames[Number];
  if (!F.Names)
    return F.Text;
  std::string Text = boundedName(F.Names->trace().Sequences.front().Names,
                                 F.Name, Style, LimitBytes);
  return Text.empty() ? std::string(F.Kind) : Text;
}

void FlameTree::add(const std::vector<CallTree::Node> &Calls,
                    const std::vector<uint32_t> &Frames,
                    ExportCost FlameNode::*Side) {
  const auto Own = Side == &FlameNode::Self ? &Node::Self : &Node::OldSelf;
  std::vector<uint32_t> Merged(Calls.size());
  for (size_t Index = 1; Index < Merged.size(); ++Index) {
    const CallTree::Node &Call = Calls[Index];
    const uint32_t Parent = Merged[Call.Parent], Frame = Frames[Call.Frame];
    auto [Number, IsNew] = Known.add(uint64_t(Parent) << 32 | Frame);
    if (IsNew)
      Nodes.push_back({Parent, Frame, 0, {}, {}});
    Merged[Index] = Number + 1;
    Nodes[Merged[Index]].*Own += Call.Self;
  }
  if (Nodes.size() > Most)
    cut();
}

/// What is folded has no frame, which no other node lacks.
void FlameTree::cut() {
  IsCut = true;
  Nodes = foldedNodes(Most / 2);
  Known = {};
  for (size_t Index = 1; Index != Nodes.size(); ++Index)
    Known.add(uint64_t(Nodes[Index].Parent) << 32 | Nodes[Index].Frame);
}

/// A node's share is never larger than its parent's, and of equal shares the
/// first ones are kept, so what is kept is a tree.
std::vector<bool> FlameTree::kept(size_t MaxNodes) const {
  std::vector<double> Share(Nodes.size());
  std::vector<uint64_t> Inclusive(Nodes.size());
  for (auto Side : {&Node::Self, &Node::OldSelf})
    for (auto Metric : TreeMetrics) {
      for (size_t Index = 0; Index != Nodes.size(); ++Index)
        Inclusive[Index] = Nodes[Index].*Side.*Metric;
      for (size_t Index = Nodes.size(); --Index != 0;)
        Inclusive[Nodes[Index].Parent] += Inclusive[Index];
      for (size_t Index = 0; Inclusive[0] != 0 && Index != Nodes.size();
           ++Index)
        Share[Index] = std::max(Share[Index], double(Inclusive[Index]) /
                                                  double(Inclusive[0]));
    }
  std::vector<bool> Keeps(Nodes.size(), Nodes.size() <= MaxNodes);
  if (Keeps[0])
    return Keeps;
  std::vector<uint32_t> Order(Nodes.size());
  for (uint32_t Index = 0; Index != Order.size(); ++Index)
    Order[Index] = Index;
  std::nth_element(Order.begin(),
                   Order.begin() + static_cast<std::ptrdiff_t>(MaxNodes),
                   Order.end(), [&Share](uint32_t A, uint32_t B) {
                     return Share[A] != Share[B] ? Share[A] > Share[B] : A < B;
                   });
  for (size_t I = 0; I != MaxNodes; ++I)
    Keeps[Order[I]] = true;
  Keeps[0] = true;
  return Keeps;
}

std::vector<FlameNode> FlameTree::folded(size_t MaxNodes,
                                         const FrameTexts &TextOf) const {
  struct Step {
    uint32_t Parent, Name, Kind;
    bool operator==(const Step &) const = default;
  };
  struct StepHash {
    uint64_t operator()(const Step &S) const {
      uint64_t Names = uint64_t(S.Name) << 32 | S.Kind;
      return (Names ^ uint64_t(S.Parent) << 20) * 0x9E3779B97F4A7C15u;
    }
  };
  const std::vector<Node> All = foldedNodes(MaxNodes);
  std::vector<FlameNode> Shown{
      {.Self = All[0].Self, .OldSelf = All[0].OldSelf}};
  KeyNumbers<Step, StepHash> Known; // the first one is Shown[1]
  std::vector<uint32_t> ShownAs(All.size());
  for (size_t Index = 1; Index != All.size(); ++Index) {
    const Node &N = All[Index];
    const FrameText Text = N.Frame == 0 ? FrameText{} : TextOf(N.Frame);
    const uint32_t Parent = ShownAs[N.Parent];
    auto [Number, IsNew] = Known.add({Parent, Text.Name, Text.Kind});
    if (IsNew)
      Shown.push_back({Parent, Text.Name, Text.Kind, 0, {}, {}});
    ShownAs[Index] = Number + 1;
    FlameNode &Into = Shown[ShownAs[Index]];
    Into.Others += N.Others;
    Into.Self += N.Self;
    Into.OldSelf += N.OldSelf;
  }
  return Shown;
}

std::vector<FlameTree::Node> FlameTree::foldedNodes(size_t MaxNodes) const {
  std::vector<bool> Keeps = kept(MaxNodes);
  std::vector<Node> Folded;
  std::vector<uint32_t> NewNumber(Nodes.size());   // of what it is in now
  std::unordered_map<uint32_t, uint32_t> OthersOf; // by kept parent
  for (size_t Index = 0; Index != Nodes.size(); ++Index) {
    const Node &N = Nodes[Index];
    uint32_t Parent = NewNumber[N.Parent];
    auto Number = static_cast<uint32_t>(Folded.size());
    if (Keeps[Index] && N.Others == 0) {
      NewNumber[Index] = Number;
      Folded.push_back(N);
      Folded.back().Parent = Parent;
      continue;
    }
    if (Folded[Parent].Others == 0) {
      auto [Found, IsNew] = OthersOf.try_emplace(Parent, Number);
      if (IsNew)
        Folded.push_back({Parent, 0, 0, {}, {}});
      Parent = Found->second;
    }
    NewNumber[Index] = Parent;
    Node &Others = Folded[Parent];
    Others.Others += std::max<uint64_t>(N.Others, 1);
    Others.Self += N.Self;
    Others.OldSelf += N.OldSelf;
  }
  return Folded;
}
