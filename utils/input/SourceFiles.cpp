#include "utils/input/SourceFiles.h"

#include <algorithm>
#include <sys/stat.h>

using namespace instantrace;

const std::string *SourceFiles::text(const std::string &Path) {
  auto [At, IsNew] = ByPath.try_emplace(Path);
  if (IsNew)
    At->second = read(Path);
  return At->second ? &*At->second : nullptr;
}

std::optional<std::string> SourceFiles::read(const std::string &Path) {
  FileDescriptor File = Roots.open(Path);
  struct stat Status;
  if (!File || ::fstat(File.get(), &Status) != 0)
    return std::nullopt;
  constexpr uint64_t SecondNs = 1'000'000'000;
  if (static_cast<uint64_t>(Status.st_mtim.tv_sec) * SecondNs +
          static_cast<uint64_t>(Status.st_mtim.tv_nsec) >
      LatestNs)
    return std::nullopt;
  auto Bytes = static_cast<uint64_t>(Status.st_size);
  if (Bytes > MostFileBytes || Bytes > LeftBytes)
    return std::nullopt;
  std::string Text = readSource(File);
  LeftBytes -= std::min<uint64_t>(LeftBytes, Text.size());
  return Text;
}

const std::string *SourceFiles::text(const std::string *Folder,
                                     const std::string &Path) {
  return text(Path.starts_with('/') || !Folder ? Path : *Folder + "/" + Path);
}
