/// \file
/// One compile that has handed its buffer to the collector.
///
/// Flow:    socket -> hello, memfd, partial trace -> [CollectedCompile]
///          chunks => drain() -> partial trace; finish() -> x.itrace
/// Trust:   none. The memory may change at any time and say anything: its
///          size is sealed, chunks are copied before they are looked at, a pass
///          takes PassBytes and one record at most, and the trace is written
///          beside the file that the producer could open, nowhere else
/// Errors:  the buffer cannot be of a compile: the collector lets go of it, and
///          its compile drains for itself
/// Owns:    the socket, whose end tells the producer that we let go
/// Threads: one
#pragma once

#include "runtime/base/Result.h"
#include "runtime/recovery/RecoveryReport.h"
#include "runtime/shm/SharedDrain.h"
#include "runtime/shm/SharedMemory.h"
#include "utils/analysis/live/LiveFrame.h"
#include "utils/system/FileDescriptor.h"
#include "utils/system/Processes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace instantrace {

class CollectedCompile {
public:
  /// Of one pass over one buffer, so that the others have their turn.
  static constexpr size_t PassBytes = size_t(1) << 20;
  /// A larger buffer or partial trace is not one of ours.
  static constexpr uint64_t MaxBufferBytes = uint64_t(256) << 20;
  static constexpr uint64_t MaxTraceBytes = uint64_t(4) << 30;

  explicit CollectedCompile(FileDescriptor Socket)
      : Socket(std::move(Socket)) {}
  CollectedCompile(const CollectedCompile &) = delete;
  CollectedCompile &operator=(const CollectedCompile &) = delete;

  int socket() const { return Socket.get(); }
  /// "process 4711"; "a client" before the hello.
  const std::string &name() const { return Name; }
  /// Of the trace; empty before the hello.
  const std::string &finalName() const { return FinalName; }
  /// As the system has it; 0 before the hello.
  uint32_t processId() const { return ProcessId; }
  /// What the process has used until now, looked up now and then.
  const ProcessUsage &usage() const { return Usage; }
  void lookAtUsage();
  /// What it is doing. None before the hello, and of a trace of more than
  /// \p MostBytes: all of it is kept in memory from the first look on.
  std::optional<LiveFrame> look(uint64_t MostBytes,
                                const LiveCompile::TextFunction &TextOf);

  enum class Connection : uint8_t { Open, Closed };
  /// Takes what the producer has sent. Closed: it has ended, as it should or
  /// not, or has finished.
  Result<Connection> receive();
  /// Moves complete chunks to the partial trace. Bytes written; 0 also while
  /// the producer drains.
  Result<uint64_t> drain();
  /// Requires: receive() said Closed. What became of the trace; none when there
  /// was no hello. A killed compile's trace is read and written as a whole.
  std::optional<RecoveryReport> finish();

private:
  Result<Connection> begin(const void *Bytes, size_t SizeBytes, int BufferFile,
                           int TraceFile);
  Result<void> adopt();
  bool hasPartialName() const;
  RecoveryReport recover();

  FileDescriptor Socket;
  FileDescriptor Partial; ///< the partial trace
  std::string PartialPath;
  std::string Name = "a client";
  SharedMemory Memory;
  SharedMemoryAbi Abi;
  std::optional<SharedDrain> Drain; ///< after the hello
  RecordAssembler Assembler;
  std::string Pending;
  std::string FinalName;
  uint32_t SequenceId = 0;
  uint32_t Pid = 0; ///< as the process knows it
  uint32_t ProcessId = 0;
  FileDescriptor Process; ///< itself
  ProcessUsage Usage;
  std::unique_ptr<LiveCompile> Live; ///< since the first look
};

} // namespace instantrace
