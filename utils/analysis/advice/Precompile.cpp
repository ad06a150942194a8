/// \file
/// Advice: system headers that a target's compiles read again and again, to be
/// precompiled once.
///
/// Flow:   HeaderFacts, session of each compile -> [advisePrecompile] ->
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
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/IncludeNames.h"
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
  for (size_t At = Headers.size(); At-- != 0;) {
    FileNumber File = Headers[At].File;
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
  std::vector<size_t> Compiles;
  std::map<FileNumber, Boundary> Boundaries;
  std::unordered_map<FileNumber, uint64_t> ReadersOf; ///< compiles
  /// By file: those that it includes.
  std::unordered_map<FileNumber, std::unordered_set<FileNumber>> Includes;

  FileSet below(FileNumber File) const {
    static const std::unordered_set<FileNumber> Nothing;
    return closureOf(File, [this](FileNumber From) -> const auto & {
      auto Inner = Includes.find(From);
      return Inner == Includes.end() ? Nothing : Inner->second;
    });
  }
};

/// Target or, of small ones, options; Clang; standard.
using GroupKey = std::tuple<std::string, std::string, std::string>;

GroupKey keyOf(const TraceSession &S, std::string First) {
  return {std::move(First), S.ClangVersion, S.LanguageStandard};
}

/// What the session says of one that has no precompiled header.
struct CompileSetup {
  BuildTarget Target;
  GroupKey ByTarget, ByOptions;
};

class PrecompileFinder final : public ReadingOf<std::optional<CompileSetup>> {
public:
  explicit PrecompileFinder(AdviceFacts &F)
      : ReadingOf(AdviceReading::First), H(F.headers()) {}
  Suggestions take() override;

protected:
  void read(const AdviceUnit &U,
            std::optional<CompileSetup> &Into) const override;
  void merge(std::optional<CompileSetup> Of, const Trace &T) override;

private:
  /// What is kept of one.
  struct KnownSetup {
    size_t Compile;
    const BuildTarget *Target;
    const GroupKey *ByTarget, *ByOptions;
  };
  CompileGroup &groupOf(const KnownSetup &Of);
  void addTo(CompileGroup &Group, size_t Compile) const;

  struct Reading {
    uint64_t SelfNs = 0, Ns = 0, LongestNs = 0;
  };
  std::vector<Listed> headersOf(const CompileGroup &Group) const;
  Reading readingOf(const CompileGroup &Group,
                    const std::vector<Listed> &Headers) const;
  void suggest(const CompileGroup &Group, Suggestions &Into) const;
  void addLibraries(const std::vector<Listed> &Headers, Suggestion &S) const;

  HeaderFacts &H;
  size_t Compiles = 0;
  // Compiles have most of them in common.
  std::set<GroupKey> Keys;
  std::set<BuildTarget> Targets;
  std::vector<KnownSetup> Setups;
  std::map<GroupKey, size_t> CompilesOf;
  std::map<GroupKey, CompileGroup> Groups;
};

void PrecompileFinder::read(const AdviceUnit &U,
                            std::optional<CompileSetup> &Into) const {
  const std::optional<TraceSession> &Session = U.S.Session;
  if (!Session || !Session->PchInputs.empty() ||
      productOf(U.S) == CompileProduct::Header)
    return;
  BuildTarget Target = targetOf(Session->Object);
  GroupKey ByTarget = keyOf(*Session, Target.Name);
  Into = {std::move(Target), std::move(ByTarget),
          keyOf(*Session, "options\n" + optionsOf(*Session))};
}

void PrecompileFinder::merge(std::optional<CompileSetup> Of, const Trace &) {
  size_t Compile = Compiles++;
  if (!Of)
    return;
  Setups.push_back({Compile, &*Targets.insert(std::move(Of->Target)).first,
                    &*Keys.insert(std::move(Of->ByTarget)).first,
                    &*Keys.insert(std::move(Of->ByOptions)).first});
  ++CompilesOf[*Setups.back().ByTarget];
}

CompileGroup &PrecompileFinder::groupOf(const KnownSetup &Of) {
  const BuildTarget &Target = *Of.Target;
  const GroupKey &Key = !Target.Name.empty() && !Target.IsMeson &&
                                CompilesOf[*Of.ByTarget] < FewestCompiles
                            ? *Of.ByOptions
                            : *Of.ByTarget;
  CompileGroup &Group = Groups[Key];
  Group.IsMeson = Target.IsMeson;
  Group.HasImports = hasImports(std::get<2>(Key));
  if (!Target.Name.empty())
    Group.Targets.insert(Target.Name);
  return Group;
}

void PrecompileFinder::addTo(CompileGroup &Group, size_t Compile) const {
  Group.Compiles.push_back(Compile);
  FileSet ReadHere, BoundariesHere;
  const std::vector<CompileFiles::Reading> Read = H.readings(Compile);
  std::vector<FileNumber> BoundaryOf(Read.size(), NoFile);
  for (size_t At = 0; At != Read.size(); ++At) {
    const CompileFiles::Reading &I = Read[At];
    Group.ReadersOf[I.File] += ReadHere.insert(I.File);
    if (I.Around != NoReading)
      BoundaryOf[At] = BoundaryOf[I.Around];
    if (BoundaryOf[At] != NoFile) {
      Group.Includes[Read[I.Around].File].insert(I.File);
    } else if (I.IsOfSystem) {
      BoundaryOf[At] = I.File;
      Boundary &Row = Group.Boundaries[I.File];
      Row.Ns += I.WholeNs;
      Row.Compiles += BoundariesHere.insert(I.File);
    }
  }
}

/// Those worth a line, most costly first.
std::vector<Listed>
PrecompileFinder::headersOf(const CompileGroup &Group) const {
  std::vector<Listed> Headers;
  for (const auto &[File, Row] : Group.Boundaries)
    if (2 * Group.ReadersOf.at(File) >= Group.Compiles.size() &&
        isToBeNamed(H.path(File)))
      Headers.push_back({File, &Row, Group.below(File)});
  std::sort(Headers.begin(), Headers.end(),
            [&](const Listed &A, const Listed &B) {
              return A.Read->Ns != B.Read->Ns ? A.Read->Ns > B.Read->Ns
                                              : H.path(A.File) < H.path(B.File);
            });
  dropBrought(Headers);
  return Headers;
}

/// What all spend on the headers and all below, each nanosecond once.
PrecompileFinder::Reading
PrecompileFinder::readingOf(const CompileGroup &Group,
                            const std::vector<Listed> &Headers) const {
  Reading Sum;
  for (size_t Compile : Group.Compiles) {
    const std::vector<CompileFiles::Reading> Read = H.readings(Compile);
    std::vector<bool> IsIn(Read.size());
    uint64_t Ns = 0;
    for (size_t At = 0; At != Read.size(); ++At) {
      const CompileFiles::Reading &I = Read[At];
      bool IsInside = I.Around != NoReading && IsIn[I.Around];
      IsIn[At] = IsInside || std::any_of(Headers.begin(), Headers.end(),
                                         [&I](const Listed &Of) {
                                           return Of.Below.contains(I.File);
                                         });
      if (!IsIn[At])
        continue;
      Sum.SelfNs += I.OwnNs;
      Ns += IsInside ? 0 : I.WholeNs;
    }
    Sum.Ns += Ns;
    Sum.LongestNs = std::max(Sum.LongestNs, Ns);
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
    std::string Name = libraryOf(H.path(Of.File));
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
    S.count(Of.Headers, "of them of the library", Of.Ns).name(Of.Name);
}

void PrecompileFinder::suggest(const CompileGroup &Group,
                               Suggestions &Into) const {
  if (Group.Compiles.size() < FewestCompiles)
    return;
  std::vector<Listed> Headers = headersOf(Group);
  const size_t Found = Headers.size();
  uint64_t ListedNs = 0;
  for (const Listed &Of : Headers)
    ListedNs += Of.Read->Ns;
  std::erase_if(Headers, [ListedNs](const Listed &Of) {
    return Of.Read->Ns < ListedNs / LeastShare;
  });
  Headers.resize(std::min(Headers.size(), MostHeaders));
  if (Headers.empty())
    return;
  const Reading Sum = readingOf(Group, Headers);
  auto without = [&Sum](double Ns) {
    auto Whole = static_cast<uint64_t>(Ns);
    return Whole > Sum.LongestNs ? Whole - Sum.LongestNs : 0;
  };
  Suggestion &S = Into.emplace_back(Suggestion{
      RowName::fromText(subjectOf(Group.Targets)),
      {},
      {without(double(Sum.SelfNs) * (1 - LoadShare)),
       without(double(Sum.Ns) * (1 - LoadShare)), without(double(Sum.Ns))}});
  S.count(Group.Compiles.size(), "compiles, which read these headers for",
          Sum.Ns, EvidenceKey::Readers);
  std::vector<std::string> Includes;
  for (const Listed &Of : Headers) {
    Includes.push_back(includeName(H.path(Of.File)));
    if (Includes.size() <= HeadersShown)
      S.count(Of.Read->Compiles, "compiles include", Of.Read->Ns,
              EvidenceKey::Header)
          .one("compile includes")
          .name("<" + Includes.back() + ">");
  }
  if (Headers.size() > HeadersShown)
    S.count(Headers.size() - HeadersShown,
            "further headers, in the lines below", {}, EvidenceKey::MoreHeaders)
        .one("further header, in the lines below");
  addLibraries(Headers, S);
  S.countIfAny(Found - Headers.size(),
               "more that would save less and are left out");
  S.Snippet = snippetFor(Group, Includes);
  S.conclude(
      Group.HasImports
          ? "Precompile these headers once, and let all of these "
            "compiles use that instead of reading them; or make a header "
            "unit of each (clang++ -fmodule-header=system), and name it "
            "by -fmodule-file, which #include takes as well."
          : "Precompile these headers once, and let all of these "
            "compiles use that instead of reading them.",
      "the time in these headers and in all that they include, in all "
      "compiles; less that of one compile, which is what making the "
      "precompiled header takes, and 15 % for reading it",
      {"The compiles have to have the same options otherwise, as those of one "
       "target have.",
       "Making it comes before all of them: with many processors the clock "
       "gains less than the processors do."});
}

Suggestions PrecompileFinder::take() {
  for (const KnownSetup &Of : Setups)
    addTo(groupOf(Of), Of.Compile);
  Suggestions All;
  for (const auto &[Key, Group] : Groups)
    suggest(Group, All);
  return All;
}

} // namespace

std::unique_ptr<AdviceRule> instantrace::advisePrecompile(AdviceFacts &F) {
  return std::make_unique<PrecompileFinder>(F);
}
