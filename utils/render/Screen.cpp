#include "utils/render/Screen.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace instantrace;

namespace {

constexpr std::array<int, 4> Caught = {SIGINT, SIGTERM, SIGHUP, SIGTSTP};
std::array<struct sigaction, Caught.size()> Before;
volatile std::sig_atomic_t Leaving = 0, Stopping = 0;

extern "C" void noteSignal(int Signal) {
  if (Signal == SIGTSTP)
    Stopping = 1;
  else
    Leaving = 1;
}

/// The other screen, without cursor; back again.
constexpr std::string_view Enter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view Leave = "\x1b[?25h\x1b[?1049l";

void put(std::string_view Text) {
  std::fwrite(Text.data(), 1, Text.size(), stdout);
  std::fflush(stdout);
}

} // namespace

bool Screen::isTerminal() { return ::isatty(STDOUT_FILENO) != 0; }

Screen::Screen() {
  struct sigaction Action = {};
  Action.sa_handler = noteSignal; // without SA_RESTART: sleeping ends
  for (size_t I = 0; I != Caught.size(); ++I)
    ::sigaction(Caught[I], &Action, &Before[I]);
  enter();
}

Screen::~Screen() {
  leave();
  for (size_t I = 0; I != Caught.size(); ++I)
    ::sigaction(Caught[I], &Before[I], nullptr);
}

void Screen::enter() { put(Enter); }
void Screen::leave() { put(Leave); }

size_t Screen::rows() const {
  winsize Size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) != 0 || Size.ws_row == 0)
    return 24;
  return Size.ws_row;
}

void Screen::show(const std::vector<std::string> &Lines) {
  std::string Frame = "\x1b[H";
  size_t Count = std::min(Lines.size(), rows());
  for (size_t I = 0; I != Count; ++I)
    Frame += (I == 0 ? "" : "\r\n") + Lines[I] + "\x1b[K";
  put(Frame + "\x1b[J");
}

bool Screen::wait(double Seconds) {
  timespec Left;
  Left.tv_sec = static_cast<time_t>(Seconds);
  Left.tv_nsec =
      static_cast<long>((Seconds - static_cast<double>(Left.tv_sec)) * 1e9);
  while (!Leaving && ::nanosleep(&Left, &Left) != 0 && errno == EINTR) {
    if (!Stopping)
      continue;
    Stopping = 0;
    leave();
    ::raise(SIGSTOP);
    enter();
  }
  return !Leaving;
}
