#include "utils/analysis/costs/CodeGenerationParts.h"

using namespace instantrace;

void CodeGenerationParts::add(const Interval &Inside) {
  if (eventGroup(Inside.Kind) != EventGroup::Backend) {
    OthersNs += Inside.durationNs();
    return;
  }
  if (!HasBackend)
    IrGenerationNs = Inside.BeginNs - BeginNs - OthersNs;
  HasBackend = true;
  LastEndNs = Inside.EndNs;
  OthersNs = 0;
}
