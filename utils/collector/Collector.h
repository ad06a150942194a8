/// \file
/// Serves all compiles that connect, in rounds.
///
/// Flow:    CollectorSocket -> [Collector] -> CollectedCompile each -> reports
/// Rounds:  each lets in who waits, and gives every compile one bounded pass.
///          A producer rings when it begins a chunk and when it finds none;
///          between rings the collector looks by itself, at growing intervals
/// Errors:  of one compile are said, and the others go on
/// Threads: one
#ifndef INSTANTRACE_UTILS_COLLECTOR_COLLECTOR_H
#define INSTANTRACE_UTILS_COLLECTOR_COLLECTOR_H

#include "utils/collector/CollectedCompile.h"
#include "utils/collector/CollectorSocket.h"

#include <csignal>
#include <functional>
#include <memory>
#include <vector>

namespace instantrace {

struct CollectorEvents {
  std::function<void(const RecoveryReport &)> Ended;
  /// A compile that the collector lets go of, or that it cannot finish.
  std::function<void(const Error &)> Failed;
};

class Collector {
public:
  Collector(CollectorSocket Socket, CollectorEvents Events)
      : Socket(std::move(Socket)), Events(std::move(Events)) {}

  /// Until \p IsStopped, which a signal handler sets: of a signal that is
  /// blocked, and not in \p DuringWait. With \p UntilIdle, until the last of at
  /// least one compile is gone.
  void run(const sigset_t &DuringWait, const volatile int &IsStopped,
           bool UntilIdle);

private:
  void letIn();
  /// False: it is gone.
  bool serve(CollectedCompile &Compile, bool IsReadable);

  CollectorSocket Socket;
  CollectorEvents Events;
  std::vector<std::unique_ptr<CollectedCompile>> Compiles;
  uint64_t BytesInRound = 0;
  bool HasServed = false;
  bool IsShort = false; ///< of descriptors
  bool HasFailedToWait = false;
};

} // namespace instantrace

#endif
