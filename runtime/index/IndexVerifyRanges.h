/// \file
/// InstantiationIndex::verify(): the ranges that begins and ends start.
#pragma once

#include "runtime/index/IndexVerify.h"

namespace instantrace::index {

class RangeVerifier {
public:
  explicit RangeVerifier(const IndexBytes &Bytes) : Check(Bytes) {}

  void beginCompile() { IsInRange = false; }
  /// The next begin, or end, with so many records begun before it.
  bool enter(bool IsBegin, uint32_t BeginCount);
  /// After the last compile: nothing is left over.
  bool finish() const;

  /// When the last event was.
  uint64_t timeNs() const { return TimeNs; }
  uint64_t nextBlock() const { return NextBlock; }

private:
  bool isBeginRight(bool IsBegin) const;
  bool enterBlock(uint32_t BeginCount, RangeBlockRow &Into);

  const RuleChecks Check;
  uint64_t NextBlock = 0;
  uint64_t NextRange = 0;
  uint64_t TimeNs = 0;
  bool IsInRange = false;
};

} // namespace instantrace::index
