/// \file
/// What /proc tells of other processes: who runs, whose child it is, what it
/// was started with, and which buffers it has open.
///
/// Flow:   PID -> [Processes] -> attach, record
/// Leaves: reading the buffers; nothing here touches the processes
#pragma once

#include "utils/system/FileDescriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct ProcessStat {
  uint32_t Pid = 0, ParentPid = 0;
  char State = '?';        ///< 'Z' and 'X': it has ended
  uint64_t StartTicks = 0; ///< since boot
  uint64_t UserTicks = 0, SystemTicks = 0;
  uint64_t ResidentPages = 0;
  uint32_t Signal = 0; ///< that has ended it; 0: none, or it may not be known
};

/// Of the text of /proc/PID/stat, whatever the command's name holds.
std::optional<ProcessStat> parseProcessStat(std::string_view Text);

/// None: there is no such process, or /proc is not to be had.
std::optional<ProcessStat> processStat(uint32_t Pid);

/// What a process has used.
struct ProcessUsage {
  uint64_t StartTicks = 0; ///< since boot: with the id, which process it is
  uint64_t UserNs = 0, SystemNs = 0;
  uint64_t ResidentBytes = 0, PeakBytes = 0;
  uint32_t Signal = 0; ///< as in ProcessStat

  /// What was used up to \p Later, of the same process.
  void update(const ProcessUsage &Later);
};

/// The memory of one that has ended and still has an id is 0.
std::optional<ProcessUsage> processUsage(uint32_t Pid);

/// The process at the other end of a connection, open; Linux 6.5 or newer.
FileDescriptor openPeer(int Socket);
/// The signal that has ended a process, whoever was told, for Linux 6.15 or
/// newer; 0: none, or not known.
uint32_t endSignal(const FileDescriptor &Process);

std::vector<uint32_t> allProcesses();

/// The process and all below it, each parent before its children.
std::vector<uint32_t> processTree(uint32_t Pid);

/// The same by what each process says of its children, which takes no time for
/// processes elsewhere, and may miss one while another ends; where the kernel
/// does not tell, all of /proc is read.
std::vector<uint32_t> processesBelow(uint32_t Pid);

/// Whether any process was started with \p Variable, "NAME=value", in its
/// environment. One that may not be looked at is taken for one without.
bool hasProcessWith(std::string_view Variable);

/// A buffer that a process has open.
struct OpenBuffer {
  uint32_t Pid = 0;
  std::string Path; ///< for people: the file's, or "memfd of process PID"
  FileDescriptor File;
};

struct OpenBuffers {
  std::vector<OpenBuffer> Found;
  bool IsDenied = false; ///< the descriptors of some process cannot be seen
};

/// Of the process itself, not of those below it.
void findOpenBuffers(uint32_t Pid, OpenBuffers &Into);

} // namespace instantrace
