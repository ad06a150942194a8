// `clang -cc1` as a program of its own.
#include "clang/Frontend/CompilerInstance.h"
#include "clang/FrontendTool/Utils.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/TargetSelect.h"

// Debian's libraries name Polly and are without it.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder &) {}};
}

int main(int Count, char **Words) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  clang::CompilerInstance Compiler;
  Compiler.createDiagnostics();
  if (!clang::CompilerInvocation::CreateFromArgs(Compiler.getInvocation(), llvm::ArrayRef(Words + 1, Words + Count),
                                                 Compiler.getDiagnostics(), Words[0]))
    return 1;
  Compiler.createDiagnostics();
  return !clang::ExecuteCompilerInvocation(&Compiler);
}
