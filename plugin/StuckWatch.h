/// \file
/// Notices that a compile has been at one thing for long, and tells from a copy
/// of it what that is.
///
/// Flow:    timer signal -> [StuckWatch] -> child process -> WatchClient
/// Why:     Clang calls nobody while it evaluates a long constant or compares
///          thousands of overloads, and what it is at is what everybody wants
///          to know after a kill. What calls go on to come, the Recorder looks
///          at itself
/// Harm:    the signal is SIGURG, which nobody minds who does not ask for it;
///          without a handler it is ignored, and with somebody else's there is
///          no watch. Calls of the system that it interrupts are restarted.
///          The child (SnapshotChild.h) reads what Clang may be in the middle
///          of changing, and at worst dies of it
/// Cost:    50 signals a second; a child is a copy of the page tables, and each
///          page that is written later faults once more. By the memory that
///          there is, these are a hundredth of the time, and 100 ms for the
///          first, or a twentieth of the time that it has been stuck: one of
///          300 MB that is stuck has none for up to 6 s, one of 1 GB for 20 s
/// Threads: that of start(). There is no child while the process has others,
///          which a copy would not stop
#ifndef INSTANTRACE_PLUGIN_STUCKWATCH_H
#define INSTANTRACE_PLUGIN_STUCKWATCH_H

#include <csignal>
#include <cstdint>
#include <ctime>

namespace instantrace {

/// All but the last are called in a signal handler, between any two
/// instructions of the thread.
class WatchClient {
public:
  virtual ~WatchClient() = default;
  /// Changes whenever something is heard of the compile.
  virtual uint64_t heardCount() const = 0;
  /// Whether there is something to tell from a copy.
  virtual bool owesNames() const = 0;
  /// The child is on its way.
  virtual void copyIsMade() = 0;
  /// Called in the child.
  virtual void tellFromCopy() = 0;
};

enum class WatchChoice : uint8_t { On, Off };

class StuckWatch {
public:
  /// Intervals are open for that long, and at most for twice that plus what the
  /// child takes, before it is told what they are, where a copy is cheap.
  static constexpr uint64_t StuckNs = 40'000'000;

  explicit StuckWatch(WatchClient &Client) : Client(Client) {}
  ~StuckWatch() { stop(); }
  StuckWatch(const StuckWatch &) = delete;
  StuckWatch &operator=(const StuckWatch &) = delete;

  /// Of the calling thread. Without a timer or with somebody else's handler,
  /// nothing happens.
  void start();
  void stop();
  /// For a process that crashes: the same for now, as nothing but a call of the
  /// system.
  void disarm();

private:
  static void onSignal(int, siginfo_t *Info, void *);
  void tick();
  void look();
  void reap(int Options);

  WatchClient &Client;
  bool IsArmed = false;
  timer_t Timer{};
  uint64_t LastHeard = 0;
  unsigned IdleTicks = 0;
  bool HasLooked = false; ///< since LastHeard
  uint64_t StartNs = 0, NextChildNs = 0;
  uint64_t SpentNs = 0; ///< on children, at most
  pid_t Child = 0;
};

} // namespace instantrace

#endif
