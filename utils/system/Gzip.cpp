#include "utils/system/Gzip.h"

#include <zlib.h>

std::string instantrace::gzipped(std::string_view Text, int Level) {
  z_stream Stream = {};
  constexpr int GzipWindow = 15 + 16, MemoryLevel = 9;
  if (deflateInit2(&Stream, Level, Z_DEFLATED, GzipWindow, MemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string Packed;
  do {
    constexpr size_t MostBytes = size_t(1) << 30; // zlib counts in 32 bits
    const std::string_view Piece = Text.substr(0, MostBytes);
    Text.remove_prefix(Piece.size());
    // zlib takes what it does not change without const.
    Stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(Piece.data()));
    Stream.avail_in = static_cast<uInt>(Piece.size());
    do {
      const size_t Begin = Packed.size();
      constexpr size_t StepBytes = size_t(1) << 16;
      Packed.resize(Begin + StepBytes);
      Stream.next_out = reinterpret_cast<Bytef *>(Packed.data() + Begin);
      Stream.avail_out = StepBytes;
      deflate(&Stream, Text.empty() ? Z_FINISH : Z_NO_FLUSH);
      Packed.resize(Packed.size() - Stream.avail_out);
    } while (Stream.avail_out == 0);
  } while (!Text.empty());
  deflateEnd(&Stream);
  return Packed;
}
