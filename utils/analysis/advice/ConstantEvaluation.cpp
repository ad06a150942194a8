/// \file
/// Advice: constants that take long to evaluate.
///
/// Flow:   constant evaluations -> [adviseConstantEvaluation] -> AdviceFinder
///
/// Each compile that reads a declaration evaluates its initializer again. In a
/// source file a result that is written down costs nothing of that, and of a
/// header it can be the source file that evaluates.
///
/// Fires for whatever is declared outside system headers. Inside template work,
/// evaluation has no record of its own.
#include "utils/analysis/advice/AdviceRule.h"

#include <algorithm>

using namespace instantrace;

namespace {

struct EvaluatedRow {
  RowName Name;
  std::string Place;
  uint64_t Ns = 0, LongestNs = 0;
  uint64_t Units = 0;

  void keepNames(MergedNames &Names) { Name = Names.add(Name); }
  void add(const EvaluatedRow &More, MergedNames &) {
    Ns += More.Ns;
    LongestNs = std::max(LongestNs, More.LongestNs);
    Units += More.Units;
  }
};

void readEvaluations(const AdviceUnit &U, KeyedRows<EvaluatedRow> &Into) {
  for (uint32_t Index = 0; Index != U.S.Intervals.size(); ++Index) {
    const Interval &I = U.S.Intervals[Index];
    std::string Place = I.Kind == EventKind::ConstantEvaluation
                            ? U.place(I.Location)
                            : std::string();
    if (Place.empty() || U.S.isSystem(I.Location) || !U.Filter.selects(I))
      continue;
    const Entity *E = U.S.entity(I.Entity);
    NameKey Key = Dictionary::keyOf(Place);
    if (E)
      Key = Dictionary::keyOf(U.S.Names.key(E->Name), Place);
    EvaluatedRow &Row = Into[Into.enter(Key).first];
    if (Row.Units == 0) {
      Row.Name = E ? U.name(E->Name) : RowName::fixed("static_assert");
      Row.Place = std::move(Place);
      Row.Units = 1;
    }
    Row.Ns += U.Costs.SelfNs[Index];
    Row.LongestNs = Row.Ns;
  }
}

void adviseEvaluation(const EvaluatedRow &Row, const AdviceFacts &,
                      Suggestions &Into) {
  const bool IsShared = Row.Units > 1;
  // One of them goes on evaluating it, or a generator does.
  Suggestion &S = Into.emplace_back(
      Suggestion{Row.Name,
                 Row.Place,
                 {IsShared ? Row.Ns - Row.LongestNs : 0, Row.Ns, Row.Ns}});
  S.count(Row.Units, "compiles evaluate it", Row.Ns)
      .one("compile evaluates it");
  S.conclude(
      IsShared
          ? "Declare it extern in the header and define it in one source "
            "file, or write its value down: a table that a generator makes. "
            "-fconstexpr-steps=N shows whether it takes more than N steps."
          : "Write its value down, as a table that a generator makes, or "
            "evaluate less: -fconstexpr-steps=N shows whether it takes more "
            "than N steps.",
      "the time of evaluating it, in all compiles",
      {"A value that other constants or types depend on must stay a constant "
       "in each compile."});
}

} // namespace

std::unique_ptr<AdviceRule>
instantrace::adviseConstantEvaluation(AdviceFacts &F) {
  return rowRule(F, AdviceReading::First, readEvaluations, adviseEvaluation);
}
