/// \file
/// What one hook saw of a compile that the other did: specializations,
/// definitions, and who asked for late bodies.
///
/// Flow:   two Sequences -> [specializationCoverage, requestAgreement] -> JSON
///
/// Entities have no number in common, so they are told apart by name and, as
/// overloads may have one name, by place of declaration; classes by name alone.
///
/// A *specialization* is an entity of a TemplateInstantiation interval whose
/// name is not that of its template set. The observer writes what it learned of
/// after the fact as an interval of no length. So a specialization is *timed*
/// when an interval of it has a length, and otherwise *counted*.
#pragma once

#include "runtime/read/Trace.h"

#include <cstdint>

namespace instantrace {

struct SpecializationCoverage {
  uint64_t InCallback = 0; // distinct specializations
  uint64_t Timed = 0;      // of the callback's, by the observer
  uint64_t Counted = 0;    // likewise; in Timed or here, not in both
  uint64_t DefinedInCallback = 0;
  uint64_t DefinedInObserver = 0;
  uint64_t DefinedInBoth = 0;

  uint64_t seen() const { return Timed + Counted; }
};
SpecializationCoverage specializationCoverage(const Sequence &Callback,
                                              const Sequence &Observer);

/// Who asked for a body is the interval's requester, and its parent where it
/// has none. Of the entities that have a requester in the callback's trace:
struct RequestAgreement {
  uint64_t Entities = 0;
  uint64_t Same = 0; // asked for by the same entity in both
  /// The observer names one that the callback's requester was inside of.
  uint64_t Outer = 0;
};
RequestAgreement requestAgreement(const Sequence &Callback,
                                  const Sequence &Observer);

} // namespace instantrace
