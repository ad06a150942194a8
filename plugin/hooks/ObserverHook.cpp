/// \file
/// The hook for every Clang: it looks at Sema's stack of contexts whenever
/// Clang tells anybody anything.
///
/// Flow:    ASTMutationListener, consumers, file changes -> Observer ->
/// Recorder Times:   what began or ended between two looks did so somewhere in
/// between;
///          several such changes are spread evenly over the time between
/// Misses:  what both began and ended between two looks. Of instantiations the
///          notifications name what was made, so each is counted once, as an
///          interval of length zero (docs/design/hooks.md)
/// Threads: one, as Sema

#include "plugin/ClangCompat.h"
#include "plugin/hooks/InstantiationHook.h"
#include "plugin/hooks/PhaseTracker.h"
#include "plugin/hooks/QueuedBodies.h"
#include "plugin/hooks/SynthesisKinds.h"
#include "plugin/recorder/Recorder.h"

#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>

using namespace clang;

namespace instantrace {

namespace {

using Context = Sema::CodeSynthesisContext;
using ContextStack = llvm::ArrayRef<Context>; ///< the innermost at the back

/// Not instantiated, but specialized in the source.
bool isWritten(const Decl *D) {
  const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(D);
  return Class &&
         (isa<ClassTemplatePartialSpecializationDecl>(Class) ||
          Class->getSpecializationKind() == TSK_ExplicitSpecialization);
}

class Observer {
public:
  Observer(ProbeMask Probes, Recorder &Rec, PhaseTracker &Phases)
      : Probes(Probes), Rec(Rec), Phases(Phases) {}

  void watch(Sema &S) {
    Watched = &S;
    LastNs = Rec.nowNs();
  }

  void look(Probe P) {
    if (Watched && uses(P))
      look();
  }

  /// Clang made \p D. Were nothing seen of it, it is to be counted.
  void made(const Decl *D, Probe P) {
    if (!Watched)
      return;
    look(P);
    if (Rec.wants(EventKind::TemplateInstantiation) && !Met.count(D))
      Unseen.push_back({D, Open.empty() ? 0 : Open.back().Location});
  }

  /// Clang defined \p D along with what it is a member of, or for a context of
  /// its own, which then says so at its end.
  void defined(const Decl *D, Probe P) {
    if (!Watched)
      return;
    look(P);
    if (llvm::none_of(llvm::reverse(Open), [D](const OpenContext &Context) {
          return Context.Entity == D;
        }))
      Defined.insert(D);
  }

  void finish() {
    if (!Watched)
      return;
    look();
    Watched = nullptr;
  }

private:
  struct OpenContext {
    const Decl *Entity;
    uint32_t Location; ///< raw encoding
    Context::SynthesisKind Kind;
    bool IsRecorded;
    bool MakesDefinition;
  };

  bool uses(Probe P) const {
    return P == Probe::File || (Probes >> static_cast<unsigned>(P) & 1) != 0;
  }

  /// Compares the stacks and records what changed.
  void look() {
    uint64_t NowNs = Rec.nowNs();
    ContextStack Contexts = Watched->CodeSynthesisContexts;
    size_t Common = commonDepth(Contexts);
    if (!Unseen.empty())
      countUnseen(Contexts, Common);
    if (Common != Open.size() || Common != Contexts.size())
      follow(Contexts, Common, NowNs);
    LastNs = std::max(NowNs, Rec.LastTimeNs);
    Queue.note(*Watched, Rec);
  }

  static bool isSame(const OpenContext &Known, const Context &Now) {
    return Known.Entity == Now.Entity && Known.Kind == Now.Kind &&
           Known.Location == Now.PointOfInstantiation.getRawEncoding();
  }

  /// How many of the open contexts are still there. One that is the same below
  /// so many that are the same is taken to be: to be wrong, all of those would
  /// have to end and begin again with nothing being told.
  size_t commonDepth(ContextStack Contexts) const {
    constexpr size_t Enough = 32;
    size_t Common = std::min<size_t>(Open.size(), Contexts.size());
    size_t Same = 0;
    for (size_t I = Common; I-- > 0 && Same != Enough;) {
      if (isSame(Open[I], Contexts[I])) {
        ++Same;
      } else {
        Common = I;
        Same = 0;
      }
    }
    return Common;
  }

  void follow(ContextStack Contexts, size_t Common, uint64_t NowNs) {
    size_t Begins = Contexts.size() - Common;
    if (Begins != 0 && Rec.isOutsideTemplateWork())
      Phases.outermostWorkBegins(Watched->getPreprocessor());
    uint64_t FromNs = std::max(LastNs, Rec.LastTimeNs);
    uint64_t GapNs = NowNs > FromNs ? NowNs - FromNs : 0;
    size_t Changes = Open.size() - Common + Begins;
    size_t Done = 0;
    auto next = [&](uint64_t Divisor) {
      uint64_t BeforeNs = GapNs * Done / (Changes + 1);
      uint64_t EvenNs = GapNs * ++Done / (Changes + 1);
      // Naming may come in between and take its time.
      return std::max(FromNs + BeforeNs + (EvenNs - BeforeNs) / Divisor,
                      Rec.LastTimeNs);
    };
    while (Open.size() > Common)
      end(next(1));
    while (Open.size() < Contexts.size()) {
      const Context &New = Contexts[Open.size()];
      begin(New, next(beginsEarly(New) ? 8 : 1));
    }
  }

  /// Clang begins a class twice, first to choose among partial specializations.
  /// That makes nothing, so nothing is told of it, and when the class is seen
  /// it began soon after the change before. An eighth fits
  /// (docs/design/hooks.md).
  static bool beginsEarly(const Context &Inst) {
    return Inst.Kind == Context::TemplateInstantiation &&
           isa_and_nonnull<CXXRecordDecl>(Inst.Entity);
  }

  void begin(const Context &Inst, uint64_t TimeNs) {
    EventKind Kind = eventKind(Inst.Kind);
    OpenContext New{Inst.Entity, Inst.PointOfInstantiation.getRawEncoding(),
                    Inst.Kind, isTemplateContext(Kind) && Rec.wants(Kind),
                    false};
    if (Kind == EventKind::TemplateInstantiation && isDefinable(Inst.Entity))
      // What is defined by now may have become so since it began.
      New.MakesDefinition = !Defined.count(Inst.Entity);
    if (New.IsRecorded) {
      if (Kind == EventKind::TemplateInstantiation)
        Met.insert(Inst.Entity);
      Rec.beginAt(Kind, Inst.Entity, New.Location, !New.MakesDefinition,
                  TimeNs);
    }
    Open.push_back(New);
  }

  void end(uint64_t TimeNs) {
    OpenContext Last = Open.pop_back_val();
    bool IsDefinition = Last.MakesDefinition && isDefined(Last.Entity) &&
                        Defined.insert(Last.Entity).second;
    if (Last.IsRecorded)
      Rec.endAt(IsDefinition, TimeNs);
  }

  /// They were made when the look before this one was taken, inside what was
  /// innermost then; what has a context of its own by now is seen after all.
  void countUnseen(ContextStack Contexts, size_t Common) {
    for (auto [D, Location] : Unseen) {
      bool IsOpen = false;
      for (size_t I = Common; I != Contexts.size() && !IsOpen; ++I)
        IsOpen = Contexts[I].Kind == Context::TemplateInstantiation &&
                 Contexts[I].Entity == D;
      if (IsOpen || isWritten(D) || !Met.insert(D).second)
        continue;
      if (Rec.isOutsideTemplateWork())
        Phases.outermostWorkBegins(Watched->getPreprocessor());
      Rec.count(D, Location, isDefined(D) && Defined.insert(D).second,
                std::max(LastNs, Rec.LastTimeNs));
    }
    Unseen.clear();
  }

  const ProbeMask Probes;
  Recorder &Rec;
  PhaseTracker &Phases;
  Sema *Watched = nullptr;
  QueuedBodies Queue;
  uint64_t LastNs = 0; ///< of the last look
  llvm::SmallVector<OpenContext, 64> Open;
  /// And the location, by raw encoding, of what they were made in.
  llvm::SmallVector<std::pair<const Decl *, uint32_t>, 8> Unseen;
  llvm::DenseSet<const Decl *> Met;     ///< have an interval
  llvm::DenseSet<const Decl *> Defined; ///< have one that completed them
};

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
