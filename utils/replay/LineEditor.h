/// \file
/// A line that somebody types: editing, history, completion.
///
/// Flow:    keyboard -> [LineEditor] (libedit) -> Console
/// Errors:  a terminal that cannot be read
/// Threads: one; there is one LineEditor in a process, since signals are caught
/// Source:  editline(3), XDG Base Directory Specification
///
/// The history is a file of this user alone, in the folder for state that XDG
/// names. What cannot be kept is not kept, and nobody is bothered.
#pragma once

#include "runtime/base/Result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// What a word can go on to.
struct Completions {
  size_t Begin = 0; ///< of the word, in the line
  std::vector<std::string> Words;
  bool IsWhole = true; ///< a space may follow the only one
};

class LineEditor {
public:
  /// Of the line up to where one is.
  using Completer = std::function<Completions(std::string_view)>;

  LineEditor(std::string Prompt, Completer Complete);
  ~LineEditor();
  LineEditor(const LineEditor &) = delete;
  LineEditor &operator=(const LineEditor &) = delete;

  /// Whether both ends are a terminal that can move its cursor.
  static bool isPossible();

  void setPrompt(std::string Text);
  /// None: there are no more. After ^C an empty line, with isInterrupted().
  Result<std::optional<std::string>> read();

private:
  struct State;
  std::unique_ptr<State> S;
};

/// Where the history is; empty: there is no place.
std::string replayHistoryPath();

} // namespace instantrace
