/// \file
/// Advice: a header that only includes others, of which few are needed.
///
/// Flow:   HeaderFacts -> [adviseNarrowInclude] -> AdviceFinder
///
/// An *umbrella* takes hardly any time itself, and includes two *parts* or
/// more: headers of its library that are meant to be included, by their paths.
/// A part that is an umbrella too counts as its parts.
///
/// What a compile needs of it is what is declared below it and in no file that
/// the compile reads in another way as well: files of which something is
/// instantiated because a file outside the umbrella asked, and names that files
/// of the program mention. Each file is given by the part that costs least of
/// those that lead to it; parts that another one leads to are not named.
///
/// Fires where the program's own files include an umbrella, with all those that
/// can do with less. In a header it is what all compiles together need. An
/// umbrella that took less in all saves what those before it leave over.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

constexpr size_t FewestParts = 2, GroupsShown = 5, FilesNamed = 3;
/// Of an umbrella's time, what it takes itself at most.
constexpr uint64_t OwnPerWhole = 10;
constexpr int MostPartLevels = 8;

using Ways = HeaderFacts::Ways;

struct UmbrellaPart {
  FileNumber File;
  FileSet Below;
  uint64_t Ns = 0; ///< of all files below it, each as it is on average
};

/// A file of the program that includes the umbrella.
struct IncludeSite {
  std::set<FileNumber> Needed;       ///< parts
  std::set<FileNumber> Instantiated; ///< those of which something is
  bool NeedsAll = false, InstantiatesAll = false;
};

/// What a compile includes instead, after some suggestions.
struct IncludeChanges {
  std::set<std::pair<FileNumber, FileNumber>> Removed; ///< #includes
  std::vector<HeaderFacts::Addition> Added;
};

/// By the ways of traces alone, and by all.
struct CompileChanges {
  IncludeChanges InTrace, All;
};

/// Files that need the same of it.
struct SiteGroup {
  std::vector<FileNumber> Sites;
  uint64_t Compiles = 0;
  Saving Saves;
};

class NarrowFinder final : public HeaderRule {
public:
  using HeaderRule::HeaderRule;

  Suggestions take() override;

private:
  struct Candidate {
    uint64_t WholeNs = 0, SelfNs = 0, Compiles = 0;
  };
  std::map<FileNumber, Candidate> candidates();
  void addParts(FileNumber File, int Level, FileSet &Seen);
  bool isUmbrella(FileNumber File) const {
    auto Found = Whole.find(File);
    return Found != Whole.end() &&
           OwnPerWhole * Found->second.SelfNs <= Found->second.WholeNs;
  }
  const UmbrellaPart *cheapest(FileNumber Below) const;
  /// False: all of it.
  bool findNeeded(const CompileFiles &In, const FileSet &Otherwise,
                  bool WithSources, std::set<FileNumber> &Needed);
  std::vector<FileNumber> without(const std::set<FileNumber> &Needed) const;
  void suggest(FileNumber File, const Candidate &Row, Suggestions &Into);
  bool enter(FileNumber File);
  using RankedGroup = std::pair<std::vector<FileNumber>, SiteGroup>;
  struct Narrowed {
    std::vector<RankedGroup> Ranked;
    uint64_t WholeCompiles = 0; ///< which save nothing
    bool HasSources = true;
    Saving Sum;
  };
  Narrowed narrow();
  void addGroups(const Narrowed &Found, Suggestion &S);
  std::string partName(FileNumber IncludeSite, FileNumber File);
  std::string snippet(const std::vector<RankedGroup> &Ranked);
  FileSet reachedAfter(const IncludeChanges &Changed, const CompileFiles &In,
                       Ways Scope, const HeaderFacts::Removal &Also = {}) const;
  std::map<FileNumber, IncludeSite> sites();
  std::vector<FileNumber> sitesIn(const CompileFiles &In);
  Saving savingIn(const CompileFiles &In, const std::vector<FileNumber> &Own,
                  const std::map<FileNumber, IncludeSite> &Sites,
                  CompileChanges &Before);
  uint64_t marginNs(const CompileFiles &In,
                    const std::vector<HeaderFacts::Addition> &Added, Ways Scope,
                    IncludeChanges &Before);

  std::map<FileNumber, Candidate> Whole; ///< of all files
  std::vector<CompileChanges> Changes;   ///< by compile, of what is suggested
  // Of an umbrella:
  FileNumber Umbrella = NoFile;
  FileSet Below;
  std::vector<UmbrellaPart> Parts; ///< cheapest first
  HeaderFacts::Removal WithoutIt;
};

/// Where the program's own files include something.
std::map<FileNumber, NarrowFinder::Candidate> NarrowFinder::candidates() {
  std::map<FileNumber, Candidate> Found;
  for (size_t Number = 0; Number != H.compileCount(); ++Number) {
    const CompileFiles In = H.compile(Number);
    FileSet Counted;
    for (const CompileFiles::Reading &R : In.Readings) {
      Candidate &All = Whole[R.File];
      All.WholeNs += R.WholeNs;
      All.SelfNs += R.SelfNs;
      if (R.Includer == NoFile || H.isSystem(R.Includer) || !R.IsSelected)
        continue;
      Candidate &Row = Found[R.File];
      Row.WholeNs += R.WholeNs;
      Row.SelfNs += R.SelfNs;
      Row.Compiles += Counted.insert(R.File);
    }
  }
  return Found;
}

void NarrowFinder::addParts(FileNumber File, int Level, FileSet &Seen) {
  for (FileNumber Inner : H.includes(File, Ways::All)) {
    if (!Seen.insert(Inner) || !H.isPublic(Inner) ||
        libraryOf(H.path(Inner)) != libraryOf(H.path(Umbrella)))
      continue;
    size_t Before = Parts.size();
    if (Level != 0 && isUmbrella(Inner))
      addParts(Inner, Level - 1, Seen);
    if (Parts.size() >= Before + FewestParts)
      continue;
    Parts.resize(Before);
    Parts.push_back({Inner, H.closure(Inner, Ways::All)});
    for (FileNumber Current = 0; Current != H.fileCount(); ++Current)
      if (Parts.back().Below.contains(Current))
        Parts.back().Ns += H.selfNs(Current);
  }
}

const UmbrellaPart *NarrowFinder::cheapest(FileNumber File) const {
  for (const UmbrellaPart &P : Parts)
    if (P.Below.contains(File))
      return &P;
  return nullptr;
}

bool NarrowFinder::findNeeded(const CompileFiles &In, const FileSet &Otherwise,
                              bool WithSources, std::set<FileNumber> &Needed) {
  if (In.IsForOthers)
    return false;
  auto isOfUmbrella = [&](FileNumber File) {
    return Below.contains(File) && !Otherwise.contains(File);
  };
  for (const CompileFiles::Use &U : In.Uses) {
    if (Below.contains(U.Asker) || !isOfUmbrella(U.Declared))
      continue;
    const UmbrellaPart *P = cheapest(U.Declared);
    if (!P)
      return false;
    Needed.insert(P->File);
  }
  if (!WithSources)
    return true;
  std::vector<FileNumber> Aliases, Own, Rest;
  std::map<const UmbrellaPart *, std::vector<FileNumber>> FilesOf;
  for (FileNumber File : In.Files) {
    if (Below.contains(File))
      Aliases.push_back(File);
    else if (!H.isSystem(File))
      Own.push_back(File);
    if (isOfUmbrella(File))
      FilesOf[cheapest(File)].push_back(File);
  }
  for (const auto &[P, Files] : FilesOf) {
    FileSet Names = H.namesOf(Files, Aliases);
    bool IsMentioned = std::any_of(Own.begin(), Own.end(), [&](FileNumber O) {
      return H.mentioned(O, Names, /*ByDefinition=*/false).has_value();
    });
    if (!IsMentioned)
      continue;
    if (!P)
      return false;
    Needed.insert(P->File);
  }
  return true;
}

std::vector<FileNumber>
NarrowFinder::without(const std::set<FileNumber> &Needed) const {
  std::vector<FileNumber> Kept;
  for (const UmbrellaPart &P : Parts) {
    if (!Needed.contains(P.File))
      continue;
    bool IsInOther =
        std::any_of(Parts.begin(), Parts.end(), [&](const UmbrellaPart &Other) {
          return &Other != &P && Needed.contains(Other.File) &&
                 Other.Below.contains(P.File) &&
                 !(P.Below.contains(Other.File) && &Other < &P);
        });
    if (!IsInOther)
      Kept.push_back(P.File);
  }
  return Kept;
}

/// As the umbrella is written where it is included: with the same folders.
std::string NarrowFinder::partName(FileNumber IncludeSite, FileNumber File) {
  const std::string &Whole = H.path(Umbrella), &Path = H.path(File);
  std::string Spelled = H.spelling(IncludeSite, Umbrella);
  std::string Name = H.spelling(Umbrella, File);
  if (Whole.ends_with("/" + Spelled) &&
      Path.starts_with(Whole.substr(0, Whole.size() - Spelled.size())))
    Name = Path.substr(Whole.size() - Spelled.size());
  return H.isSystem(File) ? "<" + Name + ">" : '"' + Name + '"';
}

std::string NarrowFinder::snippet(const std::vector<RankedGroup> &Ranked) {
  std::string Text;
  for (size_t I = 0; I != std::min(Ranked.size(), GroupsShown); ++I) {
    const auto &[Needed, G] = Ranked[I];
    std::string Files;
    for (size_t Index = 0; Index != std::min(G.Sites.size(), FilesNamed);
         ++Index) {
      const std::string &Path = H.path(G.Sites[Index]);
      Files += (Index == 0 ? "" : ", ") + Path.substr(Path.rfind('/') + 1);
    }
    if (G.Sites.size() > FilesNamed)
      Files += " and " + std::to_string(G.Sites.size() - FilesNamed) + " more";
    Text += (Text.empty() ? "// " : "\n// ") + Files;
    if (Needed.empty())
      Text += ": nothing of it, as far as can be seen";
    for (FileNumber File : Needed)
      Text += "\n#include " + partName(G.Sites.front(), File);
  }
  return Text;
}

/// What each file that includes it needs, over all compiles that read it there.
std::map<FileNumber, IncludeSite> NarrowFinder::sites() {
  std::map<FileNumber, IncludeSite> Sites;
  for (size_t Number = 0; Number != H.compileCount(); ++Number) {
    const bool IsRead = H.isRead(Number, Umbrella);
    if (!IsRead && !H.usesPrecompiled(Number))
      continue;
    const CompileFiles In = H.compile(Number);
    std::vector<FileNumber> Own = sitesIn(In);
    if (!IsRead) { // precompiled: what is used of it leaves no trace
      for (FileNumber File : Own)
        Sites[File].NeedsAll = Sites[File].InstantiatesAll = true;
      continue;
    }
    // What an umbrella before led to is no way any more.
    FileSet Otherwise =
        reachedAfter(Changes[Number].All, In, Ways::All, WithoutIt);
    if (Own.empty() || Otherwise.contains(Umbrella))
      continue;
    std::set<FileNumber> Needed, Instantiated;
    bool IsPart = findNeeded(In, Otherwise, /*WithSources=*/true, Needed);
    bool IsPartOfTrace = findNeeded(
        In,
        reachedAfter(Changes[Number].InTrace, In, Ways::Recorded, WithoutIt),
        /*WithSources=*/false, Instantiated);
    for (FileNumber File : Own) {
      IncludeSite &Site = Sites[File];
      Site.Needed.insert(Needed.begin(), Needed.end());
      Site.Instantiated.insert(Instantiated.begin(), Instantiated.end());
      Site.NeedsAll |= !IsPart;
      Site.InstantiatesAll |= !IsPartOfTrace;
    }
  }
  return Sites;
}

std::vector<FileNumber> NarrowFinder::sitesIn(const CompileFiles &In) {
  std::vector<FileNumber> Sites;
  for (FileNumber File : In.Files)
    if (WithoutIt(File, Umbrella)) {
      const std::vector<FileNumber> &Included = H.includes(File, Ways::All);
      if (std::binary_search(Included.begin(), Included.end(), Umbrella))
        Sites.push_back(File);
    }
  return Sites;
}

/// What \p Changed leaves, and, if there is one, \p Also.
FileSet NarrowFinder::reachedAfter(const IncludeChanges &Changed,
                                   const CompileFiles &In, Ways Scope,
                                   const HeaderFacts::Removal &Also) const {
  auto IsGone = [&](FileNumber Includer, FileNumber Included) {
    return Changed.Removed.contains({Includer, Included}) ||
           (Also && Also(Includer, Included));
  };
  return H.reached(In, IsGone, Changed.Added, Scope);
}

/// What goes beside what is gone before, to which this is added.
uint64_t NarrowFinder::marginNs(const CompileFiles &In,
                                const std::vector<HeaderFacts::Addition> &Added,
                                Ways Scope, IncludeChanges &Before) {
  auto WithoutNs = [&] {
    return HeaderFacts::nsWithout(In, reachedAfter(Before, In, Scope));
  };
  uint64_t WasNs = WithoutNs();
  for (FileNumber Includer : sitesIn(In))
    Before.Removed.insert({Includer, Umbrella});
  Before.Added.insert(Before.Added.end(), Added.begin(), Added.end());
  // A part may bring back what an umbrella that is gone had led to.
  uint64_t Ns = WithoutNs();
  return Ns - std::min(Ns, WasNs);
}

Saving NarrowFinder::savingIn(const CompileFiles &In,
                              const std::vector<FileNumber> &Own,
                              const std::map<FileNumber, IncludeSite> &Sites,
                              CompileChanges &Before) {
  std::vector<HeaderFacts::Addition> Needed, Instantiated;
  bool NeedsAll = false, InstantiatesAll = false;
  bool HasSources = true;
  for (FileNumber File : Own) {
    const IncludeSite &Site = Sites.at(File);
    NeedsAll |= Site.NeedsAll;
    InstantiatesAll |= Site.InstantiatesAll;
    for (FileNumber Wanted : Site.Needed)
      Needed.push_back({File, Wanted});
    for (FileNumber Wanted : Site.Instantiated)
      Instantiated.push_back({File, Wanted});
    HasSources = HasSources && H.hasSource(File);
  }
  Saving S;
  if (!InstantiatesAll)
    S.MostNs = marginNs(In, Instantiated, Ways::Recorded, Before.InTrace);
  if (!NeedsAll)
    S.EstimateNs = marginNs(In, Needed, Ways::All, Before.All);
  if (!HasSources)
    S.EstimateNs /= 2; // as likely as not
  // A guard hides the ways of which the first was changed before.
  S.MostNs = std::max(S.MostNs, S.EstimateNs);
  return S;
}

/// False: it has too few parts.
bool NarrowFinder::enter(FileNumber File) {
  Umbrella = File;
  Parts.clear();
  FileSet Seen;
  addParts(File, MostPartLevels, Seen);
  if (Parts.size() < FewestParts)
    return false;
  std::stable_sort(
      Parts.begin(), Parts.end(),
      [](const UmbrellaPart &A, const UmbrellaPart &B) { return A.Ns < B.Ns; });
  Below = H.closure(File, Ways::All);
  // Changed are the program's own files that are no part of it.
  WithoutIt = [this](FileNumber Includer, FileNumber Included) {
    return Included == Umbrella && !H.isSystem(Includer) &&
           !Below.contains(Includer);
  };
  return true;
}

/// What all compiles save, and by groups of files, the one that saves most
/// first. If there is one, what is changed for it is from now on.
NarrowFinder::Narrowed NarrowFinder::narrow() {
  std::map<FileNumber, IncludeSite> Sites = sites();
  std::map<std::vector<FileNumber>, SiteGroup> Groups;
  std::map<FileNumber, SiteGroup *> GroupOf;
  for (const auto &[File, Site] : Sites) {
    if (Site.NeedsAll)
      continue;
    SiteGroup &G = Groups[without(Site.Needed)];
    G.Sites.push_back(File);
    GroupOf[File] = &G;
  }
  Narrowed Found;
  std::vector<std::pair<size_t, CompileChanges>> After;
  for (size_t Number = 0; Number != H.compileCount(); ++Number) {
    if (!H.isRead(Number, Umbrella))
      continue;
    const CompileFiles In = H.compile(Number);
    std::vector<FileNumber> Own = sitesIn(In);
    std::erase_if(Own, [&](FileNumber File) { return !Sites.contains(File); });
    if (Own.empty())
      continue;
    After.emplace_back(Number, Changes[Number]);
    Saving Saves = savingIn(In, Own, Sites, After.back().second);
    Found.Sum += Saves;
    auto Changed = GroupOf.find(Own.front());
    if (Saves.EstimateNs == 0 || Changed == GroupOf.end()) {
      ++Found.WholeCompiles;
      continue;
    }
    ++Changed->second->Compiles;
    Changed->second->Saves += Saves;
    Found.HasSources = Found.HasSources && H.hasSource(Own.front());
  }
  for (auto &[Needed, G] : Groups)
    if (G.Compiles != 0)
      Found.Ranked.emplace_back(Needed, std::move(G));
  std::stable_sort(
      Found.Ranked.begin(), Found.Ranked.end(), [](auto &A, auto &B) {
        return A.second.Saves.EstimateNs > B.second.Saves.EstimateNs;
      });
  if (!Found.Ranked.empty())
    for (auto &[Number, With] : After)
      Changes[Number] = std::move(With);
  return Found;
}

void NarrowFinder::addGroups(const Narrowed &Found, Suggestion &S) {
  uint64_t Others = 0, OtherNs = 0;
  for (size_t I = 0; I != Found.Ranked.size(); ++I) {
    const auto &[Needed, G] = Found.Ranked[I];
    if (I >= GroupsShown) {
      Others += G.Compiles;
      OtherNs += G.Saves.EstimateNs;
      continue;
    }
    std::string Names;
    for (FileNumber Wanted : Needed)
      Names += (Names.empty() ? "" : ", ") + partName(G.Sites.front(), Wanted);
    S.count(G.Compiles, "compiles can do with", G.Saves.EstimateNs,
            EvidenceKey::Enough)
        .one("compile can do with")
        .name(Names.empty() ? "nothing of it" : Names);
  }
  S.countIfAny(Others, "compiles more, with other parts",
               "compile more, with other parts", OtherNs);
  S.countIfAny(Found.WholeCompiles,
               "compiles need all of it, or read it in another way",
               "compile needs all of it, or reads it in another way");
}

void NarrowFinder::suggest(FileNumber File, const Candidate &Row,
                           Suggestions &Into) {
  if (!enter(File))
    return;
  const Narrowed Found = narrow();
  if (Found.Ranked.empty())
    return;
  FileNumber First = Found.Ranked.front().second.Sites.front();
  Suggestion &S = Into.emplace_back(Suggestion{
      RowName::fromText(H.path(File)), H.includePlace(First, File), Found.Sum});
  S.count(Row.Compiles, "compiles include it, which takes them", Row.WholeNs)
      .one("compile includes it, which takes it");
  addGroups(Found, S);
  S.Snippet = snippet(Found.Ranked);
  S.conclude(
      "Include what is needed of it in its place; these parts are enough by "
      "what is instantiated, and by the names that the sources mention.",
      "the time in files that nothing else leads to then, by the traces and by "
      "the #include lines of the sources; at most what is not instantiated, "
      "with the ways of the traces alone",
      {"Operators, specializations and names that macros make may be needed "
       "without being mentioned: compile with each change."});
  if (!Found.HasSources)
    S.Doubts.insert(S.Doubts.begin(),
                    "The sources are not there: half is expected. What is no "
                    "template may be needed, and leaves no mark.");
  if (H.isSystem(File))
    S.Doubts.push_back("Where the library promises only the whole header, "
                       "keep that.");
}

Suggestions NarrowFinder::take() {
  std::vector<std::pair<FileNumber, Candidate>> Umbrellas;
  for (const auto &[File, Row] : candidates())
    if (isUmbrella(File) && F.isWorth(Row.WholeNs))
      Umbrellas.emplace_back(File, Row);
  std::stable_sort(Umbrellas.begin(), Umbrellas.end(),
                   [](const auto &A, const auto &B) {
                     return A.second.WholeNs > B.second.WholeNs;
                   });
  Changes.resize(H.compileCount());
  Suggestions All;
  for (const auto &[File, Row] : Umbrellas)
    suggest(File, Row, All);
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::adviseNarrowInclude(AdviceFacts &F) {
  return std::make_unique<NarrowFinder>(F);
}
