#include "utils/analysis/chains/IncludeChains.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/SelfTimes.h"

#include <algorithm>

using namespace instantrace;

namespace {} // namespace

IncludeChains::IncludeChains(const Trace &T) {
  for (const Sequence &S : T.Sequences)
    add(S);
}

uint32_t IncludeChains::pathOf(const Sequence &S, NameId Path,
                               std::unordered_map<uint32_t, uint32_t> &Known) {
  auto [At, IsNew] = Known.try_emplace(Path.Value, None);
  if (!IsNew)
    return At->second;
  std::string Normal = normalPath(S.Names.text(Path, PathBytes));
  auto [Shared, IsNewPath] =
      ByPath.try_emplace(Normal, static_cast<uint32_t>(Paths.size()));
  if (IsNewPath)
    Paths.push_back(std::move(Normal));
  return At->second = Shared->second;
}

void IncludeChains::add(const Sequence &S) {
  std::unordered_map<uint32_t, uint32_t> Known;
  std::vector<uint64_t> InclusiveNs = inclusiveTimes(S);
  std::vector<uint32_t> NodeOf(S.Intervals.size(), None);
  for (size_t Index = 0; Index != NodeOf.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    uint32_t Outer = I.Parent ? NodeOf[I.Parent.Value] : None;
    NodeOf[Index] = Outer;
    const Entity *File =
        I.Kind == EventKind::FileInclusion ? S.entity(I.Entity) : nullptr;
    if (!File)
      continue;
    const Location *At = S.location(I.Location);
    Step Key{Outer, pathOf(S, File->Name, Known), At ? At->LineNo : 0};
    auto [Found, IsNew] =
        ByStep.try_emplace(Key, static_cast<uint32_t>(Nodes.size()));
    if (IsNew)
      Nodes.push_back({Key.Outer, Key.Path, Key.LineNo});
    Node &Reached = Nodes[NodeOf[Index] = Found->second];
    ++Reached.Count;
    Reached.InclusiveNs += InclusiveNs[Index];
  }
}

std::vector<IncludeChain>
IncludeChains::chainsTo(const std::string &Path) const {
  std::vector<IncludeChain> Chains;
  auto Found = ByPath.find(Path);
  if (Found == ByPath.end())
    return Chains;
  for (const Node &End : Nodes) {
    if (End.Path != Found->second || End.Outer == None)
      continue;
    IncludeChain &Chain = Chains.emplace_back();
    Chain.Count = End.Count;
    Chain.InclusiveNs = End.InclusiveNs;
    uint32_t LineNo = End.LineNo;
    for (uint32_t At = End.Outer; At != None; At = Nodes[At].Outer) {
      Chain.Steps.push_back(Paths[Nodes[At].Path] + ":" +
                            std::to_string(LineNo));
      LineNo = Nodes[At].LineNo;
    }
  }
  std::sort(Chains.begin(), Chains.end(),
            [](const IncludeChain &A, const IncludeChain &B) {
              return A.InclusiveNs != B.InclusiveNs
                         ? A.InclusiveNs > B.InclusiveNs
                         : A.Steps < B.Steps;
            });
  return Chains;
}
