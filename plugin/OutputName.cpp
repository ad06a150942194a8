#include "plugin/OutputName.h"

#include "runtime/base/Hash.h"
#include "runtime/base/Utf8.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;
using llvm::StringRef;

namespace instantrace {

namespace {

constexpr StringRef Suffix = ".itrace";

bool isHexDigits(StringRef S) {
  return !S.empty() &&
         llvm::all_of(S, [](char C) { return llvm::isHexDigit(C); });
}

/// The driver's name for what differs in every run: "STEM" of STEM-xxxxxx;
/// empty: it is none.
StringRef stemOfTemporary(StringRef Name) {
  size_t Dash = Name.rfind('-');
  if (Dash == StringRef::npos || Name.size() - Dash - 1 < 6 ||
      !isHexDigits(Name.substr(Dash + 1)))
    return {};
  return Name.substr(0, Dash);
}

bool isTemporaryFolder(StringRef Path) {
  llvm::SmallString<128> TempDirectory;
  path::system_temp_directory(/*ErasedOnReboot=*/true, TempDirectory);
  // Not by the text: TMPDIR may end with a slash, or be reached over a link.
  return Path == TempDirectory.str() ||
         llvm::sys::fs::equivalent(Path, TempDirectory);
}

/// The driver's name for a file between two of its jobs: TMPDIR/STEM-xxxxxx.o.
bool isTemporaryFileName(StringRef Path) {
  return !stemOfTemporary(path::stem(Path)).empty() &&
         isTemporaryFolder(path::parent_path(Path));
}

/// Its name for one of several -arch: TMPDIR/STEM-xxxxxx/STEM-ARCH.o.
bool isNameInTemporaryFolder(StringRef Path) {
  StringRef Folder = path::parent_path(Path);
  StringRef Stem = stemOfTemporary(path::filename(Folder));
  StringRef Name = path::filename(Path);
  return !Stem.empty() && Name.size() > Stem.size() &&
         Name.substr(0, Stem.size()) == Stem && Name[Stem.size()] == '-' &&
         isTemporaryFolder(path::parent_path(Folder));
}

bool isDriverTemporaryName(StringRef Path) {
  return isTemporaryFileName(Path) || isNameInTemporaryFolder(Path);
}

/// A user may choose such a name, too. The driver's file is there already, and
/// empty: that is how it has the name for itself. Where it is in a folder, that
/// is what is there.
bool isDriverTemporary(StringRef Object) {
  uint64_t SizeBytes = 0;
  if (isNameInTemporaryFolder(Object))
    return llvm::sys::fs::file_size(Object, SizeBytes) || SizeBytes == 0;
  return isTemporaryFileName(Object) &&
         !llvm::sys::fs::file_size(Object, SizeBytes) && SizeBytes == 0;
}

std::string absolute(StringRef Path, StringRef WorkingDirectory) {
  if (path::is_absolute(Path) || WorkingDirectory.empty())
    return Path.str();
  llvm::SmallString<256> Result(WorkingDirectory);
  path::append(Result, Path);
  return Result.str().str();
}

bool isOwnObject(const CompileIdentity &Compile) {
  if (Compile.Object.empty() || Compile.Object == "-" || Compile.IsDevicePass)
    return false;
  std::string Object = absolute(Compile.Object, Compile.WorkingDirectory);
  if (isDriverTemporary(Object))
    return false;
  // A device or pipe has no place beside it.
  llvm::sys::fs::file_status Status;
  return llvm::sys::fs::status(Object, Status) ||
         Status.type() == llvm::sys::fs::file_type::regular_file;
}

/// Of all that tells two compiles apart and is the same when one is repeated.
std::string hashOf(const CompileIdentity &Compile) {
  std::string Text;
  auto add = [&Text](StringRef S) {
    Text.append(S.data(), S.size());
    Text.push_back('\0');
  };
  add(Compile.WorkingDirectory);
  add(Compile.Input);
  add(Compile.Triple);
  if (isOwnObject(Compile)) {
    add(Compile.Object);
  } else {
    // A -cc1 line of a linking driver names temporaries; the rest is stable.
    for (size_t I = 0; I < Compile.Argv.size(); ++I)
      if (!isDriverTemporaryName(Compile.Argv[I]))
        add(Compile.Argv[I]);
  }
  uint64_t Hash = hashBytes({Text.data(), Text.size()});
  return llvm::utohexstr(Hash & 0xffffffffffff, /*LowerCase=*/true, 12);
}

/// \p Stem and \p Rest, which is kept whole, as one name of a file.
std::string fileName(StringRef Stem, StringRef Rest) {
  constexpr size_t LongestName = 255;
  size_t Kept =
      utf8PrefixBytes({Stem.data(), Stem.size()}, LongestName - Rest.size());
  return (Stem.substr(0, Kept) + Rest).str();
}

/// The stem is for people, the hash tells names apart. What lists traces by
/// their names, as session.json does, has no bytes but those of UTF-8.
std::string hashedName(const CompileIdentity &Compile, StringRef Stem) {
  std::string Shown;
  appendReplacing(
      Shown, {Stem.data(), Stem.size()},
      [](std::string_view, bool IsWellFormed) { return !IsWellFormed; },
      [&Shown](std::string_view, bool) { Shown.push_back('_'); });
  return fileName(Shown, "-" + hashOf(Compile) + Suffix.str());
}

std::string hashedName(const CompileIdentity &Compile) {
  return hashedName(Compile, Compile.Input == "-" ? StringRef("stdin")
                                                  : path::stem(Compile.Input));
}

/// a.o -> a.itrace, x.s -> x.s.itrace. An output without an ending would have
/// the name of its object's trace, and one that is too long has no room for it.
std::string nameBeside(const CompileIdentity &Compile) {
  StringRef Name = path::filename(Compile.Object);
  StringRef Ending = path::extension(Name);
  if (Ending == ".o")
    Name = Name.drop_back(Ending.size());
  if (Ending.empty() || Name.size() + Suffix.size() > 255)
    return hashedName(Compile, Name);
  return (Name + Suffix).str();
}

bool isFolder(StringRef Requested, StringRef WorkingDirectory) {
  return Requested.back() == '/' ||
         llvm::sys::fs::is_directory(absolute(Requested, WorkingDirectory));
}

} // namespace

bool isRequestedTwice(const CompileIdentity &Compile,
                      const std::string &Requested) {
  return Compile.IsOneOfSeveral && !Requested.empty() &&
         !isFolder(Requested, Compile.WorkingDirectory);
}

std::string outputName(const CompileIdentity &Compile,
                       const std::string &Requested) {
  // Names are made absolute now: nobody promises that the directory stays.
  StringRef Directory = Compile.WorkingDirectory;
  if (!Requested.empty()) {
    llvm::SmallString<256> Result(absolute(Requested, Directory));
    if (!isFolder(Requested, Directory)) {
      if (!Compile.IsOneOfSeveral)
        return Result.str().str();
      path::remove_filename(Result);
    }
    path::append(Result, hashedName(Compile));
    return Result.str().str();
  }
  if (!isOwnObject(Compile))
    return absolute(hashedName(Compile), Directory);
  llvm::SmallString<256> Result(absolute(Compile.Object, Directory));
  path::remove_filename(Result);
  path::append(Result, nameBeside(Compile));
  return Result.str().str();
}

} // namespace instantrace
