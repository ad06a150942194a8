#include "plugin/names/PrintedSize.h"

#include "plugin/ClangCompat.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

#include <algorithm>

using namespace clang;

namespace instantrace {

namespace {

using PartFunction = llvm::function_ref<void(QualType)>;

void forEachPart(llvm::ArrayRef<TemplateArgument> Arguments,
                 PartFunction Part) {
  for (const TemplateArgument &Argument : Arguments)
    switch (Argument.getKind()) {
    case TemplateArgument::Type:
      Part(Argument.getAsType().getCanonicalType());
      break;
    case TemplateArgument::Pack:
      // More would change nothing.
      forEachPart(Argument.pack_elements().take_front(PrintedSize::MaxParts),
                  Part);
      break;
    case TemplateArgument::Integral:
      Part(Argument.getIntegralType().getCanonicalType());
      break;
    case TemplateArgument::Declaration:
      if (isa<TemplateParamObjectDecl>(Argument.getAsDecl()))
        Part(Argument.getAsDecl()->getType().getCanonicalType());
      else
        instantrace::forEachPart(*Argument.getAsDecl(), Part);
      break;
    default: // names, values and what the source has written
      break;
    }
}

/// Arguments of the classes and parameters of the functions around something.
void forEachPartOfScope(const DeclContext *DC, PartFunction Part) {
  for (; DC; DC = DC->getParent())
    if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(DC))
      forEachPart(Spec->getTemplateArgs().asArray(), Part);
    else if (const auto *Function = dyn_cast<FunctionDecl>(DC))
      Part(Function->getType().getCanonicalType());
}

} // namespace

void forEachPart(const NamedDecl &D, PartFunction Part) {
  if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D))
    forEachPart(Spec->getTemplateArgs().asArray(), Part);
  else if (const auto *Spec = dyn_cast<VarTemplateSpecializationDecl>(&D))
    forEachPart(Spec->getTemplateArgs().asArray(), Part);
  else if (const auto *Function = dyn_cast<FunctionDecl>(&D))
    if (const auto *Arguments = Function->getTemplateSpecializationArgs())
      forEachPart(Arguments->asArray(), Part);
  if (D.getDeclName().getNameKind() ==
      DeclarationName::CXXConversionFunctionName)
    Part(D.getDeclName().getCXXNameType().getCanonicalType());
  forEachPartOfScope(D.getDeclContext(), Part);
}

void forEachPart(QualType T, PartFunction Part) {
  const Type *Ty = T.getTypePtr();
  if (isa<PointerType, ReferenceType, BlockPointerType>(Ty)) {
    Part(Ty->getPointeeType());
  } else if (const auto *Member = dyn_cast<MemberPointerType>(Ty)) {
    Part(Member->getPointeeType());
    Part(classOfMemberPointer(*Member));
  } else if (const auto *Array = dyn_cast<ArrayType>(Ty)) {
    Part(Array->getElementType());
  } else if (const auto *Function = dyn_cast<FunctionProtoType>(Ty)) {
    Part(Function->getReturnType());
    for (QualType Parameter : Function->param_types())
      Part(Parameter);
  } else if (const auto *Vector = dyn_cast<VectorType>(Ty)) {
    Part(Vector->getElementType());
  } else if (const auto *Atomic = dyn_cast<AtomicType>(Ty)) {
    Part(Atomic->getValueType());
  } else if (const auto *Expansion = dyn_cast<PackExpansionType>(Ty)) {
    Part(Expansion->getPattern());
  } else if (const auto *Id = dyn_cast<TemplateSpecializationType>(Ty)) {
    forEachPart(Id->template_arguments(), Part);
  } else if (const auto *Name = dyn_cast<DependentNameType>(Ty)) {
    if (QualType Qualifier = qualifierOf(*Name); !Qualifier.isNull())
      Part(Qualifier.getCanonicalType());
  } else if (isa<RecordType, EnumType>(Ty)) {
    const TagDecl &D = *Ty->getAsTagDecl();
    if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(&D))
      forEachPart(Spec->getTemplateArgs().asArray(), Part);
    // A type's name has no functions in it.
    for (const DeclContext *DC = D.getDeclContext();
         DC && !DC->isFunctionOrMethod(); DC = DC->getParent())
      if (const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(DC))
        forEachPart(Spec->getTemplateArgs().asArray(), Part);
  }
}

void PrintedSize::Size::add(const Size &Part) {
  Levels = std::max(Levels, Part.Levels);
  Parts = std::min(Parts + Part.Parts, MaxParts);
}

bool PrintedSize::isPrintable(const NamedDecl &D) {
  Size Total;
  forEachPart(D, [&](QualType Part) { Total.add(size(Part)); });
  return Total.isPrintable();
}

PrintedSize::Size PrintedSize::size(QualType Whole) {
  struct Visit {
    QualType T;
    bool KnowsParts;
  };
  llvm::SmallVector<Visit, 16> Stack{{Whole, false}};
  while (!Stack.empty()) {
    auto [T, KnowsParts] = Stack.back();
    if (!KnowsParts) {
      if (!Sizes.insert(T.getTypePtr()).second) {
        Stack.pop_back();
        continue;
      }
      Stack.back().KnowsParts = true;
      forEachPart(T, [&](QualType Part) {
        if (!Sizes.contains(Part.getTypePtr()))
          Stack.push_back({Part, false});
      });
    } else {
      Size Own;
      forEachPart(
          T, [&](QualType Part) { Own.add(Sizes.lookup(Part.getTypePtr())); });
      ++Own.Levels;
      Own.Parts = std::min(Own.Parts + 1, MaxParts);
      Sizes[T.getTypePtr()] = Own;
      Stack.pop_back();
    }
  }
  return Sizes.lookup(Whole.getTypePtr());
}

} // namespace instantrace
