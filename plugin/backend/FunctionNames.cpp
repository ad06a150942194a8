#include "plugin/backend/FunctionNames.h"

#include "plugin/QuietDiagnostics.h"
#include "plugin/recorder/Clock.h"
#include "runtime/base/Hash.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <memory>

using namespace clang;

namespace instantrace {

namespace {

/// Begins the name of a closure without a number of its own: `$_0`.
constexpr StringRef ByOrder = "$_";

/// Equal for names that differ in nothing but the order of mangling.
uint64_t nameKey(StringRef LinkageName) {
  uint64_t Key;
  if (LinkageName.find(ByOrder) == StringRef::npos) {
    Key = linkageHash(LinkageName);
  } else {
    std::string Kept;
    StringRef Rest = LinkageName;
    for (size_t Offset; (Offset = Rest.find(ByOrder)) != StringRef::npos;) {
      // The length before it changes with the number's digits.
      Kept += Rest.take_front(Offset).rtrim("0123456789");
      Kept += ByOrder;
      Rest = Rest.drop_front(Offset + ByOrder.size()).ltrim("0123456789");
    }
    Kept += Rest;
    Key = hashBytes(Kept);
  }
  return Key == UINT64_MAX ? 0 : Key; // which is the map's empty key
}

/// Whether the compiler may emit code for it.
bool isEmittable(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  if (F.isInvalidDecl() || F.isDeleted() || F.isDependentContext() ||
      F.isConsteval() || !F.isDefined(Definition))
    return false;
  return F.isUsed() || F.getTemplateSpecializationKind() ==
                           TSK_ExplicitInstantiationDefinition;
}

uint64_t cpuTimeNs() { return nowNs(CLOCK_PROCESS_CPUTIME_ID); }

/// Ends when a share of the CPU time before it is spent.
class TimeForNames {
public:
  /// Looks at the clock now and then.
  bool isUp() {
    if (++Asked % Stride == 0)
      IsUp = cpuTimeNs() > EndNs;
    return IsUp;
  }

private:
  // Measured: 0.8 to 3 % where names are ordinary, 40 % for nested closures.
  static constexpr uint64_t Share = 25, LeastNs = 10'000'000;
  static constexpr unsigned Stride = 16;
  const uint64_t BeginNs = cpuTimeNs();
  const uint64_t EndNs = BeginNs + std::max(BeginNs / Share, LeastNs);
  unsigned Asked = 0;
  bool IsUp = false;
};

/// `_ZThn8_N1A1fEv`, which calls `_ZN1A1fEv`. Empty for anything else.
std::string targetOfThunk(StringRef Name) {
  auto skipNumber = [&Name] {
    Name.consume_front("n");
    Name = Name.ltrim("0123456789");
    return Name.consume_front("_");
  };
  bool IsThunk = false;
  if (Name.consume_front("_ZTh"))
    IsThunk = skipNumber();
  else if (Name.consume_front("_ZTv"))
    IsThunk = skipNumber() && skipNumber();
  return IsThunk ? ("_Z" + Name).str() : std::string();
}

} // namespace

std::vector<const Decl *> synthesizedMembers(const EntityTable &Entities) {
  std::vector<const Decl *> Members;
  for (uint32_t Id = 1; Id <= Entities.idCount(); ++Id) {
    const Entity &E = Entities.withId(Id);
    if (!E.isDeclaration())
      continue;
    const auto *Class =
        dyn_cast<CXXRecordDecl>(static_cast<const Decl *>(E.Key));
    if (!Class || !Class->isCompleteDefinition() || Class->isDependentContext())
      continue;
    // What is in a PCH or a module and not loaded yet stays there.
    for (const Decl *Member : Class->noload_decls())
      if (const auto *Method = dyn_cast<CXXMethodDecl>(Member))
        if (Method->isDefaulted() && isEmittable(*Method))
          Members.push_back(Method);
  }
  return Members;
}

void FunctionNames::add(StringRef LinkageName, const void *Key) {
  auto [Known, IsNew] = Keys.insert(nameKey(LinkageName), Key);
  if (!IsNew && Known->second != Key)
    Known->second = nullptr;
}

const void *FunctionNames::lookUp(StringRef LinkageName) const {
  return Keys.lookup(nameKey(LinkageName));
}

void FunctionNames::learn(ASTContext &Context, const EntityTable &Entities,
                          bool HasBothForms) {
  if (!Context.getTargetInfo().getCXXABI().isItaniumFamily())
    return;
  QuietDiagnostics Quiet(Context.getDiagnostics());
  std::unique_ptr<MangleContext> Mangler(Context.createMangleContext());
  TimeForNames Time;
  std::string Name; // whose failure to grow can be caught
  for (uint32_t Id = 1; Id <= Entities.idCount(); ++Id) {
    const Entity &E = Entities.withId(Id);
    if (E.Origin != EntityOrigin::Declaration)
      continue;
    const auto *F = dyn_cast<FunctionDecl>(static_cast<const Decl *>(E.Key));
    if (!F || !isEmittable(*F) || !Mangler->shouldMangleDeclName(F))
      continue;
    if (Time.isUp()) {
      ++NotLearned;
      continue;
    }
    auto learnOne = [&](GlobalDecl Declaration) {
      Name.clear();
      llvm::raw_string_ostream OS(Name);
      Mangler->mangleName(Declaration, OS);
      add(OS.str(), E.Key);
    };
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    bool IsOneForm =
        !HasBothForms && Method && Method->getParent()->getNumVBases() == 0;
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F)) {
      learnOne({Constructor, Ctor_Base});
      if (!IsOneForm)
        learnOne({Constructor, Ctor_Complete});
    } else if (const auto *Destructor = dyn_cast<CXXDestructorDecl>(F)) {
      learnOne({Destructor, Dtor_Base});
      if (!IsOneForm)
        learnOne({Destructor, Dtor_Complete});
      if (Destructor->isVirtual())
        learnOne({Destructor, Dtor_Deleting});
    } else {
      learnOne(F);
    }
  }
}

FunctionNames::Payer FunctionNames::find(StringRef LinkageName) const {
  if (const void *Key = lookUp(LinkageName))
    return {Key, LinkageName.find(ByOrder) == StringRef::npos
                     ? FunctionOwner::Itself
                     : FunctionOwner::Enclosing};
  // A part that was outlined, or a clone: `f.cold`.
  StringRef Name = LinkageName.split('.').first;
  if (Name.size() != LinkageName.size())
    if (const void *Key = lookUp(Name))
      return {Key, FunctionOwner::Enclosing};
  std::string Target = targetOfThunk(Name);
  if (!Target.empty()) {
    const void *Key = lookUp(Target);
    // The destructor of a whole object is that of the base.
    constexpr StringRef Whole = "D1Ev", Base = "D2Ev";
    if (!Key && StringRef(Target).take_back(Whole.size()) == Whole)
      Key = lookUp((StringRef(Target).drop_back(Whole.size()) + Base).str());
    return {Key, FunctionOwner::Enclosing};
  }
  // What is local to a function: `_ZZ`, its name, `E`, the rest. An `E` that
  // closes something inside leaves no whole name before it, so that what is
  // found is right; the longest is the innermost.
  if (!Name.consume_front("_ZZ"))
    return {};
  constexpr unsigned MostTries = 256;
  std::string Outer = ("_Z" + Name).str();
  for (unsigned Tries = 0; Tries != MostTries; ++Tries) {
    size_t End = Outer.rfind('E');
    if (End == std::string::npos)
      break;
    Outer.resize(End);
    if (const void *Key = lookUp(Outer))
      return {Key, FunctionOwner::Enclosing};
  }
  return {};
}

} // namespace instantrace
