/// \file
/// What a compile is doing at one moment: all that `attach` shows.
///
/// Flow:   Leftover of a running compile -> [LiveCompile] -> LiveFrame
///         -> LiveText
/// Leaves: finding the compile, text
#pragma once

#include "utils/analysis/live/LiveCosts.h"
#include "utils/analysis/live/LiveTrace.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace instantrace {

struct LiveLevel {
  std::string Kind; ///< as dump prints it
  std::string Name; ///< empty: a phase
  std::string File; ///< empty: no location, or one that is not known yet
  uint32_t LineNo = 0, ColumnNo = 0;
  bool IsPlaceLate = false; ///< there is one, which is not written yet
  uint64_t OpenNs = 0;
};

struct LiveFrame {
  enum class StateKind : uint8_t {
    Running,
    Finished, ///< as it should
    Killed,
    Vanished, ///< ended without a trace, since there was nothing to record
  };

  StateKind State = StateKind::Running;
  std::string Input;
  std::string BufferPath, FinalPath;
  uint32_t Pid = 0, Signal = 0;
  uint64_t RunningNs = 0;    ///< until now, or the last event of one that ended
  uint64_t SinceEventNs = 0; ///< since the last event
  uint64_t Events = 0, EventsDropped = 0;
  std::string Pass;           ///< of the optimizer, that runs; empty: none
  double EventsPerSecond = 0; ///< since the last frame; of the first, average
  double AverageEventsPerSecond = 0;
  uint64_t AstBytes = 0;
  uint64_t ResidentBytes = 0;   ///< of the process; 0: not known
  bool IsGrowing = false;       ///< since the look before
  std::vector<LiveLevel> Stack; ///< outermost first
  std::vector<LiveCostRow> Hottest;
  std::vector<std::string> Problems;
};

/// Keeps what was decoded from frame to frame.
class LiveCompile {
public:
  static constexpr size_t HottestRows = 10;
  /// How a name becomes text, which only what shows it knows.
  using TextFunction = std::function<std::string(const Dictionary &, NameId)>;

  /// \p NowNs of CLOCK_MONOTONIC. \p State is Running for as long as the
  /// clock is the compile's, too.
  LiveFrame look(const BufferSnapshot &Buffer, const BufferImage *Partial,
                 LiveFrame::StateKind State, uint64_t NowNs,
                 const TextFunction &TextOf);

private:
  std::string nameOf(const BufferSnapshot &Buffer, EntityId Id,
                     const TextFunction &TextOf) const;
  void addStack(LiveFrame &Frame, const BufferSnapshot &Buffer, uint64_t NowNs,
                const TextFunction &TextOf) const;

  LiveTrace Trace;
  LiveCosts Costs;
  uint64_t LastLookNs = 0, LastEvents = 0;
};

} // namespace instantrace
