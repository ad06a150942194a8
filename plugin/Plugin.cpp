/// \file
/// Where Clang meets Instantrace: the plugin action and its consumers.
///
/// Flow: Clang -> two consumers around the main action's -> Profiler
///
/// The second action exists for its place: its consumer hears of the end of the
/// translation unit after the main action's, that is, after code generation.

#include "plugin/Options.h"
#include "plugin/Profiler.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/SemaConsumer.h"

#include <mutex>

using namespace clang;

namespace instantrace {

namespace {

/// The profiler of each running compile. Implicit module builds run one
/// CompilerInstance inside another, on a thread of its own.
class RunningProfilers {
public:
  void add(const CompilerInstance *Compiler, std::shared_ptr<Profiler> P) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Profilers[Compiler] = std::move(P);
  }
  std::shared_ptr<Profiler> take(const CompilerInstance *Compiler) {
    std::lock_guard<std::mutex> Lock(Mutex);
    auto It = Profilers.find(Compiler);
    if (It == Profilers.end())
      return nullptr;
    std::shared_ptr<Profiler> P = std::move(It->second);
    Profilers.erase(It);
    return P;
  }

private:
  std::mutex Mutex;
  llvm::DenseMap<const CompilerInstance *, std::shared_ptr<Profiler>> Profilers;
};

RunningProfilers &runningProfilers() {
  static RunningProfilers Instance;
  return Instance;
}

class BeforeConsumer final : public SemaConsumer {
public:
  explicit BeforeConsumer(std::shared_ptr<Profiler> P) : P(std::move(P)) {}
  void InitializeSema(Sema &S) override { P->hook().install(S); }
  ASTMutationListener *GetASTMutationListener() override {
    return P->hook().mutationListener();
  }
  bool HandleTopLevelDecl(DeclGroupRef) override {
    P->hook().declarationDone();
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *) override { moment(); }
  void HandleTagDeclDefinition(TagDecl *) override { moment(); }
  void HandleTagDeclRequiredDefinition(const TagDecl *) override { moment(); }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *) override {
    moment();
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *) override { moment(); }
  void HandleVTable(CXXRecordDecl *) override { moment(); }
  void AssignInheritanceModel(CXXRecordDecl *) override { moment(); }
  void CompleteTentativeDefinition(VarDecl *) override { moment(); }
  void HandleTranslationUnit(ASTContext &) override {
    P->translationUnitDone();
  }

private:
  void moment() { P->hook().moment(); }

  std::shared_ptr<Profiler> P;
};

class AfterConsumer final : public ASTConsumer {
public:
  explicit AfterConsumer(std::shared_ptr<Profiler> P) : P(std::move(P)) {}
  void HandleTranslationUnit(ASTContext &) override {
    if (P)
      P->finish();
  }

private:
  std::shared_ptr<Profiler> P;
};

class BeforeAction final : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef InputFile) override {
    auto P = std::make_shared<Profiler>(Compiler, InputFile, Opts);
    runningProfilers().add(&Compiler, P);
    return std::make_unique<BeforeConsumer>(std::move(P));
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &Arguments) override {
    ParsedOptions Parsed = parseOptions(Arguments);
    for (const std::string &Warning : Parsed.Warnings)
      printWarning(Warning);
    Opts = std::move(Parsed.Values);
    return true; // whatever they are, the compile goes on
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  Options Opts;
};

class AfterAction final : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef) override {
    return std::make_unique<AfterConsumer>(runningProfilers().take(&Compiler));
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddAfterMainAction; }
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
  // In this order: the second finds the profiler that the first has made.
  static const FrontendPluginRegistry::Add<BeforeAction> RegisterBefore(
      "instantrace", "profile template instantiation");
  static const FrontendPluginRegistry::Add<AfterAction> RegisterAfter(
      "instantrace_end", "end of instantrace's profile");
}
