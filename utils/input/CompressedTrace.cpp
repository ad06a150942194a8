#include "utils/input/CompressedTrace.h"

#include <memory>
#include <zstd.h>

using namespace instantrace;

namespace {

/// Ten times as much as the most that was seen, and enough for small files.
constexpr uint64_t MostPerByte = 100, AlwaysBytes = uint64_t(64) << 20;

using Reading = std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx *)>;

} // namespace

bool instantrace::isCompressed(std::string_view Bytes) {
  constexpr std::string_view Magic = "\x28\xb5\x2f\xfd";
  return Bytes.starts_with(Magic);
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
  ExpandedTrace Result;
  auto DamagedAt = [&Result](size_t Byte, const std::string &Found,
                             const std::string &Expected) {
    Result.Damage = "byte " + std::to_string(Byte) + ": found " + Found +
                    ", expected " + Expected;
  };
  Reading Context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!Context) {
    DamagedAt(0, "no memory", "enough to expand it");
    return Result;
  }
  const uint64_t MostBytes = AlwaysBytes + MostPerByte * Compressed.size();
  std::string Piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer In{Compressed.data(), Compressed.size(), 0};
  size_t Wanted = 0; // 0: a frame is at its end
  while (true) {
    ZSTD_outBuffer Out{Piece.data(), Piece.size(), 0};
    Wanted = ZSTD_decompressStream(Context.get(), &Out, &In);
    if (ZSTD_isError(Wanted)) {
      DamagedAt(In.pos, ZSTD_getErrorName(Wanted), "a zstd frame");
      return Result;
    }
    if (Result.Bytes.size() + Out.pos > MostBytes) {
      DamagedAt(In.pos,
                "a trace of more than " + std::to_string(MostBytes) + " bytes",
                "at most " + std::to_string(MostPerByte) +
                    " times the bytes of the file");
      return Result;
    }
    Result.Bytes.append(Piece, 0, Out.pos);
    if (In.pos == In.size && Out.pos < Out.size)
      break;
  }
  if (Wanted != 0)
    DamagedAt(Compressed.size(), "the end of the file", "the rest of a frame");
  return Result;
}

bool instantrace::hasTraceName(std::string_view Path) {
  if (Path.ends_with(CompressedEnding))
    Path.remove_suffix(CompressedEnding.size());
  return Path.ends_with(TraceEnding);
}
