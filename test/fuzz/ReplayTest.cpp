/// \file
/// Runs the fuzz targets as normal tests: over the seeds, over every input in
/// test/fuzz/corpus, and over mutations of both that are the same every time.
#include "test/fuzz/FuzzTargets.h"

#include "runtime/index/Index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace instantrace::fuzz;

namespace {

/// In the order of their names.
std::vector<std::string> corpusOf(const std::string &Name) {
  std::vector<std::filesystem::path> Paths;
  for (const auto &Entry : std::filesystem::directory_iterator(
           std::filesystem::path(INSTANTRACE_FUZZ_CORPUS) / Name))
    Paths.push_back(Entry.path());
  std::sort(Paths.begin(), Paths.end());
  std::vector<std::string> Inputs;
  for (const auto &Path : Paths) {
    std::ifstream File(Path, std::ios::binary);
    Inputs.emplace_back(std::istreambuf_iterator<char>(File),
                        std::istreambuf_iterator<char>());
  }
  return Inputs;
}

class FuzzReplay : public testing::TestWithParam<FuzzTarget> {
protected:
  static void run(const std::string &Input) {
    GetParam().Run(reinterpret_cast<const uint8_t *>(Input.data()),
                   Input.size());
  }
};

INSTANTIATE_TEST_SUITE_P(All, FuzzReplay, testing::ValuesIn(FuzzTargets),
                         [](const auto &Info) {
                           std::string Name = Info.param.Name;
                           std::replace(Name.begin(), Name.end(), '-', '_');
                           return Name;
                         });

TEST_P(FuzzReplay, SeedsAndCorpus) {
  std::vector<std::string> Inputs = corpusOf(GetParam().Name);
  EXPECT_FALSE(Inputs.empty());
  for (const std::string &Input : Inputs)
    run(Input);
  for (const std::string &Input : GetParam().Seeds())
    run(Input);
  run("");
}

// Bytes changed, cut out, repeated, and two inputs crossed.
TEST_P(FuzzReplay, Mutations) {
  std::vector<std::string> Inputs = GetParam().Seeds();
  for (std::string &Input : corpusOf(GetParam().Name))
    Inputs.push_back(std::move(Input));
  std::mt19937 Random(1);
  auto below = [&](size_t Limit) { return Limit ? Random() % Limit : 0; };
  for (unsigned Round = 0; Round != GetParam().Mutations; ++Round) {
    std::string Input = Inputs[below(Inputs.size())];
    for (size_t Changes = 1 + below(8); Changes != 0; --Changes) {
      size_t Index = below(Input.size());
      constexpr char Edges[] = {0, 1, 3, 4, 16, '\x7F', '\x80', '\xFF'};
      switch (below(5)) {
      case 0:
        if (!Input.empty())
          Input[Index] = static_cast<char>(Random());
        break;
      case 1:
        if (!Input.empty())
          Input[Index] = Edges[below(std::size(Edges))];
        break;
      case 2:
        Input.erase(Index, 1 + below(8));
        break;
      case 3:
        Input.insert(Index, Input.substr(Index, below(40)));
        break;
      default: {
        const std::string &Other = Inputs[below(Inputs.size())];
        Input.resize(Index);
        Input += Other.substr(std::min(Index, Other.size()));
        break;
      }
      }
    }
    run(Input);
  }
}

// A fuzzer gets nowhere from files of a version whose layout was another one.
TEST(FuzzCorpus, HasIndexesOfTheNewestVersion) {
  size_t Whole = 0;
  for (const std::string &Input : corpusOf("index")) {
    instantrace::InstantiationIndex X;
    std::string Why;
    const std::string Bytes = Input.substr(std::min<size_t>(1, Input.size()));
    if (instantrace::InstantiationIndex::fromBytes(Bytes, "seed", X, Why) &&
        X.verify() && X.recordCount() != 0)
      ++Whole;
  }
  EXPECT_GE(Whole, 4u);
}

} // namespace
