/// \file
/// Compiles of a build that no plugin of ours can see: by GCC, and what
/// distcc, icecc and sccache send elsewhere.
///
/// Flow:    inotify on their programs -> [ForeignCompiles] -> counts, sources
/// Counts:  each start of a program that we know is told by the kernel, so that
///          none is too short to be seen; two in the same microsecond may count
///          as one. Which source it is about is read from its process while
///          that runs, and is missing of some
/// Errors:  without inotify or /proc nothing is counted, which isWatching()
/// says Threads: one
#ifndef INSTANTRACE_UTILS_SESSION_FOREIGNCOMPILES_H
#define INSTANTRACE_UTILS_SESSION_FOREIGNCOMPILES_H

#include "utils/input/FileDescriptor.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace instantrace {

class ForeignCompiles {
public:
  /// Of what is installed in the usual places, and in \p SearchPath, as PATH.
  explicit ForeignCompiles(const std::string &SearchPath);

  bool isWatching() const { return static_cast<bool>(Events); }
  /// To wait for, beside others; negative: none.
  int descriptor() const { return Events.get(); }
  /// Notes what has started. Looks at the processes below \p Pid if any has,
  /// and otherwise now and then, for programs in unusual places.
  void look(uint32_t Pid, uint64_t NowNs);

  /// Something has started a moment ago, and look() should be called soon.
  bool isLooking() const { return LooksLeft != 0; }

  /// "GCC", "distcc", ...: how often, and of what.
  struct Use {
    uint64_t Count = 0;
    std::vector<std::string> Sources; ///< the first MostSources that were seen
  };
  static constexpr size_t MostSources = 1000;
  const std::map<std::string, Use> &uses() const { return Uses; }

private:
  void watch(const std::string &Program, const std::string &Name);
  void readEvents();
  void lookAtProcesses(uint32_t Pid);

  FileDescriptor Events;
  std::map<int, std::string> Watched;  ///< descriptor -> "GCC"
  std::map<std::string, int> Programs; ///< path -> descriptor
  std::map<std::string, Use> Uses;
  std::set<std::pair<uint32_t, uint64_t>> Seen; ///< process, start
  uint64_t NextLookNs = 0;
  unsigned LooksLeft = 0;
};

/// The source of a compile by GCC's cc1 or cc1plus, from its arguments; empty:
/// it only preprocesses.
std::string gccSource(const std::vector<std::string> &Arguments);

} // namespace instantrace

#endif
