/// \file
/// A descriptor that is closed when its owner goes.
#pragma once

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace instantrace {

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int Value) : Value(Value) {}
  ~FileDescriptor() {
    if (Value >= 0)
      ::close(Value);
  }
  FileDescriptor(FileDescriptor &&Other) noexcept
      : Value(std::exchange(Other.Value, -1)) {}
  FileDescriptor &operator=(FileDescriptor &&Other) noexcept {
    std::swap(Value, Other.Value);
    return *this;
  }

  explicit operator bool() const { return Value >= 0; }
  int get() const { return Value; }

private:
  int Value = -1;
};

enum class FinalLink { Followed, Refused };

/// Opens a regular file for reading, below the open folder \p Folder if its
/// path is relative, and never waits for or acts on anything else that has the
/// name. Without a descriptor, errno says why: ELOOP of a link that is refused.
inline FileDescriptor openRegularFile(const std::string &Path,
                                      FinalLink Link = FinalLink::Followed,
                                      int Folder = AT_FDCWD) {
  bool Follows = Link == FinalLink::Followed;
  auto isRegular = [](const struct stat &Status) {
    if (S_ISREG(Status.st_mode))
      return true;
    errno = S_ISDIR(Status.st_mode)   ? EISDIR
            : S_ISLNK(Status.st_mode) ? ELOOP
                                      : EINVAL;
    return false;
  };
  struct stat Status;
  if (::fstatat(Folder, Path.c_str(), &Status,
                Follows ? 0 : AT_SYMLINK_NOFOLLOW) != 0 ||
      !isRegular(Status))
    return {};
  FileDescriptor File(::openat(Folder, Path.c_str(),
                               O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY |
                                   (Follows ? 0 : O_NOFOLLOW)));
  // Something else may have the name by now.
  if (File && (::fstat(File.get(), &Status) != 0 || !isRegular(Status)))
    return {};
  return File;
}

/// Lets this process open as many files as it may: who serves compiles needs a
/// few for each. Returns what the limit was; none if nobody tells.
inline std::optional<rlimit> allowManyDescriptors() {
  rlimit Before;
  if (::getrlimit(RLIMIT_NOFILE, &Before) != 0)
    return std::nullopt;
  rlimit Most = Before;
  Most.rlim_cur = Most.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &Most);
  return Before;
}

/// Whether \p Path, in the folder that is open as \p Folder, is a name of the
/// file that is open; \p Flags are fstatat()'s. If not, errno says why, ESTALE
/// that it is another file's.
inline bool isNameOf(const FileDescriptor &Open, const std::string &Path,
                     int Folder = AT_FDCWD, int Flags = AT_SYMLINK_NOFOLLOW) {
  struct stat Named, Opened;
  if (::fstatat(Folder, Path.c_str(), &Named, Flags) != 0 ||
      ::fstat(Open.get(), &Opened) != 0)
    return false;
  errno = ESTALE;
  return Named.st_dev == Opened.st_dev && Named.st_ino == Opened.st_ino;
}

} // namespace instantrace
