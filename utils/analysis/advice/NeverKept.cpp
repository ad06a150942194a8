/// \file
/// Advice: functions that are optimized, and in no object.
///
/// Flow:   functions without a place in the object -> [adviseNeverKept] ->
///         AdviceFinder
///
/// LLVM optimizes a function before it inlines it into its callers, and drops
/// it when nobody calls it any more. One that is always inlined goes into its
/// callers before anything is optimized.
#include "utils/analysis/advice/AdviceRule.h"

using namespace instantrace;

namespace {

/// Of one template; fewer are not worth an attribute.
constexpr uint64_t FewestDropped = 8;
/// So many of a template's functions are in no object.
constexpr double DroppedShare = 0.9;

struct DroppedCandidate {
  RowName Template;
  std::string Place;
  RowName Example;
  uint64_t Given = 0, Dropped = 0;
  uint64_t IrInstructions = 0;
  uint64_t OptimizeNs = 0, ExampleNs = 0; ///< of those that are dropped

  void keepNames(MergedNames &Names) {
    Template = Names.add(Template);
    Example = Names.add(Example);
  }
  void add(const DroppedCandidate &More, MergedNames &Names) {
    if (Dropped == 0 && More.Dropped != 0) {
      Template = More.Template;
      Template = Names.add(Template);
      Place = More.Place;
    }
    if (More.Dropped != 0 && (Dropped == 0 || More.ExampleNs > ExampleNs)) {
      ExampleNs = More.ExampleNs;
      Example = More.Example;
      Example = Names.add(Example);
    }
    Given += More.Given;
    Dropped += More.Dropped;
    IrInstructions += More.IrInstructions;
    OptimizeNs += More.OptimizeNs;
  }
};

void readDropped(const AdviceUnit &U, KeyedRows<DroppedCandidate> &Candidates) {
  const std::vector<BackendCost> &Costs = U.Functions.Costs;
  for (uint32_t Id = 1; Id < Costs.size(); ++Id) {
    const BackendCost &Cost = Costs[Id];
    if (!U.isOwnFunction(EntityId{Id}))
      continue;
    uint32_t Group = U.Templates.groupFor(EntityId{Id});
    DroppedCandidate &Row =
        Candidates[Candidates.enter(U.Templates, Group).first];
    Row.Given += Cost.Given;
    // Times are of all functions of an entity together.
    if (Cost.InlinedAway != Cost.Given)
      continue;
    if (Row.Dropped == 0) {
      Row.Template = U.Templates.name(Group);
      Row.Place = U.declared(EntityId{Id});
    }
    if (Row.Dropped == 0 || Cost.OptimizeNs > Row.ExampleNs) {
      Row.ExampleNs = Cost.OptimizeNs;
      Row.Example = U.name(U.S.Entities[Id - 1].Name);
    }
    Row.Dropped += Cost.InlinedAway;
    Row.IrInstructions += Cost.IrInstructions;
    Row.OptimizeNs += Cost.OptimizeNs;
  }
}

void adviseDropped(const DroppedCandidate &Row, const AdviceFacts &,
                   Suggestions &Into) {
  if (Row.Dropped < FewestDropped ||
      static_cast<double>(Row.Dropped) <
          DroppedShare * static_cast<double>(Row.Given))
    return;
  Suggestion &S = Into.emplace_back(Suggestion{
      Row.Template, Row.Place, {0, Row.OptimizeNs / 2, Row.OptimizeNs}});
  S.count(Row.Dropped, "functions optimized and in no object, such as",
          Row.OptimizeNs)
      .name(Row.Example);
  S.count(Row.Given, "functions of it that LLVM was given");
  S.count(Row.IrInstructions,
          "instructions of IR in those that are in no object");
  S.conclude(
      "Where it only passes on, mark it [[gnu::always_inline]], so that it "
      "goes into its callers before LLVM optimizes it; or do without it: "
      "fewer layers, a cast or a built-in in its place.",
      "half of the time in the optimizer of those that are in no object: "
      "their code is optimized in its callers",
      {"What is optimized before it is inlined makes its callers smaller, so "
       "it may cost more than it saves: where it was tried, one compile took "
       "a tenth less, another a tenth more. Measure both."});
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseNeverKept(AdviceFacts &F) {
  return rowRule(F, AdviceReading::First, readDropped, adviseDropped);
}
