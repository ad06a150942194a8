/// \file
/// Bounds: how they are read, what is wrong with one, when one holds.
#include "utils/analysis/costs/Budget.h"
#include "test/unit/support/ModelCosts.h"
#include "utils/render/BudgetText.h"

#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

std::string faultOf(const char *Text) {
  Result<Bound> B = parseBound(Text);
  return B ? std::string() : B.error().Message;
}

CostRow row(const char *Name, uint64_t Count, uint64_t SelfNs) {
  CostRow Row;
  Row.Name = RowName::fromText(Name);
  Row.Key = Dictionary::keyOf(Name);
  Row.Count = Count;
  Row.Memoized = 10 * Count;
  Row.AstBytes = 1000 * Count;
  Row.SelfNs = SelfNs;
  return Row;
}

/// vector 40, map 2, and what is no template.
CostTable table(uint64_t Vectors = 40) {
  CostTable Table;
  Table.Rows = {row("std::vector<$>", Vectors, 5000),
                row("std::map<$>", 2, 70)};
  for (auto [Name, Ns] :
       {std::pair("(frontend)", 900u), std::pair("(profiling)", 30u)}) {
    CostRow Row;
    Row.Name = RowName::fixed(Name);
    Row.Count = 1;
    Row.SelfNs = Ns;
    Table.Rows.push_back(Row);
  }
  Table.TotalNs = 6000;
  Table.ProfilingNs = 30;
  return Table;
}

BoundCheck checked(const char *Text, const CostTable &New,
                   const CostTable *Old = nullptr) {
  Trace None;
  Result<Bound> B = parseBound(Text);
  EXPECT_TRUE(B) << Text;
  if (!B)
    return {};
  BuildCosts After{None, New};
  if (!Old)
    return check(*B, After, nullptr);
  BuildCosts Before{None, *Old};
  return check(*B, After, &Before);
}

TEST(BudgetTest, MetricsAreOfAllTemplates) {
  CostTable T = table();
  EXPECT_EQ(checked("count <= 42", T).Value, 42);
  EXPECT_EQ(checked("memoized <= 0", T).Value, 420);
  EXPECT_EQ(checked("ast <= 1kB", T).Value, 42000);
  EXPECT_EQ(checked("self <= 1us", T).Value, 5070);
}

TEST(BudgetTest, TimeIsOfTheCompileWithoutInstantraceItself) {
  EXPECT_EQ(checked("time < 1s", table()).Value, 5970);
}

TEST(BudgetTest, MemoryIsThatOfTheLargestCompile) {
  CostTable Old = table(), New = table();
  Old.PeakRssBytes = 500'000'000;
  New.PeakRssBytes = 600'000'000;
  EXPECT_TRUE(checked("memory <= 600MB", New).IsTrue);
  EXPECT_TRUE(checked("memory > +19%", New, &Old).IsTrue);
  EXPECT_EQ(faultOf("memory(^vec) < 1GB"),
            "found '(^vec)', expected a comparison: memory is of whole "
            "compiles; ast is of templates");
  Trace None;
  CostTable Unknown = table();
  EXPECT_FALSE(checkable(*parseBound("memory < 1GB"), {None, Unknown}));
  EXPECT_TRUE(checkable(*parseBound("memory < 1GB"), {None, New}));
}

TEST(BudgetTest, TimeIsTheSameWhateverAFilterSelects) {
  using namespace instantrace::test;
  Trace T = read(TraceBuilder()
                     .entity("f<int>", "f<$>")
                     .entity("g<int>", "g<$>")
                     .begin(EventKind::TemplateInstantiation, 0, "f<int>")
                     .begin(EventKind::Profiling, 10)
                     .end(40)
                     .end(100, WithDefinition)
                     .begin(EventKind::TemplateInstantiation, 100, "g<int>")
                     .end(120, WithDefinition)
                     .bytes());
  FilterSpec Spec;
  for (const char *Match : {"", "^g<", "^nothing$"}) {
    if (*Match)
      Spec.Match = {Match};
    TraceFilter Filter = *TraceFilter::make(Spec);
    EXPECT_EQ(checked("time < 1s", costs(T, CostKey::Template, Filter)).Value,
              90)
        << Match;
  }
}

TEST(BudgetTest, ComparisonsHoldOrNot) {
  CostTable T = table();
  EXPECT_TRUE(checked("count <= 42", T).IsTrue);
  EXPECT_FALSE(checked("count < 42", T).IsTrue);
  EXPECT_TRUE(checked("count >= 42", T).IsTrue);
  EXPECT_FALSE(checked("count > 42", T).IsTrue);
}

TEST(BudgetTest, UnitsScale) {
  EXPECT_EQ(parseBound("self<1.5s")->Limit, 1.5e9);
  EXPECT_EQ(parseBound("self < 20 ms")->Limit, 2e7);
  EXPECT_EQ(parseBound("time<3us")->Limit, 3000);
  EXPECT_EQ(parseBound("ast<2MB")->Limit, 2e6);
  EXPECT_EQ(parseBound("ast<2")->Limit, 2);
}

TEST(BudgetTest, APatternSelectsTemplates) {
  CostTable T = table();
  EXPECT_EQ(checked("count(vector) < 1", T).Value, 40);
  EXPECT_EQ(checked("count(glob:std::*<$>) < 1", T).Value, 42);
  EXPECT_EQ(checked("count(^std::(map|set)<) < 1", T).Value, 2);
  EXPECT_FALSE(checked("count(vector) < 1", T).MatchesNothing);
  EXPECT_TRUE(checked("count(deque) < 1", T).MatchesNothing);
}

// Comparisons and parentheses in a pattern are its own.
TEST(BudgetTest, APatternMayHoldWhatABoundIsMadeOf) {
  EXPECT_EQ(checked("count(vector<[$]>) <= 40", table()).Value, 40);
  EXPECT_EQ(faultOf("count((a|b)>=) <= 40"), "");
}

TEST(BudgetTest, GrowthIsAgainstTheOldBuild) {
  CostTable Old = table(40), New = table(61);
  EXPECT_EQ(checked("count > +5", New, &Old).Value, 21);
  EXPECT_EQ(checked("count>+5%", New, &Old).Value, 50);
  EXPECT_TRUE(checked("count>+49.9%", New, &Old).IsTrue);
  EXPECT_FALSE(checked("count>+50%", New, &Old).IsTrue);
  EXPECT_EQ(checked("count>+5%", Old, &New).Value, -100. * 21 / 63);
  EXPECT_FALSE(checked("count>+0%", Old, &Old).IsTrue);
}

TEST(BudgetTest, GrowthFromNothingExceedsEveryPercentage) {
  CostTable Old = table(0), New = table(1);
  BoundCheck C = checked("count(vector)>+1000000%", New, &Old);
  EXPECT_TRUE(C.IsTrue);
  EXPECT_EQ(valueText(*parseBound("count(vector)>+1%"), C.Value),
            "from nothing");
  EXPECT_FALSE(checked("count(vector)>+1%", Old, &Old).IsTrue);
}

TEST(BudgetTest, FaultsNameWhatWasFoundAndExpected) {
  EXPECT_EQ(faultOf(""),
            "found nothing, expected count, memoized, ast, self, time, "
            "frontend, optimize, generate, bytes, functions or "
            "memory");
  EXPECT_EQ(
      faultOf("counts <= 3"),
      "found 'counts', expected count, memoized, "
      "ast, self, time, frontend, optimize, generate, bytes, functions or "
      "memory");
  EXPECT_EQ(faultOf("count = 3"),
            "found '= 3', expected a comparison: <, <=, > or >=");
  EXPECT_EQ(faultOf("count <= many"),
            "found 'many', expected a number such as 1200, +100 or +5%");
  EXPECT_EQ(faultOf("count <= -1"),
            "found '-1', expected a number such as 1200, +100 or +5%");
  for (const char *Endless : {"inf", "infinity", "nan"})
    EXPECT_EQ(faultOf((std::string("count <= ") + Endless).c_str()),
              "found '" + std::string(Endless) +
                  "', expected a number such as 1200, +100 or +5%");
  std::string Huge(300, '9');
  EXPECT_EQ(faultOf("count > 18446744073709551616"),
            "found '18446744073709551616', expected a smaller number");
  EXPECT_EQ(faultOf(("ast <= " + Huge + "000 GB").c_str()),
            "found '" + Huge + "000 GB', expected a smaller number");
  EXPECT_EQ(faultOf("count <= 3 s"),
            "found 's', expected nothing after the number");
  EXPECT_EQ(faultOf("count > 5%"),
            "found '5%', expected +5%, since a percentage is of an old build");
  EXPECT_EQ(faultOf("self < 3"),
            "found nothing, expected a unit: ns, us, ms or s");
  EXPECT_EQ(faultOf("count(a <= 3"), "found '(a <= 3', expected a ')' after "
                                     "the pattern");
  EXPECT_EQ(faultOf("time(a) < 3s"),
            "found '(a)', expected a comparison: time is of the whole "
            "compile; self is of templates");
}

TEST(BudgetTest, AFileHasABoundPerLine) {
  Result<std::vector<Bound>> B = parseBudget("# of the library\n"
                                             "\n"
                                             "  count <= 12\r\n"
                                             "self(x) < 3ms",
                                             "b.txt");
  ASSERT_TRUE(B);
  ASSERT_EQ(B->size(), 2u);
  EXPECT_EQ((*B)[0].Text, "count <= 12");
  EXPECT_EQ((*B)[1].Text, "self(x) < 3ms");
}

TEST(BudgetTest, AFaultInAFileHasItsLine) {
  Result<std::vector<Bound>> B = parseBudget("count <= 1\n\ncount", "b.txt");
  ASSERT_FALSE(B);
  EXPECT_EQ(B.error().Message,
            "b.txt:3: found nothing, expected a comparison: <, <=, > or >=");
  Result<std::vector<Bound>> Growth = parseBudget("count <= +5%", "b.txt");
  ASSERT_FALSE(Growth);
  EXPECT_EQ(Growth.error().Message,
            "b.txt:1: found a growth, 'count <= +5%', expected a limit for one "
            "build; growth is for diff --fail-on");
}

TEST(BudgetTest, CodeInATableOfMarkdownIsWhole) {
  EXPECT_EQ(markdownCode("a|b"), "`a\\|b`");
  EXPECT_EQ(markdownCode("a`b``c"), "``` a`b``c ```");
}

} // namespace
