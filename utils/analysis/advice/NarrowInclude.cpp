/// \file
/// Advice: a header that only includes others, of which few are needed.
///
/// Flow:   HeaderFacts -> [adviseNarrowInclude] -> AdviceFinder
///
/// An *umbrella* takes hardly any time itself, and includes two *parts* or
/// more: headers of its library that are meant to be included, by their paths.
/// A part that is an umbrella too counts as its parts. Parts of an umbrella of
/// the program are all headers that the program's own ones below it include.
///
/// What a compile needs of it is what is declared below it and in no file that
/// the compile reads in another way as well: files of which something is
/// instantiated because a file that stays asked, and names that files of the
/// program mention which stay. Each file is given by the part that costs least
/// of those that lead to it, the most costly first, since that may lead to what
/// else is needed; parts that another one leads to are not named.
///
/// Not where the program would have nearly as much from an umbrella of its own
/// without the system headers in it of which no compile needs anything.
///
/// Fires where the program's own files include an umbrella, with all those that
/// can do with less. In a header it is what all compiles together need. An
/// umbrella that took less in all saves what those before it leave over.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/NeededWords.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

constexpr size_t FewestParts = 2, GroupsShown = 5;
/// Of an umbrella's time, what it takes itself at most.
constexpr uint64_t OwnPerWhole = 10;
constexpr int MostPartLevels = 8;
constexpr size_t MostUmbrellas = 32; ///< each asks all compiles
/// A suggestion has to save so many times what a smaller umbrella would.
constexpr double RemovalGain = 1.25;
/// One that has sources changed, what one would save that does not.
constexpr double GainPerEdits = 1.25;
/// Of an umbrella's time, what a part takes that nobody has to do without.
constexpr uint64_t CheapPart = 20;
constexpr size_t CommentColumns = 76;

using Ways = HeaderFacts::Ways;

/// A file of the program that includes the umbrella, or a source that will have
/// to include parts of it.
struct IncludeSite {
  std::set<FileNumber> Needed;       ///< parts
  std::set<FileNumber> Instantiated; ///< those of which something is
  bool NeedsAll = false, InstantiatesAll = false;
  bool IsNew = false;
};

/// Whose needs a header that includes the umbrella meets: those of all that
/// read it, or of headers, and sources include the rest themselves.
enum class Providing { All, Headers };
enum class Asking { All, Headers, Sources };

using IncludeChanges = HeaderFacts::Changes;

/// By the ways of traces alone, and by all.
struct CompileChanges {
  IncludeChanges InTrace, All;
};

/// Files that need the same of it.
struct SiteGroup {
  std::vector<FileNumber> Sites;
  uint64_t Compiles = 0;
  Saving Saves;
  bool IsNew = false, IsChanged = false;
};

class NarrowFinder final : public HeaderRule {
public:
  using HeaderRule::HeaderRule;

  Suggestions take() override;
  void follow(const std::string &Subject) override;

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
  void addOwnParts();
  void addPart(FileNumber File);
  uint64_t nsIn(const FileSet &Files) const;
  /// False: all of it.
  bool findNeeded(const CompileFiles &In, const FileSet &Otherwise,
                  bool WithSources, Asking Who, std::set<FileNumber> &Needed);
  std::vector<FileNumber> without(const std::set<FileNumber> &Needed);
  bool isComplete(const UmbrellaPart &P);
  void suggest(FileNumber File, const Candidate &Row, Suggestions &Into);
  bool enter(FileNumber File);
  using RankedGroup = std::pair<std::vector<FileNumber>, SiteGroup>;
  struct Narrowed {
    std::vector<RankedGroup> Ranked;
    uint64_t WholeCompiles = 0; ///< which save nothing
    bool HasSources = true;
    Saving Sum;
    std::vector<std::pair<size_t, CompileChanges>> After;
  };
  Narrowed narrow(Providing For);
  bool isRemovalEnough(const Narrowed &Found);
  uint32_t editLine(FileNumber Site, bool IsNew);
  void addGroups(const Narrowed &Found, Suggestion &S);
  std::string partName(FileNumber IncludeSite, FileNumber File);
  std::string snippet(const std::vector<RankedGroup> &Ranked);
  FileSet reachedAfter(const IncludeChanges &Changed, const CompileFiles &In,
                       Ways Scope, const HeaderFacts::Removal &Also = {}) const;
  using SiteMap = std::map<FileNumber, IncludeSite>;
  void addSites(Asking Who, SiteMap &Into);
  void addNamed(FileNumber File, std::set<FileNumber> &Needed);
  void addNeeds(size_t Compile, Asking Who, SiteMap &Into);
  bool includesIt(FileNumber File);
  std::vector<FileNumber> sitesIn(const CompileFiles &In);
  Saving savingIn(const CompileFiles &In, const std::vector<FileNumber> &Own,
                  const SiteMap &Sites, CompileChanges &Before);
  uint64_t marginNs(const CompileFiles &In,
                    const std::vector<HeaderFacts::Addition> &Added, Ways Scope,
                    IncludeChanges &Before);

  std::map<FileNumber, Candidate> Whole; ///< of all files
  std::vector<CompileChanges> Changes;   ///< by compile, of what is suggested
  // Of an umbrella:
  FileNumber Umbrella = NoFile;
  UmbrellaContents Contents;
  uint64_t WholeNs = 0;
  HeaderFacts::Removal WithoutIt;
  std::map<FileNumber, bool> IsCompletePart;
  /// What is changed for it, by its path.
  std::map<std::string, std::vector<std::pair<size_t, IncludeChanges>>> Made;
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
    size_t Before = Contents.Parts.size();
    if (Level != 0 && isUmbrella(Inner))
      addParts(Inner, Level - 1, Seen);
    if (Contents.Parts.size() < Before + FewestParts)
      Contents.Parts.resize(Before);
    addPart(Inner);
  }
}

uint64_t NarrowFinder::nsIn(const FileSet &Files) const {
  uint64_t Ns = 0;
  for (FileNumber File = 0; File != H.fileCount(); ++File)
    if (Files.contains(File))
      Ns += H.selfNs(File);
  return Ns;
}

void NarrowFinder::addPart(FileNumber File) {
  UmbrellaPart &P = Contents.Parts.emplace_back();
  P.File = File;
  P.Below = H.closure(File, Ways::All);
  P.Ns = nsIn(P.Below);
  if (P.Below.contains(Umbrella))
    Contents.Parts.pop_back();
}

void NarrowFinder::addOwnParts() {
  FileSet Seen;
  std::vector<FileNumber> Open{Umbrella};
  Seen.insert(Umbrella);
  while (!Open.empty()) {
    const FileNumber Includer = Open.back();
    Open.pop_back();
    for (FileNumber Inner : H.includes(Includer, Ways::All)) {
      if (!Seen.insert(Inner))
        continue;
      const SourceScan *Scan = H.scan(Inner);
      if (!H.isSystem(Inner))
        Open.push_back(Inner);
      if (H.isPublic(Inner) &&
          (H.isSystem(Inner) ? !H.includedAs(Inner).starts_with('/')
                             : !Scan || Scan->HasGuard))
        addPart(Inner);
    }
  }
}

bool NarrowFinder::findNeeded(const CompileFiles &In, const FileSet &Otherwise,
                              bool WithSources, Asking Who,
                              std::set<FileNumber> &Needed) {
  if (In.IsForOthers)
    return false;
  FileSet Reached = Otherwise, IsAdded, Silent;
  if (Who == Asking::Headers)
    for (FileNumber File : In.Mains)
      Silent.insert(File);
  NeededWords Words(H, Contents);
  while (true) {
    std::vector<FileNumber> Wanted;
    for (const CompileFiles::Use &U : In.Uses)
      if (Contents.Below.contains(U.Declared) &&
          !Reached.contains(U.Declared) &&
          !(Who == Asking::Headers &&
            (Silent.contains(U.Asker) || H.isSystem(U.Asker))) &&
          (!Contents.Below.contains(U.Asker) ||
           (Reached.contains(U.Asker) && !H.isSystem(U.Asker))))
        Wanted.push_back(U.Declared);
    if (WithSources) {
      for (FileNumber File : In.Files)
        if (!H.isSystem(File) && Reached.contains(File) &&
            !Silent.contains(File) && IsAdded.insert(File))
          Words.add(File);
      for (FileNumber File : Words.wanted(Reached))
        if (In.IsRead.contains(File))
          Wanted.push_back(File);
    }
    const UmbrellaPart *Most = nullptr;
    for (FileNumber File : Wanted) {
      const UmbrellaPart *P = Contents.cheapest(File);
      if (!P)
        return false;
      if (!Most || P->Ns > Most->Ns)
        Most = P;
    }
    if (!Most)
      return true;
    // A precompiled header has files that this compile did not read.
    bool IsMore = false;
    for (FileNumber File : In.Files)
      if (Most->Below.contains(File))
        IsMore |= Reached.insert(File);
    if (!IsMore)
      return false;
    Needed.insert(Most->File);
  }
}

/// A header of the program may need what the umbrella has before it, and comes
/// behind those that do not.
std::vector<FileNumber>
NarrowFinder::without(const std::set<FileNumber> &Needed) {
  if (Needed.contains(Umbrella))
    return {Umbrella};
  std::vector<FileNumber> Alone, Others;
  for (const UmbrellaPart &P : Contents.Parts) {
    if (!Needed.contains(P.File))
      continue;
    bool IsInOther =
        std::any_of(Contents.Parts.begin(), Contents.Parts.end(),
                    [&](const UmbrellaPart &Other) {
                      return &Other != &P && Needed.contains(Other.File) &&
                             Other.Below.contains(P.File) &&
                             !(P.Below.contains(Other.File) && &Other < &P) &&
                             (isComplete(Other) || Other.File < P.File);
                    });
    if (!IsInOther)
      (isComplete(P) ? Alone : Others).push_back(P.File);
  }
  std::sort(Alone.begin(), Alone.end());
  std::sort(Others.begin(), Others.end());
  Alone.insert(Alone.end(), Others.begin(), Others.end());
  return Alone;
}

/// It includes all that it mentions.
bool NarrowFinder::isComplete(const UmbrellaPart &P) {
  if (H.isSystem(P.File))
    return true;
  auto [Known, IsNew] = IsCompletePart.try_emplace(P.File, true);
  if (IsNew) {
    NeededWords Words(H, Contents);
    for (FileNumber File = 0; File != H.fileCount(); ++File)
      if (P.Below.contains(File) && !H.isSystem(File))
        Words.add(File);
    Known->second = Words.wanted(P.Below).empty();
  }
  return Known->second;
}

/// As the umbrella is written where it is included: with the same folders.
std::string NarrowFinder::partName(FileNumber IncludeSite, FileNumber File) {
  const std::string &Whole = H.path(Umbrella), &Path = H.path(File);
  const std::string Spelled = H.spelling(IncludeSite, Umbrella);
  std::string Name = H.includedAs(File);
  const std::string_view Root = std::string_view(Whole).substr(
      0, Whole.size() - std::min(Whole.size(), Spelled.size()));
  if (Whole.ends_with("/" + Spelled) && Path.starts_with(Root))
    Name = Path.substr(Root.size());
  else if (Name == Path || Spelled.starts_with("."))
    Name = std::filesystem::path(Path)
               .lexically_relative(
                   std::filesystem::path(H.path(IncludeSite)).parent_path())
               .string();
  return H.isSystem(File) ? "<" + Name + ">" : '"' + Name + '"';
}

/// As much of the end of a path as no other of \p All has: a.cpp, or sub/a.cpp.
static std::string_view nameAmong(const std::vector<std::string> &All,
                                  std::string_view Path) {
  auto isShared = [&](std::string_view End) {
    return std::any_of(All.begin(), All.end(), [&](const std::string &Other) {
      return Other != Path && ("/" + Other).ends_with(End);
    });
  };
  size_t Slash = Path.rfind('/');
  while (Slash != Path.npos && Slash != 0 && isShared(Path.substr(Slash)))
    Slash = Path.rfind('/', Slash - 1);
  return Path.substr(Slash + 1); // all of it, if there is no slash left
}

std::string NarrowFinder::snippet(const std::vector<RankedGroup> &Ranked) {
  std::string Text;
  std::vector<std::string> Paths;
  for (const auto &[Needed, G] : Ranked)
    for (FileNumber Site : G.Sites)
      Paths.push_back(H.path(Site));
  for (const auto &[Needed, G] : Ranked) {
    // From another folder, a part may have another name.
    std::map<std::string, std::vector<FileNumber>> SitesOf;
    for (FileNumber Site : G.Sites) {
      std::string Lines;
      for (FileNumber File : Needed)
        Lines += "\n#include " + partName(Site, File);
      SitesOf[Lines.empty() ? ": nothing of it, as far as can be seen"
              : G.IsNew     ? " as well:" + Lines
                            : Lines]
          .push_back(Site);
    }
    for (const auto &[Lines, Sites] : SitesOf) {
      std::string Names = Text.empty() ? "//" : "\n//";
      for (FileNumber Site : Sites) {
        const std::string Name(nameAmong(Paths, H.path(Site)));
        if (Names.size() + Name.size() > CommentColumns) {
          Text += Names;
          Names = "\n//";
        }
        Names += " " + Name + (Site == Sites.back() ? "" : ",");
      }
      Text += Names + Lines;
    }
  }
  return Text;
}

/// What each file that includes it needs, over all compiles that read it there.
void NarrowFinder::addSites(Asking Who, SiteMap &Into) {
  for (size_t Number = 0; Number != H.compileCount(); ++Number)
    if (H.isRead(Number, Umbrella))
      addNeeds(Number, Who, Into);
    else if (H.usesPrecompiled(Number)) // what is used of it leaves no trace
      for (FileNumber File : sitesIn(H.compile(Number)))
        Into[File].NeedsAll = Into[File].InstantiatesAll = true;
}

void NarrowFinder::addNeeds(size_t Compile, Asking Who, SiteMap &Into) {
  const CompileFiles In = H.compile(Compile);
  std::vector<FileNumber> Own = sitesIn(In);
  auto isMain = [&In](FileNumber File) {
    return std::find(In.Mains.begin(), In.Mains.end(), File) != In.Mains.end();
  };
  CompileChanges Given = Changes[Compile];
  if (Who == Asking::Headers)
    std::erase_if(Own, isMain);
  if (Who == Asking::Sources) {
    for (FileNumber File : Own) {
      const auto Header = Into.find(File);
      if (isMain(File) || Header == Into.end())
        continue;
      const auto give = [File](const std::set<FileNumber> &Parts,
                               IncludeChanges &Changed) {
        for (FileNumber Part : Parts)
          Changed.Added.push_back({File, Part});
      };
      if (Header->second.NeedsAll)
        return;
      give(Header->second.Needed, Given.All);
      give(Header->second.Instantiated, Given.InTrace);
    }
    Own = In.Mains;
  }
  // What an umbrella before led to is no way any more.
  const FileSet Otherwise = reachedAfter(Given.All, In, Ways::All, WithoutIt);
  if (Own.empty() || Otherwise.contains(Umbrella))
    return;
  std::set<FileNumber> Needed, Instantiated;
  const bool IsPart =
      findNeeded(In, Otherwise, /*WithSources=*/true, Who, Needed);
  const bool IsPartOfTrace =
      findNeeded(In, reachedAfter(Given.InTrace, In, Ways::Recorded, WithoutIt),
                 /*WithSources=*/false, Who, Instantiated);
  for (FileNumber File : Own) {
    const bool IsNew = !includesIt(File);
    if (IsNew && IsPart && Needed.empty())
      continue;
    IncludeSite &Site = Into[File];
    Site.IsNew = IsNew;
    Site.Needed.insert(Needed.begin(), Needed.end());
    Site.Instantiated.insert(Instantiated.begin(), Instantiated.end());
    if (IsNew) {
      if (!IsPart)
        Site.Needed.insert(Umbrella);
      if (!IsPartOfTrace)
        Site.Instantiated.insert(Umbrella);
      continue;
    }
    Site.NeedsAll |= !IsPart;
    Site.InstantiatesAll |= !IsPartOfTrace;
    if (H.isSystem(Umbrella))
      addNamed(File, Site.Needed);
  }
}

bool NarrowFinder::includesIt(FileNumber File) {
  const std::vector<FileNumber> &Included = H.includes(File, Ways::All);
  return std::binary_search(Included.begin(), Included.end(), Umbrella);
}

/// What a file names itself it includes itself, where that is cheap: another
/// library may not have it in what else is included.
void NarrowFinder::addNamed(FileNumber File, std::set<FileNumber> &Needed) {
  NeededWords Words(H, Contents);
  Words.add(File);
  for (FileNumber Declared : Words.wanted({}))
    if (const UmbrellaPart *P = Contents.cheapest(Declared);
        P && P->Ns * CheapPart < WholeNs)
      Needed.insert(P->File);
}

std::vector<FileNumber> NarrowFinder::sitesIn(const CompileFiles &In) {
  std::vector<FileNumber> Sites;
  for (FileNumber File : In.Files)
    if (WithoutIt(File, Umbrella) && includesIt(File))
      Sites.push_back(File);
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
                              const SiteMap &Sites, CompileChanges &Before) {
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
  Contents.Parts.clear();
  if (H.isSystem(File)) {
    FileSet Seen;
    addParts(File, MostPartLevels, Seen);
  } else {
    addOwnParts();
  }
  if (Contents.Parts.size() < FewestParts)
    return false;
  std::stable_sort(
      Contents.Parts.begin(), Contents.Parts.end(),
      [](const UmbrellaPart &A, const UmbrellaPart &B) { return A.Ns < B.Ns; });
  Contents.Below = H.closure(File, Ways::All);
  WholeNs = nsIn(Contents.Below);
  Contents.indexWords(H);
  IsCompletePart.clear();
  // Changed are the program's own files that are no part of it.
  WithoutIt = [this](FileNumber Includer, FileNumber Included) {
    return Included == Umbrella && !H.isSystem(Includer) &&
           !Contents.Below.contains(Includer);
  };
  return true;
}

/// What all compiles save, and by groups of files, the one that saves most
/// first. If there is one, what is changed for it is from now on.
NarrowFinder::Narrowed NarrowFinder::narrow(Providing For) {
  SiteMap Sites;
  if (For == Providing::All) {
    addSites(Asking::All, Sites);
  } else {
    addSites(Asking::Headers, Sites);
    addSites(Asking::Sources, Sites);
  }
  std::map<std::pair<bool, std::vector<FileNumber>>, SiteGroup> Groups;
  std::map<FileNumber, SiteGroup *> GroupOf;
  for (const auto &[File, Site] : Sites) {
    if (Site.NeedsAll)
      continue;
    SiteGroup &G = Groups[{Site.IsNew, without(Site.Needed)}];
    G.Sites.push_back(File);
    G.IsNew = G.IsChanged = Site.IsNew;
    GroupOf[File] = &G;
  }
  Narrowed Found;
  auto &After = Found.After;
  for (size_t Number = 0; Number != H.compileCount(); ++Number) {
    if (!H.isRead(Number, Umbrella))
      continue;
    const CompileFiles In = H.compile(Number);
    std::vector<FileNumber> Own = sitesIn(In);
    for (FileNumber File : In.Mains)
      if (auto Site = Sites.find(File);
          Site != Sites.end() && Site->second.IsNew)
        Own.push_back(File);
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
    for (FileNumber File : Own)
      if (auto G = GroupOf.find(File); G != GroupOf.end())
        G->second->IsChanged = true;
    ++Changed->second->Compiles;
    Changed->second->Saves += Saves;
    Found.HasSources = Found.HasSources && H.hasSource(Own.front());
  }
  for (auto &[Key, G] : Groups)
    if (G.IsChanged && Found.Sum.EstimateNs != 0)
      Found.Ranked.emplace_back(Key.second, std::move(G));
  std::stable_sort(
      Found.Ranked.begin(), Found.Ranked.end(), [](auto &A, auto &B) {
        return A.second.Saves.EstimateNs > B.second.Saves.EstimateNs;
      });
  return Found;
}

/// Whether it saves nearly as much to take the system headers that no compile
/// needs out of the program's umbrella.
bool NarrowFinder::isRemovalEnough(const Narrowed &Found) {
  if (H.isSystem(Umbrella))
    return false;
  FileSet IsNeeded;
  for (const auto &[Number, With] : Found.After) {
    const CompileFiles In = H.compile(Number);
    const FileSet Kept = reachedAfter(With.All, In, Ways::All);
    for (FileNumber File : In.Files)
      if (Kept.contains(File))
        IsNeeded.insert(File);
  }
  auto isForNobody = [&](FileNumber Includer, FileNumber Included) {
    return Includer == Umbrella && H.isSystem(Included) &&
           !IsNeeded.contains(Included);
  };
  uint64_t Ns = 0;
  for (const auto &[Number, With] : Found.After) {
    const CompileFiles In = H.compile(Number);
    const IncludeChanges &Before = Changes[Number].All;
    const uint64_t WasNs =
        HeaderFacts::nsWithout(In, reachedAfter(Before, In, Ways::All));
    Ns += HeaderFacts::nsWithout(
              In, reachedAfter(Before, In, Ways::All, isForNobody)) -
          WasNs;
  }
  return double(Found.Sum.EstimateNs) < RemovalGain * double(Ns);
}

void NarrowFinder::follow(const std::string &Subject) {
  if (auto Known = Made.find(Subject); Known != Made.end())
    for (const auto &[Compile, Each] : Known->second)
      H.follow(Compile, Each);
}

/// 0: its source is not there.
uint32_t NarrowFinder::editLine(FileNumber Site, bool IsNew) {
  if (!IsNew)
    return H.includeLine(Site, Umbrella);
  const SourceScan *Scan = H.scan(Site);
  return Scan && !Scan->Includes.empty() ? Scan->Includes.front().LineNo : 0;
}

void NarrowFinder::addGroups(const Narrowed &Found, Suggestion &S) {
  uint64_t Others = 0, OtherNs = 0, Sources = 0;
  for (size_t I = 0; I != Found.Ranked.size(); ++I) {
    const auto &[Needed, G] = Found.Ranked[I];
    if (G.IsNew)
      Sources += G.Sites.size();
    if (G.Compiles == 0)
      continue;
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
  if (Sources != 0)
    S.count(Sources, "sources have to include themselves what they use", {},
            EvidenceKey::NewIncluder)
        .one("source has to include itself what it uses");
}

void NarrowFinder::suggest(FileNumber File, const Candidate &Row,
                           Suggestions &Into) {
  if (!enter(File))
    return;
  Narrowed Found = narrow(Providing::All);
  Narrowed Smaller = narrow(Providing::Headers);
  if (double(Smaller.Sum.EstimateNs) >
      GainPerEdits * double(Found.Sum.EstimateNs))
    Found = std::move(Smaller);
  if (Found.Ranked.empty() || isRemovalEnough(Found))
    return;
  auto &Each = Made[H.path(File)];
  std::vector<CompileChange> Changed;
  for (auto &[Number, With] : Found.After) {
    const CompileFiles In = H.compile(Number);
    Changed.push_back(H.change(Number, In,
                               reachedAfter(Changes[Number].All, In, Ways::All),
                               reachedAfter(With.All, In, Ways::All)));
    Changes[Number] = std::move(With);
    Each.emplace_back(Number, Changes[Number].All);
  }
  FileNumber First = Found.Ranked.front().second.Sites.front();
  Suggestion &S = Into.emplace_back(Suggestion{
      RowName::fromText(H.path(File)), H.includePlace(First, File), Found.Sum});
  S.count(Row.Compiles, "compiles include it, which takes them", Row.WholeNs)
      .one("compile includes it, which takes it");
  addGroups(Found, S);
  if (Found.HasSources)
    S.Compiles = std::move(Changed);
  S.Snippet = snippet(Found.Ranked);
  for (const auto &[Needed, G] : Found.Ranked)
    for (FileNumber Site : G.Sites)
      if (const uint32_t LineNo = editLine(Site, G.IsNew)) {
        std::string Lines;
        for (FileNumber Part : Needed)
          Lines += "#include " + partName(Site, Part) + "\n";
        S.Change.Edits.push_back(
            {H.path(Site), LineNo, std::move(Lines), /*KeepsLine=*/G.IsNew});
      }
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
  Umbrellas.resize(std::min(Umbrellas.size(), MostUmbrellas));
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
