#include "utils/render/StatusLine.h"

#include "utils/render/Terminal.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

using namespace instantrace;

namespace {

/// Fewer, and a line of them is missed.
constexpr unsigned FewestRowsOfScreen = 5;

unsigned terminalRows() {
  winsize Size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &Size) == 0 ? Size.ws_row : 0;
}

/// In one piece, so that the other process's output does not come between.
void writeAtOnce(const std::string &Text) {
  [[maybe_unused]] ssize_t Put =
      ::write(STDERR_FILENO, Text.data(), Text.size());
}

/// In the background, and while the build has handed the terminal to somebody,
/// it is not ours to write to.
bool isForeground() {
  pid_t Group = ::tcgetpgrp(STDERR_FILENO);
  return Group < 0 || Group == ::getpgrp(); // not ours to be stopped by
}

} // namespace

StatusLine::StatusLine(bool IsWanted)
    : IsWanted(IsWanted && canShowProgress()) {}

void StatusLine::take() {
  Rows = terminalRows();
  if (Rows < FewestRowsOfScreen) {
    Rows = 0;
    return;
  }
  // A line is made below the cursor, should it be in the last one; setting the
  // region moves the cursor, so it is saved around that.
  writeAtOnce(fmt::format("\n\x1b"
                          "7\x1b[1;{}r\x1b"
                          "8\x1b[1A",
                          Rows - 1));
}

void StatusLine::show(const std::string &Text) {
  if (!IsWanted || !isForeground())
    return;
  if (Rows == 0)
    take();
  if (Rows == 0)
    return;
  writeAtOnce(fmt::format("\x1b"
                          "7\x1b[{};1H\x1b[2K{}\x1b"
                          "8",
                          Rows, Text));
}

size_t StatusLine::columns() {
  size_t Columns = standardErrorColumns();
  return Columns == 0 ? 0 : Columns - 1;
}

void StatusLine::release() {
  if (Rows == 0)
    return;
  if (!isForeground()) {
    Rows = 0;
    return;
  }
  writeAtOnce(fmt::format("\x1b"
                          "7\x1b[{};1H\x1b[2K\x1b[r\x1b"
                          "8",
                          Rows));
  Rows = 0;
}

void StatusLine::resized() {
  if (Rows == 0 || !isForeground())
    return;
  writeAtOnce("\x1b"
              "7\x1b[r\x1b"
              "8");
  Rows = 0;
}
