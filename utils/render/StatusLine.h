/// \file
/// The last line of the terminal, kept for us while another process writes to
/// the rest of it.
///
/// Flow:    text -> [StatusLine] -> standard error
/// Method:  the terminal's scrolling region ends above the line, as with the
///          progress of some package managers; what the other process writes
///          is not touched. Nothing is written where no progress can be shown
#pragma once

#include <string>

namespace instantrace {

class StatusLine {
public:
  /// Takes the line if \p IsWanted, with the first text.
  explicit StatusLine(bool IsWanted);
  /// Gives it back.
  ~StatusLine() { release(); }
  StatusLine(const StatusLine &) = delete;
  StatusLine &operator=(const StatusLine &) = delete;

  bool isWanted() const { return IsWanted; }
  /// In columns; the last one stays free.
  static size_t columns();
  /// Of at most so many columns, and printable.
  void show(const std::string &Text);
  /// The line is the other process's again until the next text, such as while
  /// we are stopped, or before something is printed.
  void release();
  /// The terminal has another size; the next text takes its last line.
  void resized();

private:
  void take();

  bool IsWanted;
  unsigned Rows = 0; ///< of the terminal, while the line is ours; else 0
};

} // namespace instantrace
