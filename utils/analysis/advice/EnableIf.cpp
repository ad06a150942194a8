/// \file
/// Advice: conditions of overloads that a constraint checks for less.
///
/// Flow:   tries of candidates -> [adviseEnableIf] -> AdviceFinder
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
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/Candidates.h"

#include <array>
#include <optional>

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

  void keepNames(MergedNames &Names) { Name = Names.add(Name); }
  /// But for the definitions.
  void add(const ConditionCandidate &More, MergedNames &) {
    Tries += More.Tries;
    Steps += More.Steps;
    Conditions += More.Conditions;
    StepNs += More.StepNs;
    TryNs += More.TryNs;
  }
};

struct ConditionPart {
  KeyedRows<ConditionCandidate> Rows; ///< with the definitions after a try
  /// Of all templates: some were tried by another compile.
  std::unordered_map<NameKey, uint64_t, NameKeyHash> Definitions;
};

class EnableIfFinder final : public ReadingOf<ConditionPart> {
public:
  explicit EnableIfFinder(AdviceFacts &F)
      : ReadingOf(AdviceReading::First), F(F) {}
  std::vector<Suggestion> take() override;

protected:
  void read(const AdviceUnit &U, ConditionPart &Into) const override;
  void merge(ConditionPart Of, const Trace &T) override;

private:
  AdviceFacts &F;
  KeyedRows<ConditionCandidate> Rows;
};

bool isCondition(const AdviceUnit &U, const Interval &I,
                 std::vector<std::optional<bool>> &KnownOf) {
  const Entity *E = U.S.entity(I.Entity);
  if (!E || eventGroup(I.Kind) != EventGroup::Instantiation)
    return false;
  std::optional<bool> &Known = KnownOf[I.Entity.Value];
  if (!Known) {
    NameStyle Bare;
    Bare.Arguments = false;
    NameId Name = U.S.Names.contains(E->TemplateSet) ? E->TemplateSet : E->Name;
    Known = isConditionName(U.S.Names.text(Name, Bare, ConditionNameBytes));
  }
  return *Known;
}

ConditionCandidate &candidateOf(const AdviceUnit &U, EntityId Id,
                                ConditionPart &Into) {
  uint32_t Group = U.Templates.groupFor(Id);
  auto [Number, IsNew] = Into.Rows.enter(U.Templates.key(Group));
  ConditionCandidate &Row = Into.Rows[Number];
  if (!IsNew)
    return Row;
  Row.Name = U.Templates.name(Group);
  Row.Place = U.declared(Id);
  if (const Entity *E = U.S.entity(Id))
    Row.IsSystem = U.S.isSystem(E->DeclaredAt);
  return Row;
}

void EnableIfFinder::read(const AdviceUnit &U, ConditionPart &Into) const {
  const Sequence &S = U.S;
  std::vector<std::optional<bool>> KnownOf(S.Entities.size() + 1);
  std::vector<IntervalId> Tries = candidateTries(S);
  for (uint32_t At = 0; At != Tries.size(); ++At) {
    const Interval &I = S.Intervals[At];
    if (I.Kind == EventKind::TemplateInstantiation && I.Definition) {
      const NameKey &Key = U.Templates.key(U.Templates.groupFor(I.Entity));
      ++Into.Definitions[Key];
      if (uint32_t Found = Into.Rows.find(Key); Found != NoIndex)
        ++Into.Rows[Found].Definitions;
    }
    // A condition's class is in a try although it is instantiated there.
    bool IsTest = isCondition(U, I, KnownOf);
    IntervalId Try = Tries[At];
    if (IsTest && !Try && I.Parent)
      Try = Tries[At] = Tries[I.Parent.Value];
    if (!Try || !U.Filter.selects(S.Intervals[Try.Value]))
      continue;
    ConditionCandidate &Row =
        candidateOf(U, S.Intervals[Try.Value].Entity, Into);
    if (Try.Value == At) {
      ++Row.Tries;
      Row.TryNs += U.Costs.SelfNs[At];
    } else if (IsTest ||
               I.Kind == EventKind::PriorTemplateArgumentSubstitution ||
               eventGroup(I.Kind) == EventGroup::DefaultArgument) {
      ++(IsTest ? Row.Conditions : Row.Steps);
      Row.StepNs += U.Costs.SelfNs[At];
    }
  }
}

void EnableIfFinder::merge(ConditionPart Of, const Trace &) {
  for (const auto &[Key, Count] : Of.Definitions)
    if (uint32_t Found = Rows.find(Key); Found != NoIndex)
      Rows[Found].Definitions += Count;
  Rows.add(std::move(Of.Rows), F.Names);
}

std::vector<Suggestion> EnableIfFinder::take() {
  std::vector<Suggestion> Suggestions;
  for (const ConditionCandidate &Row : Rows) {
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

std::unique_ptr<AdviceRule> instantrace::adviseEnableIf(AdviceFacts &F) {
  return std::make_unique<EnableIfFinder>(F);
}
