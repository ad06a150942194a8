/// \file
/// A terminal that one view has for itself and that is afterwards as it was,
/// however the view ends.
///
/// Flow:    lines -> [Screen] -> terminal
/// Threads: one; there is one Screen in a process, since signals are caught
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace instantrace {

class Screen {
public:
  /// Takes the terminal of the standard output; catches SIGINT, SIGTERM, SIGHUP
  /// and SIGTSTP until its end.
  Screen();
  ~Screen();
  Screen(const Screen &) = delete;
  Screen &operator=(const Screen &) = delete;

  static bool isTerminal();
  size_t rows() const;
  /// In place of the lines before.
  void show(const std::vector<std::string> &Lines);
  /// Sleeps. False: the user wants to leave.
  bool wait(double Seconds);

private:
  void enter();
  void leave();
};

} // namespace instantrace
