/// \file
/// An instantiation tree as text for people or as records for scripts.
///
/// Flow:   foldTree() -> [TreeText] -> stdout
#pragma once

#include "utils/analysis/chains/InstantiationTree.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

namespace instantrace {

void writeTreeText(Output &Out, const Trace &T, const InstantiationTree &Tree,
                   const std::vector<TreeLine> &Lines, const NameStyle &Style,
                   const Terminal &Term);
void writeTreeRecords(Output &Out, RecordFormat Format, const Trace &T,
                      const InstantiationTree &Tree,
                      const std::vector<TreeLine> &Lines,
                      const NameStyle &Style);

} // namespace instantrace
