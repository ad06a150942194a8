/// \file
/// Advice: many specializations of nearly the same code.
///
/// Flow:   functions of a template -> [adviseTypeIndependentPart] ->
/// AdviceFinder
///
/// Where most specializations of a function have nearly the same size, what
/// they do hardly depends on their arguments. What does not can be a function
/// of its own, which is optimized and made machine code of once.
#include "utils/analysis/advice/AdviceRule.h"

#include <algorithm>
#include <map>

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
  BackendCost Cost;
};

struct AlikeCandidate {
  RowName Template;
  std::string Place;
  RowName Example;
  NameKey ExampleKey;
  uint64_t Functions = 0, Bytes = 0, Ns = 0; ///< of those that are alike
  uint64_t SmallestBytes = UINT64_MAX, LargestBytes = 0;
  uint64_t SavedNs = 0; ///< all but the dearest one of each compile

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
    SavedNs += More.SavedNs;
  }
};

bool isAlike(uint64_t Size, uint64_t Middle) {
  return (Size > Middle ? Size - Middle : Middle - Size) <= Middle / 4;
}

void addAlike(const AdviceUnit &U, uint32_t Group, std::vector<Instance> &Alike,
              KeyedRows<AlikeCandidate> &Candidates) {
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
  AlikeCandidate &Row = Candidates[Candidates.enter(U.Templates, Group).first];
  uint64_t DearestNs = 0, SumNs = 0, SeenNs = 0;
  for (const Instance &I : Alike) {
    uint64_t Ns = I.Cost.timeNs();
    SumNs += Ns;
    DearestNs = std::max(DearestNs, Ns);
    Row.Bytes += I.Cost.ObjectBytes;
    Row.SmallestBytes = std::min(Row.SmallestBytes, I.Cost.ObjectBytes);
    Row.LargestBytes = std::max(Row.LargestBytes, I.Cost.ObjectBytes);
    if (Row.Functions++ == 0) {
      Row.Template = U.Templates.name(Group);
      Row.Place = U.declared(EntityId{I.Entity});
    }
    if (Ns >= SeenNs) {
      SeenNs = Ns;
      Row.Example = U.name(U.S.Entities[I.Entity - 1].Name);
      Row.ExampleKey = U.S.Names.key(U.S.Entities[I.Entity - 1].Name);
    }
  }
  Row.Ns += SumNs;
  Row.SavedNs += SumNs - DearestNs;
}

void readAlike(const AdviceUnit &U, KeyedRows<AlikeCandidate> &Candidates) {
  const std::vector<BackendCost> &Costs = U.Functions.Costs;
  std::map<uint32_t, std::vector<Instance>> Instances; // by group
  for (uint32_t Id = 1; Id < Costs.size(); ++Id)
    // One function alone, so that sizes can be compared.
    if (Costs[Id].Emitted == 1 &&
        Costs[Id].MachineInstructions >= FewestInstructions &&
        U.isOwnFunction(EntityId{Id}))
      Instances[U.Templates.groupFor(EntityId{Id})].push_back({Id, Costs[Id]});
  for (auto &[Group, Alike] : Instances)
    addAlike(U, Group, Alike, Candidates);
}

void adviseAlike(const AlikeCandidate &Row, const AdviceFacts &,
                 Suggestions &Into) {
  Suggestion &S = Into.emplace_back(
      Suggestion{Row.Template, Row.Place, {0, Row.SavedNs / 2, Row.SavedNs}});
  S.count(Row.Functions, "functions of nearly one size in objects, such as",
          Row.Ns)
      .name(Row.Example);
  S.count(Row.Bytes, "bytes of them together");
  S.count(Row.SmallestBytes, "bytes of the smallest");
  S.count(Row.LargestBytes, "bytes of the largest");
  S.conclude(
      "Take out what does not depend on the template's arguments: a function "
      "that is no template, or a base class with fewer parameters, which the "
      "specializations call.",
      "half of the time in the optimizer and in machine code of all but one "
      "of them in each compile: what depends on the type stays",
      {"Equal sizes do not prove equal code.",
       "A call takes the place of what could be inlined before."});
}

} // namespace

std::unique_ptr<AdviceRule>
instantrace::adviseTypeIndependentPart(AdviceFacts &F) {
  return rowRule(F, AdviceReading::First, readAlike, adviseAlike);
}
