#include "utils/cli/SummedBuild.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

using namespace instantrace;

namespace {

void append(Trace &To, Trace More) {
  auto Files = static_cast<uint32_t>(To.Files.size());
  std::move(More.Files.begin(), More.Files.end(), std::back_inserter(To.Files));
  for (Sequence &S : More.Sequences) {
    S.FileIndex += Files;
    To.Sequences.push_back(std::move(S));
  }
}

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

Result<BuildNames> instantrace::readBuildNames(BuildTraces &Of,
                                               bool AreScopesWanted,
                                               NameSizes *Sizes) {
  BuildNames All;
  std::vector<std::string> Read;
  ProgressAndFailures Seen;
  using Part = std::pair<BuildNames, NameSizes>;
  INSTANTRACE_TRY(readNames<Part>(
      Of.Files, Of.named(), Of.Rounds, Seen,
      [=](const Trace &T) {
        return Part{{identityOf(T), sketchesOf(T),
                     AreScopesWanted ? LearnedScopes(T) : LearnedScopes()},
                    Sizes ? NameSizes(T) : NameSizes()};
      },
      [&All, &Read, Sizes](const std::string &Path, Part Each) {
        BuildNames &One = Each.first;
        Read.push_back(Path);
        append(All.Compiles, std::move(One.Compiles));
        std::move(One.Sketches.begin(), One.Sketches.end(),
                  std::back_inserter(All.Sketches));
        All.Scopes.add(std::move(One.Scopes));
        if (Sizes)
          Sizes->add(Each.second);
      }));
  Of.Files = std::move(Read);
  Of.InFolder = Unreadable::IsError; // it has changed since
  return All;
}

KeptCompiles::KeptCompiles(const Trace &Compiles,
                           const std::vector<uint32_t> &Kept) {
  std::vector<uint32_t> First(Compiles.Files.size(), NoIndex);
  for (uint32_t I = 0; I != Compiles.Sequences.size(); ++I)
    if (uint32_t &At = First[Compiles.Sequences[I].FileIndex]; At == NoIndex)
      At = I;
  for (uint32_t Index : Kept) {
    uint32_t File = Compiles.Sequences[Index].FileIndex;
    ByFile[Compiles.Files[File].Name].push_back(Index - First[File]);
  }
  for (auto &[File, Of] : ByFile)
    std::sort(Of.begin(), Of.end());
}

bool KeptCompiles::contains(const std::string &File, uint32_t Index) const {
  auto Of = ByFile.find(File);
  return Of != ByFile.end() &&
         std::binary_search(Of->second.begin(), Of->second.end(), Index);
}

bool instantrace::needsScopes(const SumSpec &Spec) {
  return Spec.Filter.needsAllNames() ||
         std::any_of(Spec.Keys.begin(), Spec.Keys.end(),
                     [](CostKey By) { return needsLearnedScopes(By); });
}

Result<SummedBuild> instantrace::sumBuild(BuildTraces &Of,
                                          const SumSpec &Spec) {
  std::optional<LearnedScopes> Learned = scopesOfAll(
      Of.Files, Of.Paths, Of.Rounds, !Spec.Scopes && needsScopes(Spec));
  const LearnedScopes *Scopes = Learned ? &*Learned : Spec.Scopes;
  SummedBuild Sum;
  if (Spec.HasChains)
    Sum.Chains.emplace();
  std::vector<MergedCosts> Costs(Spec.Keys.size());
  INSTANTRACE_TRY_ASSIGN(
      Sum.Notes,
      streamEachTrace(
          Of.Files, [&] { return std::make_unique<SumPart>(Spec, Scopes); },
          [&](SumPart &Part) -> Result<void> {
            Sum.Files.push_back(std::move(Part.File));
            Sum.Names.enterTrace(Part.T);
            for (size_t I = 0; I != Costs.size(); ++I)
              Costs[I].add(std::move(Part.Tables[I]), Sum.Names);
            if (Sum.Chains)
              Sum.Chains->add(*Part.Chains);
            return {};
          },
          /*AreFailuresTold=*/false, Of.named(), &Of.Rounds));
  for (MergedCosts &Each : Costs)
    Sum.Tables.push_back(Each.take());
  return Sum;
}
