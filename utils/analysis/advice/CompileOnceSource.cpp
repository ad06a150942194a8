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
#include <cctype>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

constexpr size_t SourcesShown = 5;

bool startsWithAny(std::string_view Text,
                   std::initializer_list<std::string_view> Begins) {
  return std::ranges::any_of(Begins, [Text](std::string_view Begin) {
    return Text.starts_with(Begin);
  });
}

std::vector<std::string_view> linesOf(std::string_view Text) {
  std::vector<std::string_view> Lines;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size());
    Lines.push_back(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Lines;
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
  const std::string All = optionsOf(Session);
  bool IsFolder = false;
  for (std::string_view Option : linesOf(All)) {
    if (Option.starts_with('@'))
      return std::nullopt;
    const bool IsKept =
        !IsFolder &&
        !startsWithAny(Option, {"-I", "-isystem", "-iquote", "-idirafter"});
    IsFolder = !IsFolder && (Option == "-I" || Option == "-isystem" ||
                             Option == "-iquote" || Option == "-idirafter");
    if (IsKept)
      Kept.append(Option).append("\n");
  }
  return Kept;
}

std::vector<CompileOnceFinder::SourceObjects>
CompileOnceFinder::sharedSources() {
  std::map<std::pair<std::string, std::string>, SourceObjects> BySource;
  std::set<std::string> Products;
  for (ObjectFacts &U : Objects) {
    const CompileRun &Run = H.run(U.Compile);
    if (!Run.Source.empty() && !Run.Product.empty() && U.SourceOptions &&
        Products.insert(Run.Product).second)
      BySource[{Run.Source,
                cmakeBuildFolder(U.Objects) + "\n" + *U.SourceOptions}]
          .push_back(std::move(U));
  }
  std::vector<SourceObjects> Shared;
  for (auto &[Key, Same] : BySource) {
    if (Same.size() < FewestUnits)
      continue;
    std::map<std::vector<FileNumber>, SourceObjects> ByFiles;
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
        Shared.push_back(std::move(Each));
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
CompileOnceFinder::sourcesSnippet(const std::vector<SourceObjects> &Sources,
                                  const TargetNames &Targets) {
  constexpr size_t FewestTargets = 2;
  std::vector<std::string> Names;
  for (const SourceObjects &Same : Sources) {
    Names.push_back(Same.front().Source);
    for (const ObjectFacts &U : Same)
      if (!isSourceKnown(U) || isMadeByBuild(U) ||
          std::ranges::any_of(linesOf(U.Options), [](std::string_view Option) {
            return startsWithAny(
                Option, {"-isystem", "-include", "-flto", "-fPIC", "-fpic"});
          }))
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
  std::map<std::pair<std::string, Names>, std::vector<SourceObjects>> Groups;
  FileSet Compiles;
  for (SourceObjects &Same : sharedSources()) {
    Names Users;
    for (const ObjectFacts &U : Same) {
      Users.insert(U.Target.Name);
      Compiles.insert(U.Compile);
    }
    if (Users.contains(""))
      Users = {H.run(Same.front().Compile).Source};
    Groups[{*Same.front().SourceOptions + Same.front().Folder, Users}]
        .push_back(std::move(Same));
  }
  for (auto &[Key, Group] : Groups)
    suggestSources(std::move(Group), Into);
  return Compiles;
}

void CompileOnceFinder::suggestSources(std::vector<SourceObjects> Sources,
                                       Suggestions &Into) {
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
  for (const SourceObjects &Same : Sources) {
    Compiles += Same.size();
    SumNs += cost(Same).SumNs;
    SavedNs += cost(Same).SavedNs;
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
  const bool AreTargets = !Targets.Names.contains("");
  const SourceObjects &Each = Sources.front();
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
