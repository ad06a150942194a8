/// \file
/// Event kinds as numbers in Templight's files, which are those of Clang 16.
///
/// Flow:   EventKind <-> [TemplightKinds] <-> Templight.cpp, TemplightReader
/// Source: templight-tools (its table of names) and clang 16's
///         Sema::CodeSynthesisContext::SynthesisKind; Templight writes the
///         number of whatever Clang it was built with, and its tools take each
///         for one of these
#pragma once

#include "runtime/format/EventKind.h"

#include <cstdint>
#include <optional>

namespace instantrace {

/// By number.
inline constexpr EventKind TemplightKinds[] = {
    EventKind::TemplateInstantiation,
    EventKind::DefaultTemplateArgumentInstantiation,
    EventKind::DefaultFunctionArgumentInstantiation,
    EventKind::ExplicitTemplateArgumentSubstitution,
    EventKind::DeducedTemplateArgumentSubstitution,
    EventKind::PriorTemplateArgumentSubstitution,
    EventKind::DefaultTemplateArgumentChecking,
    EventKind::ExceptionSpecEvaluation,
    EventKind::ExceptionSpecInstantiation,
    EventKind::RequirementInstantiation,
    EventKind::NestedRequirementConstraintsCheck,
    EventKind::DeclaringSpecialMember,
    EventKind::DeclaringImplicitEqualityComparison,
    EventKind::DefiningSynthesizedFunction,
    EventKind::ConstraintsCheck,
    EventKind::ConstraintSubstitution,
    EventKind::ConstraintNormalization,
    EventKind::RequirementParameterInstantiation,
    EventKind::ParameterMappingSubstitution,
    EventKind::RewritingOperatorAsSpaceship,
    EventKind::InitializingStructuredBinding,
    EventKind::MarkingClassDllexported,
    EventKind::BuildingBuiltinDumpStructCall,
    EventKind::Memoization,
};

/// None for what Templight does not record: files, phases, Instantrace's work.
/// The kinds that came after Clang 16 are what they are closest to.
constexpr std::optional<uint32_t> templightKind(EventKind Kind) {
  if (!isTemplateWork(Kind))
    return std::nullopt;
  if (Kind == EventKind::LambdaExpressionSubstitution ||
      Kind == EventKind::PartialOrderingTTP)
    Kind = EventKind::DeducedTemplateArgumentSubstitution;
  uint32_t Number = 0;
  for (EventKind Known : TemplightKinds) {
    if (Known == Kind)
      return Number; // NOLINT(bugprone-narrowing-conversions): it is none
    ++Number;
  }
  return 0; // deduction guides, alias templates: an instantiation
}

} // namespace instantrace
