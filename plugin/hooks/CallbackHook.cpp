/// \file
/// The hook by TemplateInstantiationCallback, present in Clang up to 23.

#include "plugin/ClangCompat.h"
#include "plugin/hooks/InstantiationHook.h"
#include "plugin/hooks/PhaseTracker.h"
#include "plugin/hooks/QueuedBodies.h"
#include "plugin/hooks/SynthesisKinds.h"
#include "plugin/memory/OutOfMemory.h"
#include "plugin/recorder/Recorder.h"

#if INSTANTRACE_HAS_CALLBACK
#include "clang/Sema/TemplateInstCallback.h"
#include "llvm/Support/Compiler.h"

using namespace clang;

namespace instantrace {

namespace {

using Context = Sema::CodeSynthesisContext;

/// Owned by Sema.
class Callback final : public TemplateInstantiationCallback {
public:
  Callback(Recorder &Rec, PhaseTracker &Phases) : Rec(Rec), Phases(Phases) {}

  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}

  void atTemplateBegin(const Sema &S, const Context &Inst) override {
    if (Inst.Kind == Context::Memoization && Rec.countRecentHit(Inst.Entity))
      return; // most calls
    beginWork(S, Inst);
  }

  void atTemplateEnd(const Sema &S, const Context &Inst) override {
    if (Inst.Kind != Context::Memoization)
      endWork(S, Inst);
  }

  void noteQueued(const Sema &S) { Queue.note(S, Rec); }

private:
  // Not inlined, so that a hit saves no registers.
  LLVM_ATTRIBUTE_NOINLINE void beginWork(const Sema &S, const Context &Inst) {
    guarded(Rec.client(), [&] { begin(S, Inst); });
  }
  LLVM_ATTRIBUTE_NOINLINE void endWork(const Sema &S, const Context &Inst) {
    guarded(Rec.client(), [&] { end(S, Inst); });
  }
  void begin(const Sema &S, const Context &Inst) {
    EventKind Kind = eventKind(Inst.Kind);
    uint32_t Location = Inst.PointOfInstantiation.getRawEncoding();
    if (Kind == EventKind::Memoization) {
      if (Rec.wantsMemoization())
        Rec.memoized(Inst.Entity, Location);
      return;
    }
    Rec.fetchAhead(Inst.Entity, Location);
    noteQueued(S);
    if (!Rec.wants(Kind))
      return;
    if (Rec.isOutsideTemplateWork())
      Phases.outermostWorkBegins(S.getPreprocessor());
    Rec.begin(Kind, Inst.Entity, Location, stateBefore(Kind, Inst.Entity));
  }

  void end(const Sema &S, const Context &Inst) {
    EventKind Kind = eventKind(Inst.Kind);
    noteQueued(S);
    if (Rec.wants(Kind))
      Rec.end(
          entityState(makesDefinition(Kind, Inst) && isDefined(Inst.Entity)));
  }

  static bool makesDefinition(EventKind Kind, const Context &Inst) {
    return Kind == EventKind::TemplateInstantiation && Inst.Entity;
  }

  Recorder &Rec;
  PhaseTracker &Phases;
  QueuedBodies Queue;
};

class CallbackHook final : public InstantiationHook {
public:
  CallbackHook(Recorder &Rec, PhaseTracker &Phases)
      : Rec(Rec), Phases(Phases) {}
  void install(Sema &S) override {
    auto Owned = std::make_unique<Callback>(Rec, Phases);
    Callback *Made = Owned.get();
    // Without memory for it, it is gone again.
    S.TemplateInstCallbacks.push_back(std::move(Owned));
    Watched = &S;
    Installed = Made;
  }
  void declarationDone() override {
    if (Installed)
      Installed->noteQueued(*Watched);
  }
  bool reportsMemoization() const override { return true; }
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

#endif
