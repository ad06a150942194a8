#include "utils/open/CompressedTrace.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <zlib.h>
#include <zstd.h>

using namespace instantrace;

namespace {

/// Ten times as much as the most that was seen, and enough for small files.
constexpr uint64_t MostPerByte = 100, AlwaysBytes = uint64_t(64) << 20;

using Reading = std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx *)>;

/// Of RFC 1952, with its only method.
bool isGzip(std::string_view Bytes) {
  constexpr std::string_view Magic = "\x1f\x8b\x08";
  return Bytes.starts_with(Magic);
}

/// Makes ExpandedTrace of pieces.
class Expansion {
public:
  Expansion(std::string_view Format, size_t CompressedBytes)
      : Format(Format), MostBytes(AlwaysBytes + MostPerByte * CompressedBytes) {
  }

  void damagedAt(size_t Byte, const std::string &Found,
                 const std::string &Expected) {
    Made.Damage = Format + ": byte " + std::to_string(Byte) + ": found " +
                  Found + ", expected " + Expected;
  }
  /// False: it is too much.
  bool add(std::string_view Piece, size_t Byte) {
    if (Made.Bytes.size() + Piece.size() > MostBytes) {
      damagedAt(Byte,
                "a trace of more than " + std::to_string(MostBytes) + " bytes",
                "at most " + std::to_string(MostPerByte) +
                    " times the bytes of the file");
      return false;
    }
    Made.Bytes.append(Piece);
    return true;
  }
  ExpandedTrace take() { return std::move(Made); }

private:
  std::string Format;
  const uint64_t MostBytes;
  ExpandedTrace Made;
};

ExpandedTrace expandGzip(std::string_view Compressed) {
  constexpr int WithGzipHeader = 15 + 16;
  Expansion Into("gzip", Compressed.size());
  z_stream Stream{};
  if (inflateInit2(&Stream, WithGzipHeader) != Z_OK) {
    Into.damagedAt(0, "no memory", "enough to expand it");
    return Into.take();
  }
  std::unique_ptr<z_stream, int (*)(z_stream *)> Ends(&Stream, inflateEnd);
  std::string Piece(1 << 17, '\0');
  size_t Given = 0; // a stream takes 32 bits of length
  auto Byte = [&] { return Given - Stream.avail_in; };
  while (true) {
    if (Stream.avail_in == 0) {
      std::string_view Next = Compressed.substr(Given, 1 << 30);
      // zlib takes what it does not change without const.
      Stream.next_in =
          reinterpret_cast<Bytef *>(const_cast<char *>(Next.data()));
      Stream.avail_in = static_cast<uInt>(Next.size());
      Given += Next.size();
    }
    Stream.next_out = reinterpret_cast<Bytef *>(Piece.data());
    Stream.avail_out = static_cast<uInt>(Piece.size());
    int Done = inflate(&Stream, Z_NO_FLUSH);
    size_t Made = Piece.size() - Stream.avail_out;
    if (!Into.add(std::string_view(Piece).substr(0, Made), Byte()))
      break;
    if (Done == Z_STREAM_END) {
      if (Byte() == Compressed.size())
        break;
      // Members follow one another; of what is none, this refuses the header.
      Done = inflateReset(&Stream);
    }
    if (Done == Z_BUF_ERROR || (Done == Z_OK && Byte() == Compressed.size() &&
                                Stream.avail_out != 0)) {
      Into.damagedAt(Compressed.size(), "the end of the file",
                     "the rest of a member");
      break;
    }
    if (Done != Z_OK) {
      Into.damagedAt(Byte(), Stream.msg ? Stream.msg : "another byte",
                     "a gzip member");
      break;
    }
  }
  return Into.take();
}

/// \p BytewiseFrom: from there on each call has one byte; it becomes where the
/// call began that found damage.
ExpandedTrace expandZstd(std::string_view Compressed, size_t &BytewiseFrom) {
  constexpr size_t CallBytes = 1 << 16;
  Expansion Into("zstd", Compressed.size());
  Reading Context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!Context) {
    Into.damagedAt(0, "no memory", "enough to expand it");
    return Into.take();
  }
  std::string Piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer In{Compressed.data(), 0, 0};
  size_t Wanted = 0; // 0: a frame is at its end
  while (true) {
    const size_t CallBegin = In.pos;
    In.size = CallBegin < BytewiseFrom
                  ? std::min(CallBegin + CallBytes, BytewiseFrom)
                  : std::min(CallBegin + 1, Compressed.size());
    ZSTD_outBuffer Out{Piece.data(), Piece.size(), 0};
    Wanted = ZSTD_decompressStream(Context.get(), &Out, &In);
    if (ZSTD_isError(Wanted)) {
      Into.damagedAt(In.pos, ZSTD_getErrorName(Wanted), "a zstd frame");
      BytewiseFrom = CallBegin;
      return Into.take();
    }
    if (!Into.add(std::string_view(Piece).substr(0, Out.pos), In.pos))
      return Into.take();
    if (In.pos == Compressed.size() && Out.pos < Out.size)
      break;
  }
  if (Wanted != 0)
    Into.damagedAt(Compressed.size(), "the end of the file",
                   "the rest of a frame");
  return Into.take();
}

} // namespace

bool instantrace::isCompressed(std::string_view Bytes) {
  constexpr std::string_view Magic = "\x28\xb5\x2f\xfd";
  return Bytes.starts_with(Magic) || isGzip(Bytes);
}

Result<std::string> instantrace::compressTrace(std::string_view Bytes,
                                               int Level) {
  std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx *)> Context(ZSTD_createCCtx(),
                                                              ZSTD_freeCCtx);
  if (!Context)
    return Error{"out of memory"};
  ZSTD_CCtx_setParameter(Context.get(), ZSTD_c_compressionLevel, Level);
  ZSTD_CCtx_setParameter(Context.get(), ZSTD_c_checksumFlag, 1);
  std::string Out(ZSTD_compressBound(Bytes.size()), '\0');
  size_t Written = ZSTD_compress2(Context.get(), Out.data(), Out.size(),
                                  Bytes.data(), Bytes.size());
  if (ZSTD_isError(Written))
    return Error{ZSTD_getErrorName(Written)};
  Out.resize(Written);
  return Out;
}

ExpandedTrace instantrace::expandTrace(std::string_view Compressed) {
  if (isGzip(Compressed))
    return expandGzip(Compressed);
  size_t DamagedCall = Compressed.size();
  ExpandedTrace Whole = expandZstd(Compressed, DamagedCall);
  if (DamagedCall == Compressed.size())
    return Whole;
  // What was made in the call that failed is not known, so each byte there gets
  // a call of its own.
  Whole = {};
  return expandZstd(Compressed, DamagedCall);
}

bool instantrace::hasTraceName(std::string_view Path) {
  if (Path.ends_with(CompressedEnding))
    Path.remove_suffix(CompressedEnding.size());
  return Path.ends_with(TraceEnding);
}
