/// \file
/// What rules make of names, one table at a time.
#include "utils/analysis/names/NameRules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace instantrace;
using testing::ElementsAre;

namespace {

NameRules rules(NameRulesSpec Spec) { return *NameRules::make(Spec); }

std::string stripped(std::string_view Name) {
  Sequence S;
  S.Names.add(Name, {});
  rules({{"strip-inline-namespaces"}, {}, {}}).apply(S);
  return S.Names.text({1}, 1000);
}

std::string mapped(std::vector<std::string> Maps, std::string_view Path) {
  Sequence S;
  S.Names.add(Path, {});
  S.Locations.Rows.push_back({{1}, 3, 1});
  rules({{}, std::move(Maps), {}}).apply(S);
  return S.Names.text(S.Locations.Rows[0].File, 1000);
}

} // namespace

TEST(NameRules, InlineNamespacesGoWhereTheyAreWhole) {
  EXPECT_EQ(stripped("std::__cxx11::basic_string"), "std::basic_string");
  EXPECT_EQ(stripped("f<std::__1::__2::x, __ndk1::y>"), "f<std::x, y>");
  EXPECT_EQ(stripped("a__1::x"), "a__1::x");
  EXPECT_EQ(stripped("std::__1x::x"), "std::__1x::x");
  EXPECT_EQ(stripped("__1"), "__1");
}

TEST(NameRules, MapsAreOfWholeComponentsAndTheFirstCounts) {
  EXPECT_EQ(mapped({"/a=/b"}, "/a/x.h"), "/b/x.h");
  EXPECT_EQ(mapped({"/a=/b"}, "/ab/x.h"), "/ab/x.h");
  EXPECT_EQ(mapped({"/a/=/b/"}, "/a"), "/b");
  EXPECT_EQ(mapped({"/a/c=/d", "/a=/b"}, "/a/c/x.h"), "/d/x.h");
  EXPECT_EQ(mapped({"/a=/b", "/b=/c"}, "/a/x.h"), "/b/x.h");
  EXPECT_EQ(mapped({"/a=/b", "/b=/c"}, "/b/x.h"), "/c/x.h");
  EXPECT_EQ(mapped({"/=/b"}, "/a/x.h"), "/b/a/x.h");
  EXPECT_EQ(mapped({"/a=/"}, "/a/x.h"), "/x.h");
}

TEST(NameRules, LinesMakeTheSameRules) {
  NameRules R = rules(
      {{"collapse-defaults", "strip-inline-namespaces"}, {"/a=/b"}, {"x=y=z"}});
  EXPECT_THAT(R.lines(),
              ElementsAre("strip-inline-namespaces", "collapse-defaults",
                          "map /a=/b", "merge x=y=z"));
  EXPECT_EQ(NameRules::fromLines(R.lines())->lines(), R.lines());
  EXPECT_TRUE(rules({}).isEmpty());
}

TEST(NameRules, WhatIsNoRuleIsRefused) {
  auto Why = [](const NameRulesSpec &Spec) {
    return NameRules::make(Spec).error().Message;
  };
  EXPECT_EQ(Why({{"all"}, {}, {}}),
            "--transform: found all, expected strip-inline-namespaces, "
            "collapse-allocators or collapse-defaults");
  EXPECT_EQ(Why({{}, {"/a"}, {}}), "--map: found /a, expected OLD=NEW");
  EXPECT_EQ(Why({{}, {"/a\n=/b"}, {}}),
            "--map: found /a\n=/b, expected OLD=NEW");
  EXPECT_EQ(Why({{}, {}, {"a="}}), "--merge: found a=, expected PATTERN=NAME");
}
