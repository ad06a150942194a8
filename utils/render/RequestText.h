/// \file
/// Who asked for something, as text for people or as records for scripts.
///
/// Flow:   MergedRequests -> [RequestText] -> stdout
#pragma once

#include "utils/analysis/chains/RequestChains.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

#include <string>

namespace instantrace {

/// Both write the first \p Wanted chains (0: all).
void writeRequestText(Output &Out, const Trace &T, const RequestReport &Report,
                      const std::string &Name, size_t Wanted,
                      const NameStyle &Style, const Terminal &Term);
void writeRequestRecords(Output &Out, RecordFormat Format, const Trace &T,
                         const RequestReport &Report, const std::string &Name,
                         size_t Wanted, const NameStyle &Style);

} // namespace instantrace
