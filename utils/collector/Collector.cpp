#include "utils/collector/Collector.h"

#include "utils/open/Leftovers.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

using namespace instantrace;

namespace {

constexpr unsigned MaxAccepts = 64; ///< in one round

} // namespace

void Collector::letIn() {
  IsShort = false;
  for (unsigned I = 0; I != MaxAccepts; ++I) {
    FileDescriptor New = Socket.accept();
    if (!New) {
      IsShort = errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
                errno == ENOBUFS;
      return;
    }
    Compiles.push_back(std::make_unique<CollectedCompile>(std::move(New)));
    HasServed = true;
  }
}

bool Collector::serve(CollectedCompile &Compile, bool IsReadable) {
  using Connection = CollectedCompile::Connection;
  Connection Now = Connection::Open;
  if (IsReadable) {
    Result<Connection> Received = Compile.receive();
    if (!Received) {
      Events.Failed(Received.error());
      return false;
    }
    Now = *Received;
  }
  if (Now == Connection::Closed) {
    if (std::optional<RecoveryReport> Report = Compile.finish()) {
      if (Report->Outcome == RecoveryReport::Failed)
        Events.Failed(Error{Report->Error});
      else
        Events.Ended(*Report);
    }
    return false;
  }
  Result<uint64_t> Drained = Compile.drain();
  if (!Drained) {
    Events.Failed(Drained.error());
    return false;
  }
  BytesInRound += *Drained;
  return true;
}

void Collector::run(const sigset_t &DuringWait, const volatile int &IsStopped,
                    bool UntilIdle) {
  while (!IsStopped && !(UntilIdle && HasServed && Compiles.empty()))
    serveRound(DuringWait, -1, -1);
}

void Collector::serveRound(const sigset_t &DuringWait, int AlsoWakes,
                           long LongestMs) {
  Polled.clear();
  // Without descriptors to spare the listener would be readable for ever.
  Polled.push_back({IsShort ? -1 : Socket.get(), POLLIN, 0});
  for (const auto &C : Compiles)
    Polled.push_back({C->socket(), POLLIN, 0});
  Polled.push_back({AlsoWakes, POLLIN, 0});
  long WaitMs = Compiles.empty() ? LongestMs : PauseMs;
  if (LongestMs >= 0)
    WaitMs = std::min(WaitMs, LongestMs);
  timespec Wait = {WaitMs / 1000, WaitMs % 1000 * 1'000'000};
  int Ready = ::ppoll(Polled.data(), Polled.size(),
                      WaitMs < 0 ? nullptr : &Wait, &DuringWait);
  if (Ready < 0 && errno == EINTR)
    return; // the caller knows
  if (Ready > 0) {
    // Of descriptors that are always ready, it would never let a signal in.
    sigset_t Blocked;
    ::sigprocmask(SIG_SETMASK, &DuringWait, &Blocked);
    ::sigprocmask(SIG_SETMASK, &Blocked, nullptr);
  }
  if (Ready < 0) {
    // No memory, or more descriptors than poll may have: it may pass.
    if (!std::exchange(HasFailedToWait, true))
      Events.Failed(Error{"cannot wait: " + systemMessage(errno)});
    timespec Longest = {0, LongestPauseMs * 1'000'000};
    ::nanosleep(&Longest, nullptr);
    return;
  }
  BytesInRound = 0;
  size_t Round = Compiles.size();
  for (size_t I = 0; I != Round; ++I)
    if (!serve(*Compiles[I], Polled[I + 1].revents != 0))
      Compiles[I].reset();
  std::erase(Compiles, nullptr);
  if (IsShort || Polled[0].revents != 0)
    letIn();
  PauseMs = BytesInRound != 0 ? ShortestPauseMs
                              : std::min(PauseMs * 2, LongestPauseMs);
}
