#include "utils/clickhouse/RowBlock.h"

#include <algorithm>
#include <zlib.h>

using namespace instantrace;

namespace {
constexpr uint64_t NsPerDay = 86400 * 1'000'000'000ull;
} // namespace

RowBlock &RowBlock::put(uint64_t Value, int Count) {
  for (int I = 0; I != Count; ++I)
    Bytes += static_cast<char>(Value >> (8 * I));
  return *this;
}

RowBlock &RowBlock::i64(uint64_t Value) {
  return put(std::min<uint64_t>(Value, INT64_MAX), 8);
}

RowBlock &RowBlock::text(std::string_view Text) {
  size_t Rest = Text.size();
  for (; Rest >= 0x80; Rest >>= 7)
    put(0x80 | (Rest & 0x7f), 1);
  put(Rest, 1);
  Bytes.append(Text);
  return *this;
}

uint64_t RowBlock::dayOf(uint64_t Ns) {
  return std::min<uint64_t>(Ns / NsPerDay, LastDay);
}

std::string RowBlock::compressed() const {
  z_stream Stream = {};
  constexpr int GzipWindow = 15 + 16, MemoryLevel = 9;
  if (deflateInit2(&Stream, Z_BEST_SPEED, Z_DEFLATED, GzipWindow, MemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string Packed(deflateBound(&Stream, Bytes.size()), '\0');
  // zlib takes what it does not change without const.
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Bytes.data()));
  Stream.avail_in = static_cast<uInt>(Bytes.size());
  Stream.next_out = reinterpret_cast<Bytef *>(Packed.data());
  Stream.avail_out = static_cast<uInt>(Packed.size());
  bool IsWhole = deflate(&Stream, Z_FINISH) == Z_STREAM_END;
  Packed.resize(IsWhole ? Stream.total_out : 0);
  deflateEnd(&Stream);
  return Packed;
}
