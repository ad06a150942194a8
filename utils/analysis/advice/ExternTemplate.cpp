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
/// type at once, so a body that was queued is neither. One that a queued body
/// needs is made inside that one, as those are: there, and for inline, the
/// source is looked at, if it is there.
///
/// Fires for what has such bodies in two compiles or more of one target: of
/// one, the work would only move to the file that instantiates it, which was
/// measured to cost more than it saves; and what another target has is not
/// linked. Where a source has the explicit instantiation already, only its
/// declaration is missing, and all other compiles are saved. One would write a
/// line for each specialization, and all of them beside the template, so that
/// those of one template are one suggestion.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/BuildTarget.h"
#include "utils/analysis/advice/IncludeNames.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/names/NameScopes.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

/// Compiles, or specializations, that are named: those that save most.
constexpr size_t MostShown = 5;

/// What goes with bodies.
struct BodySaving {
  Saving All, Backend;    ///< what LLVM does is part of both
  uint64_t Functions = 0; ///< that LLVM need not be given

  BodySaving &operator+=(const BodySaving &More) {
    All += More.All;
    Backend += More.Backend;
    Functions += More.Functions;
    return *this;
  }
  BodySaving &operator-=(const BodySaving &Less) {
    subtract(All, Less.All);
    subtract(Backend, Less.Backend);
    Functions -= Less.Functions;
    return *this;
  }

private:
  static void subtract(Saving &Whole, const Saving &Less) {
    Whole.LeastNs -= Less.LeastNs;
    Whole.EstimateNs -= Less.EstimateNs;
    Whole.MostNs -= Less.MostNs;
  }
};

/// What the bodies of one compile are.
struct InCompile {
  SharedText Input;
  uint64_t Bodies = 0;
  BodySaving Saves;
};

struct InTarget {
  uint64_t Compiles = 0;
  BodySaving Sum, Largest; ///< of the compiles
};

struct ExternCandidate {
  RowName Name;
  RowName Template; ///< that it is a specialization of
  NameKey TemplateKey;
  bool IsFunction = false;
  bool IsSystem = false;
  bool IsUsable = false; ///< a program may instantiate it
  bool IsUnique = false; ///< the function: its name with arguments is enough
  std::string Place;
  std::string Explicit; ///< where it is instantiated explicitly
  uint64_t Compiles = 0;
  /// Those that save most, one more than are shown.
  std::vector<InCompile> Dearest;
  std::map<std::string, InTarget> Targets; ///< by name
  uint64_t Avoided = 0;                    ///< bodies that go
  uint64_t Unsure = 0;                     ///< bodies that may be inline
  uint64_t Inline = 0;                     ///< bodies that stay

  /// In each target, one compile has to instantiate it: that which would save
  /// most, if none does so yet.
  BodySaving saves() const {
    BodySaving Sum;
    for (const auto &[Name, Target] : Targets) {
      Sum += Target.Sum;
      if (Explicit.empty())
        Sum -= Target.Largest;
    }
    return Sum;
  }
  bool isShared() const {
    return std::any_of(Targets.begin(), Targets.end(), [this](const auto &T) {
      return T.second.Compiles > (Explicit.empty() ? 1 : 0);
    });
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
  if (Explicit.empty())
    Explicit = std::move(More.Explicit);
  if (More.Compiles == 0)
    return;
  Compiles += More.Compiles;
  for (const auto &[Name, Target] : More.Targets) {
    InTarget &Known = Targets[Name];
    Known.Compiles += Target.Compiles;
    Known.Sum += Target.Sum;
    if (Target.Sum.All.EstimateNs > Known.Largest.All.EstimateNs)
      Known.Largest = Target.Sum;
  }
  InCompile &In = More.Dearest.front();
  auto Behind = std::find_if(
      Dearest.begin(), Dearest.end(), [&In](const InCompile &Other) {
        return Other.Saves.All.EstimateNs < In.Saves.All.EstimateNs;
      });
  Dearest.insert(Behind, std::move(In));
  Dearest.resize(std::min(Dearest.size(), MostShown + 1));
}

enum class Fate { Goes, Unsure, Stays };

/// Most compiles ask for the same declarations.
class KnownForms {
public:
  struct Known {
    DefinitionForm Form;
    bool IsUnique;
  };
  /// On any thread. \p Source outlives this.
  Known find(const std::string &Source, const Location &L) {
    std::lock_guard<std::mutex> Hold(Lock);
    auto [Entry, IsNew] =
        Forms.try_emplace(std::tuple(&Source, L.LineNo, L.ColumnNo));
    if (IsNew)
      Entry->second = {definitionForm(Source, L.LineNo, L.ColumnNo),
                       isOnlyTemplate(Source, L.LineNo, L.ColumnNo)};
    return Entry->second;
  }

private:
  std::mutex Lock; ///< of what follows
  std::map<std::tuple<const std::string *, uint32_t, uint32_t>, Known> Forms;
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
    const std::string Target =
        targetOf(S.Session ? S.Session->Object : "").Name;
    for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      const Entity *E = S.entity(I.Entity);
      if (!isBody(I) || !U.Filter.selects(I))
        continue;
      uint32_t Number = candidateOf(I.Entity, *E);
      ExternCandidate &Row = Candidates[Number];
      if (!Row.IsUsable) // it goes with what needs it
        continue;
      Fate Outcome = fateOf(I, *E);
      if (Outcome == Fate::Stays && Row.Explicit.empty() && isExplicit(I))
        Row.Explicit = U.place(I.Location);
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
      BodySaving &Saves = Row.Dearest.front().Saves;
      Saves = {withHalf(Goes.Saves, MayGo.Saves),
               withHalf(Goes.Backend, MayGo.Backend),
               Goes.Functions + MayGo.Functions};
      Row.Targets[Target] = {1, Saves, Saves};
    }
  }

private:
  static Saving withHalf(Saving Goes, const Saving &MayGo) {
    return Goes += {0, MayGo.EstimateNs / 2, MayGo.MostNs};
  }

  bool isBody(const Interval &I) const {
    const Entity *E = U.S.entity(I.Entity);
    return I.Kind == EventKind::TemplateInstantiation && I.Definition && E &&
           E->Kind == EntityKind::Function;
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
    const std::string Text = writableName(U.T, Row.Name);
    Row.IsUsable = !Text.empty() && isProgramsToInstantiate(Text, Row.IsSystem);
    // A function that is no member, and no other template has its name.
    if (const Location *L = U.S.location(E.DeclaredAt);
        L && IsFunction && isInNamespace(Id))
      if (const std::string *Source = sourceOf(L->File))
        Row.IsUnique = Forms.find(*Source, *L).IsUnique;
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

  bool isInNamespace(EntityId Id) const {
    return !U.Classes->name(U.Classes->groupFor(Id)).Fixed.empty();
  }

  Fate fateOf(const Interval &I, const Entity &E) {
    std::optional<Fate> &Known = Fates[I.Entity.Value];
    if (!Known)
      Known = findFate(I.Entity, E);
    if (I.Requester)
      return *Known;
    // At once: constexpr, or with a type to deduce; or for a body that was
    // queued, inside that.
    return *Known == Fate::Goes && I.Parent &&
                   isBody(U.S.Intervals[I.Parent.Value])
               ? Fate::Goes
               : Fate::Stays;
  }

  /// `template class Box<int>;`, where the body is made at once.
  bool isExplicit(const Interval &I) {
    const Location *L = U.S.location(I.Location);
    const std::string *Source = L && !I.Requester ? sourceOf(L->File) : nullptr;
    return Source && isExplicitInstantiation(*Source, L->LineNo, L->ColumnNo);
  }

  Fate findFate(EntityId Id, const Entity &E) {
    const bool IsInClass = !isInNamespace(Id);
    // Such as a friend that is defined in a class template: there is nothing
    // that an explicit instantiation could name.
    if (!IsInClass && !Scopes.templateOf(E.Name).Entry)
      return Fate::Stays;
    const Location *L = U.S.location(E.DeclaredAt);
    const std::string *Source = L ? sourceOf(L->File) : nullptr;
    if (!Source)
      return Fate::Unsure;
    switch (Forms.find(*Source, *L).Form) {
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

/// A candidate that is worth it.
struct ExternPart {
  const ExternCandidate *Row;
  std::string Name;
  BodySaving Saves;

  /// "template class Box<int>;"; empty: what a trace has of it is not enough.
  std::string definition() const {
    if (!Row->IsFunction)
      return "template class " + Name + ";";
    return Row->IsUnique ? "template decltype(" + Name + ") " + Name + ";" : "";
  }
};

std::string_view fileName(std::string_view Place) {
  Place = Place.substr(0, Place.rfind(':'));
  return Place.substr(Place.rfind('/') + 1);
}

/// Which file the declarations have to be in.
std::string headerFor(const std::vector<ExternPart> &Parts) {
  const ExternCandidate &First = *Parts.front().Row;
  const std::string File =
      First.IsSystem
          ? '<' + includeName(First.Place.substr(0, First.Place.rfind(':'))) +
                '>'
          : std::string(fileName(First.Place));
  if (First.IsSystem ||
      std::any_of(Parts.begin(), Parts.end(), [](const ExternPart &Part) {
        return dependsOnProgram(Part.Name);
      }))
    return "// in a header that includes " + File +
           " and defines the types of the arguments\n";
  return "// in " + File + ", after the definitions\n";
}

std::string snippetFor(const std::vector<ExternPart> &Parts) {
  std::string Declarations, Definitions;
  size_t Shown = 0;
  for (const ExternPart &Part : Parts)
    if (const std::string Line = Part.definition();
        !Line.empty() && Shown < MostShown) {
      Declarations += "extern " + Line + "\n";
      Definitions += Line + "\n";
      ++Shown;
    }
  if (Shown == 0)
    return {};
  std::string More;
  if (Shown != Parts.size())
    More = "// and " + std::to_string(Parts.size() - Shown) +
           " more, which `instantrace duplicates` shows\n";
  std::string Snippet = headerFor(Parts) + Declarations + More;
  if (!Parts.front().Row->Explicit.empty())
    return Snippet;
  std::set<std::string> Targets;
  for (const ExternPart &Part : Parts)
    for (const auto &[Name, Target] : Part.Row->Targets)
      Targets.insert(Name);
  Snippet += Targets.size() == 1 ? "// in one source file\n"
                                 : "// in one source file of each target:";
  if (Targets.size() > 1) {
    for (const std::string &Name : Targets)
      Snippet += " " + (Name.empty() ? std::string("(others)") : Name);
    Snippet += "\n";
  }
  return Snippet + Definitions + More;
}

/// Their times add up to what is saved.
void addCompiles(Suggestion &S, const ExternPart &Part) {
  const ExternCandidate &Row = *Part.Row;
  if (Row.Targets.size() > 1) {
    for (const auto &[Name, Target] : Row.Targets) {
      BodySaving Saves = Target.Sum;
      if (Row.Explicit.empty())
        Saves -= Target.Largest;
      S.count(Target.Compiles, "compiles with bodies in the target",
              Saves.All.EstimateNs)
          .one("compile with bodies in the target")
          .name(Name.empty() ? std::string("(none)") : Name);
    }
    return;
  }
  size_t First = Row.Explicit.empty() ? 1 : 0;
  uint64_t ShownNs = 0;
  size_t End = std::min(Row.Dearest.size(), First + MostShown);
  for (size_t I = First; I < End; ++I) {
    const InCompile &In = Row.Dearest[I];
    ShownNs += In.Saves.All.EstimateNs;
    S.count(In.Bodies, "function bodies in the compile of",
            In.Saves.All.EstimateNs)
        .one("function body in the compile of")
        .name(RowName::fromText(In.Input));
  }
  S.countIfAny(Row.Compiles - End, "compiles more, with fewer of them",
               "compile more, with fewer of them",
               Part.Saves.All.EstimateNs - ShownNs);
  if (First != 0)
    S.count(Row.Dearest[0].Bodies, "function bodies stay in one compile, as in")
        .one("function body stays in one compile, as in")
        .name(RowName::fromText(Row.Dearest[0].Input));
}

void addSpecializations(Suggestion &S, const std::vector<ExternPart> &Parts) {
  size_t Shown = std::min(Parts.size(), MostShown);
  uint64_t Bodies = 0, OthersNs = 0;
  for (size_t I = 0; I != Parts.size(); ++I) {
    const ExternCandidate &Row = *Parts[I].Row;
    Bodies += Row.Avoided + Row.Unsure;
    if (I < Shown)
      S.count(Row.Compiles, "compiles with bodies of",
              Parts[I].Saves.All.EstimateNs)
          .one("compile with bodies of")
          .name(Row.Name, Row.Place);
    else
      OthersNs += Parts[I].Saves.All.EstimateNs;
  }
  S.countIfAny(Parts.size() - Shown, "specializations more",
               "specialization more", OthersNs);
  S.count(Bodies, "function bodies of all of them");
}

void addBodies(Suggestion &S, const std::vector<ExternPart> &Parts) {
  uint64_t Avoided = 0, Inline = 0;
  BodySaving Saves;
  for (const ExternPart &Part : Parts) {
    Avoided += Part.Row->Avoided;
    Inline += Part.Row->Inline;
    Saves += Part.Saves;
  }
  S.count(Avoided, "of them certainly not inline");
  S.countIfAny(
      Saves.Functions,
      "functions of them, and of what only they need, that LLVM need not "
      "be given, estimated and part of the above",
      "function of them, or of what only they need, that LLVM need not "
      "be given, estimated and part of the above",
      Saves.Backend.EstimateNs);
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
Suggestion suggestionFor(const std::vector<ExternPart> &Parts) {
  const ExternCandidate &First = *Parts.front().Row;
  const bool IsAlone = Parts.size() == 1;
  const bool IsExplicit = !First.Explicit.empty();
  auto has = [&Parts](auto Is) {
    return std::any_of(Parts.begin(), Parts.end(),
                       [&Is](const ExternPart &P) { return Is(P); });
  };
  Suggestion S{IsAlone ? First.Name : First.Template, First.Place, {}};
  for (const ExternPart &Part : Parts)
    S.Saves += Part.Saves.All;
  for (const ExternPart &Part : Parts)
    if (IsExplicit)
      S.count(1, "explicit instantiation lacks", {}, EvidenceKey::Explicit)
          .name(RowName::fromText("extern " + Part.definition()),
                Part.Row->Explicit);
  if (IsAlone)
    addCompiles(S, Parts.front());
  else
    addSpecializations(S, Parts);
  addBodies(S, Parts);
  S.Snippet = snippetFor(Parts);
  addEdits(Parts, S.Change);
  S.conclude(
      IsExplicit
          ? "Declare the explicit instantiation that is there already in a "
            "header that the others include."
          : "Instantiate it explicitly in one source file that has these "
            "headers anyway, and declare that in a header that the others "
            "include.",
      IsExplicit
          ? "bodies, and what only they need, in all compiles but the one that "
            "instantiates them; half of those that may be inline. Classes are "
            "still instantiated where they are used. With the code generation "
            "that is recorded for their functions"
          : "bodies, and what only they need, in all compiles of a target but "
            "the one with the most of them; half of those that may be inline. "
            "Classes are still instantiated where they are used. With the code "
            "generation that is recorded for their functions",
      {});
  if (IsExplicit)
    S.Doubts.push_back("What uses it and is not linked with that source needs "
                       "an explicit instantiation of its own.");
  if (has([](const ExternPart &P) { return P.Row->Unsure != 0; }))
    S.Doubts.push_back("Functions that are inline or defined in their class "
                       "are instantiated nevertheless; of some the sources "
                       "do not tell.");
  if (has([](const ExternPart &P) { return P.definition().empty(); }))
    S.Doubts.push_back(
        "For a member template, or one of several templates of a "
        "name, write the return type and the parameters as "
        "they are declared.");
  if (!First.IsFunction && !IsExplicit)
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
  std::vector<std::vector<ExternPart>> Groups;
  // What is instantiated explicitly already is apart.
  std::array<std::unordered_map<NameKey, size_t, NameKeyHash>, 2> ByTemplate;
  for (const ExternCandidate &Row : Rows) {
    if (!Row.IsUsable || !Row.isShared())
      continue;
    auto [Entry, IsNew] = ByTemplate[Row.Explicit.empty() ? 0 : 1].try_emplace(
        Row.TemplateKey, Groups.size());
    if (IsNew)
      Groups.emplace_back();
    Groups[Entry->second].push_back(
        {&Row, writableName(F.Names.trace(), Row.Name), Row.saves()});
  }
  Suggestions All;
  for (std::vector<ExternPart> &Parts : Groups) {
    std::sort(Parts.begin(), Parts.end(),
              [](const ExternPart &A, const ExternPart &B) {
                if (A.Saves.All.EstimateNs != B.Saves.All.EstimateNs)
                  return A.Saves.All.EstimateNs > B.Saves.All.EstimateNs;
                return A.Name < B.Name;
              });
    All.push_back(suggestionFor(Parts));
  }
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseExternTemplate(AdviceFacts &F) {
  return std::make_unique<ExternFinder>(F);
}
