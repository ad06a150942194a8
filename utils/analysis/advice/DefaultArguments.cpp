/// \file
/// Advice: default arguments that cost much each time they are not given.
///
/// Flow:   default arguments -> [adviseDefaultArguments] -> AdviceFinder
///
/// Clang instantiates a default argument for each use that does not give it:
/// of a template parameter for each new list of arguments, of a function's
/// parameter for each specialization. Those of candidates of overload
/// resolution are not counted here, for they are mostly conditions (EnableIf).
///
/// Fires for a parameter with at least FewestTimes such instantiations that are
/// asked for outside system headers.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/Candidates.h"

using namespace instantrace;

namespace {

constexpr uint64_t FewestTimes = 8;

struct DefaultCandidate {
  RowName Parameter;
  std::string Place;
  bool IsFunction = false;
  uint64_t Times = 0, InclusiveNs = 0;
  Saving Saves;

  void keepNames(MergedNames &Names) { Parameter = Names.add(Parameter); }
  void add(const DefaultCandidate &More, MergedNames &) {
    Times += More.Times;
    InclusiveNs += More.InclusiveNs;
    Saves += More.Saves;
  }
};

bool isDefaultArgument(EventKind Kind) {
  return eventGroup(Kind) == EventGroup::DefaultArgument;
}

void readDefaults(const AdviceUnit &U,
                  KeyedRows<DefaultCandidate> &Candidates) {
  const Sequence &S = U.S;
  std::vector<IntervalId> Tries = candidateTries(S);
  std::vector<uint32_t> RootOf(S.Intervals.size(), NoRoot);
  for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    // What a system header asks for, nobody can ask for differently.
    if (!isDefaultArgument(I.Kind) || S.isSystem(I.Location) ||
        !U.Filter.selects(I))
      continue;
    bool IsFunction = I.Kind == EventKind::DefaultFunctionArgumentInstantiation;
    if (Tries[Index] && !IsFunction)
      continue;
    uint32_t Group = U.Templates.groupFor(I.Entity);
    auto [Number, IsNew] = Candidates.enter(U.Templates, Group);
    DefaultCandidate &Row = Candidates[Number];
    if (IsNew) {
      Row.Parameter = U.Templates.name(Group);
      Row.Place = U.declared(I.Entity);
      Row.IsFunction = IsFunction;
    }
    // Clang checks the same default once more when it has made it.
    Row.Times += I.Kind != EventKind::DefaultTemplateArgumentChecking;
    Row.InclusiveNs += U.Costs.InclusiveNs[Index];
    RootOf[Index] = Number;
  }
  U.save(RootOf, Candidates);
}

void adviseDefault(const DefaultCandidate &Row, const AdviceFacts &,
                   Suggestions &Into) {
  if (Row.Times < FewestTimes)
    return;
  Suggestion &S =
      Into.emplace_back(Suggestion{Row.Parameter, Row.Place, Row.Saves});
  S.count(Row.Times,
          "times that the default was instantiated, with what it needs",
          Row.InclusiveNs);
  S.Snippet =
      Row.IsFunction
          ? "void f(T, Options const &);\n"
            "void f(T Value) { f(Value, defaultOptions()); }"
          : "template <class T> using Set = basic_set<T, traits>; // and "
            "not basic_set<T>";
  S.conclude(
      Row.IsFunction
          ? "Give the argument where it is called, or overload without the "
            "parameter, with the default made in an ordinary function."
          : "Give the argument where the template is named, by an alias "
            "if it is the same each time, or make the default something "
            "that needs no instantiation.",
      "time of the default's instantiations with what only they need; "
      "nothing is taken off for an argument that is given",
      {"An argument that is given may need the same instantiations as the "
       "default."});
}

} // namespace

std::unique_ptr<AdviceRule>
instantrace::adviseDefaultArguments(AdviceFacts &F) {
  return rowRule(F, AdviceReading::First, readDefaults, adviseDefault);
}
