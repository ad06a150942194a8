/// \file
/// What counts as a change from one build to another.
#include "utils/analysis/costs/CostDiff.h"

#include "test/unit/support/ModelCosts.h"
#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

constexpr uint64_t Ms = 1000000;

struct Definition {
  const char *Name, *Set;
  uint64_t Ms;
};

/// Defines each, one after the other.
Trace build(std::initializer_list<Definition> Definitions) {
  TraceBuilder B;
  uint64_t TimeNs = 0;
  for (const Definition &D : Definitions) {
    B.entity(D.Name, D.Set)
        .begin(EventKind::TemplateInstantiation, TimeNs, D.Name);
    TimeNs += D.Ms * Ms;
    B.end(TimeNs, WithDefinition);
  }
  return read(B.bytes());
}

/// The changed rows, in order: "name count+1 self+2ms".
std::string diff(const Trace &Old, const Trace &New,
                 CostOrder Order = CostOrder::Self, double NoisePercent = 10) {
  CostTable OldCosts = costs(Old, CostKey::Template);
  CostTable NewCosts = costs(New, CostKey::Template);
  CostDiff D =
      diffCosts(OldCosts, Old, NewCosts, New, Order, {NoisePercent, Ms});
  std::string Text;
  for (const CostDiffRow &Row : D.Rows) {
    Text += Text.empty() ? "" : ", ";
    Text += Row.hasAppeared() ? "+" : Row.hasDisappeared() ? "-" : "";
    Text += Row.any().Name.text(Row.New ? New : Old, {}, 100);
    auto Change = [&Row](CostOrder Number) {
      return static_cast<int64_t>(Row.after(Number) - Row.before(Number));
    };
    Text += " " + std::to_string(Change(CostOrder::Count)) + " " +
            std::to_string(Change(CostOrder::Self) / static_cast<int64_t>(Ms));
  }
  return Text;
}

/// Rows that took another time, by what one and more recordings of a build say.
std::string changed(std::initializer_list<uint64_t> OldMs, uint64_t NewMs) {
  TimeSpreads Spreads;
  Trace First = build({{"a<int>", "a<$>", *OldMs.begin()}});
  for (uint64_t Each : OldMs)
    Spreads.add(costs(build({{"a<int>", "a<$>", Each}}), CostKey::Template));
  Trace New = build({{"a<int>", "a<$>", NewMs}});
  CostTable OldCosts = costs(First, CostKey::Template);
  CostTable NewCosts = costs(New, CostKey::Template);
  CostDiff D = diffCosts(OldCosts, First, NewCosts, New, CostOrder::Self,
                         {10, Ms, &Spreads});
  return D.Rows.empty() ? "" : "a<$>";
}

TEST(CostDiffTest, RecordingsSayWhatNoiseIs) {
  EXPECT_EQ(changed({50, 70, 60}, 90), ""); // within what they differ by
  EXPECT_EQ(changed({50, 70, 60}, 30), "");
  EXPECT_EQ(changed({50, 70, 60}, 92), "a<$>");
  EXPECT_EQ(changed({50, 70, 60}, 28), "a<$>");
  EXPECT_EQ(changed({50, 50}, 53), "a<$>"); // though within 10 %
  EXPECT_EQ(changed({50, 50}, 51), "");
}

TEST(CostDiffTest, AnEqualBuildHasNoChange) {
  Trace T = build({{"a<int>", "a<$>", 50}, {"b<int>", "b<$>", 7}});
  EXPECT_EQ(diff(T, T), "");
}

TEST(CostDiffTest, RowsAppearAndDisappear) {
  EXPECT_EQ(diff(build({{"a<int>", "a<$>", 50}, {"b<int>", "b<$>", 7}}),
                 build({{"a<int>", "a<$>", 50}, {"c<int>", "c<$>", 9}})),
            "+c<$> 1 9, -b<$> -1 -7");
}

TEST(CostDiffTest, EachChangeOfACountIsOne) {
  EXPECT_EQ(diff(build({{"a<int>", "a<$>", 50}}),
                 build({{"a<int>", "a<$>", 25}, {"a<char>", "a<$>", 25}})),
            "a<$> 1 0");
}

TEST(CostDiffTest, ATimeWithinTheNoiseIsNone) {
  EXPECT_EQ(
      diff(build({{"a<int>", "a<$>", 100}}), build({{"a<int>", "a<$>", 110}})),
      "");
  EXPECT_EQ(
      diff(build({{"a<int>", "a<$>", 100}}), build({{"a<int>", "a<$>", 112}})),
      "a<$> 0 12");
  EXPECT_EQ(diff(build({{"a<int>", "a<$>", 100}}),
                 build({{"a<int>", "a<$>", 112}}), CostOrder::Self, 15),
            "");
}

TEST(CostDiffTest, AMillisecondIsNoiseWhateverThePercentage) {
  EXPECT_EQ(diff(build({{"a<int>", "a<$>", 1}}), build({{"a<int>", "a<$>", 2}}),
                 CostOrder::Self, 0),
            "");
  EXPECT_EQ(diff(build({{"a<int>", "a<$>", 1}}), build({{"a<int>", "a<$>", 3}}),
                 CostOrder::Self, 0),
            "a<$> 0 2");
}

TEST(CostDiffTest, TheLargestChangeIsFirstInEitherDirection) {
  Trace Old = build({{"a<int>", "a<$>", 100}, {"b<int>", "b<$>", 100}});
  Trace New = build({{"a<int>", "a<$>", 130},
                     {"b<int>", "b<$>", 20},
                     {"b<char>", "b<$>", 20},
                     {"b<long>", "b<$>", 20}});
  EXPECT_EQ(diff(Old, New), "b<$> 2 -40, a<$> 0 30");
  EXPECT_EQ(diff(New, Old, CostOrder::Name), "a<$> 0 -30, b<$> -2 40");
}

TEST(CostDiffTest, TiesAreInTheOrderOfNames) {
  Trace None = build({});
  Trace Some = build(
      {{"b<int>", "b<$>", 5}, {"c<int>", "c<$>", 5}, {"a<int>", "a<$>", 5}});
  EXPECT_EQ(diff(None, Some), "+a<$> 1 5, +b<$> 1 5, +c<$> 1 5");
}

TEST(CostDiffTest, BytesAloneAreAChangeToWhoAsksForThem) {
  Trace None;
  CostRow Small;
  Small.Name = RowName::fromText("a<$>");
  Small.Key = Dictionary::keyOf("a<$>");
  Small.Count = 1;
  Small.AstBytes = 1000;
  CostRow Large = Small;
  Large.AstBytes = 5000;
  CostTable Old, New;
  Old.Rows = {Small};
  New.Rows = {Large};
  auto Changed = [&](CostOrder Order) {
    return diffCosts(Old, None, New, None, Order, {}).Rows.size();
  };
  EXPECT_EQ(Changed(CostOrder::Ast), 1u);
  EXPECT_EQ(Changed(CostOrder::Count), 0u);
}

} // namespace
