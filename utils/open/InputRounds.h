/// \file
/// Lets traces be read in rounds that all see the same.
///
/// Flow:    EachTrace, for names -> [InputRounds] -> EachTrace, for events
/// Threads: any
/// Errors:  a file that is not what it was in the round before
/// Memory:  the bytes of what can be read once alone: the standard input, a
///          pipe, what a killed compile left
#pragma once

#include "runtime/base/Result.h"
#include "utils/open/InputObserver.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unordered_map>

namespace instantrace {

/// By which one sees that a file was written to, or is another one.
struct FileState {
  uint64_t SizeBytes = 0, Inode = 0;
  int64_t Seconds = 0, Nanoseconds = 0;

  FileState() = default;
  explicit FileState(const struct stat &Is)
      : SizeBytes(static_cast<uint64_t>(Is.st_size)), Inode(Is.st_ino),
        Seconds(Is.st_mtim.tv_sec), Nanoseconds(Is.st_mtim.tv_nsec) {}
  friend bool operator==(const FileState &, const FileState &) = default;
};

/// None: it cannot be had. That of anything but a file is always the same.
inline std::optional<FileState> fileStateOf(int Descriptor) {
  struct stat Is{};
  if (::fstat(Descriptor, &Is) != 0)
    return std::nullopt;
  return S_ISREG(Is.st_mode) ? FileState(Is) : FileState();
}

inline Error changedWhileRead(const std::string &Name) {
  return makeError(Name, "a trace that changed while it was read",
                   "that of a compile that has ended");
}

class InputRounds {
public:
  /// Of one input, since it was read first.
  struct Known {
    std::optional<FileState> State;           ///< of a file
    std::shared_ptr<const std::string> Bytes; ///< of anything else
    KeptMessages Messages;                    ///< while these were read
  };

  /// Lives as long as the object. Requires: one thread reads an input.
  Known &input(const std::string &Path) {
    std::lock_guard<std::mutex> Hold(Lock);
    return Inputs[Path];
  }

private:
  std::mutex Lock;
  std::unordered_map<std::string, Known> Inputs;
};

} // namespace instantrace
