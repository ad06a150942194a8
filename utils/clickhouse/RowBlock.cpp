#include "utils/clickhouse/RowBlock.h"

#include "utils/system/Gzip.h"

#include <algorithm>

using namespace instantrace;

namespace {
constexpr uint64_t NsPerDay = 86400 * 1'000'000'000ull;
} // namespace

RowBlock &RowBlock::number(uint64_t Value, int Count) {
  for (int I = 0; I != Count; ++I)
    Bytes += static_cast<char>(Value >> (8 * I));
  return *this;
}

RowBlock &RowBlock::i64(uint64_t Value) {
  return number(std::min<uint64_t>(Value, INT64_MAX), 8);
}

RowBlock &RowBlock::text(std::string_view Text) {
  size_t Rest = Text.size();
  for (; Rest >= 0x80; Rest >>= 7)
    number(0x80 | (Rest & 0x7f), 1);
  number(Rest, 1);
  Bytes.append(Text);
  return *this;
}

uint64_t RowBlock::dayOf(uint64_t Ns) {
  return std::min<uint64_t>(Ns / NsPerDay, LastDay);
}

std::string RowBlock::compressed() const {
  constexpr int Fastest = 1;
  return gzipped(Bytes, Fastest);
}
