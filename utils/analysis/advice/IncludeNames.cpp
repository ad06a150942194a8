#include "utils/analysis/advice/IncludeNames.h"

#include <algorithm>
#include <array>

using namespace instantrace;

namespace {

constexpr std::string_view IncludeFolder = "/include/";

/// Folders of which libraries tell nobody.
constexpr std::array<std::string_view, 9> Internal = {
    "aux_",     "bits", "debug",   "detail", "details",
    "internal", "pstl", "private", "impl"};
/// As `src`, in which a program has headers of its own.
constexpr std::string_view SourceFolder = "src";
/// Words of a file's name.
constexpr std::array<std::string_view, 6> InternalWords = {
    "detail", "impl", "internal", "inl", "fwd", "private"};

} // namespace

std::string instantrace::includeName(std::string_view Path) {
  constexpr std::string_view Cxx = "c++/";
  size_t Offset = Path.rfind(IncludeFolder);
  if (Offset == Path.npos)
    return std::string(Path);
  Path.remove_prefix(Offset + IncludeFolder.size());
  if (Path.starts_with(Cxx))
    if (size_t End = Path.find('/', Cxx.size()); End != Path.npos)
      Path.remove_prefix(End + 1); // the version
  return std::string(Path);
}

bool instantrace::isInternalPath(std::string_view Path) {
  size_t Offset = Path.rfind(IncludeFolder);
  bool IsInstalled = Offset != Path.npos;
  if (IsInstalled)
    Path.remove_prefix(Offset + IncludeFolder.size());
  size_t Begin = 0;
  for (size_t End; (End = Path.find('/', Begin)) != Path.npos;
       Begin = End + 1) {
    std::string_view Folder = Path.substr(Begin, End - Begin);
    if (std::find(Internal.begin(), Internal.end(), Folder) != Internal.end() ||
        Folder.starts_with("__") || (IsInstalled && Folder == SourceFolder))
      return true;
  }
  std::string_view Name = Path.substr(Begin);
  if (Name.starts_with('_'))
    return true;
  for (size_t First = 0; First < Name.size();) {
    size_t End = std::min(Name.find_first_of("-_.", First), Name.size());
    std::string_view Word = Name.substr(First, End - First);
    if (std::find(InternalWords.begin(), InternalWords.end(), Word) !=
        InternalWords.end())
      return true;
    First = End + 1;
  }
  return false;
}
