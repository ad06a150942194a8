/// \file
/// Serves all compiles that connect, in rounds.
///
/// Flow:    CollectorSocket -> [Collector] -> CollectedCompile each -> reports
/// Rounds:  each lets in who waits, and gives every compile one bounded pass.
///          A producer rings when it begins a chunk and when it finds none;
///          between rings the collector looks by itself, at growing intervals
/// Errors:  of one compile are said, and the others go on
/// Threads: one
#pragma once

#include "utils/collector/CollectedCompile.h"
#include "utils/collector/CollectorSocket.h"

#include <csignal>
#include <functional>
#include <memory>
#include <poll.h>
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

  /// One round. Waits until somebody connects, rings or ends, a signal comes
  /// that \p DuringWait lets in, or \p AlsoWakes is readable (negative: none),
  /// and for \p LongestMs at most (negative: for ever, while nobody is
  /// connected).
  void serveRound(const sigset_t &DuringWait, int AlsoWakes, long LongestMs);
  /// Those that are connected.
  const std::vector<std::unique_ptr<CollectedCompile>> &compiles() const {
    return Compiles;
  }

private:
  static constexpr long ShortestPauseMs = 2, LongestPauseMs = 32;

  void letIn();
  /// False: it is gone.
  bool serve(CollectedCompile &Compile, bool IsReadable);

  CollectorSocket Socket;
  CollectorEvents Events;
  std::vector<std::unique_ptr<CollectedCompile>> Compiles;
  std::vector<pollfd> Polled;
  long PauseMs = ShortestPauseMs;
  uint64_t BytesInRound = 0;
  bool HasServed = false;
  bool IsShort = false; ///< of descriptors
  bool HasFailedToWait = false;
};

} // namespace instantrace
