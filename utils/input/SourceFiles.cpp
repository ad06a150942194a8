#include "utils/input/SourceFiles.h"

#include <filesystem>
#include <fstream>

using namespace instantrace;

const std::string *SourceFiles::text(const std::string &Path) {
  auto [At, IsNew] = ByPath.try_emplace(Path);
  if (IsNew)
    At->second = read(Path);
  return At->second ? &*At->second : nullptr;
}

std::optional<std::string> SourceFiles::read(const std::string &Named) {
  std::optional<std::string> Real = Roots.resolve(Named);
  if (!Real)
    return std::nullopt;
  const std::string &Path = *Real;
  std::error_code Failed;
  if (!std::filesystem::is_regular_file(Path, Failed))
    return std::nullopt;
  uint64_t Bytes = std::filesystem::file_size(Path, Failed);
  if (Failed || Bytes > MostFileBytes || Bytes > LeftBytes)
    return std::nullopt;
  std::ifstream In(Path, std::ios::binary);
  std::string Text(Bytes, '\0');
  if (!In.read(Text.data(), static_cast<std::streamsize>(Bytes)))
    return std::nullopt;
  LeftBytes -= Bytes;
  return Text;
}
