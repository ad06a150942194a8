/// \file
/// Compiles of a build that no plugin of ours sees: by GCC, by Clangs that do
/// not load it, and what distcc, icecc and sccache send elsewhere; and links.
///
/// Flow:    inotify on their programs -> [ForeignCompiles] -> counts, sources
/// Counts:  the kernel reports each opening of a program that we know, and then
///          the processes below the build are looked through. Those that
///          are found there count. Openings of which none is found are somebody
///          else's, or of a process that was too short, and count apart. Not
///          those of Clang, which most often has the plugin, or of linkers
/// Links:   from when their process was seen first until it was seen no more,
///          within some 20 ms of either
/// Errors:  without inotify nothing is counted, which isWatching() says
/// Threads: one
#pragma once

#include "utils/system/FileDescriptor.h"

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

  /// Something has started a moment ago, or is to be seen to end, and look()
  /// should be called soon.
  bool isLooking() const { return LooksLeft != 0 || !OpenLinks.empty(); }

  /// "GCC", "Clang (environment cleared)", "distcc", ...: how often, and of
  /// what.
  struct Use {
    uint64_t Count = 0;               ///< in the build
    uint64_t Others = 0;              ///< whose nobody knows
    std::vector<std::string> Sources; ///< the first MostSources that were seen
  };
  static constexpr size_t MostSources = 1000;
  std::map<std::string, Use> uses() const;

  struct Link {
    std::string Output;
    uint64_t BeginRealtimeNs = 0, EndRealtimeNs = 0; ///< since 1970
  };
  /// The first MostSources, by begin.
  const std::vector<Link> &links() const { return Links; }

private:
  void watch(const std::string &Program, const std::string &Name);
  void watchMatching(const std::string &Pattern, std::string_view Name);
  void readEvents();
  void lookAtProcesses(uint32_t Pid);
  void note(const std::string &Name, const std::vector<std::string> &Sources);
  void noteLink(std::pair<uint32_t, uint64_t> Process,
                const std::vector<std::string> &Arguments);
  void lookAtClang(uint32_t Pid, uint32_t ParentPid,
                   const std::vector<std::string> &Arguments);

  FileDescriptor Events;
  std::map<int, std::string> Watched;  ///< descriptor -> "GCC"
  std::map<std::string, int> Programs; ///< path -> descriptor
  std::map<std::string, Use> Uses;
  std::map<std::string, uint64_t> Openings, Found; ///< by name, of any kind
  std::set<std::pair<uint32_t, uint64_t>> Seen;    ///< process, start
  std::set<uint32_t> CountedDrivers;               ///< of Clang
  std::vector<Link> Links;
  /// Of processes that were seen at the last look, the numbers of their links.
  std::map<std::pair<uint32_t, uint64_t>, size_t> OpenLinks;
  uint64_t NextLookNs = 0, SoonestLookNs = 0;
  unsigned LooksLeft = 0;
};

/// The source of a compile by GCC's cc1 or cc1plus, from its arguments; empty:
/// it only preprocesses.
std::string gccSource(const std::vector<std::string> &Arguments);

/// What a linker writes, by its arguments.
std::string linkOutput(const std::vector<std::string> &Arguments);

} // namespace instantrace
