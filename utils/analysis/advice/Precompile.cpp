/// \file
/// Advice: system headers that a target's compiles read again and again, to be
/// precompiled once.
///
/// Flow:   file inclusions of each compile -> [advisePrecompile] ->
///         AdviceFinder
///
/// Where reading goes from the program's own files into a system header is a
/// *boundary*; what is read there, with all that it includes and has
/// instantiated at once, is what a precompiled header takes the place of. Late
/// bodies stay. Headers of the program itself are left out: each change of one
/// would compile all units again.
///
/// Fires for the compiles of one target (same Clang and standard, so that one
/// precompiled header can serve them) without a precompiled header so far, with
/// headers that at least half of them read. Targets with fewer compiles than
/// are worth it, such as tests of one file, are taken together where they are
/// compiled with the same options, but for Meson's, each of which would make
/// one of its own. Headers that another one leads to are not listed, nor those
/// that are internal to their library.
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/BuildTarget.h"
#include "utils/analysis/advice/CompileProduct.h"
#include "utils/analysis/advice/IncludeNames.h"
#include "utils/analysis/advice/PackedNumbers.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <cstddef>
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
constexpr size_t MostHeaders = 16, HeadersShown = 5;
/// One that takes less than 1 / LeastShare of all is not worth a line.
constexpr uint64_t LeastShare = 100;
/// Of what reading the headers took, what reading the precompiled one takes. It
/// was not measured by itself: the savings that it leads to are beside those of
/// whole builds in docs/measurements/record.md.
constexpr double LoadShare = 0.15;
constexpr uint32_t None = UINT32_MAX;

/// Read at a boundary.
struct Boundary {
  uint64_t Compiles = 0;
  uint64_t Ns = 0; ///< in all of them
};

/// A header, what is read at it, and all files that it leads to, itself too, on
/// the ways of all compiles: with a guard, the first to include a file has it.
struct Listed {
  uint32_t File;
  const Boundary *Read;
  std::unordered_set<uint32_t> Below;
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
  for (size_t At = Headers.size(); At-- != 0;) {
    uint32_t File = Headers[At].File;
    bool IsBrought =
        std::any_of(Headers.begin(), Headers.end(), [File](const Listed &By) {
          return By.File != File && By.Below.contains(File);
        });
    if (IsBrought)
      Headers.erase(Headers.begin() + static_cast<std::ptrdiff_t>(At));
  }
}

struct CompileGroup {
  std::set<std::string> Targets; ///< CMake's, or one of Meson
  bool IsMeson = false;
  bool HasImports = false; ///< the standard has header units
  std::vector<uint32_t> Compiles;
  std::map<uint32_t, Boundary> Boundaries;          ///< by file
  std::unordered_map<uint32_t, uint64_t> ReadersOf; ///< by file: compiles
  /// By file: those that it includes.
  std::unordered_map<uint32_t, std::unordered_set<uint32_t>> Includes;

  std::unordered_set<uint32_t> below(uint32_t File) const;
};

std::unordered_set<uint32_t> CompileGroup::below(uint32_t File) const {
  std::unordered_set<uint32_t> Reached{File};
  std::vector<uint32_t> Open{File};
  while (!Open.empty()) {
    auto Inner = Includes.find(Open.back());
    Open.pop_back();
    if (Inner == Includes.end())
      continue;
    for (uint32_t Next : Inner->second)
      if (Reached.insert(Next).second)
        Open.push_back(Next);
  }
  return Reached;
}

/// Target or, of small ones, options; Clang; standard.
using GroupKey = std::tuple<std::string, std::string, std::string>;

GroupKey keyOf(const TraceSession &S, std::string First) {
  return {std::move(First), S.ClangVersion, S.LanguageStandard};
}

/// A file inclusion.
struct ReadFile {
  uint32_t File;
  uint32_t Around; ///< the one that it is in, of the same list; or None
  bool IsOfSystem; ///< and included by something
  uint64_t SelfNs, Ns;
};

/// One that has no precompiled header.
struct ReadCompile {
  BuildTarget Target;
  GroupKey ByTarget, ByOptions;
  std::vector<std::string> Paths; ///< by file
  std::vector<ReadFile> Read;
};

class PrecompileFinder final : public ReadingOf<std::optional<ReadCompile>> {
public:
  PrecompileFinder() : ReadingOf(AdviceReading::First) {}
  std::vector<Suggestion> take() override;

protected:
  void read(const AdviceUnit &U,
            std::optional<ReadCompile> &Into) const override;
  void merge(std::optional<ReadCompile> Of, const Trace &T) override;

private:
  /// What is kept of one.
  struct KnownCompile {
    const BuildTarget *Target;
    const GroupKey *ByTarget, *ByOptions;
    uint64_t Inclusions = 0;
    PackedNumbers Read;
  };
  static std::vector<ReadFile> readOf(const KnownCompile &C);
  void group(uint32_t Index);

  struct Reading {
    uint64_t SelfNs = 0, Ns = 0;
  };
  /// What a compile spends on files of a set, each nanosecond once.
  Reading readingOf(uint32_t Index,
                    const std::unordered_set<uint32_t> &Files) const;
  void suggest(const CompileGroup &Group, std::vector<Suggestion> &Into);
  void addLibraries(const std::vector<Listed> &Headers, Suggestion &S) const;

  std::map<std::string, uint32_t> Numbers;
  std::vector<std::string> Paths;
  // Compiles have most of them in common.
  std::set<GroupKey> Keys;
  std::set<BuildTarget> Targets;
  std::vector<KnownCompile> Compiles;
  std::map<GroupKey, size_t> CompilesOf;
  std::map<GroupKey, CompileGroup> Groups;
};

bool isSystemFile(const Sequence &S, const Entity &File) {
  auto First = S.FirstInclusions.find(File.Name.Value);
  const Inclusion *Entered =
      First == S.FirstInclusions.end() ? nullptr : S.inclusion(First->second);
  return Entered && Entered->IsSystem;
}

void PrecompileFinder::read(const AdviceUnit &U,
                            std::optional<ReadCompile> &Into) const {
  const Sequence &S = U.S;
  if (!S.Session || !S.Session->PchInputs.empty() ||
      productOf(S) == CompileProduct::Header)
    return;
  ReadCompile &C = Into.emplace();
  C.Target = targetOf(S.Session->Object);
  C.ByTarget = keyOf(*S.Session, C.Target.Name);
  C.ByOptions = keyOf(*S.Session, "options\n" + optionsOf(*S.Session));
  std::unordered_map<uint32_t, uint32_t> FileOf; // by name
  std::unordered_map<std::string, uint32_t> ByPath;
  // By interval: the inclusion that it is, or is in.
  std::vector<uint32_t> Innermost(S.Intervals.size(), None);
  for (uint32_t At = 0; At != Innermost.size(); ++At) {
    const Interval &I = S.Intervals[At];
    uint32_t Around = I.Parent ? Innermost[I.Parent.Value] : None;
    if (I.Kind != EventKind::FileInclusion) {
      Innermost[At] = Around;
      continue;
    }
    const Entity *E = S.entity(I.Entity);
    if (!E)
      continue;
    auto [File, IsNew] = FileOf.try_emplace(E->Name.Value, 0);
    if (IsNew) {
      std::string Path = normalPath(S.Names.text(E->Name, PathBytes));
      auto [Known, IsNewPath] = ByPath.try_emplace(
          std::move(Path), static_cast<uint32_t>(C.Paths.size()));
      if (IsNewPath)
        C.Paths.push_back(Known->first);
      File->second = Known->second;
    }
    Innermost[At] = static_cast<uint32_t>(C.Read.size());
    // The main file, which nobody includes, is not a system header.
    C.Read.push_back({File->second, Around, I.Location && isSystemFile(S, *E),
                      U.Costs.SelfNs[At], U.Costs.InclusiveNs[At]});
  }
}

void PrecompileFinder::merge(std::optional<ReadCompile> Of, const Trace &) {
  if (!Of)
    return;
  KnownCompile &C = Compiles.emplace_back();
  C.Target = &*Targets.insert(std::move(Of->Target)).first;
  C.ByTarget = &*Keys.insert(std::move(Of->ByTarget)).first;
  C.ByOptions = &*Keys.insert(std::move(Of->ByOptions)).first;
  ++CompilesOf[*C.ByTarget];
  std::vector<uint32_t> Known;
  for (std::string &Path : Of->Paths) {
    auto [At, IsNew] =
        Numbers.try_emplace(Path, static_cast<uint32_t>(Paths.size()));
    if (IsNew)
      Paths.push_back(std::move(Path));
    Known.push_back(At->second);
  }
  C.Inclusions = Of->Read.size();
  for (uint32_t At = 0; At != Of->Read.size(); ++At) {
    const ReadFile &I = Of->Read[At];
    C.Read.add(uint64_t(Known[I.File]) << 1 | uint64_t(I.IsOfSystem));
    C.Read.add(I.Around == None ? 0 : At - I.Around);
    C.Read.add(I.SelfNs);
    C.Read.add(I.Ns);
  }
  C.Read.shrink();
}

std::vector<ReadFile> PrecompileFinder::readOf(const KnownCompile &C) {
  std::vector<ReadFile> Read(C.Inclusions);
  PackedNumbers::Reader From(C.Read);
  for (uint32_t At = 0; At != Read.size(); ++At) {
    uint32_t File = From.next32(), Back = From.next32();
    uint64_t SelfNs = From.next(), Ns = From.next();
    Read[At] = {File >> 1, Back == 0 ? None : At - Back, (File & 1) != 0,
                SelfNs, Ns};
  }
  return Read;
}

void PrecompileFinder::group(uint32_t Index) {
  const KnownCompile &C = Compiles[Index];
  const BuildTarget &Target = *C.Target;
  const GroupKey &Key = !Target.Name.empty() && !Target.IsMeson &&
                                CompilesOf[*C.ByTarget] < FewestCompiles
                            ? *C.ByOptions
                            : *C.ByTarget;
  CompileGroup &Group = Groups[Key];
  Group.IsMeson = Target.IsMeson;
  Group.HasImports = hasImports(std::get<2>(Key));
  if (!Target.Name.empty())
    Group.Targets.insert(Target.Name);
  Group.Compiles.push_back(Index);
  std::unordered_set<uint32_t> ReadHere, BoundariesHere;
  std::vector<ReadFile> Read = readOf(C);
  std::vector<uint32_t> BoundaryOf(Read.size(), None); // a file
  for (uint32_t At = 0; At != Read.size(); ++At) {
    const ReadFile &I = Read[At];
    if (ReadHere.insert(I.File).second)
      ++Group.ReadersOf[I.File];
    if (I.Around != None)
      BoundaryOf[At] = BoundaryOf[I.Around];
    bool IsBoundary = BoundaryOf[At] == None && I.IsOfSystem;
    if (IsBoundary) {
      BoundaryOf[At] = I.File;
      Boundary &Row = Group.Boundaries[I.File];
      Row.Ns += I.Ns;
      Row.Compiles += BoundariesHere.insert(I.File).second;
    }
    if (BoundaryOf[At] != None && !IsBoundary)
      Group.Includes[Read[I.Around].File].insert(I.File);
  }
}

PrecompileFinder::Reading
PrecompileFinder::readingOf(uint32_t Index,
                            const std::unordered_set<uint32_t> &Files) const {
  Reading Sum;
  std::vector<ReadFile> Read = readOf(Compiles[Index]);
  std::vector<bool> IsIn(Read.size());
  for (uint32_t At = 0; At != Read.size(); ++At) {
    const ReadFile &I = Read[At];
    bool IsInside = I.Around != None && IsIn[I.Around];
    IsIn[At] = IsInside || Files.contains(I.File);
    if (!IsIn[At])
      continue;
    Sum.SelfNs += I.SelfNs;
    Sum.Ns += IsInside ? 0 : I.Ns;
  }
  return Sum;
}

std::string linesOf(const std::vector<std::string> &Includes) {
  std::string Text;
  for (const std::string &Include : Includes)
    Text += "\n#include <" + Include + ">";
  return Text;
}

/// Meson wants it in a folder of its own, and sources are not to include it.
std::string mesonSnippet(const std::string &Target,
                         const std::vector<std::string> &Includes) {
  std::string Header = "pch/" + Target + "_pch.hpp";
  return "// " + Header + ", beside the meson.build of " + Target +
         ", whose call there gets\n//   cpp_pch: '" + Header + "'" +
         linesOf(Includes);
}

std::string snippetFor(const CompileGroup &Group,
                       const std::vector<std::string> &Includes) {
  constexpr size_t LineBytes = 76;
  const std::set<std::string> &Targets = Group.Targets;
  if (Group.IsMeson)
    return mesonSnippet(*Targets.begin(), Includes);
  std::string Text;
  if (!Targets.empty()) {
    Text = "target_precompile_headers(" + *Targets.begin() + " PRIVATE";
    for (const std::string &Include : Includes)
      Text += "\n  <" + Include + ">";
    Text += ")";
    if (Targets.size() == 1)
      return Text;
    std::string Line = "foreach(Target";
    for (auto At = std::next(Targets.begin()); At != Targets.end(); ++At) {
      if (Line.size() + At->size() > LineBytes) {
        Text += "\n" + Line;
        Line = " ";
      }
      Line += " " + *At;
    }
    return Text + "\n" + Line +
           ")\n  target_precompile_headers(${Target} REUSE_FROM " +
           *Targets.begin() + ")\nendforeach()";
  }
  Text = "// pch.h; once: clang++ OPTIONS -x c++-header pch.h -o pch.h.pch\n"
         "// then each compile: clang++ OPTIONS -include-pch pch.h.pch ...";
  return Text + linesOf(Includes);
}

std::string subjectOf(const std::set<std::string> &Targets) {
  if (Targets.empty())
    return "system headers";
  if (Targets.size() == 1)
    return "system headers of target " + *Targets.begin();
  return "system headers of " + std::to_string(Targets.size()) +
         " targets with the same options";
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
  for (const Listed &Of : Headers) {
    std::string Name = libraryOf(Paths[Of.File]);
    Library &Sum = ByName[Name];
    Sum.Name = Name.empty() ? "(no library)" : Name;
    ++Sum.Headers;
    Sum.Ns += Of.Read->Ns;
  }
  if (ByName.size() < 2)
    return;
  std::vector<Library> Libraries;
  for (auto &[Name, Of] : ByName)
    Libraries.push_back(std::move(Of));
  std::stable_sort(
      Libraries.begin(), Libraries.end(),
      [](const Library &A, const Library &B) { return A.Ns > B.Ns; });
  Libraries.resize(std::min(Libraries.size(), HeadersShown));
  for (const Library &Of : Libraries)
    S.Evidence.push_back({"of them of the library",
                          RowName::fromText(Of.Name),
                          {},
                          Of.Headers,
                          Of.Ns});
}

void PrecompileFinder::suggest(const CompileGroup &Group,
                               std::vector<Suggestion> &Into) {
  if (Group.Compiles.size() < FewestCompiles)
    return;
  std::vector<Listed> Headers;
  for (const auto &[File, Row] : Group.Boundaries)
    if (2 * Group.ReadersOf.at(File) >= Group.Compiles.size() &&
        isToBeNamed(Paths[File]))
      Headers.push_back({File, &Row, Group.below(File)});
  std::sort(Headers.begin(), Headers.end(),
            [&](const Listed &A, const Listed &B) {
              return A.Read->Ns != B.Read->Ns ? A.Read->Ns > B.Read->Ns
                                              : Paths[A.File] < Paths[B.File];
            });
  dropBrought(Headers);
  size_t Found = Headers.size();
  uint64_t ListedNs = 0;
  for (const Listed &Of : Headers)
    ListedNs += Of.Read->Ns;
  std::erase_if(Headers, [ListedNs](const Listed &Of) {
    return Of.Read->Ns < ListedNs / LeastShare;
  });
  Headers.resize(std::min(Headers.size(), MostHeaders));
  if (Headers.empty())
    return;
  std::unordered_set<uint32_t> Files;
  for (const Listed &Of : Headers)
    Files.insert(Of.Below.begin(), Of.Below.end());
  Reading Sum;
  uint64_t LongestNs = 0;
  for (uint32_t Index : Group.Compiles) {
    Reading Here = readingOf(Index, Files);
    Sum.SelfNs += Here.SelfNs;
    Sum.Ns += Here.Ns;
    LongestNs = std::max(LongestNs, Here.Ns);
  }
  auto without = [LongestNs](double Ns) {
    auto Whole = static_cast<uint64_t>(Ns);
    return Whole > LongestNs ? Whole - LongestNs : 0;
  };
  Suggestion &S = Into.emplace_back();
  S.Subject = RowName::fromText(subjectOf(Group.Targets));
  S.Saves.LeastNs = without(double(Sum.SelfNs) * (1 - LoadShare));
  S.Saves.EstimateNs = without(double(Sum.Ns) * (1 - LoadShare));
  S.Saves.MostNs = without(double(Sum.Ns));
  S.Evidence.push_back({"compiles, which read these headers for",
                        {},
                        {},
                        Group.Compiles.size(),
                        Sum.Ns,
                        {},
                        EvidenceKey::Readers});
  std::vector<std::string> Includes;
  for (const Listed &Of : Headers) {
    Includes.push_back(includeName(Paths[Of.File]));
    if (Includes.size() <= HeadersShown)
      S.Evidence.push_back({"compiles include",
                            RowName::fromText("<" + Includes.back() + ">"),
                            {},
                            Of.Read->Compiles,
                            Of.Read->Ns,
                            "compile includes",
                            EvidenceKey::Header});
  }
  if (Headers.size() > HeadersShown)
    S.Evidence.push_back({"further headers, in the lines below",
                          {},
                          {},
                          Headers.size() - HeadersShown,
                          {},
                          "further header, in the lines below",
                          EvidenceKey::MoreHeaders});
  addLibraries(Headers, S);
  if (Found > Headers.size())
    S.Evidence.push_back({"more that would save less and are left out",
                          {},
                          {},
                          Found - Headers.size(),
                          {}});
  S.Action =
      Group.HasImports
          ? "Precompile these headers once, and let all of these "
            "compiles use that instead of reading them; or make a header "
            "unit of each (clang++ -fmodule-header=system), and name it "
            "by -fmodule-file, which #include takes as well."
          : "Precompile these headers once, and let all of these "
            "compiles use that instead of reading them.";
  S.Snippet = snippetFor(Group, Includes);
  S.Basis = "the time in these headers and in all that they include, in all "
            "compiles; less that of one compile, which is what making the "
            "precompiled header takes, and 15 % for reading it";
  S.Doubts.push_back("The compiles have to have the same options otherwise, as "
                     "those of one target have.");
  S.Doubts.push_back("Making it comes before all of them: with many processors "
                     "the clock gains less than the processors do.");
}

std::vector<Suggestion> PrecompileFinder::take() {
  for (uint32_t Index = 0; Index != Compiles.size(); ++Index)
    group(Index);
  std::vector<Suggestion> Suggestions;
  for (const auto &[Key, Group] : Groups)
    suggest(Group, Suggestions);
  return Suggestions;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::advisePrecompile(AdviceFacts &) {
  return std::make_unique<PrecompileFinder>();
}
