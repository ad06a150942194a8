/// \file
/// InstantiationIndex: from a time to a range and its record, and back.
///
///     range   0  1  2  3  4  5        a begin or an end each
///     begins  1  1  0  1  0  0        bits of RBEG
///             a( b( )  c( )  )
///
/// Up to range 4 there are three begins, so the record that began last is c,
/// and one end behind the last of them: what is one step around c is going on.
#include "runtime/index/IndexState.h"
#include "runtime/index/SortedRows.h"

#include <bit>
#include <string>

using namespace instantrace;
using namespace instantrace::index;

/// Nothing before the first range.
bool InstantiationIndex::State::latestAt(const Part &P, uint64_t TimeNs,
                                         Latest &Into) const {
  Into = {};
  // All of them, which are few: their sums are not looked at again.
  if (!Bytes->rows<RangeBlockRow>(Section::RangeBlocks, 0,
                                  Bytes->rowCount(Section::RangeBlocks)))
    return false;
  uint64_t Blocks = P.EndBlock - P.Row.FirstBlock;
  const auto *Block = Bytes->rows<RangeBlockRow>(Section::RangeBlocks,
                                                 P.Row.FirstBlock, Blocks);
  if (!Block)
    return false;
  uint64_t Behind = countNear(Block, Blocks, TimeNs,
                              [](const auto &Row) { return Row.BaseNs; });
  if (Behind == 0)
    return true;
  const RangeBlockRow Place = Block[Behind - 1];
  uint32_t End = Behind == Blocks ? P.endRange() : Block[Behind].FirstRange;
  if (Place.FirstRange >= End || End > P.endRange() || TimeNs < Place.BaseNs)
    return Bytes->fault("section RBLK",
                        "a block of the ranges " +
                            std::to_string(Place.FirstRange) + " to " +
                            std::to_string(End),
                        "ascending ones of the compile");
  const auto *Start = Bytes->rows<uint32_t>(
      Section::RangeStarts, Place.FirstRange, End - Place.FirstRange);
  if (!Start)
    return false;
  uint64_t Upto =
      countUpTo(Start, End - Place.FirstRange, TimeNs - Place.BaseNs,
                [](uint32_t Key) { return Key; });
  if (Upto == 0)
    return Bytes->fault("section RKEY, row " + std::to_string(Place.FirstRange),
                        "a start behind its block's", "0");
  const auto Range = static_cast<uint32_t>(Place.FirstRange + Upto - 1);
  return latestIn(P, Place, Range, Into) && Bytes->isWhole();
}

/// Up to \p Range, which is in \p Block.
bool InstantiationIndex::State::latestIn(const Part &P,
                                         const RangeBlockRow &Block,
                                         uint32_t Range, Latest &Into) const {
  const uint32_t FirstWord = Block.FirstRange / BitsPerWord;
  const uint32_t LastWord = Range / BitsPerWord;
  const auto *Words = Bytes->rows<uint64_t>(Section::RangeBegins, FirstWord,
                                            LastWord - FirstWord + 1);
  if (!Words)
    return false;
  uint32_t BeginCount = Block.FirstRecord;
  uint64_t LastBegin = UINT64_MAX;
  for (uint32_t I = FirstWord; I <= LastWord; ++I) {
    uint64_t Bits = Words[I - FirstWord];
    if (I == FirstWord)
      Bits &= UINT64_MAX << Block.FirstRange % BitsPerWord;
    if (I == LastWord)
      Bits &= UINT64_MAX >> (BitsPerWord - 1 - Range % BitsPerWord);
    BeginCount += static_cast<uint32_t>(std::popcount(Bits));
    if (Bits != 0)
      LastBegin = I * uint64_t(BitsPerWord) + std::bit_width(Bits) - 1;
  }
  if (BeginCount <= P.Row.FirstRecord || BeginCount > P.EndRecord)
    return Bytes->fault("section RBLK",
                        std::to_string(BeginCount) + " records up to range " +
                            std::to_string(Range),
                        "those of the compile");
  Into.Record = BeginCount - 1;
  if (LastBegin == UINT64_MAX) {
    // Nothing but ends in the block so far.
    RecordRow Row;
    uint32_t Depth = 0;
    if (!Bytes->row(Section::Records, Into.Record, Row) ||
        !depthOf(Into.Record, Row, Depth))
      return false;
    LastBegin = beginRange(Into.Record, Depth);
  }
  if (LastBegin > Range)
    return Bytes->fault("record " + std::to_string(Into.Record),
                        "range " + std::to_string(LastBegin),
                        "one up to " + std::to_string(Range));
  Into.Ended = static_cast<uint32_t>(Range - LastBegin);
  return true;
}

bool InstantiationIndex::State::rangeTime(uint64_t Range,
                                          uint64_t &Into) const {
  uint64_t Blocks = Bytes->rowCount(Section::RangeBlocks);
  const auto *Block =
      Bytes->rows<RangeBlockRow>(Section::RangeBlocks, 0, Blocks);
  uint32_t Start = 0;
  if (!Block || !Bytes->row(Section::RangeStarts, Range, Start))
    return false;
  uint64_t Behind = countUpTo(Block, Blocks, Range,
                              [](const auto &Row) { return Row.FirstRange; });
  if (Behind == 0)
    return Bytes->fault("section RBLK",
                        "no block of range " + std::to_string(Range),
                        "one for each");
  Into = Block[Behind - 1].BaseNs + Start;
  return Bytes->isWhole();
}
