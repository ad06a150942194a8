// A plugin of somebody else, which counts the tokens that the parser is given, and adds their
// kinds up.
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace {

struct Consumer : SemaConsumer {
  void InitializeSema(Sema &S) override {
    S.getPreprocessor().setTokenWatcher([this](const Token &T) {
      ++Tokens;
      Sum = Sum * 31 + T.getKind();
    });
  }
  void HandleTranslationUnit(ASTContext &) override { llvm::errs() << Tokens << " tokens, " << Sum << '\n'; }
  unsigned Tokens = 0, Sum = 0;
};

struct Watcher : PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<Consumer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<Watcher> Added("watch-tokens", "");

} // namespace
