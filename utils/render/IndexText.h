/// \file
/// Answers of an index as text and as records.
///
/// Flow: IndexQuestions -> [IndexText] -> stdout
#pragma once

#include "utils/analysis/index/IndexQuestions.h"
#include "utils/render/Output.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

#include <vector>

namespace instantrace {

/// "<unnamed>" where there is none; what a terminal would obey is visible.
std::string indexedName(const std::string &Name);
/// "Box<int> [Memoization]  a.cpp:3", the place at the end of the columns.
std::string indexFrameText(const IndexFrame &F, size_t Columns);

void writeStackText(Output &Out, const std::vector<IndexStack> &Stacks,
                    const Terminal &Term);
void writeStackRecords(Output &Out, RecordFormat Format,
                       const std::vector<IndexStack> &Stacks);

/// The first \p Wanted rows; 0: all.
void writeLineText(Output &Out, const IndexLine &Line, size_t Wanted,
                   const Terminal &Term);
void writeLineRecords(Output &Out, RecordFormat Format, const IndexLine &Line,
                      size_t Wanted);

void writeSubtreeText(Output &Out, const IndexSubtree &Tree,
                      const Terminal &Term);
void writeSubtreeRecords(Output &Out, RecordFormat Format,
                         const IndexSubtree &Tree);

} // namespace instantrace
