/// \file
/// How a profiler hears of its compile, and where it is kept while that runs.
///
/// Flow:    Clang -> two consumers around the main action's -> Profiler
/// Shared:  by Plugin.cpp and the comparison of hooks (bench/BothHooks.cpp),
///          which runs two profilers in one compile
#ifndef INSTANTRACE_PLUGIN_CONSUMERS_H
#define INSTANTRACE_PLUGIN_CONSUMERS_H

#include "plugin/Profiler.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/FrontendAction.h"

#include <memory>
#include <mutex>
#include <vector>

namespace instantrace {

using ProfilerList = std::vector<std::shared_ptr<Profiler>>;

/// The profilers of each running compile. Implicit module builds run one
/// CompilerInstance inside another, on a thread of its own.
class RunningProfilers {
public:
  void add(const clang::CompilerInstance *Compiler,
           std::shared_ptr<Profiler> P) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Profilers[Compiler].push_back(std::move(P));
  }
  /// In the order in which they were added.
  ProfilerList take(const clang::CompilerInstance *Compiler) {
    std::lock_guard<std::mutex> Lock(Mutex);
    ProfilerList List;
    auto It = Profilers.find(Compiler);
    if (It == Profilers.end())
      return List;
    List = std::move(It->second);
    Profilers.erase(It);
    return List;
  }

private:
  std::mutex Mutex;
  llvm::DenseMap<const clang::CompilerInstance *, ProfilerList> Profilers;
};

RunningProfilers &runningProfilers();

/// For before the main action: everything until the end of the translation
/// unit.
std::unique_ptr<clang::ASTConsumer>
makeBeforeConsumer(std::shared_ptr<Profiler> P);

/// Finishes the profilers of a compile. It exists for its place: its consumer
/// hears of the end of the translation unit after the main action's, that is,
/// after code generation.
class AfterAction final : public clang::PluginASTAction {
public:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler,
                    llvm::StringRef InputFile) override;
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddAfterMainAction; }
};

} // namespace instantrace

#endif
