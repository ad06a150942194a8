#include "plugin/Consumers.h"

#include "clang/AST/DeclGroup.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace instantrace {

namespace {

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
    P->translationUnitDone();
  }

private:
  void moment(Probe Told) { P->hook().moment(Told); }

  std::shared_ptr<Profiler> P;
};

class AfterConsumer final : public ASTConsumer {
public:
  explicit AfterConsumer(ProfilerList All) : All(std::move(All)) {}
  void HandleTranslationUnit(ASTContext &) override {
    for (const std::shared_ptr<Profiler> &P : All)
      P->finish();
  }

private:
  ProfilerList All;
};

} // namespace

RunningProfilers &runningProfilers() {
  static RunningProfilers Instance;
  return Instance;
}

std::unique_ptr<ASTConsumer> makeBeforeConsumer(std::shared_ptr<Profiler> P) {
  return std::make_unique<BeforeConsumer>(std::move(P));
}

std::unique_ptr<ASTConsumer>
AfterAction::CreateASTConsumer(CompilerInstance &Compiler, StringRef) {
  return std::make_unique<AfterConsumer>(runningProfilers().take(&Compiler));
}

} // namespace instantrace
