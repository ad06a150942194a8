/// \file
/// Every difference between the Clang releases that the plugin is built for.
///
/// Checked in the majors of plugin/clang-majors.txt. No other file tests a
/// version.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <cstdint>
#include <string>

// Not by version: a release that removes it may get it back, and a build of
// Clang may be without.
#if __has_include("clang/Sema/TemplateInstCallback.h")
#define INSTANTRACE_HAS_CALLBACK 1
#else
#define INSTANTRACE_HAS_CALLBACK 0
#endif

// Kinds of CodeSynthesisContext, by the release that first has them.
#define INSTANTRACE_HAS_BUILTIN_DUMP_STRUCT (LLVM_VERSION_MAJOR >= 15)
#define INSTANTRACE_HAS_REQUIREMENT_PARAMETER (LLVM_VERSION_MAJOR >= 16)
#define INSTANTRACE_HAS_LAMBDA_SUBSTITUTION (LLVM_VERSION_MAJOR >= 17)
#define INSTANTRACE_HAS_DEDUCTION_GUIDES (LLVM_VERSION_MAJOR >= 17)
#define INSTANTRACE_HAS_ALIAS_INSTANTIATION (LLVM_VERSION_MAJOR >= 19)
#define INSTANTRACE_HAS_PARTIAL_ORDERING_TTP (LLVM_VERSION_MAJOR >= 20)
#define INSTANTRACE_HAS_SYCL_KERNEL_LAUNCH (LLVM_VERSION_MAJOR >= 23)
#define INSTANTRACE_HAS_EXPANSION_STATEMENTS (LLVM_VERSION_MAJOR >= 23)
// And one that has left.
#define INSTANTRACE_HAS_CONSTRAINT_NORMALIZATION (LLVM_VERSION_MAJOR < 23)

// Notifications of ASTMutationListener: in 19, not in 16.
#define INSTANTRACE_HAS_NUMBERING_NOTIFICATIONS (LLVM_VERSION_MAJOR >= 19)
// In 22, not in 19.
#define INSTANTRACE_HAS_DELETE_NOTIFICATIONS (LLVM_VERSION_MAJOR >= 22)

// TemplateArgument::getIsDefaulted(), by which the printer goes: in 19,
// not in 16.
#define INSTANTRACE_HAS_DEFAULTED_FLAG (LLVM_VERSION_MAJOR >= 17)
// clang::isSubstitutedDefaultArgument(), which also evaluates: in 16,
// not in 15.
#define INSTANTRACE_HAS_DEFAULT_COMPARISON (LLVM_VERSION_MAJOR >= 16)
// Template arguments of floating and other structural types.
#define INSTANTRACE_HAS_STRUCTURAL_VALUE (LLVM_VERSION_MAJOR >= 18)
// A name that holds a type, as a conversion operator's does, is printed under
// the caller's policy; before, under that of its context.
#define INSTANTRACE_HAS_NAMES_BY_POLICY (LLVM_VERSION_MAJOR >= 22)

// The class before `::*` is printed without its scope: in 21 alone.
#define INSTANTRACE_HAS_SHORT_MEMBER_CLASSES (LLVM_VERSION_MAJOR == 21)

// CodeGenOptions::PassBuilderCallbacks: in 19, not in 16; in 17 PassPlugins
// alone.
#define INSTANTRACE_HAS_PASS_BUILDER_CALLBACKS (LLVM_VERSION_MAJOR >= 18)
// CompilerInstance's output files are LLVM's virtual ones: in 22, not in 19.
#define INSTANTRACE_HAS_VIRTUAL_OUTPUT (LLVM_VERSION_MAJOR >= 22)
// Pass callbacks get an llvm::IRUnitRef, and an llvm::Any before: in 24, not
// in 23.
#define INSTANTRACE_HAS_IR_UNIT_REF (LLVM_VERSION_MAJOR >= 24)

namespace instantrace {

/// The bytes that an allocator has handed out so far. One object, one
/// allocator.
class AllocatedBytes {
public:
  uint64_t of(const llvm::BumpPtrAllocator &Allocator) {
#if LLVM_VERSION_MAJOR >= 23 // not counted any more
    // To ask for nothing says where the next object would be, and changes
    // nothing: an ASTContext has a slab from the beginning.
    auto &A = const_cast<llvm::BumpPtrAllocator &>(Allocator);
    auto Next = reinterpret_cast<uintptr_t>(A.Allocate(0, llvm::Align(1)));
    if (size_t Slabs = A.GetNumSlabs(); Slabs != KnownSlabs) {
      KnownSlabs = Slabs;
      BytesBefore = bytesUpTo(A, Next) - Next;
    }
    return BytesBefore + Next;
#else
    return Allocator.getBytesAllocated();
#endif
  }

#if LLVM_VERSION_MAJOR >= 23
private:
  /// Those of all slabs before that of \p Next, with what is unused at their
  /// ends, of it up to there, and of the objects that have a slab of their own.
  static uint64_t bytesUpTo(llvm::BumpPtrAllocator &A, uintptr_t Next) {
    auto InSlabs = static_cast<uint64_t>(
        A.identifyObject(reinterpret_cast<void *>(Next - 1)).value_or(0) + 1);
    // A slab has twice the bytes of the 128th before it.
    uint64_t SlabsBytes = 0;
    for (size_t I = 0; SlabsBytes < InSlabs; ++I)
      SlabsBytes += uint64_t(4096) << std::min<size_t>(30, I / 128);
    return A.getTotalMemory() - SlabsBytes + InSlabs;
  }

  size_t KnownSlabs = 0;
  uint64_t BytesBefore = 0;
#endif
};

/// Whether the optimizer is that of before LLVM's new pass manager, which tells
/// nobody of its passes.
inline bool usesLegacyPasses(const clang::CodeGenOptions &Options) {
#if LLVM_VERSION_MAJOR < 15
  return Options.LegacyPassManager;
#else
  (void)Options;
  return false;
#endif
}

/// What an error leaves in a handler of diagnostics; in 18, not in 17.
template <class Handler>
void copyHasErrors(const Handler &Read, Handler &Written) {
#if LLVM_VERSION_MAJOR >= 18
  Written.HasErrors = Read.HasErrors;
#else
  (void)Read;
  (void)Written;
#endif
}

/// The name alone as it stands inside a qualified name; matters for conversion
/// operators, whose name holds a type.
inline void printNameInScope(const clang::NamedDecl &D, llvm::raw_ostream &OS,
                             const clang::PrintingPolicy &Policy) {
#if INSTANTRACE_HAS_NAMES_BY_POLICY
  D.printName(OS, Policy);
#else
  (void)Policy; // by the context's own
  D.printName(OS);
#endif
}

/// What stands for \p D, which has no name, in the name of its members.
inline std::string unnamedScopeText(const clang::TagDecl &D,
                                    clang::PrintingPolicy Policy) {
#if LLVM_VERSION_MAJOR >= 22 // as the type is printed; in 22, not in 19
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Policy.SuppressScope = true;
#if LLVM_VERSION_MAJOR >= 23 // in 23, not in 22
  Policy.AnonymousTagNameStyle =
      llvm::to_underlying(clang::PrintingPolicy::AnonymousTagMode::Plain);
#else
  Policy.AnonymousTagLocations = false;
#endif
  clang::QualType(D.getASTContext().getCanonicalTagType(&D)).print(OS, Policy);
  return OS.str();
#else
  (void)Policy;
  return "(anonymous " + D.getKindName().str() + ")";
#endif
}

/// Has \p Policy print types as they are without their sugar.
inline void printAsCanonical(clang::PrintingPolicy &Policy) {
#if LLVM_VERSION_MAJOR >= 21 // renamed between 19 and 21
  Policy.PrintAsCanonical = true;
#else
  Policy.PrintCanonicalTypes = true;
#endif
}

/// The type that \p D declares.
inline clang::QualType tagType(const clang::TagDecl &D) {
#if LLVM_VERSION_MAJOR >= 22 // types no longer point at one declaration
  return D.getASTContext().getCanonicalTagType(&D);
#else
  return D.getASTContext().getTagDeclType(&D);
#endif
}

/// `__attribute__((__vector_size__(...)))`, of no particular target.
inline bool isGenericVector(const clang::Type &T) {
  const auto *Vector = llvm::dyn_cast<clang::VectorType>(&T);
#if LLVM_VERSION_MAJOR >= 18 // a scoped enumeration since then
  return Vector && !llvm::isa<clang::ExtVectorType>(Vector) &&
         Vector->getVectorKind() == clang::VectorKind::Generic;
#else
  return Vector && !llvm::isa<clang::ExtVectorType>(Vector) &&
         Vector->getVectorKind() == clang::VectorType::GenericVector;
#endif
}

/// The class that \p T points into.
inline clang::QualType classOfMemberPointer(const clang::MemberPointerType &T) {
#if LLVM_VERSION_MAJOR >= 22 // a qualifier since 21, and a value since 22
  return clang::QualType(T.getQualifier().getAsType(), 0).getCanonicalType();
#elif LLVM_VERSION_MAJOR >= 21
  return clang::QualType(T.getQualifier()->getAsType(), 0).getCanonicalType();
#else
  return clang::QualType(T.getClass(), 0).getCanonicalType();
#endif
}

/// That class as Clang prints it.
inline std::string memberPointerClassText(const clang::MemberPointerType &T,
                                          const clang::PrintingPolicy &Policy) {
#if INSTANTRACE_HAS_SHORT_MEMBER_CLASSES
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  T.getQualifier()->print(OS, Policy);
  return Text.substr(0, Text.rfind("::"));
#else
  return classOfMemberPointer(T).getAsString(Policy);
#endif
}

/// The type before the last `::` of \p T; null for none.
inline clang::QualType qualifierOf(const clang::DependentNameType &T) {
#if LLVM_VERSION_MAJOR >= 22 // a value since 22
  clang::NestedNameSpecifier Qualifier = T.getQualifier();
  if (Qualifier.getKind() != clang::NestedNameSpecifier::Kind::Type)
    return {};
  return clang::QualType(Qualifier.getAsType(), 0);
#else
  return clang::QualType(T.getQualifier()->getAsType(), 0);
#endif
}

/// A number among the arguments that are neither integral nor a declaration.
inline bool isScalarValue(const clang::TemplateArgument &Argument) {
#if INSTANTRACE_HAS_STRUCTURAL_VALUE
  if (Argument.getKind() != clang::TemplateArgument::StructuralValue)
    return false;
  const clang::APValue &Value = Argument.getAsStructuralValue();
  return Value.isInt() || Value.isFloat() || Value.isComplexInt() ||
         Value.isComplexFloat() || Value.isFixedPoint();
#else
  (void)Argument;
  return false;
#endif
}

/// \p T has what Clang prints only for some targets and attributes.
inline bool hasRareParts(const clang::FunctionProtoType &T) {
#if LLVM_VERSION_MAJOR >= 19 // both in 19, not in 16
  if (T.getAArch64SMEAttributes() != 0 || !T.getFunctionEffects().empty())
    return true;
#endif
#if LLVM_VERSION_MAJOR >= 22 // in 22, not in 19
  if (T.hasCFIUncheckedCallee())
    return true;
#endif
  return T.hasTrailingReturn() || T.hasExtParameterInfos() ||
         !(T.getExtInfo() == clang::FunctionType::ExtInfo());
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
#if LLVM_VERSION_MAJOR >= 17 // renamed since 16
  bool IsOpenMP = Options.OpenMPIsTargetDevice;
#else
  bool IsOpenMP = Options.OpenMPIsDevice;
#endif
  return Options.CUDAIsDevice || Options.SYCLIsDevice || IsOpenMP;
}

} // namespace instantrace
