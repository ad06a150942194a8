/// \file
/// What a compile leaves when it does not end: buffer and partial trace, hidden
/// beside the trace that they would have become.
///
///   DIR/.NAME.itrace.buffer   DIR/.NAME.itrace.partial   -> DIR/NAME.itrace
///
/// Flow:   file -> [Leftovers] -> BufferSnapshot, partial trace -> recoverTrace
/// Errors: "PATH: reason"; a buffer whose compile has finished names the trace
#ifndef INSTANTRACE_UTILS_INPUT_LEFTOVERS_H
#define INSTANTRACE_UTILS_INPUT_LEFTOVERS_H

#include "runtime/base/Result.h"
#include "runtime/recovery/BufferRecovery.h"
#include "runtime/shm/BufferSnapshot.h"
#include "utils/input/FileDescriptor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct Leftover {
  std::string BufferPath;  ///< empty: there is only a partial trace
  std::string PartialPath; ///< empty: there is none
  FileDescriptor BufferFile, PartialFile;
  BufferSnapshot Buffer;
  bool IsRunning = false; ///< its compile has not ended
  /// Its compile has ended as it should, and needs no recovery: FinalPath() is
  /// there, or will be in a moment.
  bool isFinished() const {
    return !BufferPath.empty() && Buffer.Phase == BufferPhase::Finished &&
           PartialPath.empty();
  }
  /// Where the trace belongs.
  std::string finalPath() const;
};

/// Whether a living producer has the buffer at \p Path locked, whatever is in
/// it by now.
bool isHeldByProducer(const std::string &Path);

/// A regular file that begins like a buffer; a hidden `.partial` beside which a
/// buffer lies.
bool isLeftover(const std::string &Path);

/// \p Path is a buffer or a partial trace. Either brings the other with it.
Result<Leftover> openLeftover(const std::string &Path);

/// The same for a buffer that is open already, such as that of a process.
Result<Leftover> openLeftover(FileDescriptor Buffer, std::string Path);

/// Takes the snapshot again; the partial trace stays the one that is open.
Result<void> refresh(Leftover &L);

/// Removes the name \p Path if it is that of the file that is open. 0, or
/// errno.
int removeFile(const std::string &Path, const FileDescriptor &Open);

/// Fails when not even a trace without events can be made of it.
Result<RecoveredTrace> recoverLeftover(const Leftover &From);

/// Buffers with hidden names below a folder, by path.
Result<std::vector<std::string>> leftoversBelow(const std::string &Folder);

/// True while the producer lives. Looks at /proc, and where that knows no such
/// process, at the lock that a living producer holds.
bool isProducerRunning(const BufferSnapshot &Buffer, int BufferFile);

/// "no such file or directory"
std::string systemMessage(int Code);

} // namespace instantrace

#endif
