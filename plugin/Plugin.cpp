/// \file
/// Where the entry meets the profiler: what Clang asks the entry's action for
/// is asked here.
///
/// Flow:   entry/Entry.cpp -> two consumers around the main action's ->
/// Profiler Leaves: the consumers and the second action, to Consumers.h

#include "plugin/Consumers.h"
#include "plugin/Options.h"
#include "plugin/entry/TemplateLanguage.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

using namespace clang;

namespace instantrace {

namespace {

/// One for all compiles of the process: Clang asks for the consumer of one
/// right after its arguments.
class BeforeAction final : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef InputFile) override {
    return startProfile(Compiler, InputFile, Opts);
  }
  /// False, and Clang leaves us out, where there is nothing to profile.
  bool ParseArgs(const CompilerInstance &Compiler,
                 const std::vector<std::string> &Arguments) override {
    try {
      Opts = readOptions(Arguments);
    } catch (...) {
      warnOfNoMemory("no profile of this compile");
      return false;
    }
    return canHaveTemplates(Compiler) || Opts.WritesEmpty;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  Options Opts;
};

} // namespace

} // namespace instantrace

#define INSTANTRACE_PASTE(A, B) A##B
#define INSTANTRACE_ACTION_FOR(Major)                                          \
  INSTANTRACE_PASTE(instantrace_action_for_clang_, Major)

/// Called by the entry, once. Its name says for which Clang the module is:
/// loading one into another Clang has no effect until it is called.
extern "C" [[gnu::visibility("default")]] PluginASTAction *
INSTANTRACE_ACTION_FOR(CLANG_VERSION_MAJOR)() {
  using namespace instantrace;
  surviveOutOfMemory();
  // Clang is at the entry in its list of actions, and this one comes after it.
  static const FrontendPluginRegistry::Add<AfterAction> RegisterAfter(
      AfterAction::Name, "end of instantrace's profile");
  static BeforeAction Action;
  return &Action;
}
