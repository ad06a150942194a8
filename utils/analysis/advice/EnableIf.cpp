/// \file
/// Advice: conditions of overloads that a constraint checks for less.
///
/// Flow:   tries of candidates -> [adviseEnableIf] -> findAdvice
///
/// For a condition that is a default template argument, Clang does several
/// steps per candidate: it instantiates the default argument, substitutes the
/// arguments so far into the parameter, and completes enable_if, by its alias.
/// A requires-clause is one check before all that. The traits that the
/// condition is made of are needed either way, and are not counted.
///
/// Fires for function templates of one name, declared outside system headers,
/// that were tried at least FewestTries times, and TriesPerDefinition times as
/// often as they were defined, and of which some use enable_if or the like.
#include "utils/analysis/advice/AdviceFacts.h"
#include "utils/analysis/advice/Candidates.h"
#include "utils/analysis/view/EntityGroups.h"

#include <array>
#include <map>

using namespace instantrace;

namespace {

constexpr uint64_t FewestTries = 32;
constexpr uint64_t TriesPerDefinition = 4;
constexpr size_t ConditionNameBytes = 512;

constexpr std::array<std::string_view, 10> Conditions = {
    "enable_if",     "enable_if_t", "enable_if_c", "disable_if", "disable_if_c",
    "__enable_if_t", "void_t",      "__void_t",    "_Require",   "_Requires"};

/// By the last component of the name, whoever's it is.
bool isConditionName(std::string_view Name) {
  size_t Scope = Name.rfind("::");
  if (Scope != Name.npos)
    Name.remove_prefix(Scope + 2);
  for (std::string_view Condition : Conditions)
    if (Name == Condition)
      return true;
  return false;
}

struct ConditionCandidate {
  RowName Name;
  std::string Place;
  bool IsSystem = false;
  uint64_t Tries = 0, Steps = 0, Conditions = 0, Definitions = 0;
  uint64_t StepNs = 0; ///< of steps and conditions alone
  uint64_t TryNs = 0;  ///< of the tries alone
};

class EnableIfFinder {
public:
  explicit EnableIfFinder(AdviceFacts &F)
      : F(F), Templates(F.T, EntityLevel::Template) {}

  void add(uint32_t Index) {
    const CompileFacts &C = F.Compiles[Index];
    const Sequence &S = *C.S;
    Templates.enterSequence(Index);
    F.Filter.enterSequence(Index);
    IsCondition.assign(S.Entities.size() + 1, std::nullopt);
    std::vector<IntervalId> Tries = candidateTries(S);
    for (uint32_t At = 0; At != Tries.size(); ++At) {
      const Interval &I = S.Intervals[At];
      if (I.Kind == EventKind::TemplateInstantiation && I.Definition) {
        auto Found = ByGroup.find(Templates.groupFor(I.Entity));
        if (Found != ByGroup.end())
          ++Candidates[Found->second].Definitions;
      }
      // A condition's class is in a try although it is instantiated there.
      bool IsTest = isCondition(S, I);
      IntervalId Try = Tries[At];
      if (IsTest && !Try && I.Parent)
        Try = Tries[At] = Tries[I.Parent.Value];
      if (!Try || !F.Filter.selects(S.Intervals[Try.Value]))
        continue;
      ConditionCandidate &Row =
          candidateOf(Index, S.Intervals[Try.Value].Entity);
      if (Try.Value == At) {
        ++Row.Tries;
        Row.TryNs += C.SelfNs[At];
      } else if (IsTest ||
                 I.Kind == EventKind::PriorTemplateArgumentSubstitution ||
                 eventGroup(I.Kind) == EventGroup::DefaultArgument) {
        ++(IsTest ? Row.Conditions : Row.Steps);
        Row.StepNs += C.SelfNs[At];
      }
    }
  }

  std::vector<Suggestion> take();

private:
  bool isCondition(const Sequence &S, const Interval &I) {
    const Entity *E = S.entity(I.Entity);
    if (!E || eventGroup(I.Kind) != EventGroup::Instantiation)
      return false;
    std::optional<bool> &Known = IsCondition[I.Entity.Value];
    if (!Known) {
      NameStyle Bare;
      Bare.Arguments = false;
      NameId Name = S.Names.contains(E->TemplateSet) ? E->TemplateSet : E->Name;
      Known = isConditionName(S.Names.text(Name, Bare, ConditionNameBytes));
    }
    return *Known;
  }

  ConditionCandidate &candidateOf(uint32_t Index, EntityId Id) {
    uint32_t Group = Templates.groupFor(Id);
    auto [At, IsNew] =
        ByGroup.try_emplace(Group, static_cast<uint32_t>(Candidates.size()));
    if (!IsNew)
      return Candidates[At->second];
    const Sequence &S = F.T.Sequences[Index];
    ConditionCandidate &Row = Candidates.emplace_back();
    Row.Name = Templates.name(Group);
    Row.Place = F.declared(Index, Id);
    if (const Entity *E = S.entity(Id))
      Row.IsSystem = S.isSystem(E->DeclaredAt);
    return Row;
  }

  AdviceFacts &F;
  EntityGroups Templates;
  std::vector<ConditionCandidate> Candidates;
  std::map<uint32_t, uint32_t> ByGroup;
  std::vector<std::optional<bool>> IsCondition; // by entity of this sequence
};

std::vector<Suggestion> EnableIfFinder::take() {
  std::vector<Suggestion> Suggestions;
  for (const ConditionCandidate &Row : Candidates) {
    if (Row.IsSystem || Row.Tries < FewestTries || Row.Conditions == 0 ||
        Row.Tries < TriesPerDefinition * Row.Definitions)
      continue;
    Suggestion &S = Suggestions.emplace_back();
    S.Subject = Row.Name;
    S.Place = Row.Place;
    S.Saves = {0, Row.StepNs / 2, Row.StepNs + Row.TryNs};
    S.Evidence.push_back({"tries of candidates", {}, {}, Row.Tries, Row.TryNs});
    S.Evidence.push_back({"default arguments, and substitutions of prior "
                          "arguments, in these",
                          {},
                          {},
                          Row.Steps,
                          {}});
    S.Evidence.push_back(
        {"enable_if and the like, in these", {}, {}, Row.Conditions, {}});
    S.Evidence.push_back({"specializations that were defined in the end",
                          {},
                          {},
                          Row.Definitions,
                          {},
                          "specialization that was defined in the end"});
    S.Action = "Make the condition a requires-clause, or give a parameter of a "
               "type that tells the overloads apart.";
    S.Snippet = "template <class T> requires (condition<T>) // and not\n"
                "R f(T const &);         // class = std::enable_if_t<...>";
    S.Basis = "half of the steps that a condition in a template parameter has, "
              "without the traits that it is made of: a constraint needs a "
              "check as well";
    S.Doubts.push_back("Constraints need C++20, and take part in the choice "
                       "between overloads.");
    S.Doubts.push_back("The trace does not say which candidates failed, nor "
                       "whether the condition is why.");
  }
  return Suggestions;
}

} // namespace

std::vector<Suggestion> instantrace::adviseEnableIf(AdviceFacts &F) {
  EnableIfFinder Finder(F);
  for (uint32_t Index = 0; Index != F.Compiles.size(); ++Index)
    Finder.add(Index);
  return Finder.take();
}
