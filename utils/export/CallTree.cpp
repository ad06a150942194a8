#include "utils/export/CallTree.h"

using namespace instantrace;

void CallTree::enter(uint32_t Frame, CallSite) {
  auto [Child, IsNew] = Children.add(uint64_t(Current) << 32 | Frame);
  if (IsNew)
    Nodes.push_back({Current, Frame, Nodes[Current].Depth + 1, {}});
  Current = Child + 1;
}

void CallTree::leave(const ExportCost &Self) {
  Nodes[Current].Self += Self;
  Current = Nodes[Current].Parent;
}

std::vector<uint64_t> CallTree::inclusive(ExportMetric Metric) const {
  std::vector<uint64_t> Values(Nodes.size());
  for (size_t At = Nodes.size(); At-- != 0;) { // children first
    Values[At] += valueOf(Nodes[At].Self, Metric);
    if (At != 0)
      Values[Nodes[At].Parent] += Values[At];
  }
  return Values;
}
