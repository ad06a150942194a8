#include "utils/replay/FollowedCompile.h"

#include "utils/index/TraceIndex.h"
#include "utils/open/Leftovers.h"
#include "utils/replay/Interrupt.h"
#include "utils/replay/Timeline.h"

#include <chrono>
#include <thread>
#include <vector>

using namespace instantrace;

Result<InstantiationIndex> FollowedCompile::read() {
  // Its end is looked for first: what comes before the end is then read.
  Result<Leftover> L = openLeftover(Buffer);
  IsOver = !L || !L->IsRunning;
  WasKilled = L && !L->IsRunning && !L->isFinished();
  // That it is not whole is no news.
  std::vector<std::string> Unsaid;
  MessageList Quiet(Unsaid);
  Result<InstantiationIndex> X =
      openPassingIndex({IsOver && !WasKilled ? Trace : Buffer}, Quiet);
  if (X || !WasKilled)
    return X;
  // Who finishes what killed compiles leave came first.
  WasKilled = false;
  return openPassingIndex({Trace}, Quiet);
}

Result<bool> FollowedCompile::waitForMore(InstantiationIndex &Into) {
  constexpr std::chrono::milliseconds Pause(300);
  INSTANTRACE_TRY_ASSIGN(Timeline Before, Timeline::make(Into));
  while (!isInterrupted()) {
    if (IsOver)
      return false;
    std::this_thread::sleep_for(Pause);
    Result<InstantiationIndex> New = read();
    // It may have ended between two looks.
    if (!New && !IsOver)
      continue;
    INSTANTRACE_TRY_ASSIGN(Timeline Now, New ? Timeline::make(*New)
                                             : Result<Timeline>(New.error()));
    if (IsOver || Now.end() != Before.end()) {
      Into = std::move(*New);
      return true;
    }
  }
  return interruptedError();
}
