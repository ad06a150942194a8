#include "utils/open/SourceRoots.h"

#include "runtime/shm/BufferSnapshot.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/open/Leftovers.h"
#include "utils/system/FolderPath.h"
#include "utils/system/HoleWatch.h"

#include <algorithm>
#include <cerrno>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Options that name a folder of headers, the longer first where one begins
/// like another.
constexpr std::string_view IncludeOptions[] = {"-internal-externc-isystem",
                                               "-internal-iframework",
                                               "-internal-isystem",
                                               "--include-directory=",
                                               "-stdlib++-isystem",
                                               "-cxx-isystem",
                                               "-c-isystem",
                                               "-isystem",
                                               "-iquote",
                                               "-idirafter",
                                               "-iframework",
                                               "-I",
                                               "-F"};

constexpr std::string_view SystemHeaders[] = {"/usr/include", "/usr/lib",
                                              "/usr/local/include"};

/// Nobody has sources there.
constexpr std::string_view OwnFilesOfTheSystem[] = {
    "/etc",     "/proc",     "/sys",         "/dev",
    "/run",     "/boot",     "/var/backups", "/var/lib",
    "/var/log", "/var/mail", "/var/spool",   "/usr/local/etc"};

bool hasHiddenPart(const fs::path &Path, const fs::path &Folder) {
  auto Below =
      std::next(Path.begin(), std::distance(Folder.begin(), Folder.end()));
  return std::any_of(Below, Path.end(), [](const fs::path &Part) {
    return Part.native().starts_with('.');
  });
}

/// Builds are there, and package managers keep sources there.
constexpr std::string_view HiddenFoldersOfBuilds[] = {
    ".build", ".cache", ".cargo", ".conan", ".conan2", ".local", ".vcpkg"};

bool isHiddenFromTraces(const fs::path &Part) {
  return Part.native().starts_with('.') &&
         std::find(std::begin(HiddenFoldersOfBuilds),
                   std::end(HiddenFoldersOfBuilds),
                   Part.native()) == std::end(HiddenFoldersOfBuilds);
}

bool mayBeNamedByTrace(const fs::path &Folder) {
  // The root, and two parts below it.
  return std::distance(Folder.begin(), Folder.end()) > 2 &&
         std::none_of(Folder.begin(), Folder.end(), isHiddenFromTraces) &&
         std::none_of(
             std::begin(OwnFilesOfTheSystem), std::end(OwnFilesOfTheSystem),
             [&](std::string_view Own) { return isBelow(Folder, Own); });
}

/// Which the trace says are the compile's.
void addFoldersOf(const TraceSession &S, std::set<fs::path> &Folders) {
  fs::path Directory = S.WorkingDirectory;
  Folders.insert(Directory);
  // #include "x" looks beside the file first, and a build outside of its
  // sources has them nowhere else.
  Folders.insert((Directory / S.Input).parent_path());
  for (size_t I = 0; I < S.Argv.size(); ++I)
    for (std::string_view Option : IncludeOptions) {
      std::string_view Word = S.Argv[I];
      if (!Word.starts_with(Option))
        continue;
      Word.remove_prefix(Option.size());
      if (!Word.empty())
        Folders.insert(Directory / Word);
      else if (I + 1 != S.Argv.size())
        Folders.insert(Directory / S.Argv[I + 1]);
      break;
    }
}

} // namespace

CompileFolders::CompileFolders(const TraceSession &S) {
  addFoldersOf(S, Sources);
  Working.insert(normalPath(S.WorkingDirectory));
}

CompileFolders::CompileFolders(const Trace &T) {
  for (const Sequence &S : T.Sequences)
    if (S.Session)
      add(CompileFolders(*S.Session));
}

CompileFolders::CompileFolders(const std::string &WorkingDirectory,
                               const std::vector<std::string> &Sources)
    : Sources(Sources.begin(), Sources.end()) {
  if (!WorkingDirectory.empty())
    Working.insert(normalPath(WorkingDirectory));
}

std::vector<std::string> CompileFolders::sources() const {
  std::vector<std::string> Absolute;
  for (const fs::path &Folder : Sources)
    if (Folder.is_absolute())
      Absolute.push_back(Folder.string());
  return Absolute;
}

void CompileFolders::add(CompileFolders More) {
  Sources.merge(More.Sources);
  Working.merge(More.Working);
}

SourceRoots::SourceRoots(const CompileFolders &Folders,
                         const std::vector<std::string> &Named)
    : Directories(Folders.Working.begin(), Folders.Working.end()) {
  for (const std::string &Folder : Named)
    add(Folder, true, true);
  add(".", true, true);
  for (std::string_view Folder : SystemHeaders)
    add(Folder, true);
  for (const fs::path &Folder : Folders.Sources)
    if (Folder.is_absolute())
      add(Folder, false);
}

void SourceRoots::add(const fs::path &Folder, bool IsTrusted, bool IsReaders) {
  std::error_code Failed;
  fs::path Real = fs::canonical(Folder, Failed);
  if (Failed || (!IsTrusted && !mayBeNamedByTrace(Real)))
    return;
  bool IsKnown = std::any_of(Roots.begin(), Roots.end(), [&](const Root &R) {
    return R.Folder == Real && R.IsTrusted >= IsTrusted;
  });
  if (!IsKnown)
    Roots.push_back({std::move(Real), IsTrusted, IsReaders});
}

bool SourceRoots::isShown(const fs::path &Real) const {
  return std::any_of(Roots.begin(), Roots.end(), [&](const Root &R) {
    return isBelow(Real, R.Folder) &&
           (R.IsTrusted || !hasHiddenPart(Real, R.Folder));
  });
}

/// Below the folders of the reader, those with the longest end of \p Path.
std::vector<std::string> SourceRoots::endsOf(const fs::path &Path) const {
  constexpr ptrdiff_t LeastParts = 2;
  const std::vector<fs::path> Parts(Path.begin(), Path.end());
  const auto Count = static_cast<ptrdiff_t>(Parts.size());
  ptrdiff_t Least = LeastParts;
  for (const fs::path &Directory : Directories)
    if (isBelow(Path, Directory))
      Least = std::min(
          Least, Count - std::distance(Directory.begin(), Directory.end()));
  std::set<std::string> Found;
  // The first part is the root.
  for (ptrdiff_t Length = Count - 1;
       Found.empty() && Length >= std::max<ptrdiff_t>(Least, 1); --Length) {
    fs::path End;
    for (ptrdiff_t I = Count - Length; I != Count; ++I)
      End /= Parts[static_cast<size_t>(I)];
    for (const Root &R : Roots) {
      std::error_code Failed;
      fs::path Real = fs::canonical(R.Folder / End, Failed);
      if (R.IsReaders && !Failed && isBelow(Real, R.Folder) &&
          fs::is_regular_file(Real, Failed))
        Found.insert(Real.string());
    }
  }
  return {Found.begin(), Found.end()};
}

std::vector<std::string> SourceRoots::placesOf(const std::string &Path) const {
  std::error_code Failed;
  return placesOf(Path, Failed);
}

/// \p Failed says why it is not where it was.
std::vector<std::string> SourceRoots::placesOf(const std::string &Path,
                                               std::error_code &Failed) const {
  fs::path Real = fs::canonical(Path, Failed);
  if (!Failed)
    return {Real.string()};
  if (Failed != std::errc::no_such_file_or_directory &&
      Failed != std::errc::not_a_directory)
    return {};
  fs::path Normal = fs::path(Path).lexically_normal();
  return Normal.is_absolute() ? endsOf(Normal) : std::vector<std::string>();
}

FileDescriptor SourceRoots::open(const std::string &Path) const {
  std::error_code Failed;
  std::vector<std::string> Places = placesOf(Path, Failed);
  errno = Places.size() > 1 ? ENOTUNIQ : Failed.value();
  if (Places.size() != 1)
    return {};
  if (isShown(Places.front()))
    return openRegularFile(Places.front());
  errno = EXDEV;
  return {};
}

std::string instantrace::sourceProblem(int Code) {
  if (Code == EXDEV)
    return std::string(OutsideSourceRoots);
  if (Code == ENOTUNIQ)
    return "several files have the same longest end of this path in common";
  return systemMessage(Code);
}

std::string instantrace::readSource(const FileDescriptor &File) {
  return readToHole(FileBufferImage(File.get()));
}

std::vector<std::string_view> instantrace::sourceLines(std::string_view Text,
                                                       size_t Most) {
  std::vector<std::string_view> Lines;
  for (size_t Begin = 0; Begin < Text.size() && Lines.size() != Most;) {
    const size_t End = std::min(Text.find('\n', Begin), Text.size());
    std::string_view Line = Text.substr(Begin, End - Begin);
    if (Line.ends_with('\r'))
      Line.remove_suffix(1);
    Lines.push_back(Line);
    Begin = End + 1;
  }
  return Lines;
}
