/// \file
/// Works out what began and ended from Sema's stack of contexts, looked at
/// whenever Clang tells anybody anything.
///
/// Flow:    ObserverHook -> [Observer] -> Recorder
/// Times:   what began or ended between two looks did so somewhere in between;
///          several such changes are spread evenly over the time between
/// Misses:  what both began and ended between two looks. Of instantiations the
///          notifications name what was made, so each is counted once, as an
///          interval of length zero (docs/design/hooks.md)
/// Leaves:  which notification says what, to the ObserverHook
/// Threads: one, as Sema
#ifndef INSTANTRACE_PLUGIN_HOOKS_OBSERVER_H
#define INSTANTRACE_PLUGIN_HOOKS_OBSERVER_H

#include "plugin/hooks/InstantiationHook.h"
#include "plugin/hooks/QueuedBodies.h"
#include "plugin/memory/OutOfMemory.h"
#include "plugin/memory/SteadyMap.h"

#include "clang/Sema/Sema.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace instantrace {

class Observer {
public:
  Observer(ProbeMask Probes, Recorder &Rec, PhaseTracker &Phases)
      : Probes(Probes), Rec(Rec), Phases(Phases) {}

  void watch(clang::Sema &S);
  void look(Probe P) {
    if (Watched && uses(P))
      guarded(Rec.client(), [this] { look(); });
  }
  /// Clang made \p D. If no context of its is ever seen, it is to be counted.
  void made(const clang::Decl *D, Probe P);
  /// Clang defined \p D along with what it is a member of, or for a context of
  /// its own, which then says so at its end.
  void defined(const clang::Decl *D, Probe P);
  void finish();
  /// Looks no more.
  void stop() { Watched = nullptr; }

private:
  using Context = clang::Sema::CodeSynthesisContext;
  using ContextStack = llvm::ArrayRef<Context>; ///< the innermost at the back

  struct OpenContext {
    const clang::Decl *Entity;
    uint32_t Location; ///< raw encoding
    Context::SynthesisKind Kind;
    bool IsRecorded;
    bool MakesDefinition;
  };

  bool uses(Probe P) const {
    return P == Probe::File || (Probes >> static_cast<unsigned>(P) & 1) != 0;
  }
  /// Compares the stacks and records what changed.
  void look();
  static bool isSame(const OpenContext &Known, const Context &Now);
  size_t commonDepth(ContextStack Contexts) const;
  void follow(ContextStack Contexts, size_t Common, uint64_t NowNs);
  static bool beginsEarly(const Context &Inst);
  void begin(const Context &Inst, uint64_t TimeNs);
  void end(uint64_t TimeNs);
  void countUnseen(ContextStack Contexts, size_t Common);

  const ProbeMask Probes;
  Recorder &Rec;
  PhaseTracker &Phases;
  clang::Sema *Watched = nullptr;
  QueuedBodies Queue;
  uint64_t LastNs = 0; ///< of the last look
  llvm::SmallVector<OpenContext, 64> Open;
  /// And the location, by raw encoding, of what they were made in.
  llvm::SmallVector<std::pair<const clang::Decl *, uint32_t>, 8> Unseen;
  SteadySet<const clang::Decl *> Met;     ///< have an interval
  SteadySet<const clang::Decl *> Defined; ///< have one that defined them
};

} // namespace instantrace

#endif
