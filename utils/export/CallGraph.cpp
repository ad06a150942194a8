#include "utils/export/CallGraph.h"

#include "runtime/base/Hash.h"

#include <algorithm>

using namespace instantrace;

size_t CallGraph::KeyHash::operator()(const Key &K) const {
  uint64_t Hash = hashPair(K.Caller, K.Callee);
  Hash ^= Hash >> 29;
  return (Hash ^ (uint64_t(K.Site.File) << 32 | K.Site.LineNo)) *
         0xBF58476D1CE4E5B9u;
}

void CallGraph::enter(uint32_t Frame, CallSite Site) {
  if (Frame >= Nodes.size())
    Nodes.resize(Frame + 1);
  ++Nodes[Frame].Open;
  uint32_t EdgeIndex = None;
  if (!Stack.empty()) {
    Key K{Stack.back().Frame, Frame, Site};
    auto [Entry, IsNew] =
        ByKey.try_emplace(K, static_cast<uint32_t>(Edges.size()));
    if (IsNew)
      Edges.push_back({K.Caller, K.Callee, Site, 0, {}, 0});
    EdgeIndex = Entry->second;
    ++Edges[EdgeIndex].Calls;
    ++Edges[EdgeIndex].Open;
  }
  Stack.push_back({Frame, EdgeIndex, {}});
}

void CallGraph::leave(const ExportCost &Self) {
  Active Ended = Stack.back();
  Stack.pop_back();
  Ended.Inclusive += Self;
  Node &N = Nodes[Ended.Frame];
  N.Self += Self;
  if (--N.Open == 0)
    N.Inclusive += Ended.Inclusive;
  if (Ended.Edge == None)
    return;
  Edge &E = Edges[Ended.Edge];
  if (--E.Open == 0)
    E.Inclusive += Ended.Inclusive;
  Stack.back().Inclusive += Ended.Inclusive;
}

std::vector<CallGraph::Edge> CallGraph::takeEdges() {
  std::stable_sort(
      Edges.begin(), Edges.end(),
      [](const Edge &A, const Edge &B) { return A.Caller < B.Caller; });
  return std::move(Edges);
}
