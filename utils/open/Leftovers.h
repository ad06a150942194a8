/// \file
/// What a compile leaves when it does not end: buffer and partial trace, hidden
/// beside the trace that they would have become.
///
///   DIR/.NAME.itrace.buffer   DIR/.NAME.itrace.partial   -> DIR/NAME.itrace
///
/// Flow:   file -> [Leftovers] -> BufferSnapshot, partial trace -> recoverTrace
/// Errors: "PATH: reason"; a buffer whose compile has finished names the trace
#pragma once

#include "runtime/base/Result.h"
#include "runtime/base/SystemMessage.h"
#include "runtime/recovery/BufferRecovery.h"
#include "runtime/shm/BufferSnapshot.h"
#include "utils/system/FileDescriptor.h"

#include <cstdint>
#include <string>

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
  /// Where its compile wanted the trace. The leftover says so, and anybody can
  /// make one: for people to read, never to be opened.
  std::string finalPath() const;
  /// A name for the trace in the folder in which the leftover is: the recorded
  /// one if the leftover's own name comes from it, else one made of that,
  /// without what uniqueHiddenPath() puts there.
  std::string finalName() const;
};

/// The same by a leftover's own name alone.
std::string finalNameOf(std::string Name);

/// The folder of \p Path, open. Below the folder \p Root, unless that is empty,
/// no symbolic link is followed: whoever owns a part of it could make one.
Result<FileDescriptor> openFolderOf(const std::string &Path,
                                    const std::string &Root);

/// Fails unless \p Path's last part names in \p Folder the file that is open,
/// itself or, if it may be one, as a link.
Result<void> checkIsIn(const FileDescriptor &Folder, const std::string &Path,
                       const FileDescriptor &Open, bool FollowsLink);

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

/// Removes the name \p Path if it is that of the file that is open, in \p
/// Folder if it is there. 0, or errno.
int removeFile(const FileDescriptor &Folder, const std::string &Path,
               const FileDescriptor &Open);

/// Fails when not even a trace without events can be made of it.
Result<RecoveredTrace> recoverLeftover(const Leftover &L);

/// Whether it is a file with the name and the begin of what a compile leaves,
/// and no link to one: a hidden buffer, or a hidden partial trace that has no
/// buffer beside it.
bool isHiddenLeftover(const std::string &Path);
/// What the compile of a trace that is not there has left beside it; empty:
/// nothing.
std::string leftoverInPlaceOf(const std::string &TracePath);

/// True while the producer lives. Looks at /proc, and where that knows no such
/// process, at the lock that a living producer holds.
bool isProducerRunning(const BufferSnapshot &Buffer, int BufferFile);

} // namespace instantrace
