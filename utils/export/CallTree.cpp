#include "utils/export/CallTree.h"

using namespace instantrace;

uint32_t CallTree::child(uint32_t Parent, uint32_t Frame) {
  auto [Child, IsNew] = Children.add(uint64_t(Parent) << 32 | Frame);
  if (IsNew)
    Nodes.push_back({Parent, Frame, Nodes[Parent].Depth + 1, {}});
  return Child + 1;
}

void CallTree::enter(uint32_t Frame, CallSite) {
  Current = child(Current, Frame);
}

void CallTree::leave(const ExportCost &Self) {
  add(Current, Self);
  Current = Nodes[Current].Parent;
}

std::vector<uint64_t> CallTree::inclusive(ExportMetric Metric) const {
  std::vector<uint64_t> Values(Nodes.size());
  for (size_t Index = Nodes.size(); Index-- != 0;) { // children first
    Values[Index] += valueOf(Nodes[Index].Self, Metric);
    if (Index != 0)
      Values[Nodes[Index].Parent] += Values[Index];
  }
  return Values;
}
