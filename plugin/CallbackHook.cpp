/// \file
/// The hook by TemplateInstantiationCallback, present in Clang up to 22.

#include "plugin/ClangCompat.h"
#include "plugin/InstantiationHook.h"
#include "plugin/PhaseTracker.h"
#include "plugin/Recorder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Sema/TemplateInstCallback.h"

using namespace clang;

namespace instantrace {

namespace {

using Context = Sema::CodeSynthesisContext;

/// The one place that knows Clang's kinds. No default: a kind that a new Clang
/// adds is a warning, and so an error, here.
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
  case Context::ConstraintNormalization:
    return EventKind::ConstraintNormalization;
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
  case Context::Memoization:
    return EventKind::Memoization;
  }
  llvm_unreachable("covered switch");
}

/// Whether the entity of an instantiation has what instantiating it is to
/// make. Reads bits of the declaration itself: nothing is deserialized.
bool isDefined(const Decl *Entity) {
  if (const auto *Tag = dyn_cast<TagDecl>(Entity))
    return Tag->isCompleteDefinition();
  if (const auto *Function = dyn_cast<FunctionDecl>(Entity))
    return Function->doesThisDeclarationHaveABody() || Function->isDefaulted();
  if (const auto *Variable = dyn_cast<VarDecl>(Entity))
    return Variable->hasInit();
  return true;
}

/// Owned by Sema.
class Callback final : public TemplateInstantiationCallback {
public:
  Callback(Recorder &Rec, PhaseTracker &Phases) : Rec(Rec), Phases(Phases) {}

  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}

  void atTemplateBegin(const Sema &S, const Context &Inst) override {
    EventKind Kind = eventKind(Inst.Kind);
    uint32_t Location = Inst.PointOfInstantiation.getRawEncoding();
    if (Kind == EventKind::Memoization) {
      if (Rec.wantsMemoization())
        Rec.memoized(Inst.Entity, Location);
      return;
    }
    noteQueued(S);
    if (!Rec.wants(Kind))
      return;
    if (Rec.isOutsideTemplateWork())
      Phases.outermostWorkBegins(S.getPreprocessor());
    Rec.begin(Kind, Inst.Entity, Location,
              !makesDefinition(Kind, Inst) || isDefined(Inst.Entity));
  }

  void atTemplateEnd(const Sema &S, const Context &Inst) override {
    EventKind Kind = eventKind(Inst.Kind);
    if (Kind == EventKind::Memoization)
      return;
    noteQueued(S);
    if (Rec.wants(Kind))
      Rec.end(makesDefinition(Kind, Inst) && isDefined(Inst.Entity));
  }

  /// Whatever was queued since the last event was queued by the innermost
  /// interval. New entries are at the back; entries met before end the search,
  /// also after Clang swapped the queue for another and back.
  void noteQueued(const Sema &S) {
    const auto &Queue = S.PendingInstantiations;
    const void *Back = Queue.empty() ? nullptr : Queue.back().first;
    if (Queue.size() == QueueSize && Back == QueueBack)
      return;
    for (auto It = Queue.rbegin(); It != Queue.rend(); ++It) {
      if (Rec.isQueued(It->first))
        break;
      Rec.queued(It->first);
    }
    QueueSize = Queue.size();
    QueueBack = Back;
  }

private:
  static bool makesDefinition(EventKind Kind, const Context &Inst) {
    return Kind == EventKind::TemplateInstantiation && Inst.Entity;
  }

  Recorder &Rec;
  PhaseTracker &Phases;
  size_t QueueSize = 0;
  const void *QueueBack = nullptr;
};

class CallbackHook final : public InstantiationHook {
public:
  CallbackHook(Recorder &Rec, PhaseTracker &Phases)
      : Rec(Rec), Phases(Phases) {}
  void install(Sema &S) override {
    auto Owned = std::make_unique<Callback>(Rec, Phases);
    Watched = &S;
    Installed = Owned.get();
    S.TemplateInstCallbacks.push_back(std::move(Owned));
  }
  void topLevelDeclDone() override {
    if (Installed)
      Installed->noteQueued(*Watched);
  }
  std::string_view name() const override { return "callback"; }

private:
  Recorder &Rec;
  PhaseTracker &Phases;
  const Sema *Watched = nullptr;
  Callback *Installed = nullptr; ///< owned by the Sema
};

} // namespace

std::unique_ptr<InstantiationHook> makeCallbackHook(Recorder &Rec,
                                                    PhaseTracker &Phases) {
  return std::make_unique<CallbackHook>(Rec, Phases);
}

} // namespace instantrace
