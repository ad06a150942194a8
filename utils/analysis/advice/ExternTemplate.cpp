/// \file
/// Advice: explicit instantiation, which other compiles only declare.
///
/// Flow:   late bodies of each class or function, its specializations together
///         -> [adviseExternTemplate] -> AdviceFinder
/// Source: [temp.explicit] "Except for inline functions and variables,
///         declarations with types deduced from their initializer or return
///         value, ... explicit instantiation declarations have the effect of
///         suppressing the implicit instantiation of the definition";
///         Sema::InstantiateFunctionDefinition does as it says
///
/// So what goes is bodies, not classes: of functions that are neither inline
/// nor constexpr nor to be deduced, which nearly excludes what is defined in
/// its class. Clang instantiates constexpr functions and those with a deduced
/// type at once, so a body that comes late is neither; for inline the source is
/// looked at, if it is there.
///
/// Fires for what has such bodies in two compiles or more: of one, the work
/// would only move to the file that instantiates it, which was measured to cost
/// more than it saves. One would write a line for each specialization, and all
/// of them beside the template, so that those of one template are one
/// suggestion.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/names/NameScopes.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

/// Compiles, or specializations, that are named: those that save most.
constexpr size_t MostShown = 5;

/// What the bodies of one compile are.
struct InCompile {
  SharedText Input;
  uint64_t Bodies = 0;
  Saving Saves;
};

struct ExternCandidate {
  RowName Name;
  RowName Template; ///< that it is a specialization of
  NameKey TemplateKey;
  bool IsFunction = false;
  bool IsSystem = false;
  std::string Place;
  uint64_t Compiles = 0;
  std::vector<InCompile> Dearest; ///< those that save most, MostShown of them
  Saving Sum, Largest;            ///< of the compiles
  uint64_t Functions = 0;         ///< that LLVM need not be given
  Saving Backend;                 ///< of these, part of the savings
  uint64_t Avoided = 0;           ///< bodies that go
  uint64_t Unsure = 0;            ///< bodies that may be inline
  uint64_t Inline = 0;            ///< bodies that stay

  /// All compiles but the one that would save most, which has to instantiate
  /// it once.
  Saving saves() const {
    return {Sum.LeastNs - Largest.LeastNs, Sum.EstimateNs - Largest.EstimateNs,
            Sum.MostNs - Largest.MostNs};
  }

  void keepNames(MergedNames &Names) {
    Name = Names.add(Name);
    Template = Names.add(Template);
  }
  void add(ExternCandidate More, MergedNames &);
};

/// Of one compile.
void ExternCandidate::add(ExternCandidate More, MergedNames &) {
  Avoided += More.Avoided;
  Unsure += More.Unsure;
  Inline += More.Inline;
  if (More.Compiles == 0)
    return;
  Compiles += More.Compiles;
  Sum += More.Sum;
  if (More.Sum.EstimateNs >= Largest.EstimateNs)
    Largest = More.Sum;
  Functions += More.Functions;
  Backend += More.Backend;
  InCompile &In = More.Dearest.front();
  auto Behind = std::find_if(
      Dearest.begin(), Dearest.end(), [&In](const InCompile &Other) {
        return Other.Saves.EstimateNs < In.Saves.EstimateNs;
      });
  Dearest.insert(Behind, std::move(In));
  Dearest.resize(std::min(Dearest.size(), MostShown));
}

enum class Fate { Goes, Unsure, Stays };

/// Most compiles ask for the same declarations.
class KnownForms {
public:
  /// On any thread. \p Source outlives this.
  DefinitionForm find(const std::string &Source, const Location &L) {
    std::lock_guard<std::mutex> Hold(Lock);
    auto [Known, IsNew] = Forms.try_emplace(
        std::tuple(&Source, L.LineNo, L.ColumnNo), DefinitionForm::Unknown);
    if (IsNew)
      Known->second = definitionForm(Source, L.LineNo, L.ColumnNo);
    return Known->second;
  }

private:
  std::mutex Lock; ///< of what follows
  std::map<std::tuple<const std::string *, uint32_t, uint32_t>, DefinitionForm>
      Forms;
};

/// Of one compile.
class ExternInCompile {
public:
  ExternInCompile(const AdviceUnit &U, const SourceReader &Sources,
                  KnownForms &Forms, KeyedRows<ExternCandidate> &Candidates)
      : U(U), Sources(Sources), Forms(Forms), Candidates(Candidates),
        Scopes(U.Classes->scopes()), Fates(U.S.Entities.size() + 1) {}

  void find() {
    const Sequence &S = U.S;
    // Of each candidate, the bodies that go and those that may.
    std::vector<uint32_t> RootOf(S.Intervals.size(), NoRoot);
    SharedText Input(S.Session ? S.Session->Input : "");
    for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      const Entity *E = S.entity(I.Entity);
      if (I.Kind != EventKind::TemplateInstantiation || !I.Definition || !E ||
          E->Kind != EntityKind::Function || !U.Filter.selects(I))
        continue;
      uint32_t Number = candidateOf(I.Entity, *E);
      // At once: constexpr, or with a type to deduce.
      Fate Outcome = I.Requester ? fateOf(I.Entity, *E) : Fate::Stays;
      ExternCandidate &Row = Candidates[Number];
      ++(Outcome == Fate::Goes     ? Row.Avoided
         : Outcome == Fate::Unsure ? Row.Unsure
                                   : Row.Inline);
      if (Outcome == Fate::Stays)
        continue;
      RootOf[Index] = 2 * Number + (Outcome == Fate::Unsure);
      if (Row.Compiles == 0) {
        Row.Compiles = 1;
        Row.Dearest.push_back({Input, 0, {}});
      }
      ++Row.Dearest.front().Bodies;
    }
    std::vector<RootSaving> Savings =
        savings(U.Costs, U.Functions, RootOf, size_t(2) * Candidates.size());
    for (size_t Number = 0; Number != Candidates.size(); ++Number) {
      ExternCandidate &Row = Candidates[Number];
      if (Row.Compiles == 0)
        continue;
      const RootSaving &Goes = Savings[2 * Number],
                       &MayGo = Savings[2 * Number + 1];
      Row.Sum = Row.Largest = Row.Dearest.front().Saves =
          withHalf(Goes.Saves, MayGo.Saves);
      Row.Backend = withHalf(Goes.Backend, MayGo.Backend);
      Row.Functions = Goes.Functions + MayGo.Functions;
    }
  }

private:
  static Saving withHalf(Saving Goes, const Saving &MayGo) {
    return Goes += {0, MayGo.EstimateNs / 2, MayGo.MostNs};
  }

  /// The class it is a member of; a function template's own specializations,
  /// members or not, have to be instantiated one by one.
  uint32_t candidateOf(EntityId Id, const Entity &E) {
    uint32_t Class = U.Classes->groupFor(Id);
    bool IsFunction = Scopes.templateOf(E.Name).Entry ||
                      !U.Classes->name(Class).Fixed.empty();
    auto [Number, IsNew] = Candidates.enter(IsFunction ? U.S.Names.key(E.Name)
                                                       : U.Classes->key(Class));
    if (!IsNew)
      return Number;
    ExternCandidate &Row = Candidates[Number];
    Row.Name = IsFunction ? U.name(E.Name) : U.Classes->name(Class);
    std::tie(Row.Template, Row.TemplateKey) = templateOf(E, IsFunction);
    Row.IsFunction = IsFunction;
    Row.IsSystem = U.S.isSystem(E.DeclaredAt);
    Row.Place = U.declared(Id);
    return Number;
  }

  /// `Box<$>` of a member of Box<int>, `f<$>` of f<int>.
  std::pair<RowName, NameKey> templateOf(const Entity &E, bool IsFunction) {
    uint32_t Class =
        IsFunction ? NameScopes::Global : Scopes.scopeOf(E.TemplateSet);
    if (Class == NameScopes::Global)
      return {U.name(E.TemplateSet), U.S.Names.key(E.TemplateSet)};
    const NameScopes::Scope &S = Scopes.scopes()[Class];
    return {RowName::named(U.Index, S.Name), S.Key};
  }

  Fate fateOf(EntityId Id, const Entity &E) {
    std::optional<Fate> &Known = Fates[Id.Value];
    if (!Known)
      Known = findFate(Id, E);
    return *Known;
  }

  Fate findFate(EntityId Id, const Entity &E) {
    bool IsInClass = U.Classes->name(U.Classes->groupFor(Id)).Fixed.empty();
    // Such as a friend that is defined in a class template: there is nothing
    // that an explicit instantiation could name.
    if (!IsInClass && !Scopes.templateOf(E.Name).Entry)
      return Fate::Stays;
    const Location *L = U.S.location(E.DeclaredAt);
    const std::string *Source = L ? sourceOf(L->File) : nullptr;
    if (!Source)
      return Fate::Unsure;
    switch (Forms.find(*Source, *L)) {
    case DefinitionForm::Inline:
      return Fate::Stays;
    case DefinitionForm::OutsideClass:
      return Fate::Goes;
    case DefinitionForm::HasBody:
      return IsInClass ? Fate::Stays : Fate::Goes;
    case DefinitionForm::DeclaredOnly:
    case DefinitionForm::Unknown:
      return Fate::Unsure;
    }
    return Fate::Unsure;
  }

  const std::string *sourceOf(NameId File) {
    auto [Entry, IsNew] = SourceOf.try_emplace(File.Value, nullptr);
    if (IsNew && Sources)
      Entry->second =
          Sources(U.S.Session ? &U.S.Session->WorkingDirectory : nullptr,
                  U.S.Names.text(File, PathBytes));
    return Entry->second;
  }

  const AdviceUnit &U;
  const SourceReader &Sources;
  KnownForms &Forms;
  KeyedRows<ExternCandidate> &Candidates;
  std::unordered_map<uint32_t, const std::string *> SourceOf; // by path
  NameScopes &Scopes;
  std::vector<std::optional<Fate>> Fates; // by entity
};

class ExternFinder final : public RowRule<ExternCandidate> {
public:
  explicit ExternFinder(AdviceFacts &F)
      : RowRule(F, AdviceReading::Second, nullptr, nullptr) {
    if (F.Spec.KeepsCompiles)
      F.headers(); // who reads the header that is edited
  }
  Suggestions take() override;

protected:
  void read(const AdviceUnit &U,
            KeyedRows<ExternCandidate> &Candidates) const override {
    ExternInCompile(U, F.Spec.Sources, Forms, Candidates).find();
  }

private:
  mutable KnownForms Forms;
};

/// A candidate that a program may instantiate, and for which that is worth it.
struct ExternPart {
  const ExternCandidate *Row;
  std::string Name;
  Saving Saves;
};

std::string snippetFor(const std::vector<ExternPart> &Parts) {
  const bool IsFunction = Parts.front().Row->IsFunction;
  auto line = [IsFunction](const std::string &Name) {
    return IsFunction
               ? "template /* return type */ " + Name + "(/* parameters */);\n"
               : "template class " + Name + ";\n";
  };
  size_t Shown = std::min(Parts.size(), MostShown);
  std::string More;
  if (Shown != Parts.size())
    More = "// and " + std::to_string(Parts.size() - Shown) +
           " more, which `instantrace duplicates` shows\n";
  std::string Header = "// in the header, after the definitions\n";
  std::string Source = "// in one source file\n";
  for (size_t I = 0; I != Shown; ++I) {
    Header += "extern " + line(Parts[I].Name);
    Source += line(Parts[I].Name);
  }
  return Header + More + Source + More;
}

void addCompiles(Suggestion &S, const ExternCandidate &Row) {
  for (const InCompile &In : Row.Dearest)
    S.count(In.Bodies, "function bodies in the compile of", In.Saves.EstimateNs)
        .one("function body in the compile of")
        .name(RowName::fromText(In.Input));
  S.countIfAny(Row.Compiles - Row.Dearest.size(),
               "compiles more, with fewer of them",
               "compile more, with fewer of them");
}

void addSpecializations(Suggestion &S, const std::vector<ExternPart> &Parts) {
  size_t Shown = std::min(Parts.size(), MostShown);
  uint64_t Bodies = 0, OthersNs = 0;
  for (size_t I = 0; I != Parts.size(); ++I) {
    const ExternCandidate &Row = *Parts[I].Row;
    Bodies += Row.Avoided + Row.Unsure;
    if (I < Shown)
      S.count(Row.Compiles, "compiles with bodies of",
              Parts[I].Saves.EstimateNs)
          .one("compile with bodies of")
          .name(Row.Name, Row.Place);
    else
      OthersNs += Parts[I].Saves.EstimateNs;
  }
  S.countIfAny(Parts.size() - Shown, "specializations more",
               "specialization more", OthersNs);
  S.count(Bodies, "function bodies of all of them");
}

void addBodies(Suggestion &S, const std::vector<ExternPart> &Parts) {
  uint64_t Avoided = 0, Inline = 0, Functions = 0;
  Saving Backend;
  for (const ExternPart &Part : Parts) {
    Avoided += Part.Row->Avoided;
    Inline += Part.Row->Inline;
    Functions += Part.Row->Functions;
    Backend += Part.Row->Backend;
  }
  S.count(Avoided, "of them certainly not inline");
  S.countIfAny(
      Functions,
      "functions of them, and of what only they need, that LLVM need not "
      "be given, estimated and part of the above",
      "function of them, or of what only they need, that LLVM need not "
      "be given, estimated and part of the above",
      Backend.EstimateNs);
  S.countIfAny(Inline,
               "further bodies that are inline, constexpr or have a deduced "
               "type, and stay",
               "further body that is inline, constexpr or has a deduced type, "
               "and stays");
}

/// What the snippet says, but for functions, of which it has no types: the
/// declarations at the end of the header, the definitions in the compile that
/// has most of the bodies.
void addEdits(const std::vector<ExternPart> &Parts, TrialChange &Into) {
  const ExternCandidate &First = *Parts.front().Row;
  const size_t Colon = First.Place.rfind(':');
  if (First.IsFunction || First.IsSystem || Colon == std::string::npos)
    return;
  std::string Declared, Defined;
  for (const ExternPart &Part : Parts) {
    Declared += "extern template class " + Part.Name + ";\n";
    Defined += "template class " + Part.Name + ";\n";
  }
  Into.Edits = {{normalPath(First.Place.substr(0, Colon)), 0, Declared},
                {First.Dearest.front().Input.text(), 0, Defined}};
}

/// Requires: at least one part, all of one template, those that save most
/// first.
Suggestion suggestionOf(const std::vector<ExternPart> &Parts) {
  const ExternCandidate &First = *Parts.front().Row;
  const bool IsAlone = Parts.size() == 1;
  auto has = [&Parts](auto Is) {
    return std::any_of(Parts.begin(), Parts.end(),
                       [&Is](const ExternPart &P) { return Is(*P.Row); });
  };
  Suggestion S{IsAlone ? First.Name : First.Template, First.Place, {}};
  for (const ExternPart &Part : Parts)
    S.Saves += Part.Saves;
  if (IsAlone)
    addCompiles(S, First);
  else
    addSpecializations(S, Parts);
  addBodies(S, Parts);
  S.Snippet = snippetFor(Parts);
  addEdits(Parts, S.Change);
  S.conclude(
      "Instantiate it explicitly in one source file that has these headers "
      "anyway, and declare that in a header that the others include.",
      "bodies, and what only they need, in all compiles but the one with the "
      "most of them; half of those that may be inline. Classes are still "
      "instantiated where they are used. With the code generation that is "
      "recorded for their functions",
      {});
  if (has([](const ExternCandidate &Row) { return Row.Unsure != 0; }))
    S.Doubts.push_back("Functions that are inline or defined in their class "
                       "are instantiated nevertheless; of some the sources "
                       "do not tell.");
  if (!First.IsFunction)
    S.Doubts.push_back("The explicit instantiation has all members, used or "
                       "not, and each must compile.");
  if (Parts.front().Name.starts_with("std::"))
    S.Doubts.push_back(
        "Templates of the standard library may be instantiated explicitly "
        "only where they depend on a type of the program.");
  S.Doubts.push_back("With optimization, callers no longer see the bodies "
                     "for inlining.");
  return S;
}

Suggestions ExternFinder::take() {
  std::vector<std::vector<ExternPart>> Templates;
  std::unordered_map<NameKey, size_t, NameKeyHash> ByTemplate;
  for (const ExternCandidate &Row : Rows) {
    if (Row.Compiles < 2)
      continue;
    std::string Name = writableName(F.Names.trace(), Row.Name);
    if (Name.empty() || !isProgramsToInstantiate(Name, Row.IsSystem))
      continue;
    auto [Entry, IsNew] =
        ByTemplate.try_emplace(Row.TemplateKey, Templates.size());
    if (IsNew)
      Templates.emplace_back();
    Templates[Entry->second].push_back({&Row, std::move(Name), Row.saves()});
  }
  Suggestions All;
  for (std::vector<ExternPart> &Parts : Templates) {
    std::sort(Parts.begin(), Parts.end(),
              [](const ExternPart &A, const ExternPart &B) {
                if (A.Saves.EstimateNs != B.Saves.EstimateNs)
                  return A.Saves.EstimateNs > B.Saves.EstimateNs;
                return A.Name < B.Name;
              });
    All.push_back(suggestionOf(Parts));
  }
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseExternTemplate(AdviceFacts &F) {
  return std::make_unique<ExternFinder>(F);
}
