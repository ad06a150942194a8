/// \file
/// What feeds the recorder with begin and end of template work.
///
/// Flow:   Clang's Sema -> InstantiationHook -> Recorder
/// Leaves: everything but handing over; no I/O, no names, no policy
/// A second implementation is to serve Clangs without
/// TemplateInstantiationCallback; nothing outside CallbackHook.cpp may depend
/// on that class.
#ifndef INSTANTRACE_PLUGIN_INSTANTIATIONHOOK_H
#define INSTANTRACE_PLUGIN_INSTANTIATIONHOOK_H

#include <memory>
#include <string_view>

namespace clang {
class Sema;
}

namespace instantrace {

class PhaseTracker;
class Recorder;

class InstantiationHook {
public:
  virtual ~InstantiationHook() = default;
  /// Starts feeding. Called once, when \p S exists and before it does work.
  virtual void install(clang::Sema &S) = 0;
  /// A declaration at file level is complete. Bodies that it put off may be
  /// instantiated before any template work of its own begins.
  virtual void topLevelDeclDone() = 0;
  /// As the trace's session names it.
  virtual std::string_view name() const = 0;
};

/// By TemplateInstantiationCallback. Both must outlive the Sema's work.
std::unique_ptr<InstantiationHook> makeCallbackHook(Recorder &Rec,
                                                    PhaseTracker &Phases);

} // namespace instantrace

#endif
