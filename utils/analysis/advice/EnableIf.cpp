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
  std::vector<std::pair<NameKey, uint64_t>> Definitions;
};

class EnableIfFinder final : public ReadingOf<ConditionPart> {
public:
  explicit EnableIfFinder(AdviceFacts &F)
      : ReadingOf(AdviceReading::First), F(F) {}
  Suggestions take() override;

protected:
  void read(const AdviceUnit &U, ConditionPart &Into) const override;
  void merge(ConditionPart Part, const Trace &T) override;

private:
  AdviceFacts &F;
  KeyedRows<ConditionCandidate> Rows;
};

/// What is known of a template while a compile is read.
struct KnownTemplate {
  std::optional<bool> IsCondition;
  uint64_t Definitions = 0;
};

bool isCondition(const AdviceUnit &U, EntityId Id, KnownTemplate &Known) {
  if (!Known.IsCondition) {
    const Entity &E = *U.S.entity(Id);
    NameStyle Bare;
    Bare.Arguments = false;
    NameId Name = U.S.Names.contains(E.TemplateSet) ? E.TemplateSet : E.Name;
    Known.IsCondition =
        isConditionName(U.S.Names.text(Name, Bare, ConditionNameBytes));
  }
  return *Known.IsCondition;
}

ConditionCandidate &candidateOf(const AdviceUnit &U, EntityId Id,
                                ConditionPart &Into) {
  uint32_t Group = U.Templates.groupFor(Id);
  auto [Number, IsNew] = Into.Rows.enter(U.Templates, Group);
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
  std::vector<KnownTemplate> Known; // by group
  std::vector<IntervalId> Tries = candidateTries(S);
  for (uint32_t Index = 0; Index != Tries.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    bool IsTest = false;
    if (eventGroup(I.Kind) == EventGroup::Instantiation) {
      uint32_t Group = U.Templates.groupFor(I.Entity);
      if (Group >= Known.size())
        Known.resize(U.Templates.size());
      if (I.Kind == EventKind::TemplateInstantiation && I.Definition) {
        ++Known[Group].Definitions;
        if (uint32_t Found = Into.Rows.find(Group); Found != NoIndex)
          ++Into.Rows[Found].Definitions;
      }
      // A condition's class is in a try although it is instantiated there.
      IsTest = S.entity(I.Entity) && isCondition(U, I.Entity, Known[Group]);
    }
    IntervalId Try = Tries[Index];
    if (IsTest && !Try && I.Parent)
      Try = Tries[Index] = Tries[I.Parent.Value];
    if (!Try || !U.Filter.selects(S.Intervals[Try.Value]))
      continue;
    ConditionCandidate &Row =
        candidateOf(U, S.Intervals[Try.Value].Entity, Into);
    if (Try.Value == Index) {
      ++Row.Tries;
      Row.TryNs += U.Costs.SelfNs[Index];
    } else if (IsTest ||
               I.Kind == EventKind::PriorTemplateArgumentSubstitution ||
               eventGroup(I.Kind) == EventGroup::DefaultArgument) {
      ++(IsTest ? Row.Conditions : Row.Steps);
      Row.StepNs += U.Costs.SelfNs[Index];
    }
  }
  for (uint32_t Group = 0; Group != Known.size(); ++Group)
    if (Known[Group].Definitions != 0)
      Into.Definitions.emplace_back(U.Templates.key(Group),
                                    Known[Group].Definitions);
}

void EnableIfFinder::merge(ConditionPart Part, const Trace &) {
  for (const auto &[Key, Count] : Part.Definitions)
    if (uint32_t Found = Rows.find(Key); Found != NoIndex)
      Rows[Found].Definitions += Count;
  Rows.add(std::move(Part.Rows), F.Names);
}

Suggestions EnableIfFinder::take() {
  Suggestions All;
  for (const ConditionCandidate &Row : Rows) {
    if (Row.IsSystem || Row.Tries < FewestTries || Row.Conditions == 0 ||
        Row.Tries < TriesPerDefinition * Row.Definitions)
      continue;
    Suggestion &S = All.emplace_back(Suggestion{
        Row.Name, Row.Place, {0, Row.StepNs / 2, Row.StepNs + Row.TryNs}});
    S.count(Row.Tries, "tries of candidates", Row.TryNs);
    S.count(Row.Steps,
            "default arguments, and substitutions of prior arguments, in "
            "these");
    S.count(Row.Conditions, "enable_if and the like, in these");
    S.count(Row.Definitions, "specializations that were defined in the end")
        .one("specialization that was defined in the end");
    S.Snippet = "template <class T> requires (condition<T>) // and not\n"
                "R f(T const &);         // class = std::enable_if_t<...>";
    S.conclude(
        "Make the condition a requires-clause, or give a parameter of a type "
        "that tells the overloads apart.",
        "half of the steps that a condition in a template parameter has, "
        "without the traits that it is made of: a constraint needs a check as "
        "well",
        {"Constraints need C++20, and take part in the choice between "
         "overloads.",
         "The trace does not say which candidates failed, nor whether the "
         "condition is why."});
  }
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseEnableIf(AdviceFacts &F) {
  return std::make_unique<EnableIfFinder>(F);
}
