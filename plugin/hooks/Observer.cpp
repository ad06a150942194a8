#include "plugin/hooks/Observer.h"

#include "plugin/hooks/PhaseTracker.h"
#include "plugin/hooks/Probes.h"
#include "plugin/hooks/SynthesisKinds.h"
#include "plugin/recorder/Recorder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>

using namespace clang;

namespace instantrace {

namespace {

/// Not instantiated, but specialized in the source.
bool isWritten(const Decl *D) {
  const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(D);
  return Class &&
         (isa<ClassTemplatePartialSpecializationDecl>(Class) ||
          Class->getSpecializationKind() == TSK_ExplicitSpecialization);
}

} // namespace

void Observer::watch(Sema &S, bool WantsProbes) {
  Watched = &S;
  LastNs = Rec.nowNs();
  if (!WantsProbes)
    return;
  HasProbes = startProbing(S, *this);
  if (!HasProbes)
    Doubt = "too many compiles at once in this process";
}

void Observer::made(const Decl *D, Notice N) {
  if (!Watched)
    return;
  guarded(Rec.client(), [&] {
    if (uses(N))
      look();
    if (!isExact() && Rec.wants(EventKind::TemplateInstantiation) &&
        !Met.contains(D))
      Unseen.push_back({D, Open.empty() ? 0 : Open.back().Location});
  });
}

void Observer::declared(const FunctionTemplateDecl *Template,
                        const FunctionDecl *D) {
  made(D, Notice::Specialization);
  if (!Watched || !HasProbes || Open.empty())
    return;
  const OpenContext Before = Open.back();
  if ((Before.Kind == Context::ExplicitTemplateArgumentSubstitution ||
       Before.Kind == Context::DeducedTemplateArgumentSubstitution) &&
      Before.Entity &&
      Before.Entity->getCanonicalDecl() == Template->getCanonicalDecl())
    guarded(Rec.client(), [&] {
      end(Rec.nowNs());
      beginNow({D, Before.Location, Context::TemplateInstantiation});
    });
}

void Observer::defined(const Decl *D, Notice N) {
  if (!Watched)
    return;
  guarded(Rec.client(), [&] {
    if (uses(N))
      look();
    if (llvm::none_of(llvm::reverse(Open), [D](const OpenContext &Context) {
          return Context.Entity == D;
        }))
      Defined.insert(D);
  });
}

void Observer::pushing(const Context &New) {
  if (!Watched)
    return;
  guarded(Rec.client(), [&] {
    const uint32_t Location = New.PointOfInstantiation.getRawEncoding();
    Rec.fetchAhead(New.Entity, Location);
    look();
    beginNow({New.Entity, Location, New.Kind});
    ++Probed;
  });
}

void Observer::popping() {
  if (!Watched)
    return;
  guarded(Rec.client(), [this] {
    look();
    end(Rec.nowNs());
    ++Probed;
  });
}

void Observer::popped() {
  if (!Watched)
    return;
  ContextStack Contexts = Watched->CodeSynthesisContexts;
  // What it has ended is all that has changed.
  if (Open.size() != Contexts.size() + 1 ||
      (!Contexts.empty() && !isSame(Open.end()[-2], Contexts.back())))
    return;
  guarded(Rec.client(), [this] {
    Queue.note(*Watched, Rec);
    end(Rec.nowNs());
    ++Probed;
  });
}

void Observer::finish() {
  if (!Watched)
    return;
  look();
  stop();
}

void Observer::stop() {
  Watched = nullptr;
  if (HasProbes)
    stopProbing(*this);
}

void Observer::look(ContextStack Contexts) {
  if (!isExact() || !isAsKnown(Contexts))
    follow(Contexts);
  Queue.note(*Watched, Rec);
}

void Observer::follow(ContextStack Contexts) {
  uint64_t NowNs = Rec.nowNs();
  size_t Common = commonDepth(Contexts);
  if (!Unseen.empty())
    countUnseen(Contexts, Common);
  if (Common != Open.size() || Common != Contexts.size()) {
    if (isExact())
      countMissed(Open.size() + Contexts.size() - 2 * Common);
    spread(Contexts, Common, NowNs);
  }
  LastNs = std::max(NowNs, Rec.lastTimeNs());
}

/// Some builds of Clang have inlined a few pushes or pops, which does no harm.
void Observer::countMissed(size_t Changes) {
  constexpr uint64_t Few = 8, ProbedForOne = 16;
  Missed += Changes;
  if (Missed > Few + Probed / ProbedForOne)
    Doubt = "of " + std::to_string(Missed + Probed) + " pushes and pops, " +
            std::to_string(Missed) + " are where no probe is";
}

bool Observer::isSame(const OpenContext &Known, const Context &Now) {
  return Known.Entity == Now.Entity && Known.Kind == Now.Kind &&
         Known.Location == Now.PointOfInstantiation.getRawEncoding();
}

/// How many of the open contexts are still there, from the outermost. The
/// search runs from the innermost and ends after 32 equal ones in a row: for
/// those outside them to have changed, all 32 would have to have ended and
/// begun again without a single notification.
size_t Observer::commonDepth(ContextStack Contexts) const {
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

void Observer::spread(ContextStack Contexts, size_t Common, uint64_t NowNs) {
  size_t Begins = Contexts.size() - Common;
  if (Begins != 0 && Rec.isOutsideTemplateWork())
    Phases.outermostWorkBegins(Watched->getPreprocessor());
  uint64_t FromNs = std::max(LastNs, Rec.lastTimeNs());
  uint64_t GapNs = NowNs > FromNs ? NowNs - FromNs : 0;
  size_t Changes = Open.size() - Common + Begins;
  size_t Done = 0;
  auto next = [&](uint64_t Divisor) {
    uint64_t BeforeNs = GapNs * Done / (Changes + 1);
    uint64_t EvenNs = GapNs * ++Done / (Changes + 1);
    // Naming may come in between and take its time.
    return std::max(FromNs + BeforeNs + (EvenNs - BeforeNs) / Divisor,
                    Rec.lastTimeNs());
  };
  while (Open.size() > Common)
    end(next(1));
  while (Open.size() < Contexts.size()) {
    const Context &New = Contexts[Open.size()];
    begin(New, next(beginsEarly(New) ? 8 : 1));
  }
}

/// Clang begins a class twice, first to choose among partial specializations.
/// That makes nothing, so nothing is told of it, and when the class is seen it
/// began soon after the change before. An eighth fits (docs/design/hooks.md).
bool Observer::beginsEarly(const Context &Inst) {
  return Inst.Kind == Context::TemplateInstantiation &&
         isa_and_nonnull<CXXRecordDecl>(Inst.Entity);
}

void Observer::begin(const Context &Inst, uint64_t TimeNs) {
  EventKind Kind = eventKind(Inst.Kind);
  OpenContext New{Inst.Entity, Inst.PointOfInstantiation.getRawEncoding(),
                  Inst.Kind, isTemplateContext(Kind) && Rec.wants(Kind), false};
  if (Kind == EventKind::TemplateInstantiation && isDefinable(Inst.Entity))
    // What is defined by now may have become so since it began.
    New.MakesDefinition = !Defined.contains(Inst.Entity);
  if (New.IsRecorded) {
    if (Kind == EventKind::TemplateInstantiation)
      Met.insert(Inst.Entity);
    Rec.beginAt(Kind, Inst.Entity, New.Location,
                entityState(!New.MakesDefinition), TimeNs);
  }
  Open.push_back(New);
}

void Observer::beginNow(OpenContext New) {
  EventKind Kind = eventKind(New.Kind);
  EntityState Before = stateBefore(Kind, New.Entity);
  New.IsRecorded = isTemplateContext(Kind) && Rec.wants(Kind);
  New.MakesDefinition = Before != EntityState::Defined;
  if (New.IsRecorded) {
    if (Kind == EventKind::TemplateInstantiation)
      Met.insert(New.Entity);
    if (Rec.isOutsideTemplateWork())
      Phases.outermostWorkBegins(Watched->getPreprocessor());
    Rec.begin(Kind, New.Entity, New.Location, Before);
  }
  Open.push_back(New);
}

void Observer::end(uint64_t TimeNs) {
  OpenContext Last = Open.pop_back_val();
  bool IsDefinition = Last.MakesDefinition && isDefined(Last.Entity) &&
                      Defined.insert(Last.Entity);
  if (Last.IsRecorded)
    Rec.endAt(entityState(IsDefinition), TimeNs);
}

/// They were made when the look before this one was taken, inside what was
/// innermost then; what has a context of its own by now is seen after all.
void Observer::countUnseen(ContextStack Contexts, size_t Common) {
  for (auto [D, Location] : Unseen) {
    bool IsOpen = false;
    for (size_t I = Common; I != Contexts.size() && !IsOpen; ++I)
      IsOpen = Contexts[I].Kind == Context::TemplateInstantiation &&
               Contexts[I].Entity == D;
    if (IsOpen || isWritten(D) || !Met.insert(D))
      continue;
    if (Rec.isOutsideTemplateWork())
      Phases.outermostWorkBegins(Watched->getPreprocessor());
    bool IsDefinition = isDefined(D) && Defined.insert(D);
    Rec.count(D, Location, entityState(IsDefinition),
              std::max(LastNs, Rec.lastTimeNs()));
  }
  Unseen.clear();
}

} // namespace instantrace
