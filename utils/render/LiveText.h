/// \file
/// A moment of a running compile as lines of text, one line, or JSON.
///
/// Flow:   LiveFrame -> [LiveText] -> stdout
#pragma once

#include "utils/analysis/live/LiveFrame.h"
#include "utils/render/Terminal.h"
#include "utils/render/UnfinishedText.h"

#include <string>
#include <vector>

namespace instantrace {

/// At most \p Rows lines without line ends (0: no limit but that of deep
/// stacks); when there are more, the outer levels of the stack give way first.
std::vector<std::string> liveLines(const LiveFrame &Frame, const Terminal &Term,
                                   size_t Rows);

/// "process 12: a.cpp, running for 3.20 s, 17 levels deep in Box<…>"
std::string liveSummary(const LiveFrame &Frame, const Terminal &Term);

/// " in Cat<…>, no event for 31.2 s" in about so many columns; empty: nothing
/// is open.
std::string hangText(const LiveFrame &Frame, size_t Columns);

/// The last line about a compile that has ended.
std::string liveEnd(const LiveFrame &Frame);

/// \p Open is what is known of its open chain.
void appendLiveJson(std::string &Out, const LiveFrame &Frame,
                    const std::vector<ExplainedCompile> &Open);

} // namespace instantrace
