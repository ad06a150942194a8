#include "utils/report/ReportIncludes.h"

#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

using namespace instantrace;

namespace {

using Node = IncludeChains::Node;

/// Each with what it is in, whatever a trace says of times.
std::vector<bool> keptNodes(const std::vector<Node> &Nodes,
                            const std::vector<uint32_t> &Wanted,
                            size_t MaxNodes) {
  std::vector<bool> Keeps(Nodes.size());
  auto Keep = [&](uint32_t Index) {
    for (; Index != IncludeChains::None && !Keeps[Index];
         Index = Nodes[Index].Outer)
      Keeps[Index] = true;
  };
  for (uint32_t Index : Wanted)
    Keep(Index);
  std::vector<uint32_t> Order(Nodes.size());
  std::iota(Order.begin(), Order.end(), 0u);
  auto Last = Order.begin() +
              static_cast<std::ptrdiff_t>(std::min(MaxNodes, Order.size()));
  std::partial_sort(Order.begin(), Last, Order.end(),
                    [&Nodes](uint32_t A, uint32_t B) {
                      return Nodes[A].InclusiveNs != Nodes[B].InclusiveNs
                                 ? Nodes[A].InclusiveNs > Nodes[B].InclusiveNs
                                 : A < B;
                    });
  std::for_each(Order.begin(), Last, Keep);
  return Keeps;
}

} // namespace

ReportIncludes instantrace::reportIncludes(const IncludeChains &Chains,
                                           const std::vector<uint32_t> &Wanted,
                                           size_t MaxNodes,
                                           ReportTexts &Texts) {
  const std::vector<Node> &Nodes = Chains.nodes();
  std::vector<bool> Keeps = keptNodes(Nodes, Wanted, MaxNodes);
  ReportIncludes Tree;
  Tree.NumberOf.resize(Nodes.size());
  std::vector<uint32_t> KeptAround(Nodes.size());  // number; 0: none
  std::unordered_map<uint32_t, uint32_t> OthersOf; // by number of the kept one
  for (uint32_t Index = 0; Index != Nodes.size(); ++Index) {
    const Node &N = Nodes[Index];
    uint32_t Around = N.Outer == IncludeChains::None ? 0 : KeptAround[N.Outer];
    auto Next = static_cast<uint32_t>(Tree.Nodes.size() + 1);
    if (Keeps[Index]) {
      KeptAround[Index] = Tree.NumberOf[Index] = Next;
      std::string Path = pathEnd(Chains.paths()[N.Path], ShownPathBytes);
      Tree.Nodes.push_back({Around, Texts.index(cleanText(Path)), N.LineNo,
                            N.Count, N.InclusiveNs, 0});
      continue;
    }
    KeptAround[Index] = Around;
    auto [Found, IsNew] = OthersOf.try_emplace(Around, Next);
    if (IsNew)
      Tree.Nodes.push_back({Around, 0, 0, 0, 0, 0});
    ReportInclude &Others = Tree.Nodes[Found->second - 1];
    ++Others.Others;
    Others.Count += N.Count;
    // The time of what is inside another one of them is in that one's.
    if (N.Outer == IncludeChains::None || Keeps[N.Outer])
      Others.InclusiveNs += N.InclusiveNs;
  }
  return Tree;
}
