/// \file
/// Advice: system headers that a target's compiles read again and again, to be
/// precompiled once.
///
/// Flow:   file inclusions of each compile -> [advisePrecompile] -> findAdvice
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
#include "utils/analysis/advice/AdviceFacts.h"
#include "utils/analysis/advice/IncludeNames.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
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

struct BuildTarget {
  std::string Name; ///< empty: none
  bool IsMeson = false;
};

/// Of the target's file, such as libx.so.1.2.
std::string mesonTarget(std::string_view File) {
  size_t Ending = std::min(File.find(".so."), File.size());
  for (std::string_view Of : {".a", ".so"})
    if (File.ends_with(Of))
      Ending = File.size() - Of.size();
  if (Ending == File.size() || Ending == 0)
    return std::string(File);
  std::string_view Name = File.substr(0, Ending);
  if (Name.starts_with("lib") && Name.size() > 3)
    Name.remove_prefix(3);
  return std::string(Name);
}

/// By the object's folder: CMake's has the name of the target, Meson's that of
/// its file.
BuildTarget targetOf(std::string_view Object) {
  constexpr std::string_view OfCMake = ".dir", OfMeson = ".p";
  BuildTarget Target;
  for (size_t At = 0; At < Object.size();) {
    size_t End = std::min(Object.find('/', At), Object.size());
    std::string_view Folder = Object.substr(At, End - At);
    bool IsLast = End == Object.size();
    auto isOf = [&](std::string_view Ending) {
      return !IsLast && Folder.size() > Ending.size() &&
             Folder.ends_with(Ending);
    };
    if (isOf(OfCMake))
      Target = {std::string(Folder.substr(0, Folder.size() - OfCMake.size())),
                false};
    else if (isOf(OfMeson))
      Target = {mesonTarget(Folder.substr(0, Folder.size() - OfMeson.size())),
                true};
    At = End + 1;
  }
  return Target;
}

/// Whether "gnu++20" is C++20 or later. Its digits are those of a year.
bool hasImports(std::string_view Standard) {
  size_t At = Standard.find("++");
  return At != Standard.npos && Standard.size() == At + 4 &&
         Standard[At + 2] == '2';
}

/// What has to be the same for one precompiled header; one to a line.
std::string optionsOf(const TraceSession &Session) {
  std::string Options;
  const std::vector<std::string> &Argv = Session.Argv;
  for (size_t I = 1; I < Argv.size(); ++I) {
    std::string_view Word = Argv[I];
    if (Word == "-o" || Word == "-MF" || Word == "-MT" || Word == "-MQ" ||
        Word == "-MJ")
      ++I; // and what it names
    else if (Word != "-c" && Word != Session.Input && !Word.starts_with("-M") &&
             !Word.starts_with("-W") && !Word.starts_with("-fplugin"))
      Options.append(Word).append("\n");
  }
  return Options;
}

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
  std::vector<uint32_t> Sequences;
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

class PrecompileFinder {
public:
  explicit PrecompileFinder(AdviceFacts &F) : F(F) {}

  /// Before any is added.
  void count(uint32_t Index);
  void add(uint32_t Index);
  std::vector<Suggestion> take();

private:
  /// Of all compiles, by its normal path.
  uint32_t fileOf(const Sequence &S, const Interval &I) {
    const Entity *E = S.entity(I.Entity);
    if (!E)
      return None;
    std::string Path = normalPath(S.Names.text(E->Name, PathBytes));
    auto [At, IsNew] =
        Numbers.try_emplace(Path, static_cast<uint32_t>(Paths.size()));
    if (IsNew)
      Paths.push_back(std::move(Path));
    return At->second;
  }
  static bool isSystemFile(const Sequence &S, const Interval &I) {
    const Entity *E = S.entity(I.Entity);
    auto First =
        E ? S.FirstInclusions.find(E->Name.Value) : S.FirstInclusions.end();
    const Inclusion *Entered =
        First == S.FirstInclusions.end() ? nullptr : S.inclusion(First->second);
    return Entered && Entered->IsSystem;
  }

  /// Calls \p Each for each file inclusion with its index, its file, and the
  /// index of the one around it.
  template <class Function> void forEachFile(const Sequence &S, Function Each) {
    std::vector<uint32_t> Around(S.Intervals.size(), None);
    for (uint32_t At = 0; At != Around.size(); ++At) {
      const Interval &I = S.Intervals[At];
      if (I.Parent)
        Around[At] =
            S.Intervals[I.Parent.Value].Kind == EventKind::FileInclusion
                ? I.Parent.Value
                : Around[I.Parent.Value];
      if (I.Kind == EventKind::FileInclusion)
        if (uint32_t File = fileOf(S, I); File != None)
          Each(At, File, Around[At]);
    }
  }

  struct Reading {
    uint64_t SelfNs = 0, Ns = 0;
  };
  /// What a compile spends on files of a set, each nanosecond once.
  Reading readingOf(uint32_t Index, const std::unordered_set<uint32_t> &Files);
  void suggest(const CompileGroup &Group, std::vector<Suggestion> &Into);
  void addLibraries(const std::vector<Listed> &Headers, Suggestion &S) const;

  AdviceFacts &F;
  std::map<std::string, uint32_t> Numbers;
  std::vector<std::string> Paths;
  /// Target or, of small ones, options; Clang; standard.
  using GroupKey = std::tuple<std::string, std::string, std::string>;
  static GroupKey keyOf(const TraceSession &S, std::string First) {
    return {std::move(First), S.ClangVersion, S.LanguageStandard};
  }
  std::map<GroupKey, size_t> CompilesOf;
  std::map<GroupKey, CompileGroup> Groups;
};

void PrecompileFinder::count(uint32_t Index) {
  const std::optional<TraceSession> &Session = F.Compiles[Index].S->Session;
  if (Session && Session->PchInputs.empty())
    ++CompilesOf[keyOf(*Session, targetOf(Session->Object).Name)];
}

void PrecompileFinder::add(uint32_t Index) {
  const CompileFacts &C = F.Compiles[Index];
  const Sequence &S = *C.S;
  if (!S.Session || !S.Session->PchInputs.empty())
    return;
  BuildTarget Target = targetOf(S.Session->Object);
  GroupKey Key = keyOf(*S.Session, Target.Name);
  if (!Target.Name.empty() && !Target.IsMeson &&
      CompilesOf[Key] < FewestCompiles)
    Key = keyOf(*S.Session, "options\n" + optionsOf(*S.Session));
  CompileGroup &Group = Groups[Key];
  Group.IsMeson = Target.IsMeson;
  Group.HasImports = hasImports(S.Session->LanguageStandard);
  if (!Target.Name.empty())
    Group.Targets.insert(std::move(Target.Name));
  Group.Sequences.push_back(Index);
  std::unordered_set<uint32_t> ReadHere, BoundariesHere;
  std::vector<uint32_t> BoundaryOf(S.Intervals.size(), None); // a file
  std::vector<uint32_t> FileOf(S.Intervals.size(), None);
  forEachFile(S, [&](uint32_t At, uint32_t File, uint32_t Around) {
    if (ReadHere.insert(File).second)
      ++Group.ReadersOf[File];
    FileOf[At] = File;
    if (Around != None)
      BoundaryOf[At] = BoundaryOf[Around];
    // The main file, which nobody includes, is not a system header.
    bool IsBoundary = BoundaryOf[At] == None && S.Intervals[At].Location &&
                      isSystemFile(S, S.Intervals[At]);
    if (IsBoundary) {
      BoundaryOf[At] = File;
      Boundary &Row = Group.Boundaries[File];
      Row.Ns += C.InclusiveNs[At];
      Row.Compiles += BoundariesHere.insert(File).second;
    }
    if (BoundaryOf[At] != None && !IsBoundary)
      Group.Includes[FileOf[Around]].insert(File);
  });
}

PrecompileFinder::Reading
PrecompileFinder::readingOf(uint32_t Index,
                            const std::unordered_set<uint32_t> &Files) {
  const CompileFacts &C = F.Compiles[Index];
  Reading Sum;
  std::vector<bool> IsIn(C.S->Intervals.size());
  forEachFile(*C.S, [&](uint32_t At, uint32_t File, uint32_t Around) {
    bool IsInside = Around != None && IsIn[Around];
    IsIn[At] = IsInside || Files.contains(File);
    if (!IsIn[At])
      return;
    Sum.SelfNs += C.SelfNs[At];
    Sum.Ns += IsInside ? 0 : C.InclusiveNs[At];
  });
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
  if (Group.Sequences.size() < FewestCompiles)
    return;
  std::vector<Listed> Headers;
  for (const auto &[File, Row] : Group.Boundaries)
    if (2 * Group.ReadersOf.at(File) >= Group.Sequences.size() &&
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
  for (uint32_t Index : Group.Sequences) {
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
                        Group.Sequences.size(),
                        Sum.Ns});
  std::vector<std::string> Includes;
  for (const Listed &Of : Headers) {
    Includes.push_back(includeName(Paths[Of.File]));
    if (Includes.size() <= HeadersShown)
      S.Evidence.push_back({"compiles include",
                            RowName::fromText("<" + Includes.back() + ">"),
                            {},
                            Of.Read->Compiles,
                            Of.Read->Ns,
                            "compile includes"});
  }
  if (Headers.size() > HeadersShown)
    S.Evidence.push_back({"further headers, in the lines below",
                          {},
                          {},
                          Headers.size() - HeadersShown,
                          {},
                          "further header, in the lines below"});
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
  std::vector<Suggestion> Suggestions;
  for (const auto &[Key, Group] : Groups)
    suggest(Group, Suggestions);
  return Suggestions;
}

} // namespace

std::vector<Suggestion> instantrace::advisePrecompile(AdviceFacts &F) {
  PrecompileFinder Finder(F);
  for (uint32_t Index = 0; Index != F.Compiles.size(); ++Index)
    Finder.count(Index);
  for (uint32_t Index = 0; Index != F.Compiles.size(); ++Index)
    Finder.add(Index);
  return Finder.take();
}
