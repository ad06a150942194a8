/// \file
/// What feeds the recorder with begin and end of template work.
///
/// Flow:   Clang's Sema -> InstantiationHook -> Recorder
/// Leaves: everything but handing over; no I/O, no names, no policy
///
/// There are two (docs/design/hooks.md). The callback hears of every begin and
/// end, but Clang removes it after 23; nothing outside CallbackHook.cpp depends
/// on it. The observer looks at Clang's stack of contexts whenever Clang tells
/// a consumer something, and works out what began and ended in between; with
/// probes it looks at each push and pop, too, and misses nothing.
#pragma once

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

enum class HookChoice : uint8_t { Auto, Callback, Probes, Observer };

/// What Clang tells, by what it is about. For measuring what each is worth
/// (docs/design/hooks.md): a build uses all of them.
enum class Notice : uint8_t {
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
inline constexpr unsigned NoticeLimit = 11;
using NoticeMask = uint16_t;
inline constexpr NoticeMask AllNotices = (1u << NoticeLimit) - 1;

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
  virtual void moment(Notice) {}
  /// To be told of changes of the AST; null: nothing is.
  virtual clang::ASTMutationListener *mutationListener() { return nullptr; }
  /// No template work follows.
  virtual void translationUnitDone() {}
  /// Nothing is recorded any more.
  virtual void stop() {}
  /// Whether it hears of finished instantiations that are used again.
  virtual bool reportsMemoization() const = 0;
  /// As the trace's session names it; with the reason where another one was
  /// asked for.
  virtual std::string_view name() const = 0;
  /// Why it was less exact in the end than its name says; empty: it was not.
  virtual std::string_view doubt() const { return {}; }
};

/// Whether the Clang that this is built for has the callback.
bool hasCallbackHook();
/// Auto and Callback stand for the callback where there is one, otherwise for
/// probes; these stand for the observer where they cannot be had. Of what Clang
/// tells, an observer hears \p Notices. The arguments must outlive the Sema's
/// work.
std::unique_ptr<InstantiationHook> makeHook(HookChoice Choice,
                                            NoticeMask Notices, Recorder &Rec,
                                            PhaseTracker &Phases);

/// By TemplateInstantiationCallback; only where hasCallbackHook().
std::unique_ptr<InstantiationHook> makeCallbackHook(Recorder &Rec,
                                                    PhaseTracker &Phases);

} // namespace instantrace
