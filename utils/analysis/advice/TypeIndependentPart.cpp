/// \file
/// Advice: many specializations of nearly the same code.
///
/// Flow:   functions of a template -> [adviseTypeIndependentPart] ->
/// AdviceFinder
///
/// Where most specializations of a function have nearly the same size, what
/// they do hardly depends on their arguments. What does not can be a function
/// of its own, which is instantiated, optimized and made machine code of once.
/// How much that is, the words of the body tell, and without optimization,
/// where no sizes are recorded, they alone.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/IndependentWords.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

using namespace instantrace;

namespace {

/// In one compile; fewer may be what the program needs.
constexpr size_t FewestFunctions = 8;
/// Shorter ones are a call themselves, or little more.
constexpr uint32_t FewestInstructions = 40;
/// So many of them differ from the middle one by no more than a quarter of it.
constexpr double AlikeShare = 0.75;

struct Instance {
  uint32_t Entity = 0;
  IntervalId Home;
  BackendCost Cost; ///< nothing, if the compile tells none
  uint64_t Ns = 0;
};

struct AlikeCandidate {
  RowName Template;
  std::string Place;
  std::string Folder, Path; ///< where the source is, and in it:
  uint32_t LineNo = 0, ColumnNo = 0;
  RowName Example;
  NameKey ExampleKey;
  uint64_t Functions = 0, Bytes = 0, Ns = 0; ///< of those that are alike
  uint64_t SmallestBytes = UINT64_MAX, LargestBytes = 0;
  double OthersShare = 0; ///< of Ns: all but the dearest one's; in one compile
  Saving Saves;           ///< of the estimate: what others take

  void keepNames(MergedNames &Names) {
    Template = Names.add(Template);
    Example = Names.add(Example);
  }
  void add(const AlikeCandidate &More, MergedNames &Names) {
    // Many compiles have the same one.
    if (More.ExampleKey != ExampleKey) {
      Example = More.Example;
      Example = Names.add(Example);
      ExampleKey = More.ExampleKey;
    }
    Functions += More.Functions;
    Bytes += More.Bytes;
    Ns += More.Ns;
    SmallestBytes = std::min(SmallestBytes, More.SmallestBytes);
    LargestBytes = std::max(LargestBytes, More.LargestBytes);
    Saves += More.Saves;
  }
};

double share(uint64_t Part, uint64_t Whole) {
  return Whole == 0 ? 0
                    : static_cast<double>(Part) / static_cast<double>(Whole);
}

bool isAlike(uint64_t Size, uint64_t Middle) {
  return (Size > Middle ? Size - Middle : Middle - Size) <= Middle / 4;
}

void addAlike(const AdviceUnit &U, uint32_t Group, std::vector<Instance> &Alike,
              KeyedRows<AlikeCandidate> &Candidates,
              std::vector<uint32_t> &RootOf) {
  if (Alike.size() < FewestFunctions)
    return;
  auto Middle = Alike.begin() + static_cast<ptrdiff_t>(Alike.size() / 2);
  std::nth_element(Alike.begin(), Middle, Alike.end(),
                   [](const Instance &A, const Instance &B) {
                     return A.Cost.MachineInstructions <
                            B.Cost.MachineInstructions;
                   });
  uint64_t Size = Middle->Cost.MachineInstructions;
  size_t All = Alike.size();
  std::erase_if(Alike, [Size](const Instance &I) {
    return !isAlike(I.Cost.MachineInstructions, Size);
  });
  if (Alike.size() < FewestFunctions ||
      static_cast<double>(Alike.size()) < AlikeShare * static_cast<double>(All))
    return;
  auto Dearest = std::max_element(
      Alike.begin(), Alike.end(),
      [](const Instance &A, const Instance &B) { return A.Ns < B.Ns; });
  const uint32_t Number = Candidates.enter(U.Templates, Group).first;
  AlikeCandidate &Row = Candidates[Number];
  const Entity &E = U.S.Entities[Dearest->Entity - 1];
  Row.Template = U.Templates.name(Group);
  Row.Place = U.place(E.DeclaredAt);
  if (const Location *L = U.S.location(E.DeclaredAt)) {
    Row.Folder = U.S.Session ? U.S.Session->WorkingDirectory : "";
    Row.Path = U.S.Names.text(L->File, PathBytes);
    Row.LineNo = L->LineNo;
    Row.ColumnNo = L->ColumnNo;
  }
  Row.Example = U.name(E.Name);
  Row.ExampleKey = U.S.Names.key(E.Name);
  Row.Functions = Alike.size();
  for (const Instance &I : Alike) {
    Row.Ns += I.Ns;
    Row.Bytes += I.Cost.ObjectBytes;
    Row.SmallestBytes = std::min(Row.SmallestBytes, I.Cost.ObjectBytes);
    Row.LargestBytes = std::max(Row.LargestBytes, I.Cost.ObjectBytes);
    RootOf[I.Home.Value] = Number;
  }
  Row.OthersShare = 1 - share(Dearest->Ns, Row.Ns);
}

/// In the frontend: all that instantiates bodies, with what they need.
uint64_t bodiesNs(const AdviceUnit &U) {
  uint64_t Ns = 0;
  std::vector<bool> IsIn(U.S.Intervals.size());
  for (size_t Index = 0; Index != IsIn.size(); ++Index) {
    const Interval &I = U.S.Intervals[Index];
    IsIn[Index] = U.isBody(I) || (I.Parent && IsIn[I.Parent.Value]);
    Ns += IsIn[Index] ? U.Costs.SelfNs[Index] : 0;
  }
  return Ns;
}

void readAlike(const AdviceUnit &U, KeyedRows<AlikeCandidate> &Candidates) {
  const std::vector<BackendCost> &Costs = U.Functions.Costs;
  std::map<uint32_t, std::vector<Instance>> Instances; // by group
  for (uint32_t Index = 0; Index != U.S.Intervals.size(); ++Index) {
    const Interval &I = U.S.Intervals[Index];
    if (!U.isBody(I) || !U.Filter.selects(I))
      continue;
    Instance Next{I.Entity.Value, IntervalId{Index}, {}, U.Costs.SelfNs[Index]};
    if (!Costs.empty()) {
      Next.Cost = Costs[I.Entity.Value];
      Next.Ns = Next.Cost.timeNs();
      // One function alone, so that sizes can be compared.
      if (Next.Cost.Emitted != 1 ||
          Next.Cost.MachineInstructions < FewestInstructions)
        continue;
    }
    const Entity &E = *U.S.entity(I.Entity);
    if (E.Name.Value != E.TemplateSet.Value && !U.S.isSystem(E.DeclaredAt))
      Instances[U.Templates.groupFor(I.Entity)].push_back(Next);
  }
  std::vector<uint32_t> RootOf(U.S.Intervals.size(), NoRoot);
  for (auto &[Group, Alike] : Instances)
    addAlike(U, Group, Alike, Candidates, RootOf);
  if (Candidates.size() == 0)
    return;
  U.save(RootOf, Candidates);
  // Where nothing is known of code generation, it is about what bodies are of
  // all bodies; the limit allows for twice as much code.
  const uint64_t UnknownNs = Costs.empty() ? U.Functions.WholeNs : 0;
  const uint64_t AllNs = UnknownNs != 0 ? bodiesNs(U) : 0;
  for (AlikeCandidate &Row : Candidates) {
    const double Part = share(Row.Saves.EstimateNs, AllNs);
    Row.Saves += {0, scaled(UnknownNs, Part),
                  scaled(UnknownNs, std::min(1.0, 2 * Part))};
    Row.Saves.EstimateNs = scaled(Row.Saves.EstimateNs, Row.OthersShare);
  }
}

void adviseAlike(const AlikeCandidate &Row, const AdviceFacts &F,
                 Suggestions &Into) {
  const std::string *Source = F.Spec.Sources && F.isWorth(Row.Saves.EstimateNs)
                                  ? F.Spec.Sources(&Row.Folder, Row.Path)
                                  : nullptr;
  const std::optional<double> Independent =
      Source ? independentWords(*Source, Row.LineNo, Row.ColumnNo)
             : std::nullopt;
  if (!Independent && Row.Bytes == 0) // nothing tells that they are alike
    return;
  Suggestion &S = Into.emplace_back(
      Suggestion{Row.Template,
                 Row.Place,
                 {0, scaled(Row.Saves.EstimateNs, Independent.value_or(0.5)),
                  Row.Saves.MostNs}});
  S.count(Row.Functions,
          Row.Bytes == 0 ? "bodies are instantiated, such as"
                         : "functions of nearly one size in objects, such as",
          Row.Ns)
      .name(Row.Example);
  if (Row.Bytes != 0) {
    S.count(Row.Bytes, "bytes of them together");
    S.count(Row.SmallestBytes, "bytes of the smallest");
    S.count(Row.LargestBytes, "bytes of the largest");
  }
  if (Independent)
    S.count(static_cast<uint64_t>(std::lround(100 * *Independent)),
            "% of the body's words are in statements that name no template "
            "parameter, nor what is declared with one");
  S.conclude(
      "Take out what does not depend on the template's arguments: a function "
      "that is no template, or a base class with fewer parameters, which the "
      "specializations call.",
      Independent
          ? "that part of what all but one of them took in each compile, "
            "with what only they need"
          : "half of what all but one of them took in each compile, "
            "with what only they need: what depends on the type stays",
      {Row.Bytes == 0
           ? "Nothing is recorded of functions, so code generation is shared "
             "out by the time of instantiation; `record --backend` records it."
           : "Equal sizes do not prove equal code.",
       "A call takes the place of what could be inlined before."});
}

} // namespace

std::unique_ptr<AdviceRule>
instantrace::adviseTypeIndependentPart(AdviceFacts &F) {
  return rowRule(F, AdviceReading::First, readAlike, adviseAlike);
}
