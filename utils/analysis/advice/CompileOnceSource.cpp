/// \file
/// The sources that several programs compile, each for itself, with the same
/// options.
///
/// Flow:   CompileOnceFinder, HeaderFacts -> [CompileOnceSource] -> Suggestions
///
/// Their objects have the same in them, so that one serves all. Those that the
/// same programs share are one suggestion. An object that was made again under
/// its name, as after a change or by a script that tries compilers, is no
/// second one.
#include "utils/analysis/advice/CompileOnce.h"
#include "utils/analysis/advice/PrecompileSnippet.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

using namespace instantrace;

namespace {

constexpr size_t SourcesShown = 5;

} // namespace

std::vector<CompileOnceFinder::SourceObjects>
CompileOnceFinder::sharedSources() {
  std::map<std::pair<std::string, std::string>, SourceObjects> BySource;
  std::set<std::string> Products;
  for (ObjectFacts &U : Objects) {
    const CompileRun &Run = H.run(U.Compile);
    if (!Run.Source.empty() && !Run.Product.empty() &&
        Products.insert(Run.Product).second)
      BySource[{Run.Source, U.Folder + "\n" + U.Options}].push_back(
          std::move(U)); // relative options begin there
  }
  std::vector<SourceObjects> Shared;
  for (auto &[Key, Same] : BySource)
    if (Same.size() >= FewestUnits &&
        std::ranges::none_of(
            Same, [this](const ObjectFacts &U) { return isMadeByBuild(U); }))
      Shared.push_back(std::move(Same));
  return Shared;
}

/// Adds suggestions. \return the compiles that they are about.
FileSet CompileOnceFinder::suggestSources(Suggestions &Into) {
  using Folders = std::set<std::string>; ///< of the objects: CMake's targets
  std::map<std::pair<std::string, Folders>, std::vector<SourceObjects>> Groups;
  FileSet Compiles;
  for (SourceObjects &Same : sharedSources()) {
    Folders Made;
    for (const ObjectFacts &U : Same) {
      Made.insert(folderOf(H.run(U.Compile).Product));
      Compiles.insert(U.Compile);
    }
    Groups[{Same.front().Options, Made}].push_back(std::move(Same));
  }
  for (auto &[Key, Group] : Groups)
    suggestSources(std::move(Group), Into);
  return Compiles;
}

void CompileOnceFinder::suggestSources(std::vector<SourceObjects> Sources,
                                       Suggestions &Into) const {
  struct Cost {
    uint64_t SumNs = 0, SavedNs = 0;
  };
  auto cost = [this](const SourceObjects &Same) {
    Cost C;
    uint64_t LongestNs = 0;
    for (const ObjectFacts &U : Same) {
      C.SumNs += H.run(U.Compile).Ns;
      LongestNs = std::max(LongestNs, H.run(U.Compile).Ns);
    }
    C.SavedNs = C.SumNs - LongestNs;
    return C;
  };
  std::ranges::stable_sort(
      Sources, std::ranges::greater(),
      [&](const SourceObjects &Same) { return cost(Same).SavedNs; });
  const ObjectFacts &First = Sources.front().front();
  const std::string &Costliest = H.run(First.Compile).Source;
  Suggestion &S = Into.emplace_back(
      Suggestion{RowName::fromText(Costliest), Costliest, {}});
  uint64_t Compiles = 0, SumNs = 0, SavedNs = 0;
  TargetNames Targets;
  std::vector<std::string> Names;
  for (const SourceObjects &Same : Sources) {
    Compiles += Same.size();
    SumNs += cost(Same).SumNs;
    SavedNs += cost(Same).SavedNs;
    Names.push_back(Same.front().Source);
    for (const ObjectFacts &U : Same)
      Targets.add(U);
  }
  S.Saves = {SavedNs, SavedNs, SavedNs};
  S.count(Compiles, "compiles, each with the options of the others", SumNs,
          EvidenceKey::SameOptions);
  const bool AreSeveral = Sources.size() != 1;
  if (AreSeveral)
    S.count(Sources.size() - 1, "other sources beside it", {},
            EvidenceKey::MoreSources)
        .one("other source beside it");
  const size_t Shown = AreSeveral ? std::min(Sources.size(), SourcesShown) : 1;
  for (size_t I = 0; AreSeveral && I != Shown; ++I)
    S.count(Sources[I].size(), "compiles of", cost(Sources[I]).SumNs)
        .name(RowName::fromText(H.run(Sources[I].front().Compile).Source));
  S.countIfAny(Sources.size() - Shown, "further sources", "further source");
  if (Targets.areKnown(First))
    S.Snippet = objectLibrarySnippet(Targets.Names, Targets.Objects, Names,
                                     /*IsOfSystem=*/false);
  S.conclude(
      Targets.areKnown(First)
          ? "Compile each source once, in an object library that all of these "
            "targets link, and take it out of their own sources."
          : "Compile each source once, and link its object to all of these "
            "programs.",
      "the time of all of these compiles but the longest of each source", {});
}
