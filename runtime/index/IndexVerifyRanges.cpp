#include "runtime/index/IndexVerifyRanges.h"

using namespace instantrace;
using namespace instantrace::index;

bool RangeVerifier::enter(bool IsBegin, uint32_t BeginCount) {
  constexpr Section Sec = Section::RangeStarts;
  RangeBlockRow Block;
  if (!isBeginRight(IsBegin) || !enterBlock(BeginCount, Block))
    return false;
  const uint64_t Ns = Block.BaseNs + Check.row<uint32_t>(Sec, NextRange);
  if (IsInRange && Ns < TimeNs)
    return Check.fault("range-time", Sec, NextRange, std::to_string(Ns) + " ns",
                       "a time behind " + std::to_string(TimeNs) + " ns");
  TimeNs = Ns;
  IsInRange = true;
  ++NextRange;
  return true;
}

/// The block that the range is in, which may be one that begins with it.
bool RangeVerifier::enterBlock(uint32_t BeginCount, RangeBlockRow &Into) {
  constexpr Section Sec = Section::RangeBlocks;
  Into = {0, None, 0};
  if (NextBlock != Check.count(Sec))
    Into = Check.row<RangeBlockRow>(Sec, NextBlock);
  if (Into.FirstRange == NextRange) {
    const uint32_t Start = Check.row<uint32_t>(Section::RangeStarts, NextRange);
    if (!Check.isEqual("range-base", Section::RangeStarts, NextRange, Start,
                       0) ||
        !Check.isEqual("range-block", Sec, NextBlock, Into.FirstRecord,
                       BeginCount))
      return false;
    ++NextBlock;
  } else if (!IsInRange || NextBlock == 0) {
    return Check.fault("range-block", Section::RangeStarts, NextRange,
                       "no block", "a new one");
  } else {
    Into = Check.row<RangeBlockRow>(Sec, NextBlock - 1);
  }
  return Check.isAtMost("range-block", Sec, NextBlock - 1,
                        NextRange - Into.FirstRange, RangesPerBlock - 1);
}

bool RangeVerifier::isBeginRight(bool IsBegin) const {
  constexpr Section Sec = Section::RangeBegins;
  const auto Word = Check.row<uint64_t>(Sec, NextRange / BitsPerWord);
  return Check.isEqual("range-begin", Sec, NextRange / BitsPerWord,
                       Word >> NextRange % BitsPerWord & 1, IsBegin);
}

bool RangeVerifier::finish() const {
  constexpr Section Sec = Section::RangeBegins;
  uint64_t Behind = 0;
  if (NextRange % BitsPerWord != 0)
    Behind = Check.row<uint64_t>(Sec, NextRange / BitsPerWord) >>
             NextRange % BitsPerWord;
  return Check.isEqual("block-count", Section::RangeBlocks, 0, NextBlock,
                       Check.count(Section::RangeBlocks)) &&
         Check.isEqual("range-begin", Sec, NextRange / BitsPerWord, Behind, 0);
}
