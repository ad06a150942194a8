/// \file
/// The hooks for every Clang, observer and probes: hear whatever Clang tells
/// anybody, and have the observer look each time.
///
/// Flow:    ASTMutationListener, consumers, file changes -> Observer
/// Leaves:  what a look shows, to the Observer
/// Threads: one, as Sema

#include "plugin/ClangCompat.h"
#include "plugin/hooks/InstantiationHook.h"
#include "plugin/hooks/Observer.h"
#include "plugin/hooks/Probes.h"

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
      return Obs.made(D, Notice::Tag);
    Obs.look(Notice::Tag);
  }
  void AddedVisibleDecl(const DeclContext *, const Decl *) override {
    Obs.look(Notice::Member);
  }
  void AddedCXXImplicitMember(const CXXRecordDecl *, const Decl *) override {
    Obs.look(Notice::Member);
  }
  // Naming a class template's specialization instantiates its attributes, and
  // nothing else yet.
  void AddedCXXTemplateSpecialization(
      const ClassTemplateDecl *Template,
      const ClassTemplateSpecializationDecl *D) override {
    if (Template->getTemplatedDecl()->hasAttrs())
      return Obs.made(D, Notice::Specialization);
    Obs.look(Notice::Specialization);
  }
  void AddedCXXTemplateSpecialization(
      const VarTemplateDecl *, const VarTemplateSpecializationDecl *) override {
    Obs.look(Notice::Specialization);
  }
  void AddedCXXTemplateSpecialization(const FunctionTemplateDecl *Template,
                                      const FunctionDecl *D) override {
    Obs.declared(Template, D);
  }
  void ResolvedExceptionSpec(const FunctionDecl *) override {
    Obs.look(Notice::Type);
  }
  void DeducedReturnType(const FunctionDecl *, QualType) override {
    Obs.look(Notice::Type);
  }
  void ResolvedOperatorDelete(const CXXDestructorDecl *, const FunctionDecl *,
                              Expr *) override {
    Obs.look(Notice::Rest);
  }
#if INSTANTRACE_HAS_DELETE_NOTIFICATIONS
  void ResolvedOperatorGlobDelete(const CXXDestructorDecl *,
                                  const FunctionDecl *) override {
    Obs.look(Notice::Rest);
  }
  void ResolvedOperatorArrayDelete(const CXXDestructorDecl *,
                                   const FunctionDecl *) override {
    Obs.look(Notice::Rest);
  }
  void ResolvedOperatorGlobArrayDelete(const CXXDestructorDecl *,
                                       const FunctionDecl *) override {
    Obs.look(Notice::Rest);
  }
#endif
  void CompletedImplicitDefinition(const FunctionDecl *) override {
    Obs.look(Notice::Definition);
  }
  void InstantiationRequested(const ValueDecl *) override {
    Obs.look(Notice::Request);
  }
  void VariableDefinitionInstantiated(const VarDecl *D) override {
    Obs.defined(D, Notice::Definition);
  }
  void FunctionDefinitionInstantiated(const FunctionDecl *D) override {
    Obs.made(D, Notice::Definition);
  }
  void DefaultArgumentInstantiated(const ParmVarDecl *) override {
    Obs.look(Notice::Definition);
  }
  void DefaultMemberInitializerInstantiated(const FieldDecl *) override {
    Obs.look(Notice::Definition);
  }
  void DeclarationMarkedUsed(const Decl *) override { Obs.look(Notice::Use); }
  void AddedAttributeToRecord(const Attr *, const RecordDecl *) override {
    Obs.look(Notice::Rest);
  }
#if INSTANTRACE_HAS_NUMBERING_NOTIFICATIONS
  void AddedManglingNumber(const Decl *, unsigned) override {
    Obs.look(Notice::Rest);
  }
  void AddedStaticLocalNumbers(const Decl *, unsigned) override {
    Obs.look(Notice::Rest);
  }
#endif

private:
  Observer &Obs;
};

class ObserverHook final : public InstantiationHook {
public:
  ObserverHook(NoticeMask Notices, Recorder &Rec, PhaseTracker &Phases,
               bool HasProbes, std::string Name)
      : Obs(Notices, Rec, Phases), Changes(Obs), HasProbes(HasProbes),
        Name(std::move(Name)) {}
  void install(Sema &S) override { Obs.watch(S, HasProbes); }
  void declarationDone() override { Obs.look(Notice::Declaration); }
  void moment(Notice N) override { Obs.look(N); }
  ASTMutationListener *mutationListener() override { return &Changes; }
  void translationUnitDone() override { Obs.finish(); }
  void stop() override { Obs.stop(); }
  bool reportsMemoization() const override { return false; }
  std::string_view name() const override { return Name; }
  std::string_view doubt() const override { return Obs.doubt(); }

private:
  Observer Obs;
  Listener Changes;
  const bool HasProbes;
  const std::string Name;
};

} // namespace

bool hasCallbackHook() { return INSTANTRACE_HAS_CALLBACK; }

std::unique_ptr<InstantiationHook> makeHook(HookChoice Choice,
                                            NoticeMask Notices, Recorder &Rec,
                                            PhaseTracker &Phases) {
#if INSTANTRACE_HAS_CALLBACK
  if (Choice == HookChoice::Auto || Choice == HookChoice::Callback)
    return makeCallbackHook(Rec, Phases);
#endif
  const bool WantsProbes = Choice != HookChoice::Observer;
  const std::string Why = WantsProbes ? armProbes() : "";
  const bool HasProbes = WantsProbes && Why.empty();
  std::string Name = HasProbes ? "probes" : "observer";
  if (!Why.empty())
    Name += ": " + Why;
  return std::make_unique<ObserverHook>(Notices, Rec, Phases, HasProbes,
                                        std::move(Name));
}

} // namespace instantrace
