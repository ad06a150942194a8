#include "utils/replay/Interrupt.h"

#include <poll.h>

using namespace instantrace;

namespace {

volatile std::sig_atomic_t WasInterrupted = 0;

void onInterrupt(int Signal) {
  if (WasInterrupted) {
    std::signal(Signal, SIG_DFL);
    std::raise(Signal);
  }
  WasInterrupted = 1;
}

} // namespace

bool instantrace::isInterrupted() { return WasInterrupted != 0; }
void instantrace::clearInterrupt() { WasInterrupted = 0; }

bool instantrace::waitForInput(int File) {
  sigset_t Caught, Before;
  sigemptyset(&Caught);
  for (int Signal : {SIGINT, SIGWINCH, SIGCONT})
    sigaddset(&Caught, Signal);
  sigprocmask(SIG_BLOCK, &Caught, &Before);
  pollfd Wanted = {File, POLLIN, 0};
  bool IsReady = !isInterrupted() && ::ppoll(&Wanted, 1, nullptr, &Before) > 0;
  sigprocmask(SIG_SETMASK, &Before, nullptr);
  return IsReady;
}

InterruptCatcher::InterruptCatcher() {
  struct sigaction Ours = {};
  Ours.sa_handler = onInterrupt;
  // Without SA_RESTART, so that a read of the keyboard ends.
  sigemptyset(&Ours.sa_mask);
  sigaction(SIGINT, &Ours, &Before);
}

InterruptCatcher::~InterruptCatcher() { sigaction(SIGINT, &Before, nullptr); }
