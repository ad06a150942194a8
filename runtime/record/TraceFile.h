/// \file
/// A file that appears under its final name only when it is complete.
///
/// Flow:    TraceBuffer -> [TraceFile] -> x.itrace
/// Errors:  the first one is kept; later calls do nothing. Nothing is printed.
///          What is no regular file (a device, a pipe) is never replaced, and
///          a limit on file sizes is an error like a full disk
/// Trust:   the partial file is made by us, is nobody else's to read until it is
///          complete, and replaces nothing, unless replaceLeftover() is called:
///          then what a compile of this user left under a name that the caller
///          has for itself
/// Owns:    the partial file, removed unless commit() succeeds or leave() is
///          called
/// Threads: one
#pragma once

#include "runtime/base/NewFile.h"
#include "runtime/record/PacketSink.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

class TraceFile final : public PacketSink {
public:
  /// Nothing is created before the first append(). The partial file is
  /// \p PartialPath, or a hidden name beside the final one that nobody has.
  explicit TraceFile(std::string FinalPath, std::string PartialPath = {});
  ~TraceFile() override;
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  /// Whether \p PartialPath is free, or has what a compile of this user left.
  static bool isPartialOurs(const std::string &PartialPath);

  /// Creates the partial file now, for two processes to append to.
  bool openShared();
  /// Requires: openShared(). Of what another process may have appended,
  /// \p FileBytes count; the rest is cut off.
  bool settle(uint64_t FileBytes);
  /// The partial path is one that no living compile may have.
  void replaceLeftover() { ReplacesLeftover = true; }
  /// From here on a file that is not a trace, by what can be read of it, is not
  /// replaced.
  void replaceOnlyTraces() { ReplacesOnlyTraces = true; }
  /// The mode that it gets with its final name, instead of the umask's: who may
  /// read and write it, and never whose rights it runs with. Of another user's
  /// file those bits would give ours. Requires: something was appended.
  void setMode(uint32_t Mode) { FinalMode = Mode & 0777; }
  /// Of the open partial file; -1: there is none.
  int descriptor() const { return Descriptor; }
  /// All or nothing: after a failure the file ends where it did before.
  bool append(std::string_view Bytes) override;
  /// Renames onto the final path; a partial file that cannot be renamed stays
  /// for recovery until discard(). With \p KeepsExisting, an existing non-empty
  /// file stays and ours is dropped.
  void commit(bool KeepsExisting);
  /// The same onto a path that nothing has. False: something has it by now, and
  /// the partial file is gone. After other failures error() says why.
  bool commitAsNew();
  void discard();
  /// Leaves the partial file to whoever finds it.
  void leave();

  /// Empty while all is well, otherwise "PATH: reason".
  const std::string &error() const { return ErrorText; }
  const std::string &path() const { return FinalPath; }
  const std::string &partialPath() const { return PartialPath; }
  uint64_t sizeBytes() const { return SizeBytes; }

private:
  bool open(int MoreFlags = 0);
  /// Whether commit() may rename onto the final path; fails otherwise.
  bool isReplaceable();
  /// 0 or an errno; then the partial file stays as it is, but for EEXIST.
  /// \p OnlyAsNew: that is the answer if something has the final name.
  int rename(bool OnlyAsNew);
  bool fail(const std::string &Path, int ErrorNumber);

  std::string FinalPath;
  std::string PartialPath;
  std::string ErrorText;
  uint64_t SizeBytes = 0;
  int Descriptor = -1;
  uint32_t FinalMode = 0; ///< as the umask has it
  bool ReplacesLeftover = false;
  bool ReplacesOnlyTraces = false;
  UnfinishedFile Partial; ///< once it is made
};

/// Appends to a partial trace that several processes append to in turn: what is
/// beyond \p FileBytes, which a process that was killed has left, is cut off
/// first. Returns 0 or the errno, and then the file has \p FileBytes again.
/// EINVAL: it has fewer. Requires: O_APPEND.
int appendToTrace(int Descriptor, uint64_t FileBytes, std::string_view Bytes);

/// The hidden name, without its ending, of what a compile keeps beside \p
/// FinalPath: "DIR/.NAME". Of a name too long for a file system, the middle is
/// a hash.
std::string hiddenPath(const std::string &FinalPath);
/// The same for one of several: "DIR/.NAME.PID-NUMBER". Nobody knows the name
/// beforehand.
std::string uniqueHiddenPath(const std::string &FinalPath);

} // namespace instantrace
