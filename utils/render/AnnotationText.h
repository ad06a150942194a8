/// \file
/// A source file with its costs, as text for people or as records for scripts.
///
/// Flow:   FileCosts, lines -> [AnnotationText] -> stdout
#pragma once

#include "utils/analysis/costs/LineCosts.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

namespace instantrace {

struct AnnotationSpec {
  size_t Costliest = 0; ///< so many lines have their costs; 0: all
  size_t Context = 3;   ///< lines around them
  bool IsWhole = false;
  EventClock Clock = EventClock::Processor; ///< that times are of
  double MinPercent = 1; ///< of all, that a line takes; in SARIF alone
};

void writeAnnotationText(Output &Out, const FileCosts &Costs,
                         const std::vector<std::string> &Lines,
                         const AnnotationSpec &Spec, const Terminal &Term);
/// Only lines that cost.
void writeAnnotationRecords(Output &Out, RecordFormat Format,
                            const FileCosts &Costs,
                            const std::vector<std::string> &Lines,
                            const AnnotationSpec &Spec);
/// SARIF, which needs no text of the lines.
void writeAnnotationSarif(Output &Out, const FileCosts &Costs,
                          const AnnotationSpec &Spec);

} // namespace instantrace
