#include "plugin/Consumers.h"

#include "clang/AST/DeclGroup.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace instantrace {

namespace {

class BeforeConsumer final : public SemaConsumer {
public:
  explicit BeforeConsumer(std::shared_ptr<Profiler> P) : P(std::move(P)) {}
  void InitializeSema(Sema &S) override {
    guarded(*P, [&] { P->hook().install(S); });
  }
  ASTMutationListener *GetASTMutationListener() override {
    return P->hook().mutationListener();
  }
  bool HandleTopLevelDecl(DeclGroupRef) override {
    guarded(*P, [&] { P->hook().declarationDone(); });
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *) override {
    moment(Probe::Declaration);
  }
  void HandleTagDeclDefinition(TagDecl *) override { moment(Probe::Tag); }
  void HandleTagDeclRequiredDefinition(const TagDecl *) override {
    moment(Probe::Completeness);
  }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *) override {
    moment(Probe::Request);
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *) override {
    moment(Probe::Request);
  }
  void HandleVTable(CXXRecordDecl *) override { moment(Probe::Rest); }
  void AssignInheritanceModel(CXXRecordDecl *) override { moment(Probe::Rest); }
  void CompleteTentativeDefinition(VarDecl *) override {
    moment(Probe::Declaration);
  }
  void HandleTranslationUnit(ASTContext &) override {
    guarded(*P, [&] { P->translationUnitDone(); });
  }

private:
  void moment(Probe Told) { P->hook().moment(Told); }

  std::shared_ptr<Profiler> P;
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
    auto Consumer = std::make_unique<BeforeConsumer>(P);
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
