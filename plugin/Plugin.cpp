/// \file
/// Where Clang meets Instantrace: the plugin's two actions.
///
/// Flow:   Clang -> two consumers around the main action's -> Profiler
/// Leaves: the consumers and the second action, to Consumers.h

#include "plugin/Consumers.h"
#include "plugin/Options.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

using namespace clang;

namespace instantrace {

namespace {

class BeforeAction final : public PluginASTAction,
                           public AlwaysMade<BeforeAction> {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef InputFile) override {
    return startProfile(Compiler, InputFile, Opts);
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &Arguments) override {
    try {
      Opts = readOptions(Arguments);
    } catch (...) {
      warnOfNoMemory("no profile of this compile");
      return false; // and Clang leaves us out
    }
    return true; // whatever they are, the compile goes on
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  Options Opts;
};

} // namespace

} // namespace instantrace

#define INSTANTRACE_PASTE(A, B) A##B
#define INSTANTRACE_REGISTER_FOR(Major)                                        \
  INSTANTRACE_PASTE(instantrace_register_for_clang_, Major)

/// Called by the loader. Its name says for which Clang the module is: loading
/// one into another Clang has no effect until it is called.
extern "C" [[gnu::visibility("default")]] void
INSTANTRACE_REGISTER_FOR(CLANG_VERSION_MAJOR)() {
  using namespace instantrace;
  surviveOutOfMemory();
  // In this order: the second finds the profiler that the first has made.
  static const FrontendPluginRegistry::Add<BeforeAction> RegisterBefore(
      "instantrace", "profile template instantiation");
  static const FrontendPluginRegistry::Add<AfterAction> RegisterAfter(
      AfterAction::Name, "end of instantrace's profile");
}
