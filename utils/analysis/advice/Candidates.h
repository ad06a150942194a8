/// \file
/// Which intervals are part of trying a candidate of overload resolution.
///
/// Flow: Sequence -> [Candidates] -> DefaultArguments, EnableIf,
///       UnusedInstantiation
#pragma once

#include "runtime/read/Trace.h"

#include <vector>

namespace instantrace {

/// Tries a function template, or a partial specialization, as a whole.
inline bool isCandidateTry(EventKind Kind) {
  return Kind == EventKind::ExplicitTemplateArgumentSubstitution ||
         Kind == EventKind::DeducedTemplateArgumentSubstitution;
}

/// By interval: the innermost try around it, or itself; none outside of any.
/// An instantiation in between ends it, for that is not the candidate's own.
inline std::vector<IntervalId> candidateTries(const Sequence &S) {
  std::vector<IntervalId> Tries(S.Intervals.size());
  for (uint32_t Index = 0; Index != Tries.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    if (isCandidateTry(I.Kind))
      Tries[Index] = IntervalId{Index};
    else if (I.Parent && I.Kind != EventKind::TemplateInstantiation)
      Tries[Index] = Tries[I.Parent.Value];
  }
  return Tries;
}

} // namespace instantrace
