/// \file
/// SetTimes: times of template sets in two traces, and how much they differ.
#include "test/unit/support/HookTraces.h"
#include "utils/bench/hooks/SetTimes.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

constexpr EventKind Instantiation = EventKind::TemplateInstantiation;
constexpr EventKind Deduction = EventKind::DeducedTemplateArgumentSubstitution;

const PairedSet *find(const std::vector<PairedSet> &Sets,
                      std::string_view Name) {
  for (const PairedSet &Set : Sets)
    if (Set.Name == Name)
      return &Set;
  return nullptr;
}

TEST(HookSetTimesTest, RecursionIsInclusiveOnce) {
  SequenceBuilder B;
  EntityId Outer = B.entity("f<2>", "f<$>"), Inner = B.entity("f<1>", "f<$>");
  EntityId Other = B.entity("g<int>", "g<$>");
  B.begin(EventKind::Parsing, 0);
  B.begin(Instantiation, 10, Outer);
  B.begin(Instantiation, 20, Other);
  B.leaf(30, 60, Inner);
  B.end(80).end(110);
  B.leaf(200, 205, Inner); // outermost again
  B.end(1000);

  std::vector<PairedSet> Sets = pairedSets(B.S, SequenceBuilder().S);
  ASSERT_EQ(Sets.size(), 2u);
  const PairedSet *F = find(Sets, "f<$>"), *G = find(Sets, "g<$>");
  ASSERT_TRUE(F && G);
  EXPECT_EQ(F->Total.Callback.Count, 3u);
  EXPECT_EQ(F->Total.Callback.InclusiveNs, 105u);
  EXPECT_EQ(F->Total.Callback.SelfNs, 40u + 30u + 5u);
  EXPECT_EQ(G->Total.Callback.InclusiveNs, 60u);
  EXPECT_EQ(G->Total.Callback.SelfNs, 30u);
  EXPECT_EQ(F->Total.Observer.Count, 0u);
}

TEST(HookSetTimesTest, SetsOfBothTracesArePairedByText) {
  SequenceBuilder C, O;
  EntityId OnlyC = C.entity("c", "c"), BothInC = C.entity("f<1>", "f<$>");
  EntityId BothInO = O.entity("f<2>", "f<$>"), OnlyO = O.entity("o", "o");
  C.leaf(0, 100, BothInC);
  C.leaf(100, 130, OnlyC);
  O.leaf(0, 90, BothInO);
  O.leaf(95, 102, OnlyO);

  std::vector<PairedSet> Sets = pairedSets(C.S, O.S);
  ASSERT_EQ(Sets.size(), 3u);
  ASSERT_TRUE(find(Sets, "f<$>"));
  EXPECT_EQ(find(Sets, "f<$>")->Total.Callback.InclusiveNs, 100u);
  EXPECT_EQ(find(Sets, "f<$>")->Total.Observer.InclusiveNs, 90u);
  Difference D = difference(Sets, Measure::Inclusive);
  EXPECT_EQ(D.CallbackNs, 130u);
  EXPECT_EQ(D.ObserverNs, 97u);
  EXPECT_EQ(D.AbsoluteNs, 10u + 30u + 7u);
  EXPECT_DOUBLE_EQ(D.share(), 47.0 / 130);
  EXPECT_DOUBLE_EQ(D.bias(), -33.0 / 130);
}

TEST(HookSetTimesTest, EqualTracesDoNotDiffer) {
  SequenceBuilder B;
  B.leaf(0, 100, B.entity("f<1>", "f<$>"));
  Difference D = difference(pairedSets(B.S, B.S), Measure::Self);
  EXPECT_EQ(D.share(), 0);
  EXPECT_EQ(D.bias(), 0);
  EXPECT_EQ(difference({}, Measure::Self).share(), 0);
}

TEST(HookSetTimesTest, WorkAboutNothingIsASetOfItsOwn) {
  SequenceBuilder B;
  B.begin(EventKind::RequirementInstantiation, 0);
  B.end(10);
  B.leaf(20, 23, B.entity("", ""));
  std::vector<PairedSet> Sets = pairedSets(B.S, B.S);
  ASSERT_EQ(Sets.size(), 1u);
  EXPECT_EQ(Sets[0].Name, "(unnamed)");
  EXPECT_EQ(Sets[0].Total.Observer.SelfNs, 13u);
}

// The observer saw the deduction, not the instantiation inside it: the set's
// inclusive time is the same, its self time as well, but they are of another
// kind.
TEST(HookSetTimesTest, KindsSayWhatADifferenceIsMadeOf) {
  SequenceBuilder C, O;
  EntityId InC = C.entity("f<1>", "f<$>"), InO = O.entity("f<1>", "f<$>");
  C.begin(Deduction, 0, InC);
  C.leaf(10, 70, InC);
  C.end(100);
  O.begin(Deduction, 0, InO);
  O.end(100);

  std::vector<PairedSet> Sets = pairedSets(C.S, O.S);
  EXPECT_EQ(difference(Sets, Measure::Self).AbsoluteNs, 0u);
  std::map<EventKind, KindDifference> Kinds = differenceByKind(Sets);
  ASSERT_EQ(Kinds.size(), 2u);
  EXPECT_EQ(Kinds[Deduction].InclusiveNs, 0u);
  EXPECT_EQ(Kinds[Deduction].SelfNs, 60u);
  EXPECT_EQ(Kinds[Deduction].Total.Callback.SelfNs, 40u);
  EXPECT_EQ(Kinds[Instantiation].InclusiveNs, 0u);
  EXPECT_EQ(Kinds[Instantiation].SelfNs, 60u);
  EXPECT_EQ(Kinds[Instantiation].Total.Callback.Count, 1u);
  EXPECT_EQ(Kinds[Instantiation].Total.Observer.Count, 0u);
}

// Both instantiate g<1> in f<1>; the observer saw a deduction for f around it,
// and before.
TEST(HookSetTimesTest, OtherKindsArePartOfWhatTheyAreIn) {
  SequenceBuilder C, O;
  EntityId InC = C.entity("f<1>", "f<$>"), GInC = C.entity("g<1>", "g<$>");
  C.begin(Instantiation, 0, InC);
  C.leaf(30, 40, GInC);
  C.end(100);
  EntityId InO = O.entity("f<1>", "f<$>"), GInO = O.entity("g<1>", "g<$>");
  EntityId Deduced = O.entity("f", "f");
  O.begin(Instantiation, 0, InO);
  O.begin(Deduction, 20, Deduced);
  O.begin(Deduction, 25, Deduced);
  O.leaf(30, 40, GInO);
  O.end(50).end(60).end(100);

  std::vector<PairedSet> All = pairedSets(C.S, O.S);
  EXPECT_EQ(difference(All, Measure::Inclusive).AbsoluteNs, 40u);
  EXPECT_EQ(difference(All, Measure::Self).AbsoluteNs, 60u);
  std::vector<PairedSet> Alone = pairedSets(C.S, O.S, InstantiationsAlone);
  EXPECT_EQ(difference(Alone, Measure::Inclusive).AbsoluteNs, 0u);
  EXPECT_EQ(difference(Alone, Measure::Self).AbsoluteNs, 0u);
  ASSERT_TRUE(find(Alone, "f<$>"));
  EXPECT_EQ(find(Alone, "f<$>")->Total.Observer.SelfNs, 90u);
  EXPECT_EQ(Alone.size(), 2u);
}

} // namespace
