// A plugin of somebody else, which says what Clang does with its AST. WATCH_AFTER in
// the environment: always, on-request, or no action after the main one.
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include <cstdlib>

using namespace clang;

namespace {

template <PluginASTAction::ActionType Place> class Watcher : public PluginASTAction {
  struct Consumer : ASTConsumer {
    explicit Consumer(CompilerInstance &Compiler) : Compiler(Compiler) {}
    void HandleTranslationUnit(ASTContext &Ast) override {
      if (Place == AddBeforeMainAction)
        llvm::errs() << "before code generation: is to be cleared: " << Compiler.getCodeGenOpts().ClearASTBeforeBackend
                     << '\n';
      else
        llvm::errs() << "after code generation: AST is " << (Ast.getAllocator().getTotalMemory() != 0 ? "there" : "gone")
                     << '\n';
    }
    CompilerInstance &Compiler;
  };
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    return std::make_unique<Consumer>(Compiler);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  PluginASTAction::ActionType getActionType() override { return Place; }
};

template <PluginASTAction::ActionType Place>
using Add = FrontendPluginRegistry::Add<Watcher<Place>>;

Add<PluginASTAction::AddBeforeMainAction> Before("watch-before", "");

struct AddAfter {
  AddAfter() {
    StringRef Wanted = std::getenv("WATCH_AFTER") ? std::getenv("WATCH_AFTER") : "";
    if (Wanted == "always")
      new Add<PluginASTAction::AddAfterMainAction>("watch-after", "");
    else if (Wanted == "on-request")
      new Add<PluginASTAction::CmdlineAfterMainAction>("watch-after", "");
  }
} After;

} // namespace
