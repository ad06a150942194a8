/// \file
/// Coverage: which specializations and requests a second hook saw.
#include "test/unit/support/HookTraces.h"
#include "utils/bench/hooks/Coverage.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

TEST(HookCoverageTest, LengthTellsTimedFromCounted) {
  SequenceBuilder C, O;
  uint64_t TimeNs = 0;
  for (const char *Name : {"f<1>", "f<2>", "f<3>"}) {
    C.leaf(TimeNs, TimeNs + 10, C.entity(Name, "f<$>"));
    TimeNs += 10;
  }
  O.leaf(0, 10, O.entity("f<1>", "f<$>"));
  O.leaf(10, 10, O.entity("f<2>", "f<$>"));
  O.leaf(20, 30, O.entity("f<4>", "f<$>")); // of its own
  SpecializationCoverage Coverage = specializationCoverage(C.S, O.S);
  EXPECT_EQ(Coverage.InCallback, 3u);
  EXPECT_EQ(Coverage.InObserver, 3u);
  EXPECT_EQ(Coverage.Timed, 1u);
  EXPECT_EQ(Coverage.Counted, 1u);
  EXPECT_EQ(Coverage.seen(), 2u);
  EXPECT_EQ(Coverage.MissingSelfNs, 10u);
  ASSERT_EQ(Coverage.Costliest.size(), 1u);
  EXPECT_EQ(Coverage.Costliest[0].Name, "f<3>");
  EXPECT_EQ(Coverage.MissingByKind[EntityKind::Function], 1u);
}

TEST(HookCoverageTest, SpecializationCountsOnceHoweverOftenItIsAnnounced) {
  SequenceBuilder C, O;
  EntityId F = C.entity("f<1>", "f<$>");
  C.leaf(0, 0, F);
  C.leaf(0, 10, F, WithDefinition);
  EntityId InO = O.entity("f<1>", "f<$>");
  O.leaf(0, 0, InO);
  O.leaf(0, 10, InO);
  SpecializationCoverage Coverage = specializationCoverage(C.S, O.S);
  EXPECT_EQ(Coverage.InCallback, 1u);
  EXPECT_EQ(Coverage.Timed, 1u);
  EXPECT_EQ(Coverage.Counted, 0u);
  EXPECT_EQ(Coverage.DefinedInCallback, 1u);
  EXPECT_EQ(Coverage.DefinedInObserver, 0u);
  EXPECT_EQ(Coverage.DefinedInBoth, 0u);
}

TEST(HookCoverageTest, OverloadsAreToldApartByPlace) {
  SequenceBuilder C, O;
  C.leaf(0, 10, C.entity("f<1>", "f<$>", 5));
  C.leaf(10, 20, C.entity("f<1>", "f<$>", 9));
  O.leaf(0, 10, O.entity("f<1>", "f<$>", 9));
  SpecializationCoverage Coverage = specializationCoverage(C.S, O.S);
  EXPECT_EQ(Coverage.InCallback, 2u);
  EXPECT_EQ(Coverage.Timed, 1u);
}

TEST(HookCoverageTest, ClassIsTheSameWhereverItsTemplateWasDeclared) {
  SequenceBuilder C, O;
  C.leaf(0, 10, C.entity("c<1>", "c<$>", 5, EntityKind::Class));
  O.leaf(0, 10, O.entity("c<1>", "c<$>", 9, EntityKind::Class));
  EXPECT_EQ(specializationCoverage(C.S, O.S).Timed, 1u);
}

TEST(HookCoverageTest, OnlyInstantiationsOfSpecializationsCount) {
  SequenceBuilder C;
  C.begin(EventKind::DeducedTemplateArgumentSubstitution, 0,
          C.entity("f<1>", "f<$>"));
  C.end(10);
  C.leaf(10, 20, C.entity("Nested", "Nested"));
  C.leaf(20, 30, {});
  EXPECT_EQ(specializationCoverage(C.S, C.S).InCallback, 0u);
}

/// g<int>, from 0 to 50, with a deduction for h<int> inside it; then f<1>.
struct Requested : SequenceBuilder {
  EntityId G = entity("g<int>", "g<$>"), H = entity("h<int>", "h<$>");
  EntityId F = entity("f<1>", "f<$>");
  Requested() {
    begin(EventKind::TemplateInstantiation, 0, G);
    begin(EventKind::DeducedTemplateArgumentSubstitution, 10, H);
    end(40).end(50);
  }
  Requested &late(IntervalId Requester) {
    lateLeaf(60, 70, F, Requester);
    return *this;
  }
};

TEST(HookCoverageTest, RequestersAreComparedByEntity) {
  Requested C;
  C.late({1}); // by h<int>
  RequestAgreement R = requestAgreement(C.S, Requested().late({1}).S);
  EXPECT_EQ(R.CallbackIntervals, 1u);
  EXPECT_EQ(R.ObserverIntervals, 1u);
  EXPECT_EQ(R.Entities, 1u);
  EXPECT_EQ(R.Same, 1u);
  R = requestAgreement(C.S, Requested().late({0}).S);
  EXPECT_EQ(R.Same, 0u);
  EXPECT_EQ(R.Outer, 1u);
  EXPECT_EQ(requestAgreement(C.S, Requested().S).Absent, 1u);
}

TEST(HookCoverageTest, RequesterInsideIsNoOuterOne) {
  Requested C;
  C.late({0});
  RequestAgreement R = requestAgreement(C.S, Requested().late({1}).S);
  EXPECT_EQ(R.Same, 0u);
  EXPECT_EQ(R.Outer, 0u);
  EXPECT_EQ(R.Absent, 0u);
}

TEST(HookCoverageTest, ParentIsWhoAskedWhereNobodyIsNamed) {
  Requested C;
  C.late({0});
  SequenceBuilder O;
  O.begin(EventKind::TemplateInstantiation, 0, O.entity("g<int>", "g<$>"));
  O.leaf(10, 20, O.entity("f<1>", "f<$>"));
  O.end(50);
  RequestAgreement R = requestAgreement(C.S, O.S);
  EXPECT_EQ(R.ObserverIntervals, 0u);
  EXPECT_EQ(R.Same, 1u);
}

} // namespace
