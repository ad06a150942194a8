#include "utils/analysis/costs/CompileMatch.h"

#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

using namespace instantrace;

namespace {

/// Bytes at the end of both that are whole components and agree.
size_t commonEndBytes(std::string_view A, std::string_view B) {
  size_t Agreed = 0, Whole = 0;
  while (Agreed < A.size() && Agreed < B.size() &&
         A[A.size() - 1 - Agreed] == B[B.size() - 1 - Agreed]) {
    ++Agreed;
    if (A[A.size() - Agreed] == '/')
      Whole = Agreed;
  }
  auto endsAt = [Agreed](std::string_view Path) {
    return Agreed == Path.size() || Path[Path.size() - 1 - Agreed] == '/';
  };
  return endsAt(A) && endsAt(B) ? Agreed : Whole;
}

/// Of a thousand files that went and a thousand new ones: some seconds. With
/// more these are two projects.
constexpr size_t MostLikenesses = 1'000'000;

/// As far as is known; empty for an empty one.
std::string absolutePath(const TraceSession &Session, const std::string &Path) {
  return Path.empty() ? Path : pathFrom(Session.WorkingDirectory, Path);
}

/// `main` of `/src/main.cpp`.
std::string_view stemOf(std::string_view Path) {
  std::string_view Name = lastComponent(Path);
  return Name.substr(0, std::min(Name.rfind('.'), Name.size()));
}

/// The last so many parts: `src/main.cpp`; all of a path that has fewer.
std::string_view lastParts(std::string_view Path, size_t Count) {
  size_t Offset = Path.size();
  while (Count != 0 && Offset != Path.npos && Offset != 0) {
    Offset = Path.rfind('/', Offset - 1);
    --Count;
  }
  return Offset == Path.npos || Offset == 0 ? Path : Path.substr(Offset + 1);
}

struct Candidate {
  uint32_t Old, New;
  size_t CommonBytes;
  size_t CommonObjectBytes; ///< targets of one source have folders of their own
  bool HasSameTarget;

  /// Best first.
  bool operator<(const Candidate &Other) const {
    auto rank = [](const Candidate &C) {
      return std::make_tuple(~C.CommonBytes, ~C.CommonObjectBytes,
                             !C.HasSameTarget, C.Old, C.New);
    };
    return rank(*this) < rank(Other);
  }
};

class Matcher {
public:
  Matcher(const Trace &Old, const Trace &New,
          const std::vector<CompileSketch> &OldSketches,
          const std::vector<CompileSketch> &NewSketches)
      : Old(Old), New(New), OldSketches(OldSketches), NewSketches(NewSketches),
        OldPaths(pathsOf(Old)), NewPaths(pathsOf(New)),
        IsOldTaken(Old.Sequences.size()), IsNewTaken(New.Sequences.size()) {}

  CompileMatch match() {
    if (Old.Sequences.size() == 1 && New.Sequences.size() == 1)
      take(0, 0);
    // An equal path decides, and spares large builds the comparing of all the
    // files called main.cpp.
    matchEach(OldPaths, NewPaths,
              [](const std::string &Path) { return std::string_view(Path); });
    matchEach(OldPaths, NewPaths,
              [](const std::string &Path) { return lastComponent(Path); });
    if (!OldSketches.empty() && !NewSketches.empty()) {
      // What a file has says more than what it is called. With those gone whose
      // names say it, others may be like one alone.
      matchContents();
      if (matchStems())
        matchContents();
    }
    std::sort(Result.Renamed.begin(), Result.Renamed.end(),
              [](const RenamedCompile &A, const RenamedCompile &B) {
                return A.Old < B.Old;
              });
    std::sort(Result.Pairs.begin(), Result.Pairs.end(),
              [](const MatchedCompile &A, const MatchedCompile &B) {
                return A.Old < B.Old;
              });
    for (uint32_t I = 0; I != IsOldTaken.size(); ++I)
      if (!IsOldTaken[I])
        Result.OnlyOld.push_back(I);
    for (uint32_t I = 0; I != IsNewTaken.size(); ++I)
      if (!IsNewTaken[I])
        Result.OnlyNew.push_back(I);
    findRoots();
    return std::move(Result);
  }

private:
  static std::vector<std::string> pathsOf(const Trace &T) {
    std::vector<std::string> Paths;
    for (const Sequence &S : T.Sequences)
      Paths.push_back(inputPath(S));
    return Paths;
  }

  void take(uint32_t OldIndex, uint32_t NewIndex) {
    IsOldTaken[OldIndex] = IsNewTaken[NewIndex] = true;
    Result.Pairs.push_back({OldIndex, NewIndex});
  }

  /// Among those with equal keys.
  template <class KeyOf>
  void matchEach(const std::vector<std::string> &OldOnes,
                 const std::vector<std::string> &NewOnes, KeyOf Key) {
    std::unordered_map<std::string_view, std::vector<uint32_t>> NewByKey;
    for (uint32_t I = 0; I != NewOnes.size(); ++I)
      if (!IsNewTaken[I] && !NewOnes[I].empty())
        NewByKey[Key(NewOnes[I])].push_back(I);
    // In the order of the paths, so that results do not depend on a hash.
    std::map<std::string_view, std::vector<uint32_t>> OldByKey;
    for (uint32_t I = 0; I != OldOnes.size(); ++I)
      if (!IsOldTaken[I] && !OldOnes[I].empty() &&
          NewByKey.contains(Key(OldOnes[I])))
        OldByKey[Key(OldOnes[I])].push_back(I);
    for (const auto &[Name, Olds] : OldByKey)
      matchGroup(Olds, NewByKey.find(Name)->second);
  }

  void matchGroup(const std::vector<uint32_t> &Olds,
                  const std::vector<uint32_t> &News) {
    if (Olds.size() * News.size() > MostLikenesses)
      return matchMany(Olds, News);
    std::vector<Candidate> Candidates;
    Candidates.reserve(Olds.size() * News.size());
    for (uint32_t I : Olds)
      for (uint32_t J : News)
        Candidates.push_back(candidate(I, J));
    std::sort(Candidates.begin(), Candidates.end());
    for (const Candidate &C : Candidates)
      if (!IsOldTaken[C.Old] && !IsNewTaken[C.New])
        take(C.Old, C.New);
  }

  /// By path and object, then by as many last parts of the path as agree:
  /// without looking at each pair.
  void matchMany(const std::vector<uint32_t> &Olds,
                 const std::vector<uint32_t> &News) {
    constexpr size_t MostParts = 32;
    matchEqual(Olds, News,
               [](const Trace &T, const std::string &Path, uint32_t Index) {
                 const auto &Session = T.Sequences[Index].Session;
                 return Path + '\0' +
                        (Session ? Session->Object + '\0' + Session->Triple
                                 : "");
               });
    for (size_t Parts = MostParts; Parts != 0; --Parts)
      matchEqual(Olds, News,
                 [Parts](const Trace &, const std::string &Path, uint32_t) {
                   return std::string(lastParts(Path, Parts));
                 });
  }
  template <class KeyOf>
  void matchEqual(const std::vector<uint32_t> &Olds,
                  const std::vector<uint32_t> &News, KeyOf Key) {
    std::unordered_map<std::string, std::vector<uint32_t>> NewByKey;
    for (auto J = News.rbegin(); J != News.rend(); ++J)
      if (!IsNewTaken[*J])
        NewByKey[Key(New, NewPaths[*J], *J)].push_back(*J);
    for (uint32_t I : Olds) {
      if (IsOldTaken[I])
        continue;
      auto Found = NewByKey.find(Key(Old, OldPaths[I], I));
      if (Found == NewByKey.end() || Found->second.empty())
        continue;
      take(I, Found->second.back());
      Found->second.pop_back();
    }
  }

  Candidate candidate(uint32_t OldIndex, uint32_t NewIndex) const {
    Candidate C{OldIndex, NewIndex,
                commonEndBytes(OldPaths[OldIndex], NewPaths[NewIndex]), 0,
                false};
    const auto &A = Old.Sequences[OldIndex].Session;
    const auto &B = New.Sequences[NewIndex].Session;
    if (A && B) {
      C.CommonObjectBytes = commonEndBytes(A->Object, B->Object);
      C.HasSameTarget = A->Triple == B->Triple;
    }
    return C;
  }

  /// With what has no partner yet.
  void renamed(uint32_t OldIndex, uint32_t NewIndex,
               std::optional<double> Shared) {
    take(OldIndex, NewIndex);
    Result.Renamed.push_back({OldIndex, NewIndex, Shared});
  }

  static std::vector<uint32_t> left(const std::vector<std::string> &Paths,
                                    const std::vector<bool> &IsTaken) {
    std::vector<uint32_t> Left;
    for (uint32_t I = 0; I != Paths.size(); ++I)
      if (!IsTaken[I] && !Paths[I].empty())
        Left.push_back(I);
    return Left;
  }

  /// False: nothing was found.
  bool matchStems() {
    std::map<std::string_view,
             std::pair<std::vector<uint32_t>, std::vector<uint32_t>>>
        ByStem;
    const size_t Before = Result.Renamed.size();
    for (uint32_t I : left(OldPaths, IsOldTaken))
      ByStem[stemOf(OldPaths[I])].first.push_back(I);
    for (uint32_t I : left(NewPaths, IsNewTaken))
      ByStem[stemOf(NewPaths[I])].second.push_back(I);
    for (const auto &[Stem, Sides] : ByStem) {
      if (Sides.first.size() != 1 || Sides.second.size() != 1)
        continue;
      const CompileSketch &A = OldSketches[Sides.first[0]],
                          &B = NewSketches[Sides.second[0]];
      std::optional<double> Shared = sharedPart(A, B, {});
      constexpr double Least = 0.1;
      if (std::min(A.Hashes.size(), B.Hashes.size()) <
              CompileSketch::FewestHashes ||
          !Shared || *Shared >= Least)
        renamed(Sides.first[0], Sides.second[0], Shared);
    }
    return Result.Renamed.size() != Before;
  }

  /// The best and the second best share of a compile with those of the other
  /// build.
  struct Likeness {
    uint32_t Best = UINT32_MAX;
    double Most = 0, Next = 0;
    void add(uint32_t Index, double Shared) {
      Next = std::max(Next, std::min(Shared, Most));
      if (Shared > Most) {
        Most = Shared;
        Best = Index;
      }
    }
    bool isClear() const {
      constexpr double Least = 0.5, Ahead = 0.1;
      return Most >= Least && Most >= Next + Ahead;
    }
  };

  void matchContents() {
    std::vector<uint32_t> OldLeft = left(OldPaths, IsOldTaken);
    std::vector<uint32_t> NewLeft = left(NewPaths, IsNewTaken);
    if (OldLeft.empty() || NewLeft.empty() ||
        OldLeft.size() > MostLikenesses / NewLeft.size())
      return;
    std::vector<uint64_t> Common = commonHashes(OldSketches);
    std::vector<Likeness> OfOld(OldLeft.size()), OfNew(NewLeft.size());
    for (uint32_t I = 0; I != OldLeft.size(); ++I)
      for (uint32_t J = 0; J != NewLeft.size(); ++J) {
        double Shared =
            sharedPart(OldSketches[OldLeft[I]], NewSketches[NewLeft[J]], Common)
                .value_or(0);
        OfOld[I].add(J, Shared);
        OfNew[J].add(I, Shared);
      }
    for (uint32_t I = 0; I != OldLeft.size(); ++I)
      if (OfOld[I].isClear() && OfNew[OfOld[I].Best].isClear() &&
          OfNew[OfOld[I].Best].Best == I)
        renamed(OldLeft[I], NewLeft[OfOld[I].Best],
                sharedPart(OldSketches[OldLeft[I]],
                           NewSketches[NewLeft[OfOld[I].Best]], {}));
  }

  void findRoots() {
    std::map<std::pair<std::string_view, std::string_view>, size_t> Counts;
    for (const MatchedCompile &P : Result.Pairs) {
      std::string_view A = OldPaths[P.Old], B = NewPaths[P.New];
      size_t Common = commonEndBytes(A, B);
      if (Common != 0)
        ++Counts[{A.substr(0, A.size() - Common),
                  B.substr(0, B.size() - Common)}];
    }
    size_t Most = 0;
    for (const auto &[Roots, Count] : Counts)
      if (Count > Most) {
        Most = Count;
        Result.OldRoot = Roots.first;
        Result.NewRoot = Roots.second;
      }
  }

  const Trace &Old, &New;
  const std::vector<CompileSketch> &OldSketches, &NewSketches;
  std::vector<std::string> OldPaths, NewPaths;
  std::vector<bool> IsOldTaken, IsNewTaken;
  CompileMatch Result;
};

} // namespace

std::string_view instantrace::lastComponent(std::string_view Path) {
  return Path.substr(Path.rfind('/') + 1);
}

std::string instantrace::inputPath(const Sequence &S) {
  return S.Session ? absolutePath(*S.Session, S.Session->Input) : std::string();
}

std::string instantrace::productPath(const Sequence &S) {
  return S.Session ? absolutePath(*S.Session, S.Session->Object)
                   : std::string();
}

std::vector<std::string> instantrace::usedProducts(const Sequence &S) {
  std::vector<std::string> Paths;
  if (!S.Session)
    return Paths;
  for (const auto *Inputs : {&S.Session->PchInputs, &S.Session->ModuleInputs})
    for (const std::string &Path : *Inputs)
      Paths.push_back(absolutePath(*S.Session, Path));
  return Paths;
}

CompileMatch
instantrace::matchCompiles(const Trace &Old, const Trace &New,
                           const std::vector<CompileSketch> &OldSketches,
                           const std::vector<CompileSketch> &NewSketches) {
  return Matcher(Old, New, OldSketches, NewSketches).match();
}

std::vector<uint32_t> CompileMatch::oldCompiles() const {
  std::vector<uint32_t> Compiles;
  for (const MatchedCompile &Pair : Pairs)
    Compiles.push_back(Pair.Old);
  return Compiles;
}

std::vector<uint32_t> CompileMatch::newCompiles() const {
  std::vector<uint32_t> Compiles;
  for (const MatchedCompile &Pair : Pairs)
    Compiles.push_back(Pair.New);
  return Compiles;
}

std::vector<uint32_t>
instantrace::takePrerequisites(const Trace &Build,
                               std::vector<uint32_t> &Compared,
                               std::vector<uint32_t> &Only) {
  std::unordered_map<std::string, uint32_t> ByProduct;
  for (uint32_t I : Only)
    if (std::string Product = productPath(Build.Sequences[I]); !Product.empty())
      ByProduct.emplace(std::move(Product), I);
  std::vector<uint32_t> Users = Compared, Taken;
  while (!Users.empty() && !ByProduct.empty()) {
    const Sequence &User = Build.Sequences[Users.back()];
    Users.pop_back();
    for (const std::string &Used : usedProducts(User))
      if (auto Made = ByProduct.extract(Used)) {
        Taken.push_back(Made.mapped());
        Users.push_back(Made.mapped()); // it may have some of its own
      }
  }
  std::sort(Taken.begin(), Taken.end());
  std::erase_if(Only, [&Taken](uint32_t I) {
    return std::binary_search(Taken.begin(), Taken.end(), I);
  });
  Compared.insert(Compared.end(), Taken.begin(), Taken.end());
  return Taken;
}

Trace instantrace::identityOf(const Trace &T) {
  Trace Source;
  for (const TraceInput &File : T.Files)
    Source.Files.emplace_back().Name = File.Name;
  for (const Sequence &S : T.Sequences) {
    Sequence &Copy = Source.Sequences.emplace_back();
    Copy.FileIndex = S.FileIndex;
    if (!S.Session)
      continue;
    TraceSession &Session = Copy.Session.emplace();
    Session.Input = S.Session->Input;
    Session.WorkingDirectory = S.Session->WorkingDirectory;
    Session.Object = S.Session->Object;
    Session.PchInputs = S.Session->PchInputs;
    Session.ModuleInputs = S.Session->ModuleInputs;
    Session.Triple = S.Session->Triple;
    Session.Hook = S.Session->Hook;
    Session.ClangVersion = S.Session->ClangVersion;
    Session.OptimizationLevel = S.Session->OptimizationLevel;
    Session.LanguageStandard = S.Session->LanguageStandard;
  }
  return Source;
}
