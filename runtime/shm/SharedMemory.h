/// \file
/// The memory behind a buffer: a file, a memfd, or private memory.
///
/// Flow:    Profiler -> [SharedMemory] -> SharedMemoryAbi, BufferHeader
/// Errors:  a text "PATH: reason" and no memory. Space is reserved when it is
///          made, so that a full disk is an error here and no SIGBUS later
/// Threads: one
/// Owns:    mapping and descriptor; the file stays until removeFile()
#pragma once

#include "runtime/shm/ShrinkGuard.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace instantrace {

class SharedMemory {
public:
  SharedMemory() = default; ///< no memory
  ~SharedMemory();
  SharedMemory(SharedMemory &&Other) noexcept;
  SharedMemory &operator=(SharedMemory &&Other) noexcept;

  /// A new file of zeros for this user alone, locked exclusively (flock) for as
  /// long as this lives: who finds it can tell a running producer from a dead
  /// one. A file that a dead producer of this user left there is removed first;
  /// anything else of that name is an error. When a living producer has it, \p
  /// Error stays empty and there is no memory.
  static SharedMemory makeFile(const std::string &Path, size_t SizeBytes,
                               std::string &Error);
  /// Without a name in any file system; its size is sealed, so that no holder
  /// can make another one's access a SIGBUS.
  static SharedMemory makeMemfd(size_t SizeBytes, std::string &Error);
  /// Zeroed memory that no other process sees. Fails when memory is out.
  static SharedMemory makePrivate(size_t SizeBytes, std::string &Error);
  /// Maps what another process has made and handed over. Fails unless its size
  /// is sealed. Takes the descriptor, whatever comes of it.
  static SharedMemory adopt(int Descriptor, std::string &Error);

  explicit operator bool() const { return Data != nullptr; }
  uint8_t *data() const { return Data; }
  size_t sizeBytes() const { return SizeBytes; }
  bool isPrivate() const { return Descriptor < 0; }
  int descriptor() const { return Descriptor; } ///< -1: private
  /// Somebody has cut the file. All there was is gone; what is written from now
  /// on goes nowhere.
  bool isCut() const { return Guard.isCut(); }
  const std::string &path() const { return Path; } ///< empty: no file

  /// Removes the file's name; the memory stays.
  void removeFile();

private:
  bool open(std::string &Error);
  int map(); ///< 0 or the errno
  void release();

  uint8_t *Data = nullptr;
  size_t SizeBytes = 0;
  int Descriptor = -1;
  std::string Path;
  ShrinkGuard Guard; ///< of a file; a memfd cannot shrink
};

/// Hands descriptors over a connected Unix socket (SCM_RIGHTS), with \p Bytes.
/// False: the other side is gone, or errno says why.
bool sendDescriptors(int Socket, const int *Descriptors, size_t Count,
                     const void *Bytes, size_t SizeBytes);
/// Receives at most \p Count descriptors and \p SizeBytes bytes. Returns the
/// bytes received, 0 at the end, -1 for an error; slots without a descriptor
/// get -1. The caller owns them.
long receiveDescriptors(int Socket, int *Descriptors, size_t Count, void *Bytes,
                        size_t SizeBytes);

} // namespace instantrace
