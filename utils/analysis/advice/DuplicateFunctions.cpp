/// \file
/// Advice: functions that several compiles make, of which the linker keeps one.
///
/// Flow:   functions by linkage name -> [adviseDuplicates] -> findAdvice
/// Source: linkonce_odr and weak_odr of LLVM's Language Reference: "globals
///         with this linkage are merged with other globals of the same name"
#include "utils/analysis/advice/AdviceFacts.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/view/EntityGroups.h"

#include <algorithm>
#include <unordered_map>

using namespace instantrace;

namespace {

struct Duplicated {
  uint32_t Group = 0;
  uint32_t SequenceIndex = 0;
  uint32_t Entity = 0; ///< in that sequence
  uint64_t Made = 0;   ///< in so many objects
  uint64_t Bytes = 0, LargestBytes = 0;
  uint64_t OptimizeNs = 0, LargestOptimizeNs = 0;
  uint64_t GenerateNs = 0, LargestGenerateNs = 0;
};

struct DuplicateCandidate {
  uint64_t Functions = 0; ///< by name
  uint64_t Made = 0;
  uint64_t Bytes = 0, Ns = 0; ///< without one of each
  uint64_t EstimateNs = 0;
  const Duplicated *Example = nullptr;
};

} // namespace

std::vector<Suggestion> instantrace::adviseDuplicates(AdviceFacts &F) {
  EntityGroups Templates(F.T, EntityLevel::Template);
  std::unordered_map<uint64_t, Duplicated> ByName; // by hash
  for (uint32_t Index = 0; Index != F.Compiles.size(); ++Index) {
    const Sequence &S = F.T.Sequences[Index];
    const FunctionCosts &Known = F.Functions[Index];
    const std::vector<BackendCost> &Costs = Known.Costs;
    if (Costs.empty())
      continue;
    Templates.enterSequence(Index);
    F.Filter.enterSequence(Index);
    std::unordered_map<uint64_t, bool> Seen; // a name is made once at most
    std::vector<bool> IsCharged(Costs.size());
    for (const Function &Of : S.Functions) {
      if ((Of.Link != Linkage::LinkOnce && Of.Link != Linkage::Weak) ||
          Of.ObjectBytes == 0 || Of.Owner != FunctionOwner::Itself ||
          !S.entity(Of.Entity) ||
          !F.Filter.selectsFunction(Of.Entity,
                                    Known.Homes.placeOf(Of.Entity)) ||
          !Seen.try_emplace(Of.NameHash, true).second)
        continue;
      Duplicated &Row = ByName[Of.NameHash];
      if (Row.Made++ == 0) {
        Row.Group = Templates.groupFor(Of.Entity);
        Row.SequenceIndex = Index;
        Row.Entity = Of.Entity.Value;
      }
      Row.Bytes += Of.ObjectBytes;
      Row.LargestBytes = std::max(Row.LargestBytes, Of.ObjectBytes);
      // Times are of all functions of an entity together: the first has them.
      if (IsCharged[Of.Entity.Value])
        continue;
      IsCharged[Of.Entity.Value] = true;
      const BackendCost &Cost = Costs[Of.Entity.Value];
      Row.OptimizeNs += Cost.OptimizeNs;
      Row.GenerateNs += Cost.GenerateNs;
      Row.LargestOptimizeNs = std::max(Row.LargestOptimizeNs, Cost.OptimizeNs);
      Row.LargestGenerateNs = std::max(Row.LargestGenerateNs, Cost.GenerateNs);
    }
  }
  std::vector<DuplicateCandidate> Candidates(Templates.size());
  for (const auto &[Hash, Row] : ByName) {
    if (Row.Made < 2)
      continue;
    DuplicateCandidate &Into = Candidates[Row.Group];
    ++Into.Functions;
    Into.Made += Row.Made;
    Into.Bytes += Row.Bytes - Row.LargestBytes;
    uint64_t OptimizeNs = Row.OptimizeNs - Row.LargestOptimizeNs;
    uint64_t GenerateNs = Row.GenerateNs - Row.LargestGenerateNs;
    Into.Ns += OptimizeNs + GenerateNs;
    Into.EstimateNs += GenerateNs + OptimizeNs / 2;
    // The order of a hash table must not show.
    auto IsBefore = [&](const Duplicated &A, const Duplicated &B) {
      return A.Bytes != B.Bytes ? A.Bytes > B.Bytes
             : A.SequenceIndex != B.SequenceIndex
                 ? A.SequenceIndex < B.SequenceIndex
                 : A.Entity < B.Entity;
    };
    if (!Into.Example || IsBefore(Row, *Into.Example))
      Into.Example = &Row;
  }
  std::vector<Suggestion> Suggestions;
  for (uint32_t Group = 0; Group != Candidates.size(); ++Group) {
    const DuplicateCandidate &Row = Candidates[Group];
    if (Row.Functions == 0)
      continue;
    const Duplicated &Like = *Row.Example;
    const Sequence &S = F.T.Sequences[Like.SequenceIndex];
    const Entity &Example = S.Entities[Like.Entity - 1];
    if (!isProgramsToInstantiate(
            S.Names.text(Example.Name, NameStyle{}, ComparedNameBytes),
            S.isSystem(Example.DeclaredAt)))
      continue;
    Suggestion &Advised = Suggestions.emplace_back();
    Advised.Subject = Templates.name(Group);
    Advised.Place = F.declared(Like.SequenceIndex, EntityId{Like.Entity});
    Advised.Saves = {0, Row.EstimateNs, Row.Ns};
    Advised.Evidence.push_back(
        {"functions that are made more than once, such as",
         RowName::named(Like.SequenceIndex, {Example.Name}),
         {},
         Row.Functions,
         {},
         "function that is made more than once:"});
    Advised.Evidence.push_back(
        {"times that they are in objects", {}, {}, Row.Made, Row.Ns});
    Advised.Evidence.push_back(
        {"bytes that the linker throws away", {}, {}, Row.Bytes, {}});
    Advised.Action =
        "Make it once: define it in a source file, or instantiate it "
        "explicitly in one and declare that extern in the header; or compile "
        "the files together, or with a precompiled header and "
        "-fpch-instantiate-templates -fpch-codegen.";
    Advised.Basis =
        "the time in machine code of all but the dearest compile, and half of "
        "that in the optimizer, which inlining into callers needs";
    Advised.Doubts.push_back(
        "An inline function that is declared extern is still optimized where "
        "it is called.");
  }
  return Suggestions;
}
