/// \file
/// Works out what began and ended from Sema's stack of contexts, looked at
/// whenever Clang tells anybody anything, and with probes at each push and pop.
///
/// Flow:    ObserverHook, Probes -> [Observer] -> Recorder
/// Times:   exact at a push or pop. What began or ended between two looks did
///          so somewhere in between; several such changes are spread evenly
///          over the time between
/// Misses:  without probes, what both began and ended between two looks. The
///          notifications name what was instantiated, so each is counted once,
///          as an interval of length zero (docs/design/hooks.md)
/// Doubt:   a push or pop where no probe is gets the time of a look without.
///          Where these are many, it is an observer like one without probes
/// Leaves:  which notification says what, to the ObserverHook
/// Threads: one, as Sema
#pragma once

#include "plugin/hooks/InstantiationHook.h"
#include "plugin/hooks/QueuedBodies.h"
#include "plugin/memory/OutOfMemory.h"
#include "plugin/memory/SteadyMap.h"

#include "clang/Sema/Sema.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace instantrace {

class Observer {
public:
  Observer(NoticeMask Notices, Recorder &Rec, PhaseTracker &Phases)
      : Notices(Notices), Rec(Rec), Phases(Phases) {}

  ~Observer() { stop(); }
  Observer(const Observer &) = delete;
  Observer &operator=(const Observer &) = delete;

  void watch(clang::Sema &S, bool HasProbes);
  void look(Notice N) {
    if (Watched && uses(N))
      guarded(Rec.client(), [this] { look(); });
  }
  /// Clang made \p D. If no context of its is ever seen, it is to be counted.
  void made(const clang::Decl *D, Notice N);
  /// Clang made \p D of \p Template, and is about to change the substitution
  /// that is under way for it into the instantiation of \p D, in place.
  void declared(const clang::FunctionTemplateDecl *Template,
                const clang::FunctionDecl *D);
  /// Clang defined \p D along with what it is a member of, or for a context of
  /// its own, which then says so at its end.
  void defined(const clang::Decl *D, Notice N);
  // By probes.
  /// \p New is about to be the innermost context.
  void pushing(const clang::Sema::CodeSynthesisContext &New);
  /// It ends now.
  void popping();
  /// It has ended, unless popping() was called for it.
  void popped();
  void finish();
  /// Looks no more.
  void stop();
  /// Why the times are not exact, where probes were asked for. Empty: they are.
  const std::string &doubt() const { return Doubt; }

private:
  using Context = clang::Sema::CodeSynthesisContext;
  using ContextStack = llvm::ArrayRef<Context>; ///< the innermost at the back

  struct OpenContext {
    const clang::Decl *Entity;
    uint32_t Location; ///< raw encoding
    Context::SynthesisKind Kind;
    bool IsRecorded = false;
    bool MakesDefinition = false;
  };

  bool uses(Notice N) const {
    return N == Notice::File || (Notices >> static_cast<unsigned>(N) & 1) != 0;
  }
  /// Compares the stacks and records what changed.
  void look() { look(Watched->CodeSynthesisContexts); }
  void look(ContextStack Contexts);
  /// As far as the innermost shows, nothing has changed since the last look.
  bool isAsKnown(ContextStack Contexts) const {
    return Open.size() == Contexts.size() &&
           (Open.empty() || isSame(Open.back(), Contexts.back()));
  }
  void follow(ContextStack Contexts);
  /// Nearly all pushes and pops are heard of.
  bool isExact() const { return HasProbes && Doubt.empty(); }
  void countMissed(size_t Changes);
  static bool isSame(const OpenContext &Known, const Context &Now);
  size_t commonDepth(ContextStack Contexts) const;
  void spread(ContextStack Contexts, size_t Common, uint64_t NowNs);
  static bool beginsEarly(const Context &Inst);
  void begin(const Context &Inst, uint64_t TimeNs);
  /// At this very moment.
  void beginNow(OpenContext New);
  void end(uint64_t TimeNs);
  void countUnseen(ContextStack Contexts, size_t Common);

  const NoticeMask Notices;
  Recorder &Rec;
  PhaseTracker &Phases;
  clang::Sema *Watched = nullptr;
  bool HasProbes = false;
  uint64_t Probed = 0, Missed = 0; ///< pushes and pops, by probes or without
  std::string Doubt;
  QueuedBodies Queue;
  uint64_t LastNs = 0; ///< of the last look
  llvm::SmallVector<OpenContext, 64> Open;
  /// And the location, by raw encoding, of what they were made in.
  llvm::SmallVector<std::pair<const clang::Decl *, uint32_t>, 8> Unseen;
  SteadySet<const clang::Decl *> Met;     ///< have an interval
  SteadySet<const clang::Decl *> Defined; ///< have one that defined them
};

} // namespace instantrace
