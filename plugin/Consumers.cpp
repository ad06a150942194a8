#include "plugin/Consumers.h"

#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace instantrace {

namespace {

/// Whether a plugin but ours gets the AST after code generation.
bool hasOtherAfterAction(const CompilerInstance &Compiler) {
  const std::vector<std::string> &Added =
      Compiler.getFrontendOpts().AddPluginActions;
  return llvm::any_of(FrontendPluginRegistry::entries(),
                      [&Added](const FrontendPluginRegistry::entry &Entry) {
                        if (Entry.getName() == AfterAction::Name)
                          return false;
                        switch (Entry.instantiate()->getActionType()) {
                        case PluginASTAction::AddAfterMainAction:
                          return true;
                        case PluginASTAction::CmdlineAfterMainAction:
                          return llvm::is_contained(Added,
                                                    Entry.getName().str());
                        default:
                          return false;
                        }
                      });
}

/// For an action after the main one, Clang keeps its AST during all of code
/// generation. Ours needs none.
class AstClearing {
public:
  /// Made before Clang has added AfterAction.
  explicit AstClearing(CompilerInstance &Compiler)
      : Compiler(Compiler),
        ClearsAst(Compiler.getCodeGenOpts().ClearASTBeforeBackend) {}

  /// As without us.
  void restore() {
    if (ClearsAst && !hasOtherAfterAction(Compiler))
      Compiler.getCodeGenOpts().ClearASTBeforeBackend = true;
  }

private:
  CompilerInstance &Compiler;
  const bool ClearsAst;
};

class BeforeConsumer final : public SemaConsumer {
public:
  BeforeConsumer(std::shared_ptr<Profiler> P, CompilerInstance &Compiler)
      : P(std::move(P)), Clearing(Compiler) {}
  void InitializeSema(Sema &S) override {
    guarded(*P, [&] { P->watch(S); });
  }
  ASTMutationListener *GetASTMutationListener() override {
    return P->hook().mutationListener();
  }
  bool HandleTopLevelDecl(DeclGroupRef) override {
    guarded(*P, [&] { P->hook().declarationDone(); });
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *Member) override {
    moment(Notice::Declaration);
    guarded(*P, [&] { P->lines().memberBodyDone(*Member); });
  }
  void HandleTagDeclDefinition(TagDecl *) override { moment(Notice::Tag); }
  void HandleTagDeclRequiredDefinition(const TagDecl *) override {
    moment(Notice::Completeness);
  }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *) override {
    moment(Notice::Request);
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *) override {
    moment(Notice::Request);
  }
  void HandleVTable(CXXRecordDecl *) override { moment(Notice::Rest); }
  void AssignInheritanceModel(CXXRecordDecl *) override {
    moment(Notice::Rest);
  }
  void CompleteTentativeDefinition(VarDecl *) override {
    moment(Notice::Declaration);
  }
  void HandleTranslationUnit(ASTContext &) override {
    guarded(*P, [&] { P->translationUnitDone(); });
    guarded(*P, [&] { Clearing.restore(); });
  }

private:
  void moment(Notice N) { P->hook().moment(N); }

  std::shared_ptr<Profiler> P;
  AstClearing Clearing;
};

class AfterConsumer final : public ASTConsumer {
public:
  ProfilerList All;

  void HandleTranslationUnit(ASTContext &) override {
    for (const std::shared_ptr<Profiler> &P : All)
      guarded(*P, [&] { P->finish(); });
  }
};

class NoConsumer final : public ASTConsumer, public AlwaysMade<NoConsumer> {};

std::unique_ptr<ASTConsumer> noConsumer() {
  return std::unique_ptr<ASTConsumer>(new NoConsumer);
}

} // namespace

RunningProfilers &runningProfilers() {
  static RunningProfilers Instance;
  return Instance;
}

std::unique_ptr<ASTConsumer> startProfile(CompilerInstance &Compiler,
                                          StringRef InputFile,
                                          const Options &Opts) {
  surviveOutOfMemory();
  try {
    auto P = std::make_shared<Profiler>(Compiler, InputFile, Opts);
    auto Consumer = std::make_unique<BeforeConsumer>(P, Compiler);
    runningProfilers().add(&Compiler, P);
    guarded(*P, [&] { P->watchFiles(); });
    return Consumer;
  } catch (...) {
    warnOfNoMemory("no profile of this compile");
    return noConsumer();
  }
}

std::unique_ptr<ASTConsumer>
AfterAction::CreateASTConsumer(CompilerInstance &Compiler, StringRef) {
  try {
    auto Consumer = std::make_unique<AfterConsumer>();
    Consumer->All = runningProfilers().take(&Compiler);
    return Consumer;
  } catch (...) {
    runningProfilers().giveUp(&Compiler);
    return noConsumer();
  }
}

} // namespace instantrace
