/// \file
/// What an editor shows of a line's cost.
///
/// Flow: EditorLine -> [LspText] -> inlay hint, code lens, hover
#pragma once

#include "utils/lsp/LineWork.h"
#include "utils/lsp/SessionCosts.h"

#include <string>

namespace instantrace {

/// "8.9 s in 6 units, 69 %": the share is that of these units. \p IsStale: the
/// line may be another one.
std::string costLabel(const EditorLine &Line, bool IsStale);

/// In Markdown. \p Work is that of the costliest unit.
std::string costMarkdown(const EditorLine &Line, const LineWork &Work,
                         const SessionCosts &Costs,
                         const std::string &SessionPath, bool IsStale);

} // namespace instantrace
