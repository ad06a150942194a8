/// \file
/// What a line asks for in one compile, by name; of an #include, what its file
/// asks for.
///
/// Flow:   a trace, when somebody points at a line -> [readLineWork] -> LspText
/// Memory: rows of the line, and the tables of the trace
/// Errors: as reading a trace has them
///
/// Each has the time of all inside, so rows add up to what `annotate` has as
/// inclusive.
#pragma once

#include "runtime/base/Result.h"
#include "utils/lsp/SessionCosts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct LineRow {
  std::string Name;
  uint64_t InclusiveNs = 0, Count = 0;
  uint64_t AstBytes = 0; ///< memory of the syntax tree, with all inside
  bool IsItself = false; ///< the file, without what it asks for
};

struct LineWork {
  std::vector<LineRow> Largest; ///< most time first
  LineRow Others;               ///< all others; Count: how many there are
};

inline constexpr size_t MostLineRows = 5;

/// \p Path is absolute, as EditorFile has it.
Result<LineWork> readLineWork(const EditorUnit &Unit, const std::string &Path,
                              uint32_t LineNo);

} // namespace instantrace
