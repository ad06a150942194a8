/// \file
/// LineCosts: what lines ask for, and what comes from them.
#include "utils/analysis/costs/LineCosts.h"

#include "test/unit/support/TraceBuilder.h"
#include "utils/open/TraceStreams.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// Costs of all compiles of the traces.
FileCosts costsOf(std::vector<Trace> Traces, const WantedFile &File,
                  const FilterSpec &Spec = {}) {
  FileCosts Costs;
  for (Trace &T : Traces) {
    LineSink Lines(T, {File}, *TraceFilter::make(Spec));
    feedAll(T, Lines);
    for (const std::vector<FileCosts> &Compile : Lines.Compiles)
      Costs.add(Compile.front());
  }
  return Costs;
}

FileCosts costsOf(Trace T, const std::string &File,
                  const FilterSpec &Spec = {}) {
  return costsOf(std::vector{std::move(T)}, WantedFile{File}, Spec);
}

/// src/a.cpp includes the system header vec. src/a.cpp:5 asks for f<int>, 100
/// ns, and that, in vec:7, for g<int>, 60 ns, which asks in vec:7 again, 20 ns.
Trace lineTrace() {
  TraceBuilder B;
  B.names({"src/a.cpp", "vec", "f<int>", "g<int>"});
  addInclusions(B, 1, {{1, 0, 0, false}, {2, 1, 1, true}});
  addLocations(B, 1, {{1, 5}, {2, 7}});
  B.entities({{3, 3}, {4, 4}});
  B.begin(EventKind::Frontend, 0)
      .begin(EventKind::TemplateInstantiation, 0, "f<int>", "src/a.cpp:5:3")
      .begin(EventKind::TemplateInstantiation, 10, "g<int>", "vec:7:3")
      .begin(EventKind::TemplateInstantiation, 20, "g<int>", "vec:7:3")
      .end(40, {.Memoized = 3})
      .end(70)
      .end(100)
      .end(109);
  return read(B.bytes());
}

TEST(LineCostsTest, ALineHasWhatItAsksForAndAllThatComesOfIt) {
  FileCosts Costs = costsOf(lineTrace(), "a.cpp");
  EXPECT_EQ(Costs.Paths, std::vector<std::string>{"src/a.cpp"});
  ASSERT_EQ(Costs.Lines.size(), 1u);
  EXPECT_EQ(Costs.Lines[5].CausedNs, 100u);
  EXPECT_EQ(Costs.Lines[5].InclusiveNs, 100u);
  EXPECT_EQ(Costs.Lines[5].SelfNs, 40u);
  EXPECT_EQ(Costs.Lines[5].Count, 1u);
  EXPECT_EQ(Costs.TotalNs, 109u);
}

TEST(LineCostsTest, ALineThatRecursCountsOnce) {
  FileCosts Costs = costsOf(lineTrace(), "vec");
  ASSERT_EQ(Costs.Lines.size(), 1u);
  EXPECT_EQ(Costs.Lines[7].CausedNs, 0u) << "a system header";
  EXPECT_EQ(Costs.Lines[7].InclusiveNs, 60u);
  EXPECT_EQ(Costs.Lines[7].SelfNs, 60u);
  EXPECT_EQ(Costs.Lines[7].Count, 2u);
  EXPECT_EQ(Costs.Lines[7].Memoized, 3u);
}

TEST(LineCostsTest, FiltersSelectIntervals) {
  FilterSpec Spec;
  Spec.Match = {"^g"};
  FileCosts Costs = costsOf(lineTrace(), "a.cpp", Spec);
  EXPECT_EQ(Costs.Lines[5].CausedNs, 60u);
  EXPECT_EQ(Costs.Lines[5].Count, 0u);
}

TEST(LineCostsTest, FilesOfOneNameAreListed) {
  TraceBuilder B;
  B.names({"x/a.h", "y/a.h", "a.h", "ba.h"});
  addLocations(B, 1, {{1, 1}, {2, 1}, {4, 1}});
  EXPECT_EQ(costsOf(read(B.bytes()), "a.h").Paths,
            (std::vector<std::string>{"x/a.h", "y/a.h"}));
  EXPECT_EQ(costsOf(read(B.bytes()), "y/a.h").Paths,
            std::vector<std::string>{"y/a.h"});
  EXPECT_TRUE(costsOf(read(B.bytes()), "c.h").Paths.empty());
  addLocations(B, 4, {{3, 1}});
  EXPECT_EQ(costsOf(read(B.bytes()), "./a.h").Paths,
            std::vector<std::string>{"a.h"})
      << "exactly this";
}

/// A compile in which f<int> takes 5 ns for line 3 of the file.
Trace compileOf(const char *Path) {
  TraceBuilder B;
  B.names({Path, "f<int>"});
  addLocations(B, 1, {{1, 3}});
  B.entities({{2, 2}});
  B.begin(EventKind::TemplateInstantiation, 0, "f<int>", LocationId{1}).end(5);
  return read(B.bytes());
}

TEST(LineCostsTest, AllCompilesTellWhichFileIsMeant) {
  std::vector<Trace> Traces;
  for (const char *Path : {"/y/x/a.h", "/z/b.h", "/x/a.h", "/y/x/a.h"})
    Traces.push_back(compileOf(Path));
  FileCosts Costs = costsOf(Traces, {"/x/a.h"});
  EXPECT_EQ(Costs.Paths, std::vector<std::string>{"/x/a.h"}) << "exactly this";
  EXPECT_EQ(Costs.Lines[3].SelfNs, 5u);
  EXPECT_EQ(Costs.TotalNs, 20u) << "of all compiles";
  Costs = costsOf(Traces, {"x/a.h"});
  EXPECT_EQ(Costs.Paths, (std::vector<std::string>{"/x/a.h", "/y/x/a.h"}));
  EXPECT_TRUE(Costs.Lines.empty());
  Costs = costsOf(Traces, {"x/a.h", "/y/x/a.h"});
  EXPECT_EQ(Costs.Paths, std::vector<std::string>{"/y/x/a.h"}) << "preferred";
  EXPECT_EQ(Costs.Lines[3].SelfNs, 10u);
  Costs = costsOf(Traces, {"/other/y/x/a.h"});
  EXPECT_EQ(Costs.Paths, std::vector<std::string>{"/y/x/a.h"});
  EXPECT_TRUE(Costs.areAlike());
  EXPECT_EQ(Costs.Lines[3].SelfNs, 10u);
}

TEST(LineCostsTest, UnderLineDirectivesBothFilesAreMeant) {
  TraceBuilder B;
  B.names({"g.y", "g.c", "f<int>"});
  auto *Batch = addLocations(B, 1, {{1, 3}});
  auto *Detail = Batch->add_detail();
  Detail->set_element(0);
  Detail->set_physical_file(2);
  Detail->set_physical_line(40);
  B.entities({{3, 3}});
  B.begin(EventKind::TemplateInstantiation, 0, "f<int>", "g.y:3:3")
      .end(5, WithDefinition);
  EXPECT_EQ(costsOf(read(B.bytes()), "g.y").Lines[3].SelfNs, 5u);
  EXPECT_EQ(costsOf(read(B.bytes()), "g.c").Lines[40].SelfNs, 5u);
}

TEST(LineCostsTest, PlacesThatAreNotThereCostNothing) {
  TraceBuilder B;
  B.names({"a.cpp", "f<int>"});
  // Line 0 of a file, line 4 of a name that is none, and location 3 of 2.
  addLocations(B, 1, {{1, 0}, {77, 4}});
  B.entities({{2, 2}});
  B.begin(EventKind::TemplateInstantiation, 0, "f<int>", "a.cpp:0:3")
      .end(5)
      .begin(EventKind::TemplateInstantiation, 5, "f<int>", LocationId{2})
      .end(10)
      .begin(EventKind::TemplateInstantiation, 10, "f<int>", LocationId{3})
      .end(15);
  FileCosts Costs = costsOf(read(B.bytes()), "a.cpp");
  EXPECT_EQ(Costs.Paths, std::vector<std::string>{"a.cpp"});
  EXPECT_TRUE(Costs.Lines.empty());
  EXPECT_EQ(Costs.Total.Count, 0u);
}

TEST(LineCostsTest, DetailsOfPlacesThatAreNotThereAreIgnored) {
  TraceBuilder B;
  B.names({"a.cpp", "f<int>"});
  auto *Batch = addLocations(B, 1, {{1, 3}});
  auto *Detail = Batch->add_detail();
  Detail->set_element(0);
  Detail->set_physical_file(4000000000u);
  Detail->set_physical_line(4000000000u);
  B.entities({{2, 2}});
  B.begin(EventKind::TemplateInstantiation, 0, "f<int>", "a.cpp:3:3").end(5);
  FileCosts Costs = costsOf(read(B.bytes()), "a.cpp");
  EXPECT_EQ(Costs.Lines[3].SelfNs, 5u);
  EXPECT_EQ(Costs.Lines.size(), 1u);
}

} // namespace
