/// \file
/// The part of NameBuilder that waits for memory before it has to: most of a
/// name's cost is that a declaration, its arguments, their types and what is
/// known of them have left the caches since Sema looked at them.

#include "plugin/names/NameBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace instantrace {

namespace {

constexpr size_t LineBytes = 64;
/// Of a list's first arguments; what is longer the processor fetches itself.
constexpr size_t MaxArguments = 4;

// Inlined, since GCC takes a function that only prefetches for one without
// effect, and leaves its calls out.
LLVM_ATTRIBUTE_ALWAYS_INLINE void prefetchBytes(const void *Begin,
                                                size_t SizeBytes) {
  for (size_t Index = 0; Index < SizeBytes; Index += LineBytes)
    __builtin_prefetch(static_cast<const char *>(Begin) + Index);
}

/// Where a lookup begins; of a null pointer a prefetch does nothing.
template <class Map>
LLVM_ATTRIBUTE_ALWAYS_INLINE void
prefetchBucket(const Map &In, const typename Map::Entry::first_type &Key) {
  prefetchBytes(In.home(Key), 1);
}

llvm::ArrayRef<TemplateArgument> argumentsOf(const Decl &D) {
  if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(&D))
    return Class->getTemplateArgs().asArray();
  if (const auto *Variable = dyn_cast<VarTemplateSpecializationDecl>(&D))
    return Variable->getTemplateArgs().asArray();
  if (const auto *Function = dyn_cast<FunctionDecl>(&D))
    if (const auto *List = Function->getTemplateSpecializationArgs())
      return List->asArray();
  return {};
}

} // namespace

void NameBuilder::prefetchDecl(const Decl *D) const {
  if (!D)
    return;
  prefetchBytes(D, sizeof(ClassTemplateSpecializationDecl));
  prefetchBucket(DeclNames, reinterpret_cast<const NamedDecl *>(D));
}

void NameBuilder::prefetchParts(const Decl *D) const {
  if (!D)
    return;
  if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(D)) {
    const TemplateArgumentList &List = Class->getTemplateArgs();
    prefetchBytes(&List, sizeof(TemplateArgumentList) +
                             MaxArguments * sizeof(TemplateArgument));
  } else if (const auto *Function = dyn_cast<FunctionDecl>(D)) {
    if (const auto *Info = Function->getTemplateSpecializationInfo()) {
      prefetchBytes(Info, sizeof(*Info));
    } else {
      prefetchBytes(Function->getDeclContext(), 1);
      prefetchBucket(Scopes, {Function->getDeclContext(), nullptr});
    }
  }
}

void NameBuilder::prefetchNames(const Decl *D) const {
  if (!D)
    return;
  size_t Left = MaxArguments;
  for (const TemplateArgument &Argument : argumentsOf(*D)) {
    if (Argument.getKind() == TemplateArgument::Type)
      prefetchBucket(Types, Argument.getAsType().getAsOpaquePtr());
    if (--Left == 0)
      break;
  }
}

} // namespace instantrace
