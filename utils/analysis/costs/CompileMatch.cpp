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
  Matcher(const Trace &Old, const Trace &New)
      : Old(Old), New(New), OldPaths(pathsOf(Old)), NewPaths(pathsOf(New)),
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
    std::map<std::string_view, std::vector<Candidate>> Groups;
    for (uint32_t I = 0; I != OldOnes.size(); ++I) {
      if (IsOldTaken[I] || OldOnes[I].empty())
        continue;
      auto Found = NewByKey.find(Key(OldOnes[I]));
      if (Found == NewByKey.end())
        continue;
      for (uint32_t J : Found->second)
        Groups[Found->first].push_back(candidate(I, J));
    }
    for (auto &[Name, Candidates] : Groups) {
      std::sort(Candidates.begin(), Candidates.end());
      for (const Candidate &C : Candidates)
        if (!IsOldTaken[C.Old] && !IsNewTaken[C.New])
          take(C.Old, C.New);
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
  std::vector<std::string> OldPaths, NewPaths;
  std::vector<bool> IsOldTaken, IsNewTaken;
  CompileMatch Result;
};

} // namespace

std::string_view instantrace::lastComponent(std::string_view Path) {
  return Path.substr(Path.rfind('/') + 1);
}

std::string instantrace::inputPath(const Sequence &S) {
  if (!S.Session || S.Session->Input.empty())
    return {};
  const std::string &Input = S.Session->Input;
  return normalPath(Input.front() == '/' || S.Session->WorkingDirectory.empty()
                        ? Input
                        : S.Session->WorkingDirectory + "/" + Input);
}

CompileMatch instantrace::matchCompiles(const Trace &Old, const Trace &New) {
  return Matcher(Old, New).match();
}

void instantrace::keepCompiles(Trace &T, const std::vector<uint32_t> &Kept) {
  std::vector<Sequence> Sequences;
  Sequences.reserve(Kept.size());
  for (uint32_t Index : Kept)
    Sequences.push_back(std::move(T.Sequences[Index]));
  T.Sequences = std::move(Sequences);
}

void instantrace::keepPairs(Trace &Old, Trace &New, const CompileMatch &Match) {
  std::vector<uint32_t> OldKept, NewKept;
  for (const MatchedCompile &P : Match.Pairs) {
    OldKept.push_back(P.Old);
    NewKept.push_back(P.New);
  }
  keepCompiles(Old, OldKept);
  keepCompiles(New, NewKept);
}
