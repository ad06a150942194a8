#include "utils/cli/SummedBuild.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

using namespace instantrace;

namespace {

/// What one trace adds.
class SumPart final : public NotedStream {
public:
  SumPart(const SumSpec &Spec, const LearnedScopes *Scopes) {
    if (Spec.HasChains)
      Chains.emplace();
    Events.emplace(T, Spec.Keys, Spec.Filter, Scopes,
                   Chains ? &*Chains : nullptr);
    if (const KeptCompiles *Kept = Spec.Kept)
      Events->sumOnly([this, Kept](uint32_t Index) {
        return Kept->contains(T.Files.front().Name, Index);
      });
  }

  TraceSink &events() override { return *Events; }
  /// Of the trace, names are left.
  void finish() override {
    File = T.Files.front().Name;
    Notes.add(T, Observed);
    Tables = Events->take(/*AreKindsKept=*/true);
    Events.reset();
    T = takeNames(std::move(T));
  }

  std::string File;
  std::vector<CostTable> Tables;
  std::optional<IncludeChains> Chains;

private:
  std::optional<CostSink> Events;
};

} // namespace

Result<BuildNames> instantrace::readBuildNames(BuildTraces &Build,
                                               bool AreScopesWanted,
                                               NameSizes *Sizes) {
  BuildNames All;
  std::vector<std::string> Read;
  ProgressAndFailures Seen;
  using Part = std::pair<BuildNames, NameSizes>;
  INSTANTRACE_TRY(readNames<Part>(
      Build.Files, Build.named(), Build.Rounds, Seen,
      [=](const Trace &T) {
        return Part{{identityOf(T), sketchesOf(T),
                     AreScopesWanted ? LearnedScopes(T) : LearnedScopes()},
                    Sizes ? NameSizes(T) : NameSizes()};
      },
      [&All, &Read, Sizes](const std::string &Path, Part Each) {
        BuildNames &One = Each.first;
        Read.push_back(Path);
        All.Compiles.append(std::move(One.Compiles));
        std::move(One.Sketches.begin(), One.Sketches.end(),
                  std::back_inserter(All.Sketches));
        All.Scopes.add(std::move(One.Scopes));
        if (Sizes)
          Sizes->add(Each.second);
      }));
  Build.Files = std::move(Read);
  Build.InFolder = Unreadable::IsError; // it has changed since
  return All;
}

KeptCompiles::KeptCompiles(const Trace &Compiles,
                           const std::vector<uint32_t> &Kept) {
  std::vector<uint32_t> First(Compiles.Files.size(), NoIndex);
  for (uint32_t I = 0; I != Compiles.Sequences.size(); ++I)
    if (uint32_t &Slot = First[Compiles.Sequences[I].FileIndex];
        Slot == NoIndex)
      Slot = I;
  for (uint32_t Index : Kept) {
    uint32_t File = Compiles.Sequences[Index].FileIndex;
    ByFile[Compiles.Files[File].Name].push_back(Index - First[File]);
  }
  for (auto &[File, Indices] : ByFile)
    std::sort(Indices.begin(), Indices.end());
}

bool KeptCompiles::contains(const std::string &File, uint32_t Index) const {
  auto Found = ByFile.find(File);
  return Found != ByFile.end() &&
         std::binary_search(Found->second.begin(), Found->second.end(), Index);
}

bool instantrace::needsScopes(const SumSpec &Spec) {
  return Spec.Filter.needsAllNames() ||
         std::any_of(Spec.Keys.begin(), Spec.Keys.end(),
                     [](CostKey Key) { return needsLearnedScopes(Key); });
}

Result<SummedBuild> instantrace::sumBuild(BuildTraces &Build,
                                          const SumSpec &Spec) {
  std::optional<LearnedScopes> Learned =
      scopesOfAll(Build.Files, Build.Paths, Build.Rounds,
                  !Spec.Scopes && needsScopes(Spec));
  const LearnedScopes *Scopes = Learned ? &*Learned : Spec.Scopes;
  SummedBuild Sum;
  if (Spec.HasChains)
    Sum.Chains.emplace();
  std::vector<MergedCosts> Costs(Spec.Keys.size());
  INSTANTRACE_TRY_ASSIGN(
      Sum.Notes,
      streamEachTrace(
          Build.Files, [&] { return std::make_unique<SumPart>(Spec, Scopes); },
          [&](SumPart &Part) -> Result<void> {
            Sum.Files.push_back(std::move(Part.File));
            Sum.Names.enterTrace(Part.T);
            for (size_t I = 0; I != Costs.size(); ++I)
              Costs[I].add(std::move(Part.Tables[I]), Sum.Names);
            if (Sum.Chains)
              Sum.Chains->add(*Part.Chains);
            return {};
          },
          /*AreFailuresTold=*/false, Build.named(), &Build.Rounds));
  for (MergedCosts &Each : Costs)
    Sum.Tables.push_back(Each.take());
  return Sum;
}
