/// \file
/// What a line of progress says, and when it is worth saying.
///
/// Flow:   Progress -> [ProgressLine] -> text for a terminal
/// Leaves: the clock and the terminal, to Progress
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

enum class ProgressUnit { Bytes, Items };

class ProgressLine {
public:
  /// Work that takes less is not commented on.
  static constexpr uint64_t PatienceNs = 1'000'000'000;
  /// Between two texts, so that showing costs nothing.
  static constexpr uint64_t PauseNs = 100'000'000;

  /// \p Total 0: nobody knows. \p NowNs is when the work begins.
  ProgressLine(std::string What, uint64_t Total, ProgressUnit Unit,
               uint64_t NowNs);

  /// What is to be written now, in place of what was before; often nothing.
  std::string at(uint64_t Done, std::string_view Name, uint64_t NowNs,
                 size_t Columns);
  /// What takes away what at() has written; the next text comes as if it were
  /// new.
  std::string erase();

private:
  std::string What;
  uint64_t Total;
  ProgressUnit Unit;
  uint64_t NextNs;
  bool IsShown = false;
};

} // namespace instantrace
