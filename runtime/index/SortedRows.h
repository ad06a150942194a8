/// \file
/// Searches of rows that ascend.
#pragma once

#include <algorithm>
#include <cstdint>

namespace instantrace::index {

/// The number of keys that are at most \p Wanted, without a branch that could
/// be predicted wrongly. Both keys that may be next are fetched meanwhile,
/// since in a large file each would be waited for.
template <class Row, class Key>
uint64_t countUpTo(const Row *Rows, uint64_t Count, uint64_t Wanted,
                   Key KeyOf) {
  const Row *Cursor = Rows;
  while (Count > 1) {
    uint64_t Half = Count / 2;
    uint64_t Next = (Count - Half) / 2;
    __builtin_prefetch(Cursor + Next);
    __builtin_prefetch(Cursor + Half + Next);
    Cursor += KeyOf(Cursor[Half - 1]) <= Wanted ? Half : 0;
    Count -= Half;
  }
  auto Before = static_cast<uint64_t>(Cursor - Rows);
  return Before + (Count == 1 && KeyOf(*Cursor) <= Wanted);
}

/// The same, of keys that grow evenly for the most part: begins where the key
/// would be on a straight line, and doubles its steps from there. Keys that do
/// not cost a few looks more than a binary search.
template <class Row, class Key>
uint64_t countNear(const Row *Rows, uint64_t Count, uint64_t Wanted,
                   Key KeyOf) {
  constexpr uint64_t Few = 32;
  if (Count < Few)
    return countUpTo(Rows, Count, Wanted, KeyOf);
  const uint64_t First = KeyOf(Rows[0]), Last = KeyOf(Rows[Count - 1]);
  if (Wanted < First)
    return 0;
  if (Wanted >= Last)
    return Count;
  double Part = double(Wanted - First) / double(Last - First);
  uint64_t Low =
      std::min(static_cast<uint64_t>(Part * double(Count - 1)), Count - 2);
  uint64_t High = Low, Step = 4;
  if (KeyOf(Rows[Low]) <= Wanted) {
    for (High += Step; High < Count && KeyOf(Rows[High]) <= Wanted;
         High += Step *= 2)
      Low = High;
    High = std::min(High, Count);
  } else {
    for (Low -= std::min(Low, Step); Low != 0 && KeyOf(Rows[Low]) > Wanted;
         Low -= std::min(Low, Step *= 2))
      High = Low;
  }
  return Low + countUpTo(Rows + Low, High - Low, Wanted, KeyOf);
}

} // namespace instantrace::index
