// A pass plugin that ends, or holds up, the compiler in the function that the
// environment names.
#include "llvm/IR/Function.h"
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Passes/PassPlugin.h")
#include "llvm/Passes/PassPlugin.h"
#else
#include "llvm/Plugins/PassPlugin.h"
#endif

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unistd.h>

struct InterruptPass : llvm::PassInfoMixin<InterruptPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &) {
    const char *Where = std::getenv("INTERRUPT_IN");
    const char *How = std::getenv("INTERRUPT_BY");
    if (!Where || !How || F.getName() != Where)
      return llvm::PreservedAnalyses::all();
    if (!std::strcmp(How, "kill"))
      ::kill(::getpid(), SIGKILL);
    if (!std::strcmp(How, "segv"))
      ::raise(SIGSEGV);
    if (!std::strcmp(How, "abort"))
      std::abort();
    if (!std::strcmp(How, "memory"))
      throwAway(::operator new(size_t(1) << 62));
    if (!std::strcmp(How, "sleep"))
      ::sleep(20);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  static void throwAway(void *Memory) {
    static void *volatile Kept;
    Kept = Memory;
  }
};

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "interrupt", "1",
          [](llvm::PassBuilder &Builder) {
            Builder.registerOptimizerLastEPCallback(
                [](llvm::ModulePassManager &Passes, auto...) {
                  Passes.addPass(llvm::createModuleToFunctionPassAdaptor(
                      InterruptPass()));
                });
          }};
}
