/// \file
/// Advice: headers that a target's compiles read again and again, to be
/// precompiled once.
///
/// Flow:   HeaderFacts, session of each compile -> [advisePrecompile] ->
///         AdviceFinder
///
/// Where reading goes from the program's own files into a system header is a
/// *boundary*; what is read there, with all that it includes and has
/// instantiated at once, is what a precompiled header takes the place of; late
/// bodies that it asks for as well, if made with -fpch-instantiate-templates,
/// but not what LLVM does for them. A header of the program itself is a
/// boundary as well, by what it saves. The target's compiles that do not read
/// it would load it, and compile again when it changes, which the evidence
/// says. One outside the folder of the target's sources that others read as
/// well, such as a library's that its tests read, counts as a system header.
///
/// Fires for the compiles of one target (same Clang and standard, so that one
/// precompiled header can serve them) without a precompiled header so far, with
/// headers that enough of them read. Targets of CMake that are compiled with
/// the same options, such as tests of one file, share one where that saves more
/// than one for each: those of one folder, or, if CMake says that one call in
/// the project makes them, all that it makes. Headers that another one leads to
/// are not listed, nor those that are internal to their library, nor what
/// another suggestion has nobody read. A compile that defines a macro which the
/// headers ask for, before it includes them, would get others: it is left out.
/// So is one in which they would make a name ambiguous.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/BuildTarget.h"
#include "utils/analysis/advice/CompileProduct.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/IncludeNames.h"
#include "utils/analysis/advice/PrecompileSnippet.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

using namespace instantrace;

namespace {

/// With fewer there is little to share.
constexpr size_t FewestCompiles = 3;
constexpr size_t MostHeaders = 16, HeadersShown = 5, TargetsShown = 5;
/// One that takes less than 1 / LeastShare of all is not worth a line.
constexpr uint64_t LeastShare = 100;
/// Of what reading the headers took, what reading the precompiled one takes. It
/// was not measured by itself: the savings that it leads to are beside those of
/// whole builds in docs/measurements/advice.md.
constexpr double LoadShare = 0.15;
/// With headers of the target itself so much more is saved.
constexpr double OwnGain = 1.25;
/// Targets that share nothing but their options have to save that part of the
/// build.
constexpr double LeastOfTied = 0.02;
/// And so much more than with one for each, which is a line.
constexpr double SharedGain = 1.1;

/// Read at a boundary.
struct Boundary {
  uint64_t Compiles = 0;
  uint64_t Ns = 0; ///< in all of them
};

/// A header, what is read at it, and all files that it leads to, itself too, on
/// the ways of all compiles: with a guard, the first to include a file has it.
struct Listed {
  FileNumber File;
  const Boundary *Read;
  size_t Readers; ///< compiles
  FileSet Below;
};

/// Whoever names a header that is internal to its library depends on what the
/// next version of that has somewhere else. One is made to be precompiled.
bool isToBeNamed(std::string_view Path) {
  return !isInternalPath(Path) || includeName(Path) == "bits/stdc++.h";
}

/// Leaves out those that another one leads to: they are precompiled with it.
/// The least costly goes first, so that of two that lead to each other one
/// stays; what it leads to, so does the one that it goes for.
void dropBrought(std::vector<Listed> &Headers) {
  for (size_t Index = Headers.size(); Index-- != 0;) {
    FileNumber File = Headers[Index].File;
    bool IsBrought =
        std::any_of(Headers.begin(), Headers.end(), [File](const Listed &L) {
          return L.File != File && L.Below.contains(File);
        });
    if (IsBrought)
      Headers.erase(Headers.begin() + static_cast<std::ptrdiff_t>(Index));
  }
}

/// Target, or options; Clang; standard.
using GroupKey = std::tuple<std::string, std::string, std::string>;

struct CompileGroup {
  std::set<std::string> Targets;     ///< CMake's, or one of Meson
  const GroupKey *Options = nullptr; ///< null: not all have the same
  bool IsMeson = false;
  bool HasImports = false; ///< the standard has header units
  /// Of CMake, its sources by compile; empty: not known.
  std::map<size_t, std::string> Sources;
  std::vector<size_t> Compiles;
  std::string BuildFolder; ///< for CMake
  std::string Folder;      ///< to which CMake's paths of the first are relative
  std::set<std::string> Objects;   ///< folders, of CMake
  const CMakeCall *Call = nullptr; ///< that makes all of them, and more

  /// CMake does by default, and so do the commands that we show.
  bool instantiatesInHeader() const { return !IsMeson; }
  /// Its object library has no source in C, and -fPIC where programs have
  /// -fPIE.
  bool canShare() const {
    return Options && !Targets.empty() && !IsMeson &&
           std::get<0>(*Options).find("\n-fPIE\n") == std::string::npos &&
           !hasCSources(Objects);
  }
  /// Of other targets with the same options.
  void add(const CompileGroup &More) {
    Targets.insert(More.Targets.begin(), More.Targets.end());
    Sources.insert(More.Sources.begin(), More.Sources.end());
    Compiles.insert(Compiles.end(), More.Compiles.begin(), More.Compiles.end());
    Objects.insert(More.Objects.begin(), More.Objects.end());
  }
  /// Those who do not read it load it, too.
  bool saves(size_t Readers) const {
    return double(Readers) * (1 - LoadShare) >
           1 + double(Compiles.size() - Readers) * LoadShare;
  }
};

/// What all compiles of a group spend on some headers and all below, each
/// nanosecond once.
struct ReadingCosts {
  uint64_t SelfNs = 0, Ns = 0;
  uint64_t LateNs = 0;   ///< part of Ns: of bodies that they ask for
  uint64_t MakingNs = 0; ///< the precompiled header
  double OthersNs = 0;   ///< of loading what a compile does not read

  double loadNs() const { return LoadShare * double(Ns) + OthersNs; }
  uint64_t without(double LessNs) const {
    const double Rest = double(Ns) - LessNs - double(MakingNs);
    return static_cast<uint64_t>(std::max(Rest, 0.0));
  }
  uint64_t savedNs() const { return without(loadNs()); }
};

/// Headers for a group.
struct Choice {
  std::map<FileNumber, Boundary> Boundaries;
  /// By file: those that it includes.
  std::unordered_map<FileNumber, std::unordered_set<FileNumber>> Includes;
  std::vector<Listed> Headers; ///< most costly first
  ReadingCosts Sum;
  size_t LeftOut = 0; ///< headers that are not worth a line
  uint64_t OwnNs = 0; ///< what the target's own would save yet

  FileSet below(FileNumber File) const {
    static const std::unordered_set<FileNumber> Nothing;
    return closureOf(File, [this](FileNumber Includer) -> const auto & {
      auto Inner = Includes.find(Includer);
      return Inner == Includes.end() ? Nothing : Inner->second;
    });
  }
  bool isBelow(FileNumber File) const {
    return std::any_of(Headers.begin(), Headers.end(), [File](const Listed &L) {
      return L.Below.contains(File);
    });
  }
};

GroupKey keyOf(const TraceSession &S, std::string First) {
  return {std::move(First), S.ClangVersion, S.LanguageStandard};
}

/// What the session says of one that has no precompiled header.
struct CompileSetup {
  BuildTarget Target;
  GroupKey ByTarget, ByOptions;
  std::string Source, Objects;
  bool HasPrecompiled = false;
  uint64_t TotalNs = 0;
};

class PrecompileFinder final : public ReadingOf<std::optional<CompileSetup>> {
public:
  explicit PrecompileFinder(AdviceFacts &F)
      : ReadingOf(AdviceReading::First), F(F), H(F.headers()) {}
  Suggestions take() override;

protected:
  void read(const AdviceUnit &U,
            std::optional<CompileSetup> &Into) const override;
  void merge(std::optional<CompileSetup> Setup, const Trace &T) override;

private:
  /// What is kept of one.
  struct KnownSetup {
    size_t Compile;
    const BuildTarget *Target;
    const GroupKey *ByTarget, *ByOptions;
    std::string Source;         ///< as CMake's call for the target names it
    const std::string *Objects; ///< the target's folder
  };
  enum class Scope { Others, Own }; ///< with the target's own headers
  void addTo(std::map<GroupKey, CompileGroup> &Groups, KnownSetup Setup) const;

  using ReaderCounts = std::unordered_map<FileNumber, size_t>; ///< compiles
  Choice choose(const CompileGroup &Group, Scope Wanted,
                const ReaderCounts &ReadersOf) const;
  Choice bestChoice(const CompileGroup &Group) const;
  bool isOwnChoice(const CompileFiles::Reading &I) const;
  bool isOfOthers(FileNumber File, const CompileGroup &Group,
                  size_t Readers) const;
  void readBoundaries(const CompileGroup &Group, Scope Wanted,
                      const ReaderCounts &ReadersOf, Choice &Into) const;
  void addTouch(const CompileGroup &Group, const Choice &Chosen,
                Suggestion &S) const;
  ReadingCosts costsOf(const CompileGroup &Group, const Choice &Chosen) const;
  bool asksForMacro(size_t Compile, const Choice &Chosen) const;
  bool hasAmbiguousName(size_t Compile, const Choice &Chosen) const;
  std::string written(FileNumber File, const CompileGroup &Group) const;
  void suggest(CompileGroup Group, Suggestions &Into) const;
  uint64_t worthNs(const Suggestions &Found) const;
  bool leadsIntoBuild(const CompileGroup &Group, const Choice &Chosen) const;
  void addLibraries(const std::vector<Listed> &Headers, Suggestion &S) const;
  void addCMakeLines(const CompileGroup &Group,
                     const std::vector<std::string> &Includes,
                     const std::vector<size_t> &Others, Suggestion &S) const;
  const CMakeTargets *cmakeTargets(const CompileGroup &Group) const {
    return F.Spec.CMake && !Group.Objects.empty()
               ? F.Spec.CMake(*Group.Objects.begin())
               : nullptr;
  }
  GroupKey findCall(CompileGroup &Group) const;

  AdviceFacts &F;
  HeaderFacts &H;
  std::vector<uint64_t> TotalNs; ///< by compile
  // Compiles have most of them in common.
  std::set<GroupKey> Keys;
  std::set<BuildTarget> Targets;
  std::set<std::string> Folders;
  std::vector<KnownSetup> Setups;
  std::set<GroupKey> WithPrecompiled; ///< targets
};

void PrecompileFinder::read(const AdviceUnit &U,
                            std::optional<CompileSetup> &Into) const {
  const std::optional<TraceSession> &Session = U.S.Session;
  if (!Session || productOf(U.S) == CompileProduct::Header)
    return;
  BuildTarget Target = targetOf(Session->Object);
  GroupKey ByTarget = keyOf(*Session, Target.Name);
  // One call for all of them stands where they are made.
  std::string Objects =
      cmakeObjects(Session->WorkingDirectory, Session->Object);
  Into = {
      std::move(Target),
      std::move(ByTarget),
      keyOf(*Session, cmakeBuildFolder(Objects) + "\n" + optionsOf(*Session)),
      cmakeSource(Session->Object),
      std::move(Objects),
      !Session->PchInputs.empty(),
      U.Costs.TotalNs};
}

void PrecompileFinder::merge(std::optional<CompileSetup> Setup, const Trace &) {
  const size_t Compile = TotalNs.size();
  TotalNs.push_back(Setup ? Setup->TotalNs : 0);
  if (!Setup)
    return;
  if (Setup->HasPrecompiled) {
    WithPrecompiled.insert(std::move(Setup->ByTarget));
    return;
  }
  Setups.push_back({Compile, &*Targets.insert(std::move(Setup->Target)).first,
                    &*Keys.insert(std::move(Setup->ByTarget)).first,
                    &*Keys.insert(std::move(Setup->ByOptions)).first,
                    std::move(Setup->Source),
                    &*Folders.insert(std::move(Setup->Objects)).first});
}

void PrecompileFinder::addTo(std::map<GroupKey, CompileGroup> &Groups,
                             KnownSetup Setup) const {
  const BuildTarget &Target = *Setup.Target;
  auto [Known, IsNew] = Groups.try_emplace(*Setup.ByTarget);
  CompileGroup &Group = Known->second;
  if (IsNew)
    Group.Options = Setup.ByOptions;
  else if (Group.Options != Setup.ByOptions)
    Group.Options = nullptr;
  Group.IsMeson = Target.IsMeson;
  Group.HasImports = hasImports(std::get<2>(*Setup.ByTarget));
  Group.Compiles.push_back(Setup.Compile);
  if (Target.Name.empty())
    return;
  Group.Targets.insert(Target.Name);
  Group.BuildFolder = cmakeBuildFolder(*Setup.Objects);
  const std::vector<CompileFiles::Reading> Read = H.readings(Setup.Compile);
  if (Target.IsMeson || Setup.Source.empty() || Read.empty())
    return;
  const std::string &Input = H.path(Read.front().File);
  std::string_view Below = Setup.Source;
  while (Below.starts_with("../"))
    Below.remove_prefix(3);
  if (!Input.ends_with("/" + std::string(Below)))
    return;
  if (Below.size() == Setup.Source.size())
    Group.Folder = Input.substr(0, Input.size() - Below.size());
  Group.Sources.emplace(Setup.Compile, std::move(Setup.Source));
  Group.Objects.insert(*Setup.Objects);
}

/// Whether its headers read a file that the build makes.
bool PrecompileFinder::leadsIntoBuild(const CompileGroup &Group,
                                      const Choice &Chosen) const {
  std::set<std::string> Folders;
  for (const std::string &Each : Group.Objects)
    Folders.insert(cmakeBuildFolder(Each) + "/");
  for (FileNumber File = 0; File != H.fileCount(); ++File)
    if (std::any_of(Folders.begin(), Folders.end(),
                    [&](const std::string &Folder) {
                      return H.path(File).starts_with(Folder);
                    }) &&
        Chosen.isBelow(File))
      return true;
  return false;
}

/// A header of the program itself that may be precompiled.
bool PrecompileFinder::isOwnChoice(const CompileFiles::Reading &I) const {
  const SourceScan *Scan = I.Includer == NoFile ? nullptr : H.scan(I.File);
  if (!Scan || !H.isPublic(I.File))
    return false;
  return Scan->HasGuard || (!Scan->HasCode && !Scan->Includes.empty());
}

/// Whether it belongs to another target, which changes it for its own reasons.
bool PrecompileFinder::isOfOthers(FileNumber File, const CompileGroup &Group,
                                  size_t Readers) const {
  if (Group.Sources.empty())
    return false;
  std::string Folder;
  for (const auto &[Compile, Source] : Group.Sources) {
    const std::string &Main = H.path(H.readings(Compile).front().File);
    if (Folder.empty())
      Folder = Main.substr(0, Main.rfind('/') + 1);
    while (!Main.starts_with(Folder))
      Folder.resize(
          Folder.size() < 2 ? 0 : Folder.rfind('/', Folder.size() - 2) + 1);
  }
  if (H.path(File).starts_with(Folder))
    return false;
  size_t AllReaders = 0;
  for (size_t Compile = 0; Compile != H.compileCount(); ++Compile)
    AllReaders += H.isRead(Compile, File);
  return AllReaders > Readers;
}

void PrecompileFinder::readBoundaries(const CompileGroup &Group, Scope Wanted,
                                      const ReaderCounts &ReadersOf,
                                      Choice &Into) const {
  for (size_t Compile : Group.Compiles) {
    FileSet BoundariesHere;
    const std::vector<CompileFiles::Reading> Read = H.readings(Compile);
    std::vector<FileNumber> BoundaryOf(Read.size(), NoFile);
    std::vector<bool> IsCut(Read.size());
    for (size_t Index = 0; Index != Read.size(); ++Index) {
      const CompileFiles::Reading &I = Read[Index];
      const FileNumber Outer =
          I.Around == NoReading ? NoFile : BoundaryOf[I.Around];
      // What else leads to a file in a library's that goes is not in the trace.
      const bool IsInCut = I.Around != NoReading && IsCut[I.Around];
      const bool IsUnneeded = H.isUnneeded(Compile, I.File);
      IsCut[Index] = IsInCut || (IsUnneeded && H.isSystem(I.File));
      if (IsCut[Index] || IsUnneeded) {
        if (Outer != NoFile && !IsInCut)
          Into.Boundaries[Outer].Ns -= I.WholeNs;
        continue;
      }
      BoundaryOf[Index] = Outer;
      if (BoundaryOf[Index] != NoFile) {
        Into.Includes[Read[I.Around].File].insert(I.File);
      } else if (I.IsOfSystem ||
                 (Group.saves(ReadersOf.at(I.File)) && isOwnChoice(I) &&
                  (Wanted == Scope::Own ||
                   isOfOthers(I.File, Group, ReadersOf.at(I.File))))) {
        BoundaryOf[Index] = I.File;
        Boundary &Row = Into.Boundaries[I.File];
        Row.Ns += I.WholeNs;
        Row.Compiles += BoundariesHere.insert(I.File);
      }
    }
  }
}

Choice PrecompileFinder::choose(const CompileGroup &Group, Scope Wanted,
                                const ReaderCounts &ReadersOf) const {
  Choice Chosen;
  readBoundaries(Group, Wanted, ReadersOf, Chosen);
  std::vector<Listed> &Headers = Chosen.Headers;
  for (const auto &[File, Row] : Chosen.Boundaries)
    if (size_t Readers = ReadersOf.at(File);
        Group.saves(Readers) && isToBeNamed(H.path(File)) &&
        !(H.isSystem(File) && written(File, Group).starts_with('/')))
      Headers.push_back({File, &Row, Readers, Chosen.below(File)});
  std::sort(Headers.begin(), Headers.end(),
            [&](const Listed &A, const Listed &B) {
              return A.Read->Ns != B.Read->Ns ? A.Read->Ns > B.Read->Ns
                                              : H.path(A.File) < H.path(B.File);
            });
  dropBrought(Headers);
  const size_t Found = Headers.size();
  uint64_t ListedNs = 0;
  for (const Listed &L : Headers)
    ListedNs += L.Read->Ns;
  std::erase_if(Headers, [ListedNs](const Listed &L) {
    return L.Read->Ns < ListedNs / LeastShare;
  });
  Headers.resize(std::min(Headers.size(), MostHeaders));
  Chosen.LeftOut = Found - Headers.size();
  Chosen.Sum = costsOf(Group, Chosen);
  return Chosen;
}

/// System headers alone, unless the target's own save so much more that making
/// the precompiled header again after each change is worth it.
Choice PrecompileFinder::bestChoice(const CompileGroup &Group) const {
  ReaderCounts ReadersOf;
  for (size_t Compile : Group.Compiles) {
    FileSet ReadHere;
    for (const CompileFiles::Reading &I : H.readings(Compile))
      if (!H.isUnneeded(Compile, I.File))
        ReadersOf[I.File] += ReadHere.insert(I.File);
  }
  Choice OfOthers = choose(Group, Scope::Others, ReadersOf);
  Choice WithOwn = choose(Group, Scope::Own, ReadersOf);
  const uint64_t OthersNs = OfOthers.Sum.savedNs(),
                 OwnNs = WithOwn.Sum.savedNs();
  if (double(OwnNs) >= OwnGain * double(OthersNs))
    return WithOwn;
  OfOthers.OwnNs = OwnNs - std::min(OwnNs, OthersNs);
  return OfOthers;
}

ReadingCosts PrecompileFinder::costsOf(const CompileGroup &Group,
                                       const Choice &Chosen) const {
  ReadingCosts Sum;
  for (size_t Compile : Group.Compiles) {
    const std::vector<CompileFiles::Reading> Read = H.readings(Compile);
    std::vector<bool> IsIn(Read.size());
    uint64_t Ns = 0;
    for (size_t Index = 0; Index != Read.size(); ++Index) {
      const CompileFiles::Reading &I = Read[Index];
      bool IsInside = I.Around != NoReading && IsIn[I.Around];
      if (H.isUnneeded(Compile, I.File)) {
        Ns -= IsInside ? I.WholeNs : 0;
        continue;
      }
      IsIn[Index] = IsInside || Chosen.isBelow(I.File);
      if (!IsIn[Index])
        continue;
      Sum.SelfNs += I.OwnNs;
      Ns += IsInside ? 0 : I.WholeNs;
      if (Group.instantiatesInHeader()) {
        Sum.LateNs += I.LateNs;
        Ns += I.LateNs;
      }
    }
    Sum.Ns += Ns;
    Sum.MakingNs = std::max(Sum.MakingNs, Ns);
  }
  double EachOnceNs = 0; // where no compile reads them all
  for (const Listed &L : Chosen.Headers) {
    const double MeanNs = double(L.Read->Ns) / double(L.Read->Compiles);
    EachOnceNs += MeanNs;
    Sum.OthersNs +=
        double(Group.Compiles.size() - L.Readers) * LoadShare * MeanNs;
  }
  Sum.MakingNs = std::max(Sum.MakingNs, static_cast<uint64_t>(EachOnceNs));
  return Sum;
}

/// Whether its main file defines a macro before it includes one of the headers,
/// in which that macro is mentioned.
bool PrecompileFinder::asksForMacro(size_t Compile,
                                    const Choice &Chosen) const {
  const std::vector<CompileFiles::Reading> Read = H.readings(Compile);
  const SourceScan *Main = Read.empty() ? nullptr : H.scan(Read.front().File);
  if (!Main || Main->Macros.empty())
    return false;
  // Of each file that is read, the line of the main file that leads to it.
  std::vector<uint32_t> Lines(Read.size());
  for (size_t Index = 1; Index != Read.size(); ++Index) {
    const CompileFiles::Reading &I = Read[Index];
    Lines[Index] =
        I.Around == NoReading || I.Around == 0 ? I.LineNo : Lines[I.Around];
    auto Include = std::find_if(
        Main->Includes.begin(), Main->Includes.end(),
        [&](const SourceScan::Include &W) { return W.LineNo == Lines[Index]; });
    if (Include == Main->Includes.end() || !Chosen.isBelow(I.File))
      continue;
    FileSet Macros;
    for (uint32_t Each = 0; Each != Include->MacrosBefore; ++Each)
      Macros.insert(Main->Macros[Each]);
    if (Include->MacrosBefore != 0 &&
        H.mentioned(I.File, Macros, /*ByDefinition=*/false))
      return true;
  }
  return false;
}

/// Whether a global name of its main file is also in a namespace that this
/// uses, by a header that it does not read so far: then it means neither.
bool PrecompileFinder::hasAmbiguousName(size_t Compile,
                                        const Choice &Chosen) const {
  const std::vector<CompileFiles::Reading> Read = H.readings(Compile);
  const SourceScan *Main = Read.empty() ? nullptr : H.scan(Read.front().File);
  if (!Main || !Main->usesNamespace())
    return false;
  std::unordered_set<uint32_t> Mentioned;
  for (const SourceScan::Mention &M : Main->Mentions)
    if (!M.IsQualified && !M.IsMember && !M.IsDeclarator)
      Mentioned.insert(M.Word);
  // By word: where `using` has it from, or no word.
  std::unordered_map<uint32_t, uint32_t> Names;
  for (const auto *Declared : {&Main->Declarations, &Main->Internal})
    for (const SourceScan::Declaration &D : *Declared) {
      if ((D.IsInNamespace && Declared != &Main->Internal) ||
          !Mentioned.contains(D.Word))
        continue;
      uint32_t &Scope = Names.emplace(D.Word, UINT32_MAX).first->second;
      for (uint32_t I = D.FirstMention; D.IsAlias && I < D.EndMention; ++I)
        if (Main->Mentions[I].Word == D.Word)
          Scope = Main->Mentions[I].Qualifier;
    }
  auto has = [](const std::vector<uint32_t> &Namespaces, uint32_t Word) {
    return std::find(Namespaces.begin(), Namespaces.end(), Word) !=
           Namespaces.end();
  };
  auto isMadeAmbiguous = [&](const SourceScan &Header) {
    return std::any_of(
               Main->UsedNamespaces.begin(), Main->UsedNamespaces.end(),
               [&](uint32_t Used) { return has(Header.Namespaces, Used); }) &&
           std::any_of(Header.Declarations.begin(), Header.Declarations.end(),
                       [&](const SourceScan::Declaration &D) {
                         auto Known = Names.find(D.Word);
                         return D.IsInNamespace && Known != Names.end() &&
                                !has(Header.Namespaces, Known->second);
                       });
  };
  for (FileNumber File = 0; !Names.empty() && File != H.fileCount(); ++File)
    if (!H.isRead(Compile, File) && Chosen.isBelow(File))
      if (const SourceScan *Scan = H.scan(File); Scan && isMadeAmbiguous(*Scan))
        return true;
  return false;
}

/// As a precompiled header names it: "<vector>", or a path without brackets.
std::string PrecompileFinder::written(FileNumber File,
                                      const CompileGroup &Group) const {
  const std::string &Path = H.path(File);
  if (std::string Name = H.includedAs(File);
      H.isSystem(File) && !Name.starts_with('/'))
    return "<" + Name + ">";
  // Where the source names it from where it stands itself, nobody else can.
  for (size_t Compile : Group.Compiles)
    for (const CompileFiles::Reading &I : H.readings(Compile)) {
      if (I.File != File || I.Includer == NoFile)
        continue;
      const std::string Name = H.spelling(I.Includer, File);
      const std::filesystem::path Includer(H.path(I.Includer));
      if ((Includer.parent_path() / Name).lexically_normal() != Path)
        return "<" + Name + ">";
    }
  if (Group.Folder.empty())
    return Path;
  return std::filesystem::path(Path).lexically_relative(Group.Folder).string();
}

std::string subjectOf(const CompileGroup &Group, bool HasOwn) {
  std::string Headers = HasOwn ? "headers" : "system headers";
  if (Group.Targets.empty())
    return Headers;
  if (Group.Targets.size() == 1)
    return Headers + " of target " + *Group.Targets.begin();
  Headers += " of " + std::to_string(Group.Targets.size()) + " targets";
  if (!Group.Call)
    return Headers + " with the same options";
  return Headers + " that " +
         (Group.Call->Function.empty() ? "one call"
                                       : Group.Call->Function + "()") +
         " makes";
}

/// Whose headers they are, where they are of several libraries: one may be
/// worth it by itself, or be one's own to change.
void PrecompileFinder::addLibraries(const std::vector<Listed> &Headers,
                                    Suggestion &S) const {
  struct Library {
    std::string Name;
    uint64_t Headers = 0, Ns = 0;
  };
  std::map<std::string, Library> ByName;
  for (const Listed &L : Headers) {
    std::string Name = libraryOf(H.path(L.File));
    Library &Sum = ByName[Name];
    Sum.Name = Name.empty() ? "(no library)" : Name;
    ++Sum.Headers;
    Sum.Ns += L.Read->Ns;
  }
  if (ByName.size() < 2)
    return;
  std::vector<Library> Libraries;
  for (auto &[Name, Sum] : ByName)
    Libraries.push_back(std::move(Sum));
  std::stable_sort(
      Libraries.begin(), Libraries.end(),
      [](const Library &A, const Library &B) { return A.Ns > B.Ns; });
  Libraries.resize(std::min(Libraries.size(), HeadersShown));
  for (const Library &L : Libraries)
    S.count(L.Headers, "of them of the library", L.Ns).name(L.Name);
}

void PrecompileFinder::suggest(CompileGroup Group, Suggestions &Into) const {
  if (Group.Compiles.size() < FewestCompiles)
    return;
  Choice Chosen = bestChoice(Group);
  std::vector<size_t> Others;
  size_t Ambiguous = 0;
  // With fewer compiles, other headers may be worth it.
  while (true) {
    auto Asking = std::stable_partition(
        Group.Compiles.begin(), Group.Compiles.end(),
        [&](size_t Compile) { return !asksForMacro(Compile, Chosen); });
    auto Unclear = std::stable_partition(
        Group.Compiles.begin(), Asking,
        [&](size_t Compile) { return !hasAmbiguousName(Compile, Chosen); });
    if (Unclear == Group.Compiles.end())
      break;
    Ambiguous += static_cast<size_t>(Asking - Unclear);
    Others.insert(Others.end(), Unclear, Group.Compiles.end());
    Group.Compiles.erase(Unclear, Group.Compiles.end());
    if (Group.Compiles.size() < FewestCompiles)
      return;
    Chosen = bestChoice(Group);
  }
  // CMake alone can leave out a source.
  if (!Others.empty() &&
      Group.Sources.size() != Group.Compiles.size() + Others.size())
    return;
  const std::vector<Listed> &Headers = Chosen.Headers;
  if (Headers.empty() ||
      (Group.Targets.size() > 1 && leadsIntoBuild(Group, Chosen)))
    return;
  const ReadingCosts &Sum = Chosen.Sum;
  const double CertainNs = double(Sum.SelfNs) * (1 - LoadShare) - Sum.OthersNs;
  const Saving Saves = {Sum.without(double(Sum.Ns) - CertainNs), Sum.savedNs(),
                        Sum.without(0)};
  if (Group.Targets.size() > 1 &&
      double(Saves.EstimateNs) < LeastOfTied * double(F.TotalNs))
    return;
  const size_t Own = static_cast<size_t>(
      std::count_if(Headers.begin(), Headers.end(),
                    [&](const Listed &L) { return !H.isSystem(L.File); }));
  Suggestion &S = Into.emplace_back(
      Suggestion{RowName::fromText(subjectOf(Group, Own != 0)), {}, Saves});
  if (Group.Call)
    S.Place = Group.Call->path() + ":" + std::to_string(Group.Call->LineNo);
  S.count(Group.Compiles.size(),
          "compiles, which read some of these headers for", Sum.Ns - Sum.LateNs,
          EvidenceKey::Readers);
  if (Sum.LateNs != 0)
    S.count(Group.Compiles.size(),
            "compiles, which instantiate bodies for them at their end for",
            Sum.LateNs);
  std::vector<std::string> Includes;
  for (const Listed &L : Headers) {
    Includes.push_back(written(L.File, Group));
    S.Change.Precompiled.push_back(Includes.back().front() == '<'
                                       ? Includes.back()
                                       : '"' + H.path(L.File) + '"');
    if (Includes.size() <= HeadersShown)
      S.count(L.Read->Compiles, "compiles include", L.Read->Ns,
              EvidenceKey::Header)
          .one("compile includes")
          .name(Includes.back());
  }
  if (Headers.size() > HeadersShown)
    S.count(Headers.size() - HeadersShown,
            "further headers, in the lines below", {}, EvidenceKey::MoreHeaders)
        .one("further header, in the lines below");
  addLibraries(Headers, S);
  addTouch(Group, Chosen, S);
  if (F.isWorth(Chosen.OwnNs))
    S.count(1,
            "target's own headers, which each change of them would make "
            "again, are left out, and would save",
            Chosen.OwnNs);
  S.countIfAny(Chosen.LeftOut, "more that would save less and are left out",
               "more that would save less and is left out");
  S.countIfAny(Ambiguous,
               "compiles have a name that these headers have in a namespace "
               "which these compiles use, and are left out",
               "compile has a name that these headers have in a namespace "
               "which this compile uses, and is left out");
  S.countIfAny(Others.size() - Ambiguous,
               "compiles define a macro that these headers ask for, and are "
               "left out",
               "compile defines a macro that these headers ask for, and is "
               "left out");
  S.Change.Compiles = Group.Compiles;
  S.Change.IsInstantiatedInHeader = Group.instantiatesInHeader();
  if (Group.Targets.empty())
    S.Snippet = compilerSnippet(Includes);
  else if (Group.IsMeson)
    S.Snippet = mesonSnippet(*Group.Targets.begin(), Includes);
  else
    addCMakeLines(Group, Includes, Others, S);
  S.conclude(
      Group.HasImports && Own == 0
          ? "Precompile these headers once, and let all of these "
            "compiles use that instead of reading them; or make a header "
            "unit of each (clang++ -fmodule-header=system), and name it "
            "by -fmodule-file, which #include takes as well."
          : "Precompile these headers once, and let all of these "
            "compiles use that instead of reading them.",
      "the time in these headers and in all that they include, and in bodies "
      "that these ask for at the end of a unit, in all compiles; less that of "
      "one compile, which is what making the "
      "precompiled header takes, and 15 % for reading it",
      {"The compiles have to have the same options otherwise, as those of one "
       "target have.",
       "Making it comes before all of them: with many processors the clock "
       "gains less than the processors do."});
  if (Group.Call)
    S.Doubts.push_back("What a caller sets after the call, such as "
                       "CXX_STANDARD, the precompiled header does not have.");
  else if (Group.Targets.size() > 1 && !cmakeTargets(Group))
    S.Doubts.push_back(
        "If one function makes these targets, the lines can stand in it. For "
        "CMake to name it, make the file .cmake/api/v1/query/codemodel-v2 in "
        "the build folder, run cmake there, and advise again.");
  if (Own != 0)
    S.Doubts.push_back(
        "A change of one of the program's own headers makes it again, before "
        "all compiles of the target.");
}

void PrecompileFinder::addCMakeLines(const CompileGroup &Group,
                                     const std::vector<std::string> &Includes,
                                     const std::vector<size_t> &Others,
                                     Suggestion &S) const {
  const CMakeGroup For = {Group.Targets, Group.Objects, Group.Call};
  std::string Without;
  for (size_t Compile : Others)
    Without += "\nset_source_files_properties(" + Group.Sources.at(Compile) +
               " PROPERTIES SKIP_PRECOMPILE_HEADERS ON)";
  const std::string Place = Group.Call ? cmakePlace(*Group.Call) : "";
  const std::string Lines = cmakeSnippet(For, Includes) + Without;
  const std::string Short = cmakeSnippet(For, Includes, TargetsShown) + Without;
  S.Snippet = Place + Lines;
  if (Short != Lines)
    S.ShortSnippet = Place + Short;
  if (Group.Call)
    S.Change.CMakeEdit = cmakeEdit(*Group.Call, Lines);
  else
    S.Change.CMakeFolder = Group.BuildFolder;
}

/// What a change of one of the program's own headers costs from then on. Each
/// compile is shorter by the same share, which pays for making the precompiled
/// header.
void PrecompileFinder::addTouch(const CompileGroup &Group, const Choice &Chosen,
                                Suggestion &S) const {
  uint64_t Ns = 0;
  for (size_t Compile : Group.Compiles)
    Ns += TotalNs[Compile];
  const double Share =
      double(S.Saves.EstimateNs) / double(std::max<uint64_t>(Ns, 1));
  std::vector<FileNumber> Inside;
  for (FileNumber File = 0; File != H.fileCount(); ++File)
    if (!H.isSystem(File) &&
        std::any_of(Chosen.Headers.begin(), Chosen.Headers.end(),
                    [File](const Listed &L) { return L.Below.contains(File); }))
      Inside.push_back(File);
  for (size_t Compile : Group.Compiles)
    S.Compiles.push_back(
        {Compile,
         static_cast<uint64_t>(Share * double(TotalNs[Compile])),
         {},
         Inside});
  size_t Readers = Group.Compiles.size();
  for (const Listed &L : Chosen.Headers)
    if (!H.isSystem(L.File))
      Readers = std::min(Readers, L.Readers);
  const bool HasOwn =
      std::any_of(Chosen.Headers.begin(), Chosen.Headers.end(),
                  [&](const Listed &L) { return !H.isSystem(L.File); });
  if (!HasOwn)
    return;
  const uint64_t AfterNs = Ns - std::min(Ns, Chosen.Sum.savedNs());
  S.count(Group.Compiles.size(),
          "compiles are due after a change of a header of the program in it",
          AfterNs);
  S.countIfAny(Group.Compiles.size() - Readers,
               "of them are not due after each such change today",
               "of them is not due after each such change today");
}

/// What those save that are large enough to be shown.
uint64_t PrecompileFinder::worthNs(const Suggestions &Found) const {
  uint64_t Sum = 0;
  for (const Suggestion &S : Found)
    if (F.isWorth(S.Saves.EstimateNs))
      Sum += S.Saves.EstimateNs;
  return Sum;
}

/// Finds the call that makes the target; and by what it may share with others:
/// that call, or its folder.
GroupKey PrecompileFinder::findCall(CompileGroup &Group) const {
  GroupKey Key = *Group.Options;
  const CMakeTargets *Known = cmakeTargets(Group);
  if (!Known || !Known->contains(*Group.Targets.begin()))
    return Key;
  Group.Call = Known->at(*Group.Targets.begin());
  std::string &Options = std::get<0>(Key);
  Options.replace(0, Options.find('\n'),
                  Group.Call->Build + "\n" + Group.Call->File + ":" +
                      std::to_string(Group.Call->LineNo));
  return Key;
}

Suggestions PrecompileFinder::take() {
  std::map<GroupKey, CompileGroup> Groups;
  for (const KnownSetup &Each : Setups)
    addTo(Groups, Each);
  Suggestions All;
  std::map<GroupKey, std::vector<CompileGroup>> Found, Sharing;
  for (auto &[Key, Group] : Groups) {
    if (!Group.Targets.empty() && WithPrecompiled.contains(Key))
      continue;
    if (Group.canShare())
      Found[findCall(Group)].push_back(std::move(Group));
    else
      suggest(Group, All);
  }
  for (auto &[Key, Alike] : Found)
    for (CompileGroup &Group : Alike) {
      if (Alike.size() == 1)
        Group.Call = nullptr;
      Sharing[Group.Call ? Key : *Group.Options].push_back(std::move(Group));
    }
  for (const auto &[Key, Alike] : Sharing) {
    Suggestions OneEach, Shared;
    for (CompileGroup Group : Alike) {
      Group.Call = nullptr;
      suggest(std::move(Group), OneEach);
    }
    if (Alike.size() > 1) {
      CompileGroup Whole = Alike.front();
      for (size_t I = 1; I != Alike.size(); ++I)
        Whole.add(Alike[I]);
      if (Whole.Call)
        Whole.Folder = Whole.Call->Source + "/";
      suggest(std::move(Whole), Shared);
    }
    const bool IsBetter =
        double(worthNs(Shared)) > SharedGain * double(worthNs(OneEach));
    Suggestions &Better = IsBetter ? Shared : OneEach;
    std::move(Better.begin(), Better.end(), std::back_inserter(All));
  }
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::advisePrecompile(AdviceFacts &F) {
  return std::make_unique<PrecompileFinder>(F);
}
