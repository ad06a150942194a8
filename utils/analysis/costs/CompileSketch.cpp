#include "utils/analysis/costs/CompileSketch.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

constexpr size_t FewestCompiles = 4;

/// SplitMix64's last step, so that the smallest are a random choice.
uint64_t mixed(const NameKey &Key) {
  uint64_t H = Key.Hash + Key.SizeBytes;
  H = (H ^ (H >> 30)) * 0xbf58476d1ce4e5b9;
  H = (H ^ (H >> 27)) * 0x94d049bb133111eb;
  return H ^ (H >> 31);
}

/// Up to there a sketch has all hashes of its compile.
uint64_t knownUpTo(const CompileSketch &S) {
  return S.Hashes.size() < CompileSketch::MostHashes ? UINT64_MAX
                                                     : S.Hashes.back();
}

} // namespace

CompileSketch instantrace::sketchOf(const Sequence &S) {
  CompileSketch Sketch;
  std::vector<uint64_t> &Hashes = Sketch.Hashes;
  for (const Entity &E : S.Entities)
    if (E.Name != E.TemplateSet && S.Names.contains(E.Name))
      Hashes.push_back(mixed(S.Names.key(E.Name)));
  std::sort(Hashes.begin(), Hashes.end());
  Hashes.erase(std::unique(Hashes.begin(), Hashes.end()), Hashes.end());
  Hashes.resize(std::min(Hashes.size(), CompileSketch::MostHashes));
  Hashes.shrink_to_fit();
  return Sketch;
}

std::vector<CompileSketch> instantrace::sketchesOf(const Trace &T) {
  std::vector<CompileSketch> Sketches;
  Sketches.reserve(T.Sequences.size());
  for (const Sequence &S : T.Sequences)
    Sketches.push_back(sketchOf(S));
  return Sketches;
}

std::vector<uint64_t>
instantrace::commonHashes(const std::vector<CompileSketch> &Sketches) {
  std::vector<uint64_t> Common;
  if (Sketches.size() < FewestCompiles)
    return Common;
  // All sketches are merged, which needs a place in each: a count of every hash
  // would be five times as large as the sketches.
  using Hashes = std::vector<uint64_t>::const_iterator;
  std::vector<std::pair<Hashes, Hashes>> Left;
  for (const CompileSketch &S : Sketches)
    if (!S.Hashes.empty())
      Left.emplace_back(S.Hashes.begin(), S.Hashes.end());
  auto isAfter = [](const auto &A, const auto &B) {
    return *A.first > *B.first;
  };
  std::make_heap(Left.begin(), Left.end(), isAfter);
  while (!Left.empty()) {
    const uint64_t Hash = *Left.front().first;
    size_t Count = 0;
    for (; !Left.empty() && *Left.front().first == Hash; ++Count) {
      std::pop_heap(Left.begin(), Left.end(), isAfter);
      if (++Left.back().first == Left.back().second)
        Left.pop_back();
      else
        std::push_heap(Left.begin(), Left.end(), isAfter);
    }
    if (2 * Count > Sketches.size())
      Common.push_back(Hash);
  }
  return Common;
}

std::optional<double>
instantrace::sharedPart(const CompileSketch &A, const CompileSketch &B,
                        const std::vector<uint64_t> &Common) {
  const uint64_t Last = std::min(knownUpTo(A), knownUpTo(B));
  size_t Shared = 0, All = 0;
  auto InA = A.Hashes.begin(), InB = B.Hashes.begin();
  auto InCommon = Common.begin();
  while (InA != A.Hashes.end() || InB != B.Hashes.end()) {
    bool IsA = InB == B.Hashes.end() || (InA != A.Hashes.end() && *InA <= *InB);
    bool IsB = InA == A.Hashes.end() || (InB != B.Hashes.end() && *InB <= *InA);
    uint64_t Hash = IsA ? *InA : *InB;
    InA += IsA;
    InB += IsB;
    if (Hash > Last)
      break;
    while (InCommon != Common.end() && *InCommon < Hash)
      ++InCommon;
    if (InCommon != Common.end() && *InCommon == Hash)
      continue;
    ++All;
    Shared += IsA && IsB;
  }
  if (All < CompileSketch::FewestHashes)
    return {};
  return static_cast<double>(Shared) / static_cast<double>(All);
}
