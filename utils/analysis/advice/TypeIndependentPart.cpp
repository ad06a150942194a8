/// \file
/// Advice: many specializations of nearly the same code.
///
/// Flow:   functions of a template -> [adviseTypeIndependentPart] -> findAdvice
///
/// Where most specializations of a function have nearly the same size, what
/// they do hardly depends on their arguments. What does not can be a function
/// of its own, which is optimized and made machine code of once.
#include "utils/analysis/advice/AdviceFacts.h"
#include "utils/analysis/view/EntityGroups.h"

#include <algorithm>

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
  uint64_t Functions = 0, Bytes = 0, Ns = 0; ///< of those that are alike
  uint64_t SmallestBytes = UINT64_MAX, LargestBytes = 0;
  uint64_t SavedNs = 0; ///< all but the dearest one of each compile
};

bool isAlike(uint64_t Size, uint64_t Middle) {
  return (Size > Middle ? Size - Middle : Middle - Size) <= Middle / 4;
}

class AlikeFinder {
public:
  explicit AlikeFinder(AdviceFacts &F)
      : F(F), Templates(F.T, EntityLevel::Template) {}

  void add(uint32_t Index) {
    const std::vector<BackendCost> &Costs = F.Functions[Index].Costs;
    if (Costs.empty())
      return;
    Templates.enterSequence(Index);
    F.Filter.enterSequence(Index);
    std::vector<std::vector<Instance>> Instances(Candidates.size());
    for (uint32_t Id = 1; Id != Costs.size(); ++Id) {
      // One function alone, so that sizes can be compared.
      if (Costs[Id].Emitted != 1 ||
          Costs[Id].MachineInstructions < FewestInstructions ||
          !F.isOwnFunction(Index, EntityId{Id}))
        continue;
      uint32_t Group = Templates.groupFor(EntityId{Id});
      if (Group >= Candidates.size()) {
        Candidates.resize(Templates.size());
        Instances.resize(Templates.size());
      }
      Instances[Group].push_back({Id, Costs[Id]});
    }
    for (uint32_t Group = 0; Group != Instances.size(); ++Group)
      addAlike(Index, Group, Instances[Group]);
  }

  std::vector<Suggestion> take() {
    std::vector<Suggestion> Suggestions;
    for (const AlikeCandidate &Row : Candidates) {
      if (Row.Functions == 0)
        continue;
      Suggestion &S = Suggestions.emplace_back();
      S.Subject = Row.Template;
      S.Place = Row.Place;
      S.Saves = {0, Row.SavedNs / 2, Row.SavedNs};
      S.Evidence.push_back({"functions of nearly one size in objects, such as",
                            Row.Example,
                            {},
                            Row.Functions,
                            Row.Ns});
      S.Evidence.push_back({"bytes of them together", {}, {}, Row.Bytes, {}});
      S.Evidence.push_back(
          {"bytes of the smallest", {}, {}, Row.SmallestBytes, {}});
      S.Evidence.push_back(
          {"bytes of the largest", {}, {}, Row.LargestBytes, {}});
      S.Action = "Take out what does not depend on the template's arguments: a "
                 "function that is no template, or a base class with fewer "
                 "parameters, which the specializations call.";
      S.Basis = "half of the time in the optimizer and in machine code of all "
                "but one of them in each compile: what depends on the type "
                "stays";
      S.Doubts.push_back("Equal sizes do not prove equal code.");
      S.Doubts.push_back(
          "A call takes the place of what could be inlined before.");
    }
    return Suggestions;
  }

private:
  void addAlike(uint32_t Index, uint32_t Group, std::vector<Instance> &Of) {
    if (Of.size() < FewestFunctions)
      return;
    auto Middle = Of.begin() + static_cast<ptrdiff_t>(Of.size() / 2);
    std::nth_element(
        Of.begin(), Middle, Of.end(), [](const Instance &A, const Instance &B) {
          return A.Cost.MachineInstructions < B.Cost.MachineInstructions;
        });
    uint64_t Size = Middle->Cost.MachineInstructions;
    size_t All = Of.size();
    std::erase_if(Of, [Size](const Instance &I) {
      return !isAlike(I.Cost.MachineInstructions, Size);
    });
    if (Of.size() < FewestFunctions ||
        static_cast<double>(Of.size()) < AlikeShare * static_cast<double>(All))
      return;
    AlikeCandidate &Row = Candidates[Group];
    uint64_t DearestNs = 0, SumNs = 0, SeenNs = 0;
    for (const Instance &I : Of) {
      uint64_t Ns = I.Cost.timeNs();
      SumNs += Ns;
      DearestNs = std::max(DearestNs, Ns);
      Row.Bytes += I.Cost.ObjectBytes;
      Row.SmallestBytes = std::min(Row.SmallestBytes, I.Cost.ObjectBytes);
      Row.LargestBytes = std::max(Row.LargestBytes, I.Cost.ObjectBytes);
      if (Row.Functions++ == 0) {
        Row.Template = Templates.name(Group);
        Row.Place = F.declared(Index, EntityId{I.Entity});
      }
      if (Ns >= SeenNs) {
        SeenNs = Ns;
        Row.Example = RowName::named(
            Index, {F.T.Sequences[Index].Entities[I.Entity - 1].Name});
      }
    }
    Row.Ns += SumNs;
    Row.SavedNs += SumNs - DearestNs;
  }

  AdviceFacts &F;
  EntityGroups Templates;
  std::vector<AlikeCandidate> Candidates; // by group
};

} // namespace

std::vector<Suggestion> instantrace::adviseTypeIndependentPart(AdviceFacts &F) {
  AlikeFinder Finder(F);
  for (uint32_t Index = 0; Index != F.Compiles.size(); ++Index)
    Finder.add(Index);
  return Finder.take();
}
