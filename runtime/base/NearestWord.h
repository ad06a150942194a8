/// \file
/// What a mistyped word was meant to be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// With a neighbouring pair that was swapped as one change.
inline size_t editDistance(std::string_view A, std::string_view B) {
  std::vector<std::vector<size_t>> D(A.size() + 1,
                                     std::vector<size_t>(B.size() + 1));
  for (size_t I = 0; I <= A.size(); ++I)
    for (size_t J = 0; J <= B.size(); ++J) {
      if (I == 0 || J == 0) {
        D[I][J] = I + J;
        continue;
      }
      D[I][J] = std::min({D[I - 1][J] + 1, D[I][J - 1] + 1,
                          D[I - 1][J - 1] + (A[I - 1] != B[J - 1])});
      if (I > 1 && J > 1 && A[I - 1] == B[J - 2] && A[I - 2] == B[J - 1])
        D[I][J] = std::min(D[I][J], D[I - 2][J - 2] + 1);
    }
  return D[A.size()][B.size()];
}

/// What of \p Known the word was meant to be; empty when nothing is near.
inline std::string nearestWord(const std::string &Word,
                               const std::vector<std::string> &Known) {
  // Nobody mistypes more; and a long argument is no word.
  constexpr size_t LongestWord = 40;
  if (Word.size() > LongestWord)
    return {};
  std::string Nearest;
  size_t Least = std::max<size_t>(1, Word.size() / 3) + 1;
  for (const std::string &Candidate : Known) {
    size_t Distance = editDistance(Word, Candidate);
    if (Distance < Least) {
      Least = Distance;
      Nearest = Candidate;
    }
  }
  return Nearest;
}

} // namespace instantrace
