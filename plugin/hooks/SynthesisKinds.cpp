#include "plugin/hooks/SynthesisKinds.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace instantrace {

using Context = Sema::CodeSynthesisContext;

EventKind eventKind(Context::SynthesisKind Kind) {
  switch (Kind) {
  case Context::TemplateInstantiation:
    return EventKind::TemplateInstantiation;
  case Context::DefaultTemplateArgumentInstantiation:
    return EventKind::DefaultTemplateArgumentInstantiation;
  case Context::DefaultFunctionArgumentInstantiation:
    return EventKind::DefaultFunctionArgumentInstantiation;
  case Context::ExplicitTemplateArgumentSubstitution:
    return EventKind::ExplicitTemplateArgumentSubstitution;
  case Context::DeducedTemplateArgumentSubstitution:
    return EventKind::DeducedTemplateArgumentSubstitution;
#if INSTANTRACE_HAS_LAMBDA_SUBSTITUTION
  case Context::LambdaExpressionSubstitution:
    return EventKind::LambdaExpressionSubstitution;
#endif
  case Context::PriorTemplateArgumentSubstitution:
    return EventKind::PriorTemplateArgumentSubstitution;
  case Context::DefaultTemplateArgumentChecking:
    return EventKind::DefaultTemplateArgumentChecking;
  case Context::ExceptionSpecEvaluation:
    return EventKind::ExceptionSpecEvaluation;
  case Context::ExceptionSpecInstantiation:
    return EventKind::ExceptionSpecInstantiation;
  case Context::RequirementInstantiation:
    return EventKind::RequirementInstantiation;
  case Context::NestedRequirementConstraintsCheck:
    return EventKind::NestedRequirementConstraintsCheck;
  case Context::DeclaringSpecialMember:
    return EventKind::DeclaringSpecialMember;
  case Context::DeclaringImplicitEqualityComparison:
    return EventKind::DeclaringImplicitEqualityComparison;
  case Context::DefiningSynthesizedFunction:
    return EventKind::DefiningSynthesizedFunction;
  case Context::ConstraintsCheck:
    return EventKind::ConstraintsCheck;
  case Context::ConstraintSubstitution:
    return EventKind::ConstraintSubstitution;
#if INSTANTRACE_HAS_CONSTRAINT_NORMALIZATION
  case Context::ConstraintNormalization:
    return EventKind::ConstraintNormalization;
#endif
#if INSTANTRACE_HAS_REQUIREMENT_PARAMETER
  case Context::RequirementParameterInstantiation:
    return EventKind::RequirementParameterInstantiation;
#endif
  case Context::ParameterMappingSubstitution:
    return EventKind::ParameterMappingSubstitution;
  case Context::RewritingOperatorAsSpaceship:
    return EventKind::RewritingOperatorAsSpaceship;
  case Context::InitializingStructuredBinding:
    return EventKind::InitializingStructuredBinding;
  case Context::MarkingClassDllexported:
    return EventKind::MarkingClassDllexported;
#if INSTANTRACE_HAS_BUILTIN_DUMP_STRUCT
  case Context::BuildingBuiltinDumpStructCall:
    return EventKind::BuildingBuiltinDumpStructCall;
#endif
#if INSTANTRACE_HAS_DEDUCTION_GUIDES
  case Context::BuildingDeductionGuides:
    return EventKind::BuildingDeductionGuides;
#endif
#if INSTANTRACE_HAS_ALIAS_INSTANTIATION
  case Context::TypeAliasTemplateInstantiation:
    return EventKind::TypeAliasTemplateInstantiation;
#endif
#if INSTANTRACE_HAS_PARTIAL_ORDERING_TTP
  case Context::PartialOrderingTTP:
    return EventKind::PartialOrderingTTP;
#endif
#if INSTANTRACE_HAS_SYCL_KERNEL_LAUNCH
  case Context::SYCLKernelLaunchLookup:
    return EventKind::SYCLKernelLaunchLookup;
  case Context::SYCLKernelLaunchOverloadResolution:
    return EventKind::SYCLKernelLaunchOverloadResolution;
#endif
#if INSTANTRACE_HAS_EXPANSION_STATEMENTS
  case Context::ExpansionStmtInstantiation:
    return EventKind::ExpansionStmtInstantiation;
#endif
#if INSTANTRACE_HAS_CALLBACK
  // No default: a kind that a new Clang adds is a warning, which is an error
  // when that Clang is among the tested.
  case Context::Memoization:
    return EventKind::Memoization;
  }
  return EventKind::OtherSynthesis;
#else
  // Of a Clang that nobody has built this for yet. Memoization left with the
  // callback, and was never in the stack of contexts.
  default:
    return EventKind::OtherSynthesis;
  }
#endif
}

bool isTemplateContext(EventKind Kind) {
  switch (Kind) {
  case EventKind::LambdaExpressionSubstitution:
  case EventKind::ExceptionSpecEvaluation:
  case EventKind::DeclaringSpecialMember:
  case EventKind::DeclaringImplicitEqualityComparison:
  case EventKind::DefiningSynthesizedFunction:
  case EventKind::RewritingOperatorAsSpaceship:
  case EventKind::InitializingStructuredBinding:
  case EventKind::MarkingClassDllexported:
  case EventKind::BuildingBuiltinDumpStructCall:
  case EventKind::SYCLKernelLaunchLookup:
  case EventKind::SYCLKernelLaunchOverloadResolution:
    return false;
  default:
    return true;
  }
}

bool isDefinable(const Decl *Entity) {
  return isa_and_nonnull<TagDecl, FunctionDecl, VarDecl>(Entity);
}

bool isDefined(const Decl *Entity) {
  if (const auto *Tag = dyn_cast<TagDecl>(Entity))
    return Tag->isCompleteDefinition();
  if (const auto *Function = dyn_cast<FunctionDecl>(Entity))
    return Function->doesThisDeclarationHaveABody() || Function->isDefaulted();
  if (const auto *Variable = dyn_cast<VarDecl>(Entity))
    return Variable->hasInit();
  return true;
}

} // namespace instantrace
