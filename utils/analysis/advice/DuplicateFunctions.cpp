/// \file
/// Advice: functions that several compiles make, of which the linker keeps one.
///
/// Flow:   functions by linkage name -> [adviseDuplicates] -> AdviceFinder
/// Source: linkonce_odr and weak_odr of LLVM's Language Reference: "globals
///         with this linkage are merged with other globals of the same name"
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

using namespace instantrace;

namespace {

struct Duplicated {
  uint64_t NameHash = 0;
  NameKey TemplateKey;
  RowName Template, Example;
  uint32_t Compile = 0; ///< the first one that makes it
  EntityId Entity;      ///< there
  Location Declared;    ///< in the compile that names it
  bool IsSystem = false;
  std::string Place;
  uint64_t Made = 0; ///< in so many objects
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

class DuplicateFinder final : public ReadingOf<std::vector<Duplicated>> {
public:
  explicit DuplicateFinder(AdviceFacts &F)
      : ReadingOf(AdviceReading::First), F(F) {}
  Suggestions take() override;

protected:
  void read(const AdviceUnit &U, std::vector<Duplicated> &Into) const override;
  void merge(std::vector<Duplicated> Part, const Trace &T) override;

private:
  /// Most functions are made once, and of these nobody wants the name.
  struct MadeOnce {
    NameKey TemplateKey;
    uint32_t Compile = 0;
    EntityId Entity;
    uint64_t Bytes = 0, OptimizeNs = 0, GenerateNs = 0;
  };
  AdviceFacts &F;
  uint32_t Compiles = 0;
  std::unordered_map<uint64_t, MadeOnce> Once; // by hash, as is the next
  std::unordered_map<uint64_t, Duplicated> ByName;
};

void DuplicateFinder::read(const AdviceUnit &U,
                           std::vector<Duplicated> &Into) const {
  const Sequence &S = U.S;
  const std::vector<BackendCost> &Costs = U.Functions.Costs;
  if (Costs.empty())
    return;
  std::unordered_set<uint64_t> Seen; // a name is made once at most
  std::vector<bool> IsCharged(Costs.size());
  for (const Function &F : S.Functions) {
    if ((F.Link != Linkage::LinkOnce && F.Link != Linkage::Weak) ||
        F.ObjectBytes == 0 || F.Owner != FunctionOwner::Itself ||
        !S.entity(F.Entity) ||
        !U.Filter.selectsFunction(F.Entity,
                                  U.Functions.Homes.placeOf(F.Entity)) ||
        !Seen.insert(F.NameHash).second)
      continue;
    const Entity &E = *S.entity(F.Entity);
    uint32_t Group = U.Templates.groupFor(F.Entity);
    Duplicated &Row = Into.emplace_back();
    Row.NameHash = F.NameHash;
    Row.TemplateKey = U.Templates.key(Group);
    Row.Template = U.Templates.name(Group);
    Row.Example = U.name(E.Name);
    Row.Entity = F.Entity;
    Row.IsSystem = S.isSystem(E.DeclaredAt);
    if (const Location *L = S.location(E.DeclaredAt))
      Row.Declared = *L;
    Row.Bytes = F.ObjectBytes;
    // Times are of all functions of an entity together: the first has them.
    if (IsCharged[F.Entity.Value])
      continue;
    IsCharged[F.Entity.Value] = true;
    Row.OptimizeNs = Costs[F.Entity.Value].OptimizeNs;
    Row.GenerateNs = Costs[F.Entity.Value].GenerateNs;
  }
}

void DuplicateFinder::merge(std::vector<Duplicated> Part, const Trace &T) {
  for (Duplicated &More : Part) {
    auto [First, IsFirst] = Once.try_emplace(More.NameHash);
    MadeOnce &Before = First->second;
    if (IsFirst) {
      Before = {More.TemplateKey, Compiles,        More.Entity,
                More.Bytes,       More.OptimizeNs, More.GenerateNs};
      continue;
    }
    auto [Entry, IsNew] = ByName.try_emplace(More.NameHash);
    Duplicated &Row = Entry->second;
    if (IsNew) {
      Row = More;
      Row.TemplateKey = Before.TemplateKey;
      Row.Compile = Before.Compile;
      Row.Entity = Before.Entity;
      const Sequence &S = T.Sequences[More.Example.SequenceIndex];
      if (S.Names.contains(More.Declared.File))
        Row.Place = placeText(S, More.Declared);
      Row.Template = F.Names.add(Row.Template);
      Row.Example = F.Names.add(Row.Example);
      Row.Made = 1;
      Row.Bytes = Row.LargestBytes = Before.Bytes;
      Row.OptimizeNs = Row.LargestOptimizeNs = Before.OptimizeNs;
      Row.GenerateNs = Row.LargestGenerateNs = Before.GenerateNs;
    }
    ++Row.Made;
    Row.Bytes += More.Bytes;
    Row.LargestBytes = std::max(Row.LargestBytes, More.Bytes);
    Row.OptimizeNs += More.OptimizeNs;
    Row.GenerateNs += More.GenerateNs;
    Row.LargestOptimizeNs = std::max(Row.LargestOptimizeNs, More.OptimizeNs);
    Row.LargestGenerateNs = std::max(Row.LargestGenerateNs, More.GenerateNs);
  }
  ++Compiles;
}

Suggestions DuplicateFinder::take() {
  std::unordered_map<NameKey, DuplicateCandidate, NameKeyHash> Candidates;
  for (const auto &[Hash, Row] : ByName) {
    DuplicateCandidate &Into = Candidates[Row.TemplateKey];
    ++Into.Functions;
    Into.Made += Row.Made;
    Into.Bytes += Row.Bytes - Row.LargestBytes;
    uint64_t OptimizeNs = Row.OptimizeNs - Row.LargestOptimizeNs;
    uint64_t GenerateNs = Row.GenerateNs - Row.LargestGenerateNs;
    Into.Ns += OptimizeNs + GenerateNs;
    Into.EstimateNs += GenerateNs + OptimizeNs / 2;
    // The order of a hash table must not show.
    auto IsBefore = [&](const Duplicated &A, const Duplicated &B) {
      return A.Bytes != B.Bytes       ? A.Bytes > B.Bytes
             : A.Compile != B.Compile ? A.Compile < B.Compile
                                      : A.Entity.Value < B.Entity.Value;
    };
    if (!Into.Example || IsBefore(Row, *Into.Example))
      Into.Example = &Row;
  }
  std::vector<const DuplicateCandidate *> InOrder;
  for (const auto &[Key, Row] : Candidates)
    InOrder.push_back(&Row);
  std::sort(InOrder.begin(), InOrder.end(),
            [](const DuplicateCandidate *A, const DuplicateCandidate *B) {
              const Duplicated &One = *A->Example, &Other = *B->Example;
              return std::pair(One.Compile, One.Entity.Value) <
                     std::pair(Other.Compile, Other.Entity.Value);
            });
  Suggestions All;
  for (const DuplicateCandidate *Candidate : InOrder) {
    const DuplicateCandidate &Row = *Candidate;
    const Duplicated &Like = *Row.Example;
    if (!isProgramsToInstantiate(
            Like.Example.text(F.Names.trace(), NameStyle{}, ComparedNameBytes),
            Like.IsSystem))
      continue;
    Suggestion &S = All.emplace_back(
        Suggestion{Like.Template, Like.Place, {0, Row.EstimateNs, Row.Ns}});
    S.count(Row.Functions, "functions that are made more than once, such as")
        .one("function that is made more than once:")
        .name(Like.Example);
    S.count(Row.Made, "times that they are in objects", Row.Ns);
    S.count(Row.Bytes, "bytes that the linker throws away");
    S.conclude(
        "Make it once: define it in a source file, or instantiate it "
        "explicitly in one and declare that extern in the header; or compile "
        "the files together, or with a precompiled header and "
        "-fpch-instantiate-templates -fpch-codegen.",
        "the time in machine code of all but the dearest compile, and half of "
        "that in the optimizer, which inlining into callers needs",
        {"An inline function that is declared extern is still optimized where "
         "it is called."});
  }
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseDuplicates(AdviceFacts &F) {
  return std::make_unique<DuplicateFinder>(F);
}
