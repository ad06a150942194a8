/// \file
/// The hook for every Clang: hears whatever Clang tells anybody, and has the
/// observer look each time.
///
/// Flow:    ASTMutationListener, consumers, file changes -> Observer
/// Leaves:  what a look shows, to the Observer
/// Threads: one, as Sema

#include "plugin/ClangCompat.h"
#include "plugin/hooks/InstantiationHook.h"
#include "plugin/hooks/Observer.h"

#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace instantrace {

namespace {

class Listener final : public ASTMutationListener {
public:
  explicit Listener(Observer &Obs) : Obs(Obs) {}

  // Clang instantiates a member enumeration, and the initializer of a static
  // member that stands in the class, along with the class and not by itself.
  void CompletedTagDefinition(const TagDecl *D) override {
    const auto *Class = dyn_cast<CXXRecordDecl>(D);
    if (Class &&
        isTemplateInstantiation(Class->getTemplateSpecializationKind()))
      return Obs.made(D, Probe::Tag);
    Obs.look(Probe::Tag);
  }
  void AddedVisibleDecl(const DeclContext *, const Decl *) override {
    Obs.look(Probe::Member);
  }
  void AddedCXXImplicitMember(const CXXRecordDecl *, const Decl *) override {
    Obs.look(Probe::Member);
  }
  // Naming a class template's specialization instantiates its attributes, and
  // nothing else yet.
  void AddedCXXTemplateSpecialization(
      const ClassTemplateDecl *Template,
      const ClassTemplateSpecializationDecl *D) override {
    if (Template->getTemplatedDecl()->hasAttrs())
      return Obs.made(D, Probe::Specialization);
    Obs.look(Probe::Specialization);
  }
  void AddedCXXTemplateSpecialization(
      const VarTemplateDecl *, const VarTemplateSpecializationDecl *) override {
    Obs.look(Probe::Specialization);
  }
  void AddedCXXTemplateSpecialization(const FunctionTemplateDecl *,
                                      const FunctionDecl *D) override {
    Obs.made(D, Probe::Specialization);
  }
  void ResolvedExceptionSpec(const FunctionDecl *) override {
    Obs.look(Probe::Type);
  }
  void DeducedReturnType(const FunctionDecl *, QualType) override {
    Obs.look(Probe::Type);
  }
  void ResolvedOperatorDelete(const CXXDestructorDecl *, const FunctionDecl *,
                              Expr *) override {
    Obs.look(Probe::Rest);
  }
#if INSTANTRACE_HAS_DELETE_NOTIFICATIONS
  void ResolvedOperatorGlobDelete(const CXXDestructorDecl *,
                                  const FunctionDecl *) override {
    Obs.look(Probe::Rest);
  }
  void ResolvedOperatorArrayDelete(const CXXDestructorDecl *,
                                   const FunctionDecl *) override {
    Obs.look(Probe::Rest);
  }
  void ResolvedOperatorGlobArrayDelete(const CXXDestructorDecl *,
                                       const FunctionDecl *) override {
    Obs.look(Probe::Rest);
  }
#endif
  void CompletedImplicitDefinition(const FunctionDecl *) override {
    Obs.look(Probe::Definition);
  }
  void InstantiationRequested(const ValueDecl *) override {
    Obs.look(Probe::Request);
  }
  void VariableDefinitionInstantiated(const VarDecl *D) override {
    Obs.defined(D, Probe::Definition);
  }
  void FunctionDefinitionInstantiated(const FunctionDecl *D) override {
    Obs.made(D, Probe::Definition);
  }
  void DefaultArgumentInstantiated(const ParmVarDecl *) override {
    Obs.look(Probe::Definition);
  }
  void DefaultMemberInitializerInstantiated(const FieldDecl *) override {
    Obs.look(Probe::Definition);
  }
  void DeclarationMarkedUsed(const Decl *) override { Obs.look(Probe::Use); }
  void AddedAttributeToRecord(const Attr *, const RecordDecl *) override {
    Obs.look(Probe::Rest);
  }
#if INSTANTRACE_HAS_NUMBERING_NOTIFICATIONS
  void AddedManglingNumber(const Decl *, unsigned) override {
    Obs.look(Probe::Rest);
  }
  void AddedStaticLocalNumbers(const Decl *, unsigned) override {
    Obs.look(Probe::Rest);
  }
#endif

private:
  Observer &Obs;
};

class ObserverHook final : public InstantiationHook {
public:
  ObserverHook(ProbeMask Probes, Recorder &Rec, PhaseTracker &Phases)
      : Obs(Probes, Rec, Phases), Changes(Obs) {}
  void install(Sema &S) override { Obs.watch(S); }
  void declarationDone() override { Obs.look(Probe::Declaration); }
  void moment(Probe P) override { Obs.look(P); }
  ASTMutationListener *mutationListener() override { return &Changes; }
  void translationUnitDone() override { Obs.finish(); }
  void stop() override { Obs.stop(); }
  bool reportsMemoization() const override { return false; }
  std::string_view name() const override { return "observer"; }

private:
  Observer Obs;
  Listener Changes;
};

} // namespace

bool hasCallbackHook() { return INSTANTRACE_HAS_CALLBACK; }

std::unique_ptr<InstantiationHook>
makeObserverHook(ProbeMask Probes, Recorder &Rec, PhaseTracker &Phases) {
  return std::make_unique<ObserverHook>(Probes, Rec, Phases);
}

std::unique_ptr<InstantiationHook> makeHook(HookChoice Choice, ProbeMask Probes,
                                            Recorder &Rec,
                                            PhaseTracker &Phases) {
#if INSTANTRACE_HAS_CALLBACK
  if (Choice != HookChoice::Observer)
    return makeCallbackHook(Rec, Phases);
#else
  (void)Choice;
#endif
  return makeObserverHook(Probes, Rec, Phases);
}

} // namespace instantrace
