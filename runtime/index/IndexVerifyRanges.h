/// \file
/// InstantiationIndex::verify(): the ranges that begins and ends start.
#ifndef INSTANTRACE_RUNTIME_INDEX_INDEXVERIFYRANGES_H
#define INSTANTRACE_RUNTIME_INDEX_INDEXVERIFYRANGES_H

#include "runtime/index/IndexVerify.h"

namespace instantrace::index {

class RangeVerifier {
public:
  explicit RangeVerifier(const IndexBytes &Bytes)
      : Check(Bytes), HasBegins(Bytes.hasRangeBegins()) {}

  void beginCompile() { IsInRange = false; }
  struct Event {
    uint64_t Range;     ///< the number that a record gives
    uint32_t Innermost; ///< from now on
    uint32_t Begun;     ///< records before it
    bool IsBegin;
  };
  /// The next begin or end; ranges end at \p EndRange. Ranges that start at
  /// one time were one before version 1.5.
  bool enter(const Event &E, uint64_t EndRange);
  bool endCompile() const { return isInnermostRight(); }
  /// After the last compile: nothing is left over.
  bool finish() const;

  /// When the last event was.
  uint64_t timeNs() const { return TimeNs; }
  uint64_t nextRange() const { return NextRange; }
  uint64_t nextBlock() const { return NextBlock; }

private:
  bool isBeginRight(const Event &E) const;
  bool isInnermostRight() const;
  bool enterBlock(const Event &E, RangeBlockRow &Into);

  const RuleChecks Check;
  const bool HasBegins;
  uint64_t NextBlock = 0;
  uint64_t NextRange = 0;
  uint64_t TimeNs = 0;
  uint32_t Innermost = 0; ///< so far, of the last range
  bool IsInRange = false;
};

} // namespace instantrace::index

#endif
