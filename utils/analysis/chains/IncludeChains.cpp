#include "utils/analysis/chains/IncludeChains.h"

#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>

using namespace instantrace;

uint32_t IncludeChains::pathOf(NameId Path) {
  auto [Entry, IsNew] = KnownPaths.try_emplace(Path.Value, None);
  return IsNew ? Entry->second = pathOf(normalPathOf(*S, Path)) : Entry->second;
}

uint32_t IncludeChains::pathOf(const std::string &Normal) {
  auto [Entry, IsNew] =
      ByPath.try_emplace(Normal, static_cast<uint32_t>(Paths.size()));
  if (IsNew)
    Paths.push_back(Normal);
  return Entry->second;
}

uint32_t IncludeChains::nodeOf(const Step &Reached) {
  auto [Entry, IsNew] =
      ByStep.try_emplace(Reached, static_cast<uint32_t>(Nodes.size()));
  if (IsNew)
    Nodes.push_back({Reached.Outer, Reached.Path, Reached.LineNo});
  return Entry->second;
}

void IncludeChains::add(const IncludeChains &More) {
  NodesOf.clear();
  std::vector<uint32_t> PathOf, NodeOf;
  for (const std::string &Path : More.Paths)
    PathOf.push_back(pathOf(Path));
  for (const Node &N : More.Nodes) {
    NodeOf.push_back(nodeOf(
        {N.Outer == None ? None : NodeOf[N.Outer], PathOf[N.Path], N.LineNo}));
    Node &Reached = Nodes[NodeOf.back()];
    Reached.Count += N.Count;
    Reached.InclusiveNs += N.InclusiveNs;
  }
}

void IncludeChains::enterSequence(const Sequence &Entered) {
  S = &Entered;
  NodesOf.clear();
  KnownPaths.clear();
  Open.clear();
}

void IncludeChains::begin(const Interval &I) {
  uint32_t Outer = Open.empty() ? None : Open.back();
  Open.push_back(Outer);
  const Entity *File =
      I.Kind == EventKind::FileInclusion ? S->entity(I.Entity) : nullptr;
  if (!File)
    return;
  const Location *L = S->location(I.Location);
  Open.back() = nodeOf({Outer, pathOf(File->Name), L ? L->LineNo : 0});
}

void IncludeChains::end(const Interval &I, uint64_t InclusiveNs) {
  uint32_t Ended = Open.back();
  Open.pop_back();
  if (I.Kind != EventKind::FileInclusion || !S->entity(I.Entity))
    return;
  ++Nodes[Ended].Count;
  Nodes[Ended].InclusiveNs += InclusiveNs;
}

/// A file that includes itself has chains of any length, which are compared as
/// far as they are shown.
bool IncludeChains::isBefore(uint32_t A, uint32_t B) const {
  if (Nodes[A].InclusiveNs != Nodes[B].InclusiveNs)
    return Nodes[A].InclusiveNs > Nodes[B].InclusiveNs;
  for (size_t Steps = 0; A != B && Steps != IncludeChain::MostSteps; ++Steps) {
    const Node &One = Nodes[A], &Other = Nodes[B];
    A = One.Outer;
    B = Other.Outer;
    if (A == None || B == None)
      return A == None && B != None;
    if (Nodes[A].Path != Nodes[B].Path)
      return Paths[Nodes[A].Path] < Paths[Nodes[B].Path];
    if (One.LineNo != Other.LineNo)
      return std::to_string(One.LineNo) < std::to_string(Other.LineNo);
  }
  return false;
}

IncludeChain IncludeChains::chain(uint32_t End) const {
  IncludeChain Chain;
  Chain.Count = Nodes[End].Count;
  Chain.InclusiveNs = Nodes[End].InclusiveNs;
  uint32_t LineNo = Nodes[End].LineNo;
  size_t Bytes = 0;
  auto Step = [&](uint32_t Index) {
    return Paths[Nodes[Index].Path] +
           (LineNo == 0 ? "" : ":" + std::to_string(LineNo));
  };
  for (uint32_t Index = Nodes[End].Outer; Index != None;
       Index = Nodes[Index].Outer) {
    if (Chain.Steps.size() == IncludeChain::MostSteps ||
        Bytes > IncludeChain::MostBytes) {
      ++Chain.OtherSteps;
      if (Nodes[Index].Outer == None)
        Chain.Outermost = Step(Index);
    } else {
      Chain.Steps.push_back(Step(Index));
      Bytes += Chain.Steps.back().size();
    }
    LineNo = Nodes[Index].LineNo;
  }
  return Chain;
}

IncludeChainList IncludeChains::chainsTo(const std::string &Path, size_t Most) {
  IncludeChainList List;
  size_t All = 0;
  for (uint32_t End : nodesTo(Path, Most, All))
    List.Chains.push_back(chain(End));
  List.OtherChains = All - List.Chains.size();
  return List;
}

std::vector<uint32_t> IncludeChains::nodesTo(const std::string &Path,
                                             size_t Most, size_t &All) {
  All = 0;
  auto Found = ByPath.find(Path);
  if (Found == ByPath.end())
    return {};
  if (NodesOf.empty()) {
    NodesOf.resize(Paths.size());
    for (uint32_t Index = 0; Index != Nodes.size(); ++Index)
      if (Nodes[Index].Outer != None)
        NodesOf[Nodes[Index].Path].push_back(Index);
  }
  std::vector<uint32_t> &Ends = NodesOf[Found->second];
  auto Shown =
      Ends.begin() + static_cast<std::ptrdiff_t>(std::min(Most, Ends.size()));
  std::partial_sort(Ends.begin(), Shown, Ends.end(),
                    [this](uint32_t A, uint32_t B) {
                      return isBefore(A, B) || (!isBefore(B, A) && A < B);
                    });
  All = Ends.size();
  return {Ends.begin(), Shown};
}
