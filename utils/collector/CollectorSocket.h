/// \file
/// The socket at which compiles find a collector.
///
/// Flow:   path -> [CollectorSocket] -> Collector
/// Errors: "PATH: reason". A socket that nobody listens at is left from one
///         that was killed and is replaced; anything else that has the name
///         stays
/// Owns:   the socket's name, removed at the end unless it is another's by then
#pragma once

#include "runtime/base/Result.h"
#include "utils/system/FileDescriptor.h"

#include <string>

namespace instantrace {

class CollectorSocket {
public:
  static Result<CollectorSocket> listen(const std::string &Path);
  CollectorSocket(CollectorSocket &&) = default;
  ~CollectorSocket();

  int get() const { return Listening.get(); }
  /// None: nobody waits (errno EAGAIN), or there is no descriptor to be had.
  FileDescriptor accept() const;

private:
  CollectorSocket(FileDescriptor Listening, std::string Path)
      : Listening(std::move(Listening)), Path(std::move(Path)) {}

  FileDescriptor Listening;
  std::string Path;
  dev_t Device = 0;
  ino_t Inode = 0;
};

} // namespace instantrace
