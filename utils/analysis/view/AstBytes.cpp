#include "utils/analysis/view/AstBytes.h"

using namespace instantrace;

std::vector<uint64_t> instantrace::inclusiveAstBytes(const Sequence &S) {
  std::vector<uint64_t> Bytes(S.Intervals.size());
  for (size_t I = S.Intervals.size(); I-- != 0;) { // parents precede children
    const Interval &Own = S.Intervals[I];
    Bytes[I] += Own.AstBytes;
    if (Own.Parent)
      Bytes[Own.Parent.Value] += Bytes[I];
  }
  return Bytes;
}
