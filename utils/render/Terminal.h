/// \file
/// What the output can show: columns and colours.
#ifndef INSTANTRACE_UTILS_RENDER_TERMINAL_H
#define INSTANTRACE_UTILS_RENDER_TERMINAL_H

#include <cstddef>

namespace instantrace {

struct Terminal {
  size_t Columns = 100;
  bool HasColours = false;
};

/// Of the standard output. COLUMNS in the environment wins over the terminal's
/// own width; no colours outside a terminal, with NO_COLOR or TERM=dumb.
Terminal standardOutputTerminal();

} // namespace instantrace

#endif
