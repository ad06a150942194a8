/// \file
/// How a profiler hears of its compile, and where it is kept while that runs.
///
/// Flow:    Clang -> two consumers around the main action's -> Profiler
/// Shared:  by Plugin.cpp and the comparison of hooks (bench/BothHooks.cpp),
///          which runs two profilers in one compile
#pragma once

#include "plugin/Profiler.h"
#include "plugin/memory/AlwaysMade.h"
#include "plugin/memory/OutOfMemory.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>
#include <mutex>
#include <utility>
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
    Profilers.emplace_back(Compiler, std::move(P));
  }
  /// In the order in which they were added.
  ProfilerList take(const clang::CompilerInstance *Compiler) {
    std::lock_guard<std::mutex> Lock(Mutex);
    ProfilerList List;
    for (const auto &[Profiled, P] : Profilers)
      if (Profiled == Compiler)
        List.push_back(P);
    remove(Compiler);
    return List;
  }
  bool has(const clang::CompilerInstance *Compiler) {
    std::lock_guard<std::mutex> Lock(Mutex);
    return llvm::any_of(
        Profilers, [=](const auto &Known) { return Known.first == Compiler; });
  }
  /// For want of memory.
  void giveUp(const clang::CompilerInstance *Compiler) noexcept {
    std::lock_guard<std::mutex> Lock(Mutex);
    for (const auto &[Profiled, P] : Profilers)
      if (Profiled == Compiler)
        P->giveUp();
    remove(Compiler);
  }

private:
  void remove(const clang::CompilerInstance *Compiler) {
    llvm::erase_if(Profilers,
                   [=](const auto &Known) { return Known.first == Compiler; });
  }

  std::mutex Mutex;
  std::vector<
      std::pair<const clang::CompilerInstance *, std::shared_ptr<Profiler>>>
      Profilers;
};

RunningProfilers &runningProfilers();

/// Starts the profile of a compile. The consumer is for before the main action:
/// everything until the end of the translation unit. Where there is no memory
/// for a profile, it warns, and the consumer does nothing.
std::unique_ptr<clang::ASTConsumer>
startProfile(clang::CompilerInstance &Instance, llvm::StringRef InputFile,
             const Options &Opts);

/// Finishes the profilers of a compile. It exists for its place: its consumer
/// hears of the end of the translation unit after the main action's, that is,
/// after code generation.
class AfterAction final : public clang::PluginASTAction,
                          public AlwaysMade<AfterAction> {
public:
  static constexpr llvm::StringLiteral Name = "instantrace_end";
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler,
                    llvm::StringRef InputFile) override;
  /// False, and Clang leaves it out, where there is nothing to finish.
  bool ParseArgs(const clang::CompilerInstance &Compiler,
                 const std::vector<std::string> &) override {
    return runningProfilers().has(&Compiler);
  }
  ActionType getActionType() override { return AddAfterMainAction; }
};

} // namespace instantrace
