/// \file
/// Suggestions as text for people or as records for scripts.
///
/// Flow:   AdviceReport -> [AdviceText] -> stdout
#ifndef INSTANTRACE_UTILS_RENDER_ADVICETEXT_H
#define INSTANTRACE_UTILS_RENDER_ADVICETEXT_H

#include "utils/analysis/advice/Advice.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

namespace instantrace {

/// "extern-template": as the command line has it.
std::string_view adviceKindName(AdviceKind Kind);

/// Both write the first \p Wanted suggestions (0: all).
void writeAdviceText(Output &Out, const Trace &T, const AdviceReport &Report,
                     size_t Wanted, const NameStyle &Style,
                     const Terminal &Term);
void writeAdviceRecords(Output &Out, RecordFormat Format, const Trace &T,
                        const AdviceReport &Report, size_t Wanted,
                        const NameStyle &Style);

} // namespace instantrace

#endif
