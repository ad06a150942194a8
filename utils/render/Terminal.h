/// \file
/// What the output can show: columns, colours, progress.
#pragma once

#include <cstddef>

namespace instantrace {

struct Terminal {
  size_t Columns = 100;
  bool HasWidth = false; ///< somebody has said how many there are
  bool HasColours = false;
};

enum class ColorChoice { Auto, Always, Never };

/// What the user wants, for the whole process.
ColorChoice &colorChoice();

/// Of the standard output. COLUMNS in the environment wins over the terminal's
/// own width. Unless the user chose, there are no colours outside a terminal,
/// with NO_COLOR or TERM=dumb.
Terminal standardOutputTerminal();
/// The same of the standard error.
Terminal standardErrorTerminal();

/// Lines that are overwritten can be shown on the standard error: a terminal
/// that is not dumb, and no pipe to a pager beside it.
bool canShowProgress();
size_t standardErrorColumns();

} // namespace instantrace
