#include "utils/render/Pager.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace instantrace;

namespace {

pid_t PagerId = 0; // 0: there is none

/// Empty: none is wanted.
std::string pagerCommand() {
  for (const char *Name : {"INSTANTRACE_PAGER", "PAGER"})
    if (const char *Value = std::getenv(Name))
      return std::string_view(Value) == "cat" ? "" : Value;
  const char *Term = std::getenv("TERM");
  return !Term || std::string_view(Term) == "dumb" ? "" : "less";
}

bool isLonger(std::string_view Text) {
  winsize Size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) == 0 && Size.ws_row != 0 &&
         std::count(Text.begin(), Text.end(), '\n') >= Size.ws_row;
}

} // namespace

bool &instantrace::isPagerAllowed() {
  static bool IsAllowed = false;
  return IsAllowed;
}

bool instantrace::isPaging() { return PagerId != 0; }

void instantrace::startPager(std::string_view Text) {
  if (!isPagerAllowed() || isPaging() || ::isatty(STDOUT_FILENO) == 0 ||
      !isLonger(Text))
    return;
  const std::string Command = pagerCommand();
  std::array<int, 2> Ends{};
  if (Command.empty() || ::pipe(Ends.data()) != 0)
    return;
  std::fflush(stdout);
  PagerId = ::fork();
  if (PagerId == 0) {
    ::dup2(Ends[0], STDIN_FILENO);
    ::close(Ends[0]);
    ::close(Ends[1]);
    ::setenv("LESS", "FRX", /*overwrite=*/0);
    ::setenv("LV", "-c", /*overwrite=*/0);
    ::execl("/bin/sh", "sh", "-c", Command.c_str(), nullptr);
    ::_exit(127);
  }
  if (PagerId > 0) {
    ::dup2(Ends[1], STDOUT_FILENO);
    // ^C is the pager's, and leaving it early is no error.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
  } else {
    PagerId = 0;
  }
  ::close(Ends[0]);
  ::close(Ends[1]);
}

void instantrace::waitForPager() {
  if (!isPaging())
    return;
  std::fflush(stdout);
  ::close(STDOUT_FILENO);
  while (::waitpid(PagerId, nullptr, 0) < 0 && errno == EINTR) {
  }
  PagerId = 0;
}
