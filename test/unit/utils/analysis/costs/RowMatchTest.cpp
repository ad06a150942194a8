/// \file
/// Rows of two builds that are the same, though their names differ in a place.
#include "utils/analysis/costs/RowMatch.h"

#include "test/unit/support/ModelCosts.h"
#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace instantrace;
using namespace instantrace::test;

namespace {

CostRow file(const std::string &Path, uint32_t LineNo = 0) {
  CostRow Row;
  Row.Name = RowName::fromText(Path);
  Row.Name.LineNo = LineNo;
  Row.Key = Dictionary::keyOf(Path + Row.Name.lineSuffix());
  return Row;
}

/// Defines each, one after the other.
Trace build(const std::vector<std::string> &Names) {
  TraceBuilder B;
  uint64_t TimeNs = 0;
  for (const std::string &Name : Names) {
    B.entity(Name, Name)
        .begin(EventKind::TemplateInstantiation, TimeNs, Name.c_str());
    B.end(++TimeNs, WithDefinition);
  }
  return read(B.bytes());
}

/// "old -> new" for each row of the old build that is one of the new one.
std::vector<std::string> matched(const std::vector<std::string> &Old,
                                 const std::vector<std::string> &New,
                                 const MovedRoot &Root = {}) {
  Trace OldTrace = build(Old), NewTrace = build(New);
  CostTable Before = costs(OldTrace, CostKey::Specialization);
  CostTable After = costs(NewTrace, CostKey::Specialization);
  matchRows(Before, OldTrace, After, NewTrace, Root);
  std::vector<std::string> Pairs;
  for (const CostRow &Row : Before.Rows)
    for (const CostRow &Target : After.Rows)
      if (Row.Name.Fixed.empty() && Row.Key == Target.Key)
        Pairs.push_back(Row.Name.text(OldTrace, {}, 1000) + " -> " +
                        Target.Name.text(NewTrace, {}, 1000));
  std::sort(Pairs.begin(), Pairs.end());
  return Pairs;
}

using Pairs = std::vector<std::string>;

TEST(RowMatchTest, FilesOfTwoTreesMeet) {
  CostTable Old, New;
  Old.Rows = {file("/old/a.h", 7), file("/older/a.h"), file("/usr/b.h")};
  matchRows(Old, Trace(), New, Trace(), {"/old", "/new"});
  EXPECT_EQ(Old.Rows[0].Name.Text, "/new/a.h");
  EXPECT_EQ(Old.Rows[0].Key, file("/new/a.h", 7).Key);
  EXPECT_EQ(Old.Rows[1].Name.Text, "/older/a.h");
  EXPECT_EQ(Old.Rows[2].Key, file("/usr/b.h").Key);
}

TEST(RowMatchTest, AClosureIsTheSameInAnotherFolder) {
  EXPECT_EQ(matched({"f<(lambda at /old/a.cpp:4:18)>"},
                    {"f<(lambda at /new/a.cpp:4:18)>"}, {"/old", "/new"}),
            Pairs{"f<(lambda at /old/a.cpp:4:18)> -> "
                  "f<(lambda at /new/a.cpp:4:18)>"});
}

TEST(RowMatchTest, ALineMoreAboveThemChangesNothing) {
  EXPECT_EQ(matched({"f<(lambda at a.cpp:4:5)>", "f<(lambda at a.cpp:5:5)>"},
                    {"f<(lambda at a.cpp:5:5)>", "f<(lambda at a.cpp:6:5)>"}),
            (Pairs{"f<(lambda at a.cpp:4:5)> -> f<(lambda at a.cpp:5:5)>",
                   "f<(lambda at a.cpp:5:5)> -> f<(lambda at a.cpp:6:5)>"}));
}

TEST(RowMatchTest, AClosureMoreHasNoPartner) {
  EXPECT_EQ(matched({"f<(lambda at a.cpp:4:5)>", "f<(lambda at a.cpp:9:7)>"},
                    {"f<(lambda at a.cpp:5:5)>", "f<(lambda at a.cpp:8:3)>",
                     "f<(lambda at a.cpp:11:7)>"}),
            (Pairs{"f<(lambda at a.cpp:4:5)> -> f<(lambda at a.cpp:5:5)>",
                   "f<(lambda at a.cpp:9:7)> -> f<(lambda at a.cpp:11:7)>"}));
}

TEST(RowMatchTest, OneThatStandsWhereAnotherOneDidIsNotThatOne) {
  EXPECT_EQ(matched({"f<(lambda at a.cpp:4:5)>", "f<(lambda at a.cpp:5:9)>"},
                    {"f<(lambda at a.cpp:5:9)>"}),
            Pairs{"f<(lambda at a.cpp:5:9)> -> f<(lambda at a.cpp:5:9)>"});
}

TEST(RowMatchTest, OtherTypesWithoutANameHavePlacesToo) {
  EXPECT_EQ(matched({"g<(unnamed struct at /old/my (x)/a.h:1:2), (lambda at "
                     "/old/a.cpp:3:4)>"},
                    {"g<(unnamed struct at /new/my (x)/a.h:7:2), (lambda at "
                     "/new/a.cpp:8:4)>"},
                    {"/old", "/new"})
                .size(),
            1u);
  EXPECT_TRUE(
      matched({"f<(lambda at a.cpp:4:5)>"}, {"g<(lambda at a.cpp:5:5)>"})
          .empty());
}

TEST(RowMatchTest, AnAbsolutePathIsARelativeOne) {
  EXPECT_EQ(matched({"f<(lambda at /old/src/a.cpp:4:5)>",
                     "f<(lambda at /old/src/b.h:4:5)>"},
                    {"f<(lambda at a.cpp:6:5)>", "f<(lambda at ../b.h:4:5)>"},
                    {"/old", "/new"}),
            (Pairs{"f<(lambda at /old/src/a.cpp:4:5)> -> "
                   "f<(lambda at a.cpp:6:5)>",
                   "f<(lambda at /old/src/b.h:4:5)> -> "
                   "f<(lambda at ../b.h:4:5)>"}));
}

TEST(RowMatchTest, AFileWithThatPathIsNearerThanOneOfThatName) {
  EXPECT_EQ(matched({"f<(lambda at a/x.h:1:1)>", "f<(lambda at b/x.h:2:1)>"},
                    {"f<(lambda at b/x.h:2:1)>"}),
            Pairs{"f<(lambda at b/x.h:2:1)> -> f<(lambda at b/x.h:2:1)>"});
}

TEST(RowMatchTest, WhatOnlyLooksLikeAPlaceIsNone) {
  EXPECT_TRUE(matched({"f<(lambda at a.cpp:4)>", "f<(lambda at "},
                      {"f<(lambda at a.cpp:5)>", "f<( at a:1:2)>"})
                  .empty());
}

} // namespace
