#include "plugin/names/NameCheck.h"

#include "runtime/strings/StringComponents.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

using namespace clang;

namespace instantrace {

namespace {

uint64_t textHash(const std::string &Text) {
  return static_cast<size_t>(llvm::hash_value(Text));
}

constexpr uint32_t Parameters = partBit(NamePart::Parameters);
constexpr uint32_t Defaults = partBit(NamePart::DefaultArguments);

/// Among the parts of \p D is an explicit instantiation or specialization,
/// which Clang prints as it was written when it prints types as written.
bool mentionsWritten(const NamedDecl &D) {
  llvm::SmallPtrSet<const Type *, 32> Seen;
  std::vector<QualType> Stack;
  auto push = [&](QualType Part) {
    if (Seen.insert(Part.getTypePtr()).second)
      Stack.push_back(Part);
  };
  forEachPart(D, push);
  while (!Stack.empty()) {
    QualType T = Stack.back();
    Stack.pop_back();
    const auto *Spec = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        T->getAsCXXRecordDecl());
    if (Spec && Spec->getSpecializationKind() != TSK_ImplicitInstantiation &&
        Spec->getSpecializationKind() != TSK_Undeclared)
      return true;
    forEachPart(T, push);
  }
  return false;
}

} // namespace

/// "(int, char) const": Clang's text of the canonical types.
static std::string printedParameters(const FunctionDecl &D,
                                     const PrintingPolicy &Policy) {
  const auto *T = D.getType().getCanonicalType()->getAs<FunctionProtoType>();
  if (!T)
    return {};
  std::string Text = "(";
  for (QualType Parameter : T->param_types())
    Text += (Text.size() == 1 ? "" : ", ") + Parameter.getAsString(Policy);
  if (T->isVariadic())
    Text += Text.size() == 1 ? "..." : ", ...";
  Text += ')';
  if (T->getMethodQuals().hasQualifiers())
    Text += ' ' + T->getMethodQuals().getAsString();
  if (T->getRefQualifier() != RQ_None)
    Text += T->getRefQualifier() == RQ_LValue ? " &" : " &&";
  return Text;
}

bool NameCheck::compareParameters(const NamedDecl &D, StringId Name,
                                  const std::string &Full,
                                  llvm::raw_ostream &OS) {
  const auto *Function = dyn_cast<FunctionDecl>(&D);
  std::string Ours = Strings.expand(Name);
  if (!Function || Ours == Full) // they were not asked for
    return true;
  std::string Theirs =
      Full + printedParameters(*Function, Names.Printer.Canonical);
  if (Ours == Theirs)
    return true;
  OS << D.getDeclKindName() << " with parameters: built '" << Ours
     << "', Clang prints '" << Theirs << "'\n";
  return false;
}

void NameCheck::named(const NamedDecl &D) {
  if (Names.Sizes.isPrintable(D))
    PrintedWhenNamed.try_emplace(&D, textHash(Names.Printer.full(D)));
}

void NameCheck::compare(const NamedDecl &D, StringId Name,
                        llvm::raw_ostream &OS) {
  ++Entities;
  WithLeaves += hasLeaf(Name);
  NamedByPattern += Names.Patterns.contains(&D);
  if (!Names.Sizes.isPrintable(D)) {
    ++TooLarge;
    return;
  }
  std::string Ours = Strings.expand(Name, Parameters);
  std::string Theirs = Names.Printer.full(D);
  if (Ours != Theirs && PrintedWhenNamed.lookup(&D) == textHash(Ours)) {
    ++Renamed;
    return;
  }
  if (Ours != Theirs)
    OS << D.getDeclKindName() << ": built '" << Ours << "', Clang prints '"
       << Theirs << "'\n";
  Differences += Ours != Theirs || !compareShortened(D, Name, Theirs, OS) ||
                 !compareParameters(D, Name, Theirs, OS);
}

bool NameCheck::compareShortened(const NamedDecl &D, StringId Name,
                                 const std::string &Full,
                                 llvm::raw_ostream &OS) {
  std::string Ours = Strings.expand(Name, Parameters | Defaults);
  std::string Theirs = Names.Printer.shortened(D);
  if (Ours == Theirs)
    return true;
  if (mentionsWritten(D) || Names.Printer.asWritten(D) != Full) {
    ++ShortAsWritten;
    return true;
  }
  if (hasLeaf(Name)) {
    ++ShortWithLeaves;
    return true;
  }
  OS << D.getDeclKindName() << " without default arguments: built '" << Ours
     << "', Clang prints '" << Theirs << "'\n";
  return false;
}

bool NameCheck::hasLeaf(StringId Name) {
  // An entry is settled when all that it refers to is.
  std::vector<StringId> Stack{Name};
  while (!Stack.empty()) {
    StringId Id = Stack.back();
    if (HasLeaf.count(Id.Value)) {
      Stack.pop_back();
      continue;
    }
    bool Has = Names.isLeaf(Id), IsSettled = true;
    ComponentReader Components(Strings.heap().data() +
                               (Id.Value - StringId::FirstRegular));
    for (StringComponent Component; Components.next(Component);) {
      if (Component.Ref.kind() != StringIdKind::Regular)
        continue;
      auto Known = HasLeaf.find(Component.Ref.Value);
      if (Known != HasLeaf.end()) {
        Has |= Known->second;
      } else {
        IsSettled = false;
        Stack.push_back(Component.Ref);
      }
    }
    if (!IsSettled)
      continue;
    HasLeaf[Id.Value] = Has;
    Stack.pop_back();
  }
  return HasLeaf.lookup(Name.Value);
}

void NameCheck::writeStatistics(llvm::raw_ostream &OS) const {
  std::vector<llvm::StringRef> Kinds;
  for (const auto &Leaf : Names.LeafCounts)
    Kinds.push_back(Leaf.getKey());
  llvm::sort(Kinds);
  for (llvm::StringRef Kind : Kinds)
    OS << "leaves: " << Kind << ": " << Names.LeafCounts.lookup(Kind) << '\n';
  OS << "entities with leaves: " << WithLeaves << '\n';
  OS << "entities that are patterns: " << NamedByPattern << '\n';
  OS << "not compared: " << Renamed << " renamed by Clang since, " << TooLarge
     << " too large to print\n";
  OS << "not compared without default arguments: " << ShortAsWritten
     << " printed as written, " << ShortWithLeaves << " with leaves\n";
  OS << Entities << " entities, " << Differences << " differences\n";
}

} // namespace instantrace
