/// \file
/// What feeds the recorder with begin and end of template work.
///
/// Flow:   Clang's Sema -> InstantiationHook -> Recorder
/// Leaves: everything but handing over; no I/O, no names, no policy
///
/// There are two (docs/design/hooks.md). The callback hears of every begin and
/// end, but Clang removes it after 22; nothing outside CallbackHook.cpp depends
/// on it. The observer looks at Clang's stack of contexts whenever Clang tells
/// a consumer something, and works out what began and ended in between.
#ifndef INSTANTRACE_PLUGIN_HOOKS_INSTANTIATIONHOOK_H
#define INSTANTRACE_PLUGIN_HOOKS_INSTANTIATIONHOOK_H

#include <cstdint>
#include <memory>
#include <string_view>

namespace clang {
class ASTMutationListener;
class Preprocessor;
class Sema;
} // namespace clang

namespace instantrace {

class PhaseTracker;
class Recorder;

enum class HookChoice : uint8_t { Auto, Callback, Observer };

/// What Clang tells, by what it is about. For measuring what each is worth
/// (docs/design/hooks.md): a build uses all of them.
enum class Probe : uint8_t {
  Tag,            ///< a class or enumeration has been defined
  Completeness,   ///< ... and was needed
  Specialization, ///< of any template, declared
  Member,         ///< an implicit member or a namespace's declaration
  Definition,     ///< of a function, variable, default argument, initializer
  Request,        ///< a body or a variable's initializer was put off
  Use,            ///< a declaration was used for the first time
  Type,           ///< exception specification, deduced return type
  Declaration,    ///< of file level, or an instantiated body, to the consumers
  File,           ///< entered or left; cannot be left out
  Rest,           ///< vtables, numbers of lambdas, operators delete
};
inline constexpr unsigned ProbeLimit = 11;
using ProbeMask = uint16_t;
inline constexpr ProbeMask AllProbes = (1u << ProbeLimit) - 1;

class InstantiationHook {
public:
  virtual ~InstantiationHook() = default;
  /// Starts feeding. Called once, when \p S exists and before it does work.
  virtual void install(clang::Sema &S) = 0;
  /// A declaration at file level, or the body of an instantiated function, is
  /// complete. Bodies that it put off may be instantiated before any template
  /// work of its own begins.
  virtual void declarationDone() = 0;
  /// Anything else that Clang tells its consumers, and before a file is entered
  /// or left.
  virtual void moment(Probe) {}
  /// To be told of changes of the AST; null: nothing is.
  virtual clang::ASTMutationListener *mutationListener() { return nullptr; }
  /// No template work follows.
  virtual void translationUnitDone() {}
  /// Nothing is recorded any more.
  virtual void stop() {}
  /// Whether it hears of finished instantiations that are used again.
  virtual bool reportsMemoization() const = 0;
  /// As the trace's session names it.
  virtual std::string_view name() const = 0;
};

/// Whether the Clang that this is built for has the callback.
bool hasCallbackHook();
/// Auto, and Callback where there is none, stand for what there is. The
/// arguments must outlive the Sema's work.
std::unique_ptr<InstantiationHook> makeHook(HookChoice Choice, ProbeMask Probes,
                                            Recorder &Rec,
                                            PhaseTracker &Phases);

/// By TemplateInstantiationCallback; only where hasCallbackHook().
std::unique_ptr<InstantiationHook> makeCallbackHook(Recorder &Rec,
                                                    PhaseTracker &Phases);
/// By notifications alone: those of \p Probes.
std::unique_ptr<InstantiationHook>
makeObserverHook(ProbeMask Probes, Recorder &Rec, PhaseTracker &Phases);

} // namespace instantrace

#endif
