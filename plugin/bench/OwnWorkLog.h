/// \file
/// When each of two profilers in one compile was at work, or the thread did not
/// run, which the comparison of hooks takes out of the times of both
/// (utils/bench/hooks/OwnWork.h).
///
/// Flow:    guarded() of plugin/hooks -> [OwnWorkLog] -> FILE.own-work
/// Shape:   pairs of 64-bit numbers, begin and end in ns of CLOCK_MONOTONIC
/// Cost:    four readings of clocks. What they take outside of the span is
///          added to it
/// Threads: one, which compiles one file
///
/// The hooks' sources are compiled once more for that module, with this header
/// before each: profilers that are no part of a comparison pay nothing.
#pragma once

#include "plugin/memory/OutOfMemory.h"
#include "plugin/recorder/Clock.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <utility>

namespace instantrace {

class OwnWorkLog {
public:
  static OwnWorkLog &get() {
    static OwnWorkLog Log;
    return Log;
  }
  void writeTo(std::string File) { Path = std::move(File); }

  template <class Work> void time(Work W) {
    const uint64_t BeginNs = monotonicNowNs();
    noteWait(BeginNs);
    const size_t Index = Spans.size(); // W may come here as well
    Spans.push_back({BeginNs, BeginNs});
    W();
    LastRunNs = nowNs(CLOCK_THREAD_CPUTIME_ID);
    LastNs = monotonicNowNs();
    Spans[Index].EndNs = LastNs;
  }

private:
  struct Span {
    uint64_t BeginNs, EndNs;
  };

  /// Since the span before.
  void noteWait(uint64_t NowNs) {
    constexpr uint64_t ShortestNs = 10'000;
    const uint64_t RunNs = nowNs(CLOCK_THREAD_CPUTIME_ID) - LastRunNs;
    if (LastNs != 0 && NowNs - LastNs > RunNs + ShortestNs)
      Spans.push_back({LastNs + RunNs, NowNs});
  }

  OwnWorkLog() {
    for (int I = 0; I != 1000; ++I) {
      const uint64_t BeforeNs = monotonicNowNs();
      ReadingNs = std::min(ReadingNs, monotonicNowNs() - BeforeNs);
    }
  }
  ~OwnWorkLog() {
    std::FILE *File = Path.empty() ? nullptr : std::fopen(Path.c_str(), "wb");
    if (!File)
      return; // whoever compares misses it
    for (Span &S : Spans) {
      S.EndNs += ReadingNs;
      std::fwrite(&S, sizeof(S), 1, File);
    }
    std::fclose(File);
  }

  std::string Path;
  std::deque<Span> Spans;
  uint64_t LastNs = 0, LastRunNs = 0; ///< when the last one ended
  uint64_t ReadingNs = UINT64_MAX;
};

template <class Client, class Work>
void timedAndGuarded(Client &C, Work W) noexcept {
  OwnWorkLog::get().time([&] { guarded(C, W); });
}

} // namespace instantrace

#define guarded timedAndGuarded
