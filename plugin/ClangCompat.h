/// \file
/// Every difference between the Clang releases that the plugin is built for.
///
/// Checked in: 14, 15, 16, 19, 22. No other file tests a version.
#ifndef INSTANTRACE_PLUGIN_CLANGCOMPAT_H
#define INSTANTRACE_PLUGIN_CLANGCOMPAT_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/Config/llvm-config.h"

#include <string>

// Kinds of CodeSynthesisContext, by the release that first has them.
#define INSTANTRACE_HAS_BUILTIN_DUMP_STRUCT (LLVM_VERSION_MAJOR >= 15)
#define INSTANTRACE_HAS_REQUIREMENT_PARAMETER (LLVM_VERSION_MAJOR >= 16)
#define INSTANTRACE_HAS_LAMBDA_SUBSTITUTION (LLVM_VERSION_MAJOR >= 18)
#define INSTANTRACE_HAS_DEDUCTION_GUIDES (LLVM_VERSION_MAJOR >= 18)
#define INSTANTRACE_HAS_ALIAS_INSTANTIATION (LLVM_VERSION_MAJOR >= 19)
#define INSTANTRACE_HAS_PARTIAL_ORDERING_TTP (LLVM_VERSION_MAJOR >= 20)

namespace instantrace {

/// The name alone as it stands inside a qualified name; matters for conversion
/// operators, whose name holds a type.
inline void printNameInScope(const clang::NamedDecl &D, llvm::raw_ostream &OS,
                             const clang::PrintingPolicy &Policy) {
#if LLVM_VERSION_MAJOR >=                                                      \
    20 // the caller's policy; 19 and before: the context's
  D.printName(OS, Policy);
#else
  (void)Policy;
  D.printName(OS);
#endif
}

/// Has \p Policy print types as they are without their sugar.
inline void printAsCanonical(clang::PrintingPolicy &Policy) {
#if LLVM_VERSION_MAJOR >= 22 // renamed between 19 and 22
  Policy.PrintAsCanonical = true;
#else
  Policy.PrintCanonicalTypes = true;
#endif
}

/// The type that \p D declares.
inline clang::QualType recordType(const clang::CXXRecordDecl &D) {
#if LLVM_VERSION_MAJOR >= 22 // types no longer point at one declaration
  return D.getASTContext().getCanonicalTagType(&D);
#else
  return D.getASTContext().getRecordType(&D);
#endif
}

/// "c++17": the invocation's language standard. Empty when none was chosen, as
/// in a compile of a .pcm or .ast file; Clang would end the process over that.
inline std::string languageStandardName(const clang::LangOptions &Options) {
  if (Options.LangStd == clang::LangStandard::lang_unspecified)
    return {};
  return clang::LangStandard::getLangStandardForKind(Options.LangStd).getName();
}

/// One of the passes for an offload device; they share the host's object name.
inline bool isDevicePass(const clang::LangOptions &Options) {
#if LLVM_VERSION_MAJOR >= 17 // renamed
  bool IsOpenMP = Options.OpenMPIsTargetDevice;
#else
  bool IsOpenMP = Options.OpenMPIsDevice;
#endif
  return Options.CUDAIsDevice || Options.SYCLIsDevice || IsOpenMP;
}

} // namespace instantrace

#endif
