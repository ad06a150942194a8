/// \file
/// The partitions of string ids at their borders, and what is mapped to what.
#include "proto/trace.pb.h"
#include "runtime/strings/StringTable.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

StringIdKind kindOf(uint64_t Value) { return StringId{Value}.kind(); }

TEST(StringIds, PartitionsHaveTheirBorders) {
  EXPECT_EQ(kindOf(0), StringIdKind::None);
  EXPECT_EQ(kindOf(1), StringIdKind::Virtual);
  EXPECT_EQ(kindOf(0x7FFF'FFFF), StringIdKind::Virtual);
  EXPECT_EQ(kindOf(0x8000'0000), StringIdKind::Metadata);
  EXPECT_EQ(kindOf(0x8000'0001), StringIdKind::TableFull);
  EXPECT_EQ(kindOf(0x8000'0002), StringIdKind::Unassigned);
  EXPECT_EQ(kindOf(0x8000'00FF), StringIdKind::Unassigned);
  EXPECT_EQ(kindOf(0x8000'0100), StringIdKind::Mark);
  EXPECT_EQ(kindOf(0x8000'01FF), StringIdKind::Mark);
  EXPECT_EQ(kindOf(0x8000'0200), StringIdKind::Byte);
  EXPECT_EQ(kindOf(0x8000'02FF), StringIdKind::Byte);
  EXPECT_EQ(kindOf(0x8000'0300), StringIdKind::Unassigned);
  EXPECT_EQ(kindOf(0x8000'0FFF), StringIdKind::Unassigned);
  EXPECT_EQ(kindOf(0x8000'1000), StringIdKind::Regular);
  EXPECT_EQ(kindOf(0xFF'FFFF'FFFF), StringIdKind::Regular);
  EXPECT_EQ(kindOf(0x100'0000'0000), StringIdKind::Unassigned);
  EXPECT_EQ(kindOf(~uint64_t(0)), StringIdKind::Unassigned);
}

TEST(StringIds, PartsHaveTheNumbersOfTheFile) {
  EXPECT_EQ(int(NamePart::Text), proto::NAME_PART_TEXT);
  EXPECT_EQ(int(NamePart::DefaultArguments),
            proto::NAME_PART_DEFAULT_ARGUMENTS);
  EXPECT_EQ(int(NamePart::Parameters), proto::NAME_PART_PARAMETERS);
  EXPECT_EQ(int(NamePart::TemplateHead), proto::NAME_PART_TEMPLATE_HEAD);
}

TEST(StringIds, TheFirstEntryHasTheFirstRegularIdBehindItsHeader) {
  StringTable T;
  EXPECT_EQ(T.intern("a").Value, StringId::FirstRegular + 6);
}

/// Interns until some entries are on either side of the address \p Border.
void crossBorder(uint64_t Border, uint64_t Before) {
  StringTable T({Border - Before, 0});
  std::vector<StringId> Ids{T.intern("0")};
  for (int I = 1; I != 100; ++I)
    Ids.push_back(T.intern(
        StringComponents().ref(Ids.back()).text("," + std::to_string(I))));
  EXPECT_LT(Ids.front().Value - StringId::FirstRegular, Border);
  EXPECT_GT(Ids.back().Value - StringId::FirstRegular, Border);
  std::string Expected = "0";
  for (uint32_t I = 1; I != 100; ++I) {
    Expected += "," + std::to_string(I);
    EXPECT_EQ(T.expand(Ids[I]), Expected);
    EXPECT_EQ(T.ordinal(Ids[I]), NameId{I + 1});
  }
  EXPECT_EQ(T.intern("0"), Ids[0]);
  EXPECT_FALSE(T.isFull());
}

TEST(StringIds, FourGigabytesOfStringsDoNotWrap) {
  crossBorder(uint64_t(1) << 32, 500);
  // The address at which the id passes 2^32.
  crossBorder((uint64_t(1) << 32) - StringId::FirstRegular, 500);
}

TEST(StringIds, BeyondTheLastAddressTheTableIsFull) {
  uint64_t LastAddress = StringId::LastRegular - StringId::FirstRegular;
  // Six bytes of header, then the entry: the second one is a byte too far.
  StringTable T({LastAddress - 6 - 2 - 6 + 1, 0});
  StringId First = T.intern("a");
  EXPECT_EQ(First.Value, StringId::LastRegular - 7);
  EXPECT_FALSE(T.isFull());
  EXPECT_EQ(T.intern("b"), StringId::tableFull());
  EXPECT_TRUE(T.isFull());
  // What is there stays there, and what would need the missing one has none.
  EXPECT_EQ(T.intern("a"), First);
  EXPECT_EQ(T.expand(First), "a");
  EXPECT_EQ(T.intern(StringComponents().ref(First).ref(StringId::tableFull())),
            StringId::tableFull());
  ListElement List[] = {First, StringId::tableFull()};
  EXPECT_EQ(T.internList(List, 2), StringId::tableFull());
  EXPECT_EQ(T.expand(StringId::tableFull()), "");
  EXPECT_EQ(T.ordinal(StringId::tableFull()), NameId());
  EXPECT_EQ(T.size(), 1u);
}

TEST(StringIds, TheLastIdIsUsed) {
  uint64_t LastAddress = StringId::LastRegular - StringId::FirstRegular;
  StringTable T({LastAddress - 6, 0});
  StringId Last = T.intern("last");
  EXPECT_EQ(Last.Value, StringId::LastRegular);
  EXPECT_EQ(T.expand(Last), "last");
  EXPECT_EQ(T.intern("last"), Last);
}

TEST(StringIds, AFullListIsFullThroughout) {
  StringTable T({StringId::LastRegular - StringId::FirstRegular - 3000, 0});
  std::vector<ListElement> List;
  for (int I = 0; I != 300; ++I)
    List.push_back(T.intern(I % 2 ? "a" : "b"));
  bool WasFull = false;
  for (size_t Count = 1; Count <= List.size(); ++Count) {
    StringId Id = T.internList(List.data(), Count);
    WasFull |= Id == StringId::tableFull();
    EXPECT_EQ(T.expand(Id).size(), WasFull ? 0 : Count * 3 - 2);
  }
  EXPECT_TRUE(WasFull);
}

TEST(StringIds, ATableWithoutOrdinalsLeftIsFull) {
  StringTable T({0, NameId::Last - 1});
  StringId Last = T.intern("a");
  EXPECT_EQ(T.ordinal(Last), NameId{NameId::Last});
  EXPECT_EQ(T.intern("b"), StringId::tableFull());
  EXPECT_EQ(T.intern("a"), Last);
}

TEST(StringIds, VirtualIdsAreMappedLater) {
  StringTable T;
  StringId Before = T.intern("before");
  EXPECT_EQ(T.resolve({5}), StringId());
  EXPECT_EQ(T.expand({5}), "");
  EXPECT_EQ(T.ordinal({5}), NameId());
  EXPECT_TRUE(T.map({5}, Before));
  EXPECT_EQ(T.resolve({5}), Before);
  EXPECT_EQ(T.expand({5}), "before");
  EXPECT_EQ(T.lastChar({5}), 'e');
  EXPECT_EQ(T.ordinal({5}), NameId{1});
  EXPECT_EQ(T.resolve({4}), StringId());
  EXPECT_EQ(T.resolve({6}), StringId());
}

TEST(StringIds, MappedIdsAreReferredToAsWhatTheyStandFor) {
  StringTable T;
  StringId Int = T.intern("int");
  EXPECT_TRUE(T.map({1}, Int));
  StringId Box = T.intern(StringComponents().text("Box<").ref({1}).text(">"));
  EXPECT_EQ(T.intern(StringComponents().text("Box<").ref(Int).text(">")), Box);
  EXPECT_EQ(T.intern(StringComponents().ref({1})), Int);
  ListElement Elements[] = {StringId{1}, Int};
  EXPECT_EQ(T.expand(T.internList(Elements, 2)), "int, int");
  EXPECT_TRUE(T.map({2}, {1}));
  EXPECT_EQ(T.resolve({2}), Int);
  EXPECT_EQ(
      T.intern(
          StringComponents().mark(NamePart::Parameters).text("\xFE").ref({1})),
      T.intern(
          StringComponents().mark(NamePart::Parameters).text("\xFE").ref(Int)));
}

TEST(StringIds, WhatCannotBeReferredToMakesNoEntry) {
  StringTable T;
  StringId Int = T.intern("int");
  for (uint64_t Value : {uint64_t(1), StringId::LastVirtual, StringId::Metadata,
                         uint64_t(0x8000'0002), StringId::LastRegular + 1}) {
    EXPECT_EQ(T.intern(StringComponents().text("a").ref({Value})), StringId());
    ListElement Elements[] = {Int, StringId{Value}};
    EXPECT_EQ(T.internList(Elements, 2), StringId());
    EXPECT_FALSE(T.map({7}, {Value}));
  }
  // A mark is no component.
  EXPECT_EQ(T.intern(StringComponents().text("a").ref(
                StringId::mark(NamePart::Parameters))),
            StringId());
  EXPECT_EQ(T.size(), 1u);
  EXPECT_FALSE(T.isFull());
}

TEST(StringIds, ARangeIsMappedAtOnce) {
  StringTable T;
  StringId Unnamed = T.intern(""), Name = T.intern("name");
  size_t Before = T.memoryBytes();
  EXPECT_TRUE(T.mapRange({1}, StringId::LastVirtual - 1, Unnamed));
  EXPECT_LE(T.memoryBytes(), Before + 64);
  EXPECT_TRUE(T.map({StringId::LastVirtual}, Name));
  EXPECT_EQ(T.resolve({1}), Unnamed);
  EXPECT_EQ(T.resolve({StringId::LastVirtual - 1}), Unnamed);
  EXPECT_EQ(T.resolve({StringId::LastVirtual}), Name);
}

TEST(StringIds, RangesMayComeInAnyOrder) {
  StringTable T;
  StringId A = T.intern("a"), B = T.intern("b"), C = T.intern("c");
  EXPECT_TRUE(T.mapRange({100}, 10, A));
  EXPECT_TRUE(T.mapRange({10}, 10, B));
  EXPECT_TRUE(T.mapRange({20}, 80, C));
  for (auto [Id, Target] : {std::pair(9u, StringId()),
                            {10u, B},
                            {19u, B},
                            {20u, C},
                            {99u, C},
                            {100u, A},
                            {109u, A},
                            {110u, StringId()}})
    EXPECT_EQ(T.resolve({Id}), Target) << Id;
}

TEST(StringIds, AnOverlapIsRefusedAsAWhole) {
  StringTable T;
  StringId A = T.intern("a"), B = T.intern("b");
  EXPECT_TRUE(T.mapRange({10}, 10, A));
  EXPECT_FALSE(T.mapRange({5}, 6, B));
  EXPECT_FALSE(T.mapRange({19}, 1, B));
  EXPECT_FALSE(T.mapRange({1}, 100, B));
  EXPECT_EQ(T.resolve({5}), StringId());
  EXPECT_EQ(T.resolve({19}), A);
  EXPECT_TRUE(T.mapRange({5}, 5, B));
  EXPECT_TRUE(T.mapRange({20}, 1, B));
}

TEST(StringIds, OnlyVirtualIdsAreMapped) {
  StringTable T;
  StringId A = T.intern("a");
  EXPECT_FALSE(T.map({0}, A));
  EXPECT_FALSE(T.map(A, A));
  EXPECT_FALSE(T.map(StringId::tableFull(), A));
  EXPECT_FALSE(T.mapRange({1}, 0, A));
  EXPECT_FALSE(T.mapRange({StringId::LastVirtual}, 2, A));
  EXPECT_FALSE(T.mapRange({1}, ~uint64_t(0), A));
  EXPECT_TRUE(T.mapRange({1}, StringId::LastVirtual, A));
}

TEST(StringIds, TheMetadataIdIsMappedOnce) {
  StringTable T;
  StringId A = T.intern("a.cpp, clang version 19"), B = T.intern("b");
  EXPECT_EQ(T.resolve(StringId::metadata()), StringId());
  EXPECT_FALSE(T.mapRange(StringId::metadata(), 2, A));
  EXPECT_TRUE(T.map(StringId::metadata(), A));
  EXPECT_EQ(T.expand(StringId::metadata()), "a.cpp, clang version 19");
  EXPECT_FALSE(T.map(StringId::metadata(), B));
  EXPECT_EQ(T.resolve(StringId::metadata()), A);
}

} // namespace
