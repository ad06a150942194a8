#include "runtime/index/IndexVerifyRanges.h"

using namespace instantrace;
using namespace instantrace::index;

bool RangeVerifier::enter(const Event &E, uint64_t EndRange) {
  constexpr Section Of = Section::RangeStarts;
  if (!HasBegins && IsInRange && E.Range + 1 == NextRange) {
    Innermost = E.Innermost; // of several at one time the last one counts
    return true;
  }
  if (!Check.isEqual("range-order", Of, E.Range, E.Range, NextRange) ||
      !Check.isAtMost("range-order", Of, E.Range, E.Range + 1, EndRange) ||
      !isBeginRight(E) || !isInnermostRight())
    return false;
  RangeBlockRow Block;
  if (!enterBlock(E, Block))
    return false;
  const uint64_t Ns = Block.BaseNs + Check.row<uint32_t>(Of, E.Range);
  if (IsInRange && (HasBegins ? Ns < TimeNs : Ns <= TimeNs))
    return Check.fault("range-time", Of, E.Range, std::to_string(Ns) + " ns",
                       "a time behind " + std::to_string(TimeNs) + " ns");
  TimeNs = Ns;
  Innermost = E.Innermost;
  IsInRange = true;
  ++NextRange;
  return true;
}

/// The block that the range is in, which may be one that begins with it.
bool RangeVerifier::enterBlock(const Event &E, RangeBlockRow &Into) {
  constexpr Section Of = Section::RangeBlocks;
  Into = {0, None, 0};
  if (NextBlock != Check.count(Of))
    Into = Check.row<RangeBlockRow>(Of, NextBlock);
  if (Into.FirstRange == E.Range) {
    const uint32_t Start = Check.row<uint32_t>(Section::RangeStarts, E.Range);
    if (!Check.isEqual("range-base", Section::RangeStarts, E.Range, Start, 0) ||
        !Check.isEqual("range-block", Of, NextBlock, Into.FirstRecord,
                       HasBegins ? E.Begun : 0))
      return false;
    ++NextBlock;
  } else if (!IsInRange || NextBlock == 0) {
    return Check.fault("range-block", Section::RangeStarts, E.Range, "no block",
                       "a new one");
  } else {
    Into = Check.row<RangeBlockRow>(Of, NextBlock - 1);
  }
  return Check.isAtMost("range-block", Of, NextBlock - 1,
                        E.Range - Into.FirstRange, RangesPerBlock - 1);
}

bool RangeVerifier::isBeginRight(const Event &E) const {
  constexpr Section Of = Section::RangeBegins;
  if (!HasBegins)
    return true;
  const auto Word = Check.row<uint64_t>(Of, E.Range / BitsPerWord);
  return Check.isEqual("range-begin", Of, E.Range / BitsPerWord,
                       Word >> E.Range % BitsPerWord & 1, E.IsBegin);
}

/// Of the last range, as all that happened in it is known now.
bool RangeVerifier::isInnermostRight() const {
  constexpr Section Of = Section::RangeBegins;
  return HasBegins || !IsInRange ||
         Check.isEqual("range-record", Of, NextRange - 1,
                       Check.row<uint32_t>(Of, NextRange - 1), Innermost);
}

bool RangeVerifier::finish() const {
  constexpr Section Of = Section::RangeBegins;
  uint64_t Behind = 0;
  if (HasBegins && NextRange % BitsPerWord != 0)
    Behind = Check.row<uint64_t>(Of, NextRange / BitsPerWord) >>
             NextRange % BitsPerWord;
  return Check.isEqual("range-count", Section::RangeStarts, 0, NextRange,
                       Check.count(Section::RangeStarts)) &&
         Check.isEqual("block-count", Section::RangeBlocks, 0, NextBlock,
                       Check.count(Section::RangeBlocks)) &&
         Check.isEqual("range-begin", Of, NextRange / BitsPerWord, Behind, 0);
}
