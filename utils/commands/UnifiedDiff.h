/// \file
/// Which lines a change replaced, of what `git diff` or `diff -u` prints.
///
/// Flow:   text -> [parseUnifiedDiff] -> annotateChange()
/// Errors: a hunk that is no hunk, or ends early, with its line; a change to
///         several bases, or several of one file; no file in a text that is not
///         empty
/// Source: the unified format of GNU diffutils, and what git adds to it
#pragma once

#include "runtime/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// Lines that were there, and those in their place. Numbers begin with 1; where
/// there are no lines, the number is that of the line before.
struct ChangedLines {
  uint32_t OldLine = 0, OldCount = 0;
  uint32_t NewLine = 0, NewCount = 0;
};

struct ChangedFile {
  std::string OldPath, NewPath; ///< empty: there is none
  std::vector<ChangedLines> Runs;
};

/// \p Name is that of the text in errors. Paths are without `a/` and
/// `b/`, or the prefixes of diff.mnemonicPrefix.
Result<std::vector<ChangedFile>> parseUnifiedDiff(std::string_view Text,
                                                  const std::string &Name);

} // namespace instantrace
