/// \file
/// A table for scripts: one JSON object with an array of rows, or CSV.
///
/// Flow:   an analysis -> [RecordText] -> stdout
///
/// CSV is as RFC 4180 has it, with a line of names first and `\n` at the ends
/// of lines. It has the rows alone; JSON has what is said of the whole as well.
#pragma once

#include "utils/render/Output.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

enum class RecordFormat { Json, Csv };

/// The longest name in records.
inline constexpr size_t RecordNameBytes = 1 << 16;

/// How many of \p Count rows -n \p Wanted shows; 0: all.
inline size_t shownRows(size_t Count, size_t Wanted) {
  return Wanted == 0 ? Count : std::min(Wanted, Count);
}

/// How a line that counts the rows ends if some are not shown.
inline const char *allRowsHint(size_t Shown, size_t Count) {
  return Shown < Count ? "; -n 0 shows all" : "";
}

/// Calls come in this order: what is said of the whole; then, for each row,
/// begin, the fields, which are those of the first row, end; finish.
class RecordText {
public:
  RecordText(Output &Out, RecordFormat Format) : Out(Out), Format(Format) {}

  /// Names are plain literals without characters to escape.
  void wholeNumber(std::string_view Name, uint64_t Value);
  void wholeText(std::string_view Name, std::string_view Value);
  void wholeBoolean(std::string_view Name, bool Value);
  /// \p Value is JSON already.
  void wholeJson(std::string_view Name, std::string_view Value);

  void begin();
  void number(std::string_view Name, uint64_t Value);
  void text(std::string_view Name, std::string_view Value);
  /// In CSV one field, with " < " between the values.
  void list(std::string_view Name, const std::vector<std::string> &Values);
  void end();

  /// What is needed after the last row. Without rows, CSV is empty.
  void finish();

private:
  void wholeName(std::string_view Name);
  void fieldName(std::string_view Name);
  void beginRows();

  Output &Out;
  RecordFormat Format;
  std::string Head, Fields; // of a row in CSV
  bool HasWhole = false, HasRows = false, HasFields = false;
};

} // namespace instantrace
