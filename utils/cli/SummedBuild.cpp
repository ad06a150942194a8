#include "utils/cli/SummedBuild.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

/// Of one trace.
struct BuildPart {
  Trace Compiles;
  std::vector<CompileSketch> Sketches;
  TraceCosts Costs;
};

void append(Trace &To, Trace More) {
  auto Files = static_cast<uint32_t>(To.Files.size());
  std::move(More.Files.begin(), More.Files.end(), std::back_inserter(To.Files));
  for (Sequence &S : More.Sequences) {
    S.FileIndex += Files;
    To.Sequences.push_back(std::move(S));
  }
}

} // namespace

SummedBuild::SummedBuild(std::vector<std::string> Files,
                         std::vector<std::string> Paths,
                         const TraceFilter &Filter, std::vector<CostKey> Keys)
    : Files(std::move(Files)), Paths(std::move(Paths)), Filter(Filter),
      Keys(std::move(Keys)), Sums(this->Keys.size()) {}

TraceCosts SummedBuild::costsOf(Trace T) const {
  return TraceCosts::of(std::move(T), Keys, Filter, &Learned);
}

void SummedBuild::add(TraceCosts Of) {
  Names.enterTrace(Of.Names);
  for (size_t I = 0; I != Keys.size(); ++I)
    Sums[I].add(std::move(Of.Tables[I]), Names);
}

Result<void> SummedBuild::read(Unreadable InFolder) {
  Named = InFolder == Unreadable::IsTold ? &Paths : nullptr;
  if (std::any_of(Keys.begin(), Keys.end(), needsLearnedScopes))
    learnScopes(Files, Paths, Learned);
  Result<TraceNotes> Notes = readEachTrace<BuildPart>(
      Files,
      [this](Trace T) {
        BuildPart Part{identityOf(T), sketchesOf(T), {}};
        Part.Costs = costsOf(std::move(T));
        return Part;
      },
      [this](BuildPart Part) -> Result<void> {
        append(Compiles, std::move(Part.Compiles));
        std::move(Part.Sketches.begin(), Part.Sketches.end(),
                  std::back_inserter(Sketches));
        add(std::move(Part.Costs));
        return {};
      },
      /*AreFailuresTold=*/false, Named,
      [this](const InputIdentity &Of) { Identities.push_back(Of); });
  return Notes ? Result<void>() : Notes.error();
}

Result<void> SummedBuild::keep(const std::vector<uint32_t> &Kept) {
  Names = MergedNames();
  Sums = std::vector<MergedCosts>(Keys.size());
  // By their places in their files.
  std::unordered_map<std::string, std::vector<uint32_t>> KeptOf;
  std::vector<uint32_t> First(Compiles.Files.size(), NoIndex);
  for (uint32_t I = 0; I != Compiles.Sequences.size(); ++I)
    if (uint32_t &At = First[Compiles.Sequences[I].FileIndex]; At == NoIndex)
      At = I;
  for (uint32_t Index : Kept) {
    uint32_t File = Compiles.Sequences[Index].FileIndex;
    KeptOf[Compiles.Files[File].Name].push_back(Index - First[File]);
  }
  // What could be read: that others could not has been said.
  std::vector<std::string> Again;
  for (const TraceInput &File : Compiles.Files)
    Again.push_back(File.Name);
  return readEachAgain<TraceCosts>(
      Again, Identities,
      [&](Trace T) -> std::optional<TraceCosts> {
        auto Of = KeptOf.find(T.Files.front().Name);
        if (!keepCompiles(T, Of == KeptOf.end() ? std::vector<uint32_t>()
                                                : Of->second))
          return {};
        return costsOf(std::move(T));
      },
      [&](TraceCosts Of) -> Result<void> {
        add(std::move(Of));
        return {};
      });
}
