/// \file
/// Sums of some compiles of a build, which are known by a round over names:
/// what changed meanwhile is an error.
#include "utils/cli/SummedBuild.h"

#include "test/unit/support/AdviceBuilder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// Of one class, in so many ns.
std::string compile(uint32_t Id, uint64_t Ns) {
  AdviceBuilder B(Id, std::to_string(Id) + ".cpp");
  uint32_t X = B.entity("X<int>", "X<$>", proto::ENTITY_CLASS);
  B.begin(EventKind::Frontend);
  B.definition(X, Ns);
  B.end(0);
  return B.bytes();
}

class SummedBuildTest : public testing::Test {
protected:
  void SetUp() override {
    Folder = testing::TempDir() + "summed-build-XXXXXX";
    ASSERT_NE(::mkdtemp(Folder.data()), nullptr);
    write("a.itrace", compile(1, 100) + compile(2, 300));
    write("b.itrace", compile(3, 50));
  }
  void TearDown() override { std::filesystem::remove_all(Folder); }
  std::string path(const std::string &Name) { return Folder + "/" + Name; }
  void write(const std::string &Name, const std::string &Bytes) {
    std::ofstream(path(Name), std::ios::binary) << Bytes;
  }
  /// After a round over the names of both.
  Result<uint64_t> kept(const std::vector<uint32_t> &Kept,
                        const std::function<void()> &Meanwhile) {
    Result<TraceFilter> Filter = TraceFilter::make({});
    BuildTraces Traces{{path("a.itrace"), path("b.itrace")}, {Folder}};
    INSTANTRACE_TRY_ASSIGN(BuildNames Names, readBuildNames(Traces, false));
    Meanwhile();
    KeptCompiles Wanted(Names.Compiles, Kept);
    SumSpec Spec{{CostKey::Template}, *Filter};
    Spec.Kept = &Wanted;
    INSTANTRACE_TRY_ASSIGN(SummedBuild Sum, sumBuild(Traces, Spec));
    return Sum.Tables.front().TotalNs;
  }
  std::string fault(const std::function<void()> &Meanwhile) {
    Result<uint64_t> Sum = kept({0, 1, 2}, Meanwhile);
    return Sum ? "none, and " + std::to_string(*Sum) + " ns"
               : Sum.error().Message;
  }

  std::string Folder;
};

TEST_F(SummedBuildTest, OnlyWhatIsKeptIsSummed) {
  Result<uint64_t> Sum = kept({1, 2}, [] {});
  ASSERT_TRUE(Sum) << Sum.error().Message;
  EXPECT_EQ(*Sum, 350u);
}

TEST_F(SummedBuildTest, FewerCompilesThanBeforeAreAnError) {
  EXPECT_EQ(
      fault([this] { write("a.itrace", compile(1, 100)); }),
      path("a.itrace") +
          ": found a trace that changed while it was read, expected that of "
          "a compile that has ended");
}

TEST_F(SummedBuildTest, SoAreOtherTimesOfTheSameCompiles) {
  EXPECT_EQ(
      fault([this] { write("b.itrace", compile(3, 51)); }),
      path("b.itrace") +
          ": found a trace that changed while it was read, expected that of "
          "a compile that has ended");
}

TEST_F(SummedBuildTest, SoIsATraceThatIsNoLongerThere) {
  EXPECT_EQ(fault([this] { std::filesystem::remove(path("b.itrace")); }),
            path("b.itrace") + ": no such file or directory");
}

// That was said when it was read first.
TEST_F(SummedBuildTest, WhatCouldNotBeReadBeforeIsNotMissed) {
  write("b.itrace", "no trace");
  Result<uint64_t> Sum = kept({1}, [] {});
  ASSERT_TRUE(Sum) << Sum.error().Message;
  EXPECT_EQ(*Sum, 300u);
}

} // namespace
