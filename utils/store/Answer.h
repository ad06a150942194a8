/// \file
/// What a question was answered with: rows, and what is missing from them.
///
/// Flow: AskStore -> [Answer] -> AnswerText, AnswerPage
#pragma once

#include "utils/query/RowWriter.h"
#include "utils/store/Question.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

using AnswerCell = RowCell;

/// 0 of what is no number.
double realOf(const AnswerCell &Cell);

struct AnswerTable {
  std::string Title;
  /// Those of numbers end in their unit: _ns, _bytes, and those with
  /// begun_ns in a time since 1970. Others are counts.
  std::vector<std::string> Columns;
  std::vector<std::vector<AnswerCell>> Rows;

  /// npos: there is none.
  size_t column(const std::string &Name) const;
  static constexpr size_t npos = static_cast<size_t>(-1);
};

struct Answer {
  Question Asked;
  std::vector<std::pair<std::string, std::string>> Options; ///< as given
  AnswerTable Rows;
  /// Of a series: the steps in it, and what each consists of.
  std::vector<AnswerTable> Details;
  uint64_t Builds = 0;              ///< that options chose
  std::vector<std::string> Missing; ///< what of these is not in the rows
  std::vector<std::string> Notes;
};

} // namespace instantrace
