/// \file
/// A pager for text that is longer than the terminal.
///
/// Flow:   Output -> [startPager], when there is more than a screen -> pager
/// Errors: none; a pager that cannot be started leaves the output as it is
///
/// As git does: $INSTANTRACE_PAGER, $PAGER or less, which gets FRX unless $LESS
/// says otherwise. It starts late, so short output and progress never meet it.
#pragma once

#include <string_view>

namespace instantrace {

/// What the process may use, for commands that only print.
bool &isPagerAllowed();

/// Once, if the standard output is a terminal and \p Text, the first that is
/// written, has more lines than it: what is written there goes to the pager.
void startPager(std::string_view Text);

/// Whether the standard output is a pager, which may be gone: that is no error.
bool isPaging();

/// Ends the standard output and waits until the user has left the pager.
void waitForPager();

} // namespace instantrace
