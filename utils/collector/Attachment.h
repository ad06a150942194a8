/// \file
/// The compiles that `attach` looks at: found anew each time, decoded once.
///
/// Flow:   PID | file -> [Attachments] -> Leftover -> LiveCompile -> LiveFrame
/// Errors: what is to be attached to is not there, or may not be seen
#pragma once

#include "runtime/base/Result.h"
#include "utils/analysis/live/LiveFrame.h"
#include "utils/open/Leftovers.h"
#include "utils/system/Processes.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

class Attachments {
public:
  /// Of one buffer, or the partial trace beside it.
  static Result<Attachments> toFile(const std::string &Path);
  /// Of a process and all below it.
  static Result<Attachments> toProcess(uint32_t Pid);

  /// What all are doing now, by process. Those that ended since the last look
  /// are there a last time, with how they ended.
  std::vector<LiveFrame> look(const LiveCompile::TextFunction &TextOf);
  /// Nothing will come any more.
  bool isOver() const;

private:
  using FileKey = std::pair<uint64_t, uint64_t>; ///< device, inode

  struct Attached {
    Leftover Left;
    LiveCompile Compile;
    bool IsOver = false;
    uint64_t ResidentBytes = 0; ///< at the last look
  };

  void find();
  Result<void> add(OpenBuffer Found);
  static LiveFrame lookAt(Attached &A, const LiveCompile::TextFunction &TextOf);

  uint32_t Pid = 0; ///< 0: attached to a file
  uint64_t StartTicks = 0;
  bool IsDenied = false;
  std::string LastError; ///< of a buffer that could not be read
  std::map<FileKey, std::unique_ptr<Attached>> All;
};

} // namespace instantrace
