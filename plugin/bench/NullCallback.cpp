/// \file
/// A plugin whose callbacks do nothing: the bound that the benchmark compares
/// the profiler with (utils/bench).

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/TemplateInstCallback.h"

#include <memory>
#include <vector>

using namespace clang;

namespace {

class NullCallback final : public TemplateInstantiationCallback {
public:
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &,
                       const Sema::CodeSynthesisContext &) override {}
  void atTemplateEnd(const Sema &,
                     const Sema::CodeSynthesisContext &) override {}
};

class NullConsumer final : public SemaConsumer {
public:
  void InitializeSema(Sema &S) override {
    S.TemplateInstCallbacks.push_back(std::make_unique<NullCallback>());
  }
};

class NullAction final : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 StringRef) override {
    return std::make_unique<NullConsumer>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<NullAction>
    Register("instantrace_null", "callbacks that do nothing");

} // namespace
