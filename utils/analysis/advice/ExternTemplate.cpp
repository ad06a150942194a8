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
#include "utils/analysis/advice/ExternSuggestion.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/names/NameScopes.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

using namespace instantrace;

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
    BodiesInTarget &Known = Targets[Name];
    Known.Compiles += Target.Compiles;
    Known.Sum += Target.Sum;
    if (Target.Sum.All.EstimateNs > Known.Largest.All.EstimateNs)
      Known.Largest = Target.Sum;
  }
  BodiesInCompile &In = More.Dearest.front();
  auto Behind = std::find_if(
      Dearest.begin(), Dearest.end(), [&In](const BodiesInCompile &Other) {
        return Other.Saves.All.EstimateNs < In.Saves.All.EstimateNs;
      });
  Dearest.insert(Behind, std::move(In));
  Dearest.resize(std::min(Dearest.size(), MostExternShown + 1));
}

namespace {

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
    SharedText Input(S.Session ? normalPathIn(S, S.Session->Input) : "");
    const std::string Target =
        targetOf(S.Session ? S.Session->Object : "").Name;
    for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      const Entity *E = S.entity(I.Entity);
      if (!U.isBody(I) || !U.Filter.selects(I))
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
                   U.isBody(U.S.Intervals[I.Parent.Value])
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
    All.push_back(suggestExtern(Parts));
  }
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseExternTemplate(AdviceFacts &F) {
  return std::make_unique<ExternFinder>(F);
}
