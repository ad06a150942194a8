/// \file
/// EntityGroups: which group an entity is in at each level, also in traces that
/// lie or end early.
#include "utils/analysis/view/EntityGroups.h"

#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

std::string groupOf(const Trace &T, EntityLevel Level, uint32_t Entity) {
  EntityGroups Groups(T, Level);
  Groups.enterSequence(0);
  return Groups.name(Groups.groupFor(EntityId{Entity})).text(T, {}, 100);
}

constexpr EntityLevel Levels[] = {EntityLevel::Specialization,
                                  EntityLevel::Template, EntityLevel::Class,
                                  EntityLevel::Namespace, EntityLevel::Library};

TEST(EntityGroupsTest, EachLevelIsAnotherPartOfTheName) {
  TraceBuilder B;
  B.names({"ns::Box<int>::get", "ns::Box<$>::get"});
  B.entities({{1, 2, proto::ENTITY_FUNCTION}});
  Trace T = read(B.bytes());
  EXPECT_EQ(groupOf(T, EntityLevel::Specialization, 1), "ns::Box<int>::get");
  EXPECT_EQ(groupOf(T, EntityLevel::Template, 1), "ns::Box<$>::get");
  EXPECT_EQ(groupOf(T, EntityLevel::Class, 1), "ns::Box<int>");
  EXPECT_EQ(groupOf(T, EntityLevel::Namespace, 1), "ns");
  EXPECT_EQ(groupOf(T, EntityLevel::Library, 1), "(no library)");
}

TEST(EntityGroupsTest, AnEntityThatIsNotThereIsUnresolved) {
  TraceBuilder B;
  B.names({"f"});
  B.entities({{1, 1}});
  Trace T = read(B.bytes());
  for (EntityLevel Level : Levels) {
    EXPECT_EQ(groupOf(T, Level, 2), "(unresolved)");
    EXPECT_EQ(groupOf(T, Level, UINT32_MAX), "(unresolved)");
    EXPECT_EQ(groupOf(T, Level, 0), "(unnamed)");
  }
}

TEST(EntityGroupsTest, ANameThatIsNotThereIsUnresolved) {
  TraceBuilder B;
  B.names({"f"});
  B.entities({{7, 7}, {0, 0}});
  Trace T = read(B.bytes());
  for (EntityLevel Level : Levels) {
    EXPECT_EQ(groupOf(T, Level, 1), "(unresolved)");
    EXPECT_EQ(groupOf(T, Level, 2), "(unnamed)");
  }
}

TEST(EntityGroupsTest, WithoutATemplateSetTheNameStandsForItself) {
  TraceBuilder B;
  B.names({"f"});
  B.entities({{1, 0}, {1, 9}});
  Trace T = read(B.bytes());
  EXPECT_EQ(groupOf(T, EntityLevel::Template, 1), "f");
  EXPECT_EQ(groupOf(T, EntityLevel::Template, 2), "f");
}

TEST(EntityGroupsTest, TextThatIsNoNameIsAGroupAtEveryLevel) {
  for (const char *Name : {"<<<<", ">", "::", "a::<::>>b", "(((", "$<$>",
                           "operator<<", "\x01\x1b[2J", "\xff\xfe"}) {
    TraceBuilder B;
    B.names({Name});
    B.entities({{1, 1, proto::ENTITY_FUNCTION}});
    Trace T = read(B.bytes());
    for (EntityLevel Level : Levels)
      EXPECT_FALSE(groupOf(T, Level, 1).empty()) << Name;
  }
}

TEST(EntityGroupsTest, GroupsOfSeveralSequencesAreOneWhereTheirNamesAreEqual) {
  TraceBuilder First(1), Second(2);
  First.names({"f<int>", "f<$>"}).entities({{1, 2}});
  Second.names({"pad", "f<$>", "f<char>"}).entities({{3, 2}});
  Trace T = read(First.bytes() + Second.bytes());
  ASSERT_EQ(T.Sequences.size(), 2u);
  EntityGroups Groups(T, EntityLevel::Template);
  Groups.enterSequence(0);
  uint32_t Before = Groups.groupFor(EntityId{1});
  Groups.enterSequence(1);
  EXPECT_EQ(Groups.groupFor(EntityId{1}), Before);
  EXPECT_EQ(Groups.size(), 1u);
}

} // namespace
