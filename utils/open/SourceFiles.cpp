#include "utils/open/SourceFiles.h"

#include "utils/system/FileTime.h"

#include <algorithm>
#include <sys/stat.h>

using namespace instantrace;

const std::string *SourceFiles::text(const std::string &Path) {
  auto [Entry, IsNew] = ByPath.try_emplace(Path);
  if (IsNew)
    Entry->second = read(Path);
  return Entry->second ? &*Entry->second : nullptr;
}

std::optional<std::string> SourceFiles::read(const std::string &Path) {
  FileDescriptor File = Roots.open(Path);
  struct stat Status;
  if (!File || ::fstat(File.get(), &Status) != 0)
    return std::nullopt;
  if (modifiedNs(Status) > LatestNs)
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

std::string SourceFiles::line(const std::string &Folder,
                              const std::string &Path, uint32_t LineNo) {
  const std::string *Text = text(Folder.empty() ? nullptr : &Folder, Path);
  if (!Text)
    return {};
  size_t Begin = 0;
  for (uint32_t No = 1; No != LineNo; ++No) {
    Begin = Text->find('\n', Begin);
    if (Begin == Text->npos)
      return {};
    ++Begin;
  }
  std::string Found = Text->substr(Begin, Text->find('\n', Begin) - Begin);
  if (Found.ends_with('\r'))
    Found.pop_back();
  return Found;
}
