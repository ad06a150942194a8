#include "test/fuzz/FuzzTargets.h"
#include "utils/open/CompressedTrace.h"

namespace instantrace::fuzz {

void fuzzCompressed(const uint8_t *Data, size_t SizeBytes) {
  const std::string Bytes(reinterpret_cast<const char *>(Data), SizeBytes);
  const ExpandedTrace Whole = expandTrace(Bytes);
  // What it may cost.
  constexpr size_t AlwaysBytes = size_t(64) << 20, MostPerByte = 100;
  require(Whole.Bytes.size() <= AlwaysBytes + MostPerByte * Bytes.size());
  // What precedes a damage is the same whatever follows it.
  const ExpandedTrace Begin =
      expandTrace(std::string_view(Bytes).substr(0, Bytes.size() / 2));
  require(Whole.Bytes.starts_with(Begin.Bytes));
  if (!Whole.Damage.empty()) {
    require(Whole.Damage.find(": byte ") != std::string::npos);
    return;
  }
  constexpr size_t MostAgainBytes = 1 << 16;
  if (Whole.Bytes.size() > MostAgainBytes)
    return;
  Result<std::string> Again =
      compressTrace(Whole.Bytes, CompressionLevel::Least);
  require(bool(Again) && isCompressed(*Again));
  const ExpandedTrace Back = expandTrace(*Again);
  require(Back.Damage.empty() && Back.Bytes == Whole.Bytes);
}

std::vector<std::string> compressedSeeds() {
  std::string Trace = "\x0a\x02\x08\x01";
  for (int I = 0; I != 200; ++I)
    Trace += "\x0a\x04name" + std::to_string(I % 7);
  std::vector<std::string> Seeds;
  for (int Level : {CompressionLevel::Least, CompressionLevel::Most})
    Seeds.push_back(*compressTrace(Trace, Level));
  Seeds.push_back(*compressTrace("", CompressionLevel::Default));
  Seeds.push_back(*compressTrace(std::string(1 << 20, '\0'), 3));
  const std::string Skipped("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  Seeds.push_back(Seeds[0] + Skipped + Seeds[1]);
  return Seeds;
}

} // namespace instantrace::fuzz
