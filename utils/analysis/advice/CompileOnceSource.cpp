/// \file
/// The sources that several programs compile, each for itself, with the same
/// options.
///
/// Flow:   CompileOnceFinder, HeaderFacts -> [CompileOnceSource] -> Suggestions
///
/// Their objects have the same in them, so that one serves all. Those that the
/// same targets share are one suggestion. The options say so, but for folders
/// of #includes, and the files that were read, which say what these led to. An
/// object that was made again under its name, as after a change or by a script
/// that tries compilers, is no second one.
///
/// There are lines for CMake where these are sure to compile the source as it
/// was: it is below the project's folder, nothing that the build makes is read,
/// and no option comes from what a target is besides its properties.
#include "utils/analysis/advice/CompileOnce.h"
#include "utils/analysis/advice/PrecompileSnippet.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

constexpr size_t SourcesShown = 5;

template <class List>
bool startsWithAny(std::string_view Text, const List &Begins) {
  return std::ranges::any_of(Begins, [Text](std::string_view Begin) {
    return Text.starts_with(Begin);
  });
}

bool isPlain(std::string_view Name) {
  return std::ranges::all_of(Name, [](unsigned char C) {
    return std::isalnum(C) ||
           std::string_view("_+-./").find(char(C)) != std::string_view::npos;
  });
}

} // namespace

std::optional<std::string>
instantrace::sourceOptions(const TraceSession &Session) {
  std::string Kept = Session.Triple + "\n" + Session.ClangVersion + "\n";
  bool IsFolder = false;
  for (std::string_view Option : optionWords(Session)) {
    if (Option.starts_with('@'))
      return std::nullopt;
    const bool IsKept =
        !IsFolder && !startsWithAny(Option, IncludeFolderOptions);
    IsFolder = !IsFolder && std::ranges::find(IncludeFolderOptions, Option) !=
                                IncludeFolderOptions.end();
    if (IsKept)
      Kept.append(Option).append("\n");
  }
  return Kept;
}

bool instantrace::hasOtherOptions(const TraceSession &Session) {
  constexpr std::array<std::string_view, 5> Others = {
      "-isystem", "-include", "-flto", "-fPIC", "-fpic"};
  return std::ranges::any_of(optionWords(Session),
                             [&Others](std::string_view Option) {
                               return startsWithAny(Option, Others);
                             });
}

/// All but the longest compile are saved.
SharedSource
CompileOnceFinder::sharedSource(std::vector<ObjectFacts> Made) const {
  SharedSource Shared{std::move(Made)};
  uint64_t LongestNs = 0;
  for (const ObjectFacts &U : Shared.Objects) {
    Shared.SumNs += H.run(U.Compile).Ns;
    LongestNs = std::max(LongestNs, H.run(U.Compile).Ns);
  }
  Shared.SavedNs = Shared.SumNs - LongestNs;
  return Shared;
}

std::vector<SharedSource> CompileOnceFinder::sharedSources() {
  using Made = std::vector<ObjectFacts>;
  std::map<std::pair<std::string, std::string>, Made> BySource;
  std::set<std::string> Products;
  for (ObjectFacts &U : Objects) {
    const CompileRun &Run = H.run(U.Compile);
    if (!Run.Source.empty() && !Run.Product.empty() && U.SourceOptions &&
        Products.insert(Run.Product).second)
      BySource[{Run.Source,
                cmakeBuildFolder(U.Objects) + "\n" + *U.SourceOptions}]
          .push_back(std::move(U));
  }
  std::vector<SharedSource> Shared;
  for (auto &[Key, Same] : BySource) {
    if (Same.size() < FewestUnits)
      continue;
    std::map<std::vector<FileNumber>, Made> ByFiles;
    for (ObjectFacts &U : Same) {
      CompileFiles In = H.compile(U.Compile);
      std::ranges::sort(In.Files);
      if (std::ranges::any_of(In.Readings, [](const auto &R) {
            return R.Includer == NoFile && R.IsSelected;
          }))
        ByFiles[std::move(In.Files)].push_back(std::move(U));
    }
    for (auto &[Files, Each] : ByFiles)
      if (Each.size() >= FewestUnits)
        Shared.push_back(sharedSource(std::move(Each)));
  }
  return Shared;
}

/// What CMake's call for the target would name it, is that file.
bool CompileOnceFinder::isSourceKnown(const ObjectFacts &U) const {
  const std::string &Path = H.run(U.Compile).Source;
  std::string_view Name = U.Source;
  while (Name.starts_with("../"))
    Name.remove_prefix(3);
  return !Name.empty() && isPlain(U.Source) && isPlain(U.Target.Name) &&
         Path.size() > Name.size() + 1 &&
         Path.ends_with("/" + std::string(Name)) &&
         !Path.starts_with(U.Folder + "/") &&
         !Path.starts_with(cmakeBuildFolder(U.Objects) + "/") &&
         std::ranges::none_of(H.readings(U.Compile), [&](const auto &R) {
           return H.path(R.File).starts_with(U.Folder + "/");
         });
}

/// Empty: none is sure to build.
std::string
CompileOnceFinder::sourcesSnippet(const std::vector<SharedSource> &Sources,
                                  const TargetNames &Targets) {
  constexpr size_t FewestTargets = 2;
  std::vector<std::string> Names;
  for (const SharedSource &Same : Sources) {
    Names.push_back(Same.Objects.front().Source);
    for (const ObjectFacts &U : Same.Objects)
      if (!isSourceKnown(U) || isMadeByBuild(U) || U.HasOtherOptions)
        return {};
  }
  if (Targets.Names.size() < FewestTargets ||
      !Libraries
           .insert(*Targets.Names.begin() + "\n" +
                   Names.front().substr(Names.front().rfind('/') + 1))
           .second)
    return {};
  return objectLibrarySnippet(Targets.Names, Targets.Objects, Names,
                              /*IsOfSystem=*/false);
}

/// Adds suggestions. \return the compiles that they are about.
FileSet CompileOnceFinder::suggestSources(Suggestions &Into) {
  using Names = std::set<std::string>; ///< of targets, or of the source
  std::map<std::pair<std::string, Names>, std::vector<SharedSource>> Groups;
  FileSet Compiles;
  for (SharedSource &Same : sharedSources()) {
    const ObjectFacts &First = Same.Objects.front();
    Names Users;
    for (const ObjectFacts &U : Same.Objects) {
      Users.insert(U.Target.Name);
      Compiles.insert(U.Compile);
    }
    if (Users.contains(""))
      Users = {H.run(First.Compile).Source};
    Groups[{*First.SourceOptions + First.Folder, Users}].push_back(
        std::move(Same));
  }
  for (auto &[Key, Group] : Groups)
    suggestSources(std::move(Group), Into);
  return Compiles;
}

void CompileOnceFinder::suggestSources(std::vector<SharedSource> Sources,
                                       Suggestions &Into) {
  std::ranges::stable_sort(Sources, std::ranges::greater(),
                           &SharedSource::SavedNs);
  const SharedSource &First = Sources.front();
  auto source = [this](const SharedSource &Same) {
    return H.run(Same.Objects.front().Compile).Source;
  };
  Suggestion &S = Into.emplace_back(
      Suggestion{RowName::fromText(source(First)), source(First), {}});
  uint64_t Compiles = 0, SumNs = 0, SavedNs = 0;
  TargetNames Targets;
  for (const SharedSource &Same : Sources) {
    Compiles += Same.Objects.size();
    SumNs += Same.SumNs;
    SavedNs += Same.SavedNs;
    for (const ObjectFacts &U : Same.Objects)
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
    S.count(Sources[I].Objects.size(), "compiles of", Sources[I].SumNs)
        .name(RowName::fromText(source(Sources[I])));
  S.countIfAny(Sources.size() - Shown, "further sources", "further source");
  const bool AreTargets = !Targets.Names.contains("");
  const std::vector<ObjectFacts> &Each = First.Objects;
  for (size_t I = 0; !AreTargets && I != std::min(Each.size(), SourcesShown);
       ++I)
    S.count(1, "compile makes", H.run(Each[I].Compile).Ns)
        .name(RowName::fromText(H.run(Each[I].Compile).Product));
  if (AreTargets)
    S.Snippet = sourcesSnippet(Sources, Targets);
  S.conclude(
      AreTargets
          ? "Compile each source once, in an object library that all of these "
            "targets link, and take it out of their own sources."
          : "Compile it once, and link that object instead of these.",
      "the time of all of these compiles but the longest of each source",
      {"Objects are linked in another order, on which variables may depend "
       "that are initialized before main()."});
  if (!AreTargets)
    return;
  S.Doubts.push_back("If something has to be made before these targets are "
                     "compiled, it has to be made before the library as well "
                     "(add_dependencies).");
  S.Doubts.push_back("If one of these targets is an object library itself, "
                     "what links it has to link the new one as well.");
}
