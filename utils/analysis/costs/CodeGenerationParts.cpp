#include "utils/analysis/costs/CodeGenerationParts.h"

using namespace instantrace;

CodeGenerationParts::CodeGenerationParts(const Sequence &S) {
  std::unordered_map<uint32_t, uint64_t> OthersNs; // before the first
  for (const Interval &I : S.Intervals) {
    if (!I.Parent ||
        S.Intervals[I.Parent.Value].Kind != EventKind::CodeGeneration)
      continue;
    const Interval &Whole = S.Intervals[I.Parent.Value];
    auto Known = Parts.find(I.Parent.Value);
    if (eventGroup(I.Kind) != EventGroup::Backend) {
      if (Known == Parts.end())
        OthersNs[I.Parent.Value] += I.durationNs();
      else
        Known->second.ObjectWritingNs -= I.durationNs();
      continue;
    }
    if (Known == Parts.end())
      Known = Parts
                  .try_emplace(I.Parent.Value,
                               CodeGenerationPart{I.BeginNs - Whole.BeginNs -
                                                      OthersNs[I.Parent.Value],
                                                  0})
                  .first;
    // Of the last one, what is not taken back.
    Known->second.ObjectWritingNs = Whole.EndNs - I.EndNs;
  }
}
