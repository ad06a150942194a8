#include "plugin/OutputName.h"

#include "runtime/base/Hash.h"

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

/// The driver's name for an object between compile and link:
/// TMPDIR/STEM-xxxxxx.o. It differs in every run.
bool isDriverTemporary(StringRef Object) {
  llvm::SmallString<128> TempDirectory;
  path::system_temp_directory(/*ErasedOnReboot=*/true, TempDirectory);
  if (path::parent_path(Object) != TempDirectory.str())
    return false;
  StringRef Stem = path::stem(Object);
  size_t Dash = Stem.rfind('-');
  return Dash != StringRef::npos && Stem.size() - Dash - 1 >= 6 &&
         isHexDigits(Stem.substr(Dash + 1));
}

bool isOwnObject(const CompileIdentity &Compile) {
  StringRef Object = Compile.Object;
  if (Object.empty() || Object == "-" || Compile.IsDevicePass ||
      isDriverTemporary(Object))
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
      if (!isDriverTemporary(Compile.Argv[I]))
        add(Compile.Argv[I]);
  }
  uint64_t Hash = hashBytes({Text.data(), Text.size()});
  return llvm::utohexstr(Hash & 0xffffffffffff, /*LowerCase=*/true, 12);
}

std::string hashedName(const CompileIdentity &Compile) {
  std::string Stem = Compile.Input == "-" ? std::string("stdin")
                                          : path::stem(Compile.Input).str();
  return Stem + "-" + hashOf(Compile) + Suffix.str();
}

std::string absolute(StringRef Path, StringRef WorkingDirectory) {
  if (path::is_absolute(Path) || WorkingDirectory.empty())
    return Path.str();
  llvm::SmallString<256> Result(WorkingDirectory);
  path::append(Result, Path);
  return Result.str().str();
}

} // namespace

std::string outputName(const CompileIdentity &Compile,
                       const std::string &Requested) {
  // Names are made absolute now: nobody promises that the directory stays.
  StringRef Directory = Compile.WorkingDirectory;
  if (!Requested.empty()) {
    std::string Path = absolute(Requested, Directory);
    bool IsDirectory =
        Requested.back() == '/' || llvm::sys::fs::is_directory(Path);
    if (!IsDirectory)
      return Path;
    llvm::SmallString<256> Result(Path);
    path::append(Result, hashedName(Compile));
    return Result.str().str();
  }
  if (!isOwnObject(Compile))
    return absolute(hashedName(Compile), Directory);
  llvm::SmallString<256> Result(absolute(Compile.Object, Directory));
  if (path::extension(Result) == ".o")
    path::replace_extension(Result, "");
  Result += Suffix;
  return Result.str().str();
}

} // namespace instantrace
