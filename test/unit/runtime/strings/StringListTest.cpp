/// \file
/// Lists of strings: their text, their canonical form, and linear growth.
#include "runtime/record/TraceWriter.h"
#include "runtime/strings/StringTable.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace instantrace;

namespace {

class ByteCount final : public PacketSink {
public:
  bool append(std::string_view Bytes) override {
    Count += Bytes.size();
    return true;
  }
  size_t Count = 0;
};

struct Bytes {
  size_t Heap, Serialized;
};

Bytes bytesOf(const StringTable &T) {
  ByteCount Sink;
  TraceWriter(Sink, 1).writeDictionary(T);
  return {T.heap().size(), Sink.Count};
}

/// Makes element \p Index, which may be negative where a list grows in front.
using ElementFunction = std::function<ListElement(StringTable &, int Index)>;

StringId number(StringTable &T, int Index) {
  return T.intern(std::to_string(Index));
}

enum class End { Back, Front, Both };

/// The space of f<0>, f<0, 1>, ..., f<0, ..., Count - 1>.
Bytes grow(int Count, End Where, const ElementFunction &Element) {
  StringTable T;
  std::vector<ListElement> List;
  for (int I = 0; I != Count; ++I) {
    bool IsFront = Where == End::Front || (Where == End::Both && I % 2 == 1);
    ListElement Id = Element(T, IsFront ? -I : I);
    List.insert(IsFront ? List.begin() : List.end(), Id);
    StringId Arguments = T.internList(List.data(), List.size());
    T.intern(StringComponents().text("f<").ref(Arguments).text(">"));
  }
  return bytesOf(T);
}

void expectLinear(End Where, const ElementFunction &Element) {
  constexpr int Count = 1000;
  Bytes Before = grow(Count, Where, Element);
  Bytes After = grow(2 * Count, Where, Element);
  EXPECT_LT(double(After.Heap) / double(Before.Heap), 2.2);
  EXPECT_LT(double(After.Serialized) / double(Before.Serialized), 2.2);
  // And no large constant: some dozens of references each.
  EXPECT_LT(After.Heap, size_t(2 * Count) * 400);
}

void expectLinear(const ElementFunction &Element) {
  for (End Where : {End::Back, End::Front, End::Both}) {
    SCOPED_TRACE(int(Where));
    expectLinear(Where, Element);
  }
}

TEST(StringList, ExpandsToItsElements) {
  StringTable T;
  std::vector<ListElement> List;
  std::string Expected;
  for (int I = 0; I != 500; ++I) {
    List.push_back(number(T, I % 70));
    Expected += (I ? ", " : "") + std::to_string(I % 70);
    ASSERT_EQ(T.expand(T.internList(List.data(), List.size())), Expected);
  }
}

TEST(StringList, OneElementIsTheListAndNoneIsEmpty) {
  StringTable T;
  StringId Int = T.intern("int");
  ListElement Only = Int;
  EXPECT_EQ(T.internList(&Only, 1), Int);
  EXPECT_EQ(T.internList(nullptr, 0), T.intern(""));
}

TEST(StringList, EqualElementsHaveOneId) {
  StringTable T;
  std::vector<ListElement> List;
  for (int I = 0; I != 1000; ++I)
    List.push_back(number(T, I));
  StringId Id = T.internList(List.data(), List.size());
  uint32_t Size = T.size();
  std::vector<ListElement> Again = List;
  EXPECT_EQ(T.internList(Again.data(), Again.size()), Id);
  EXPECT_EQ(T.size(), Size);
  std::swap(Again[500], Again[501]);
  EXPECT_NE(T.internList(Again.data(), Again.size()), Id);
}

// Somewhere in the middle of longer lists, too.
TEST(StringList, ListsWithACommonStretchShareItsGroups) {
  StringTable T;
  std::vector<ListElement> Common;
  for (int I = 0; I != 4000; ++I)
    Common.push_back(number(T, I));
  T.internList(Common.data(), Common.size());
  size_t Before = T.heap().size();
  for (int Extra = 1; Extra != 20; ++Extra) {
    std::vector<ListElement> List(size_t(Extra), number(T, -Extra));
    List.insert(List.end(), Common.begin(), Common.end());
    List.insert(List.end(), size_t(Extra) * 3, number(T, -Extra));
    T.internList(List.data(), List.size());
  }
  EXPECT_LT(T.heap().size() - Before, 19u * 2500);
}

// As the plugin has numbers in a pack.
ListElement numberText(StringTable &, int Index) {
  return *ListElement::number(uint64_t(std::abs(Index)), Index < 0);
}

TEST(StringList, ShortTextsAreElementsWithoutEntries) {
  StringTable T;
  StringId Box = T.intern("Box");
  ListElement List[] = {*ListElement::text("int"), Box,
                        *ListElement::number(12, true)};
  EXPECT_EQ(T.expand(T.internList(List, 3)), "int, Box, -12");
  EXPECT_EQ(T.size(), 2u); // Box and the list
  EXPECT_EQ(T.firstChar(List[0]), 'i');
  EXPECT_EQ(T.lastChar(List[0]), 't');
  EXPECT_EQ(T.firstChar(List[1]), 'B');
  EXPECT_EQ(T.lastChar(List[2]), '2');
}

TEST(StringList, LongListsOfTextsExpandToTheirElements) {
  StringTable T;
  std::vector<ListElement> List;
  std::string Expected;
  for (int I = 0; I != 500; ++I) {
    List.push_back(numberText(T, I - 250));
    Expected += (I ? ", " : "") + std::to_string(I - 250);
    ASSERT_EQ(T.expand(T.internList(List.data(), List.size())), Expected);
  }
}

// More would be a list of their own where they are used.
TEST(StringList, AFewElementsAreAddedThemselvesAndMoreAsOneReference) {
  StringTable T;
  std::vector<ListElement> List;
  std::string Expected;
  for (int I = 0; I != 20; ++I) {
    List.push_back(numberText(T, I));
    Expected += (I ? ", " : "") + std::to_string(I);
    StringComponents Out;
    Out.text("f<");
    T.addList(Out, List.data(), List.size());
    EXPECT_EQ(T.expand(T.intern(Out.text(">"))), "f<" + Expected + ">");
    bool IsReference = Out.terminated().size() == 4 + ReferenceBytes;
    EXPECT_EQ(IsReference, List.size() > 8) << List.size();
  }
}

TEST(StringList, AnElementIsTextOfUpToSevenBytes) {
  EXPECT_TRUE(ListElement::text("1234567"));
  EXPECT_FALSE(ListElement::text("12345678"));
  EXPECT_FALSE(ListElement::text(""));
  // What needs care in an entry is none.
  EXPECT_FALSE(ListElement::text(std::string_view("a\0b", 3)));
  EXPECT_FALSE(ListElement::text("\xC3\xA9"));
  EXPECT_FALSE(ListElement::text("\xFF"));
  EXPECT_TRUE(ListElement::number(9'999'999, false));
  EXPECT_FALSE(ListElement::number(10'000'000, false));
  EXPECT_TRUE(ListElement::number(999'999, true));
  EXPECT_FALSE(ListElement::number(1'000'000, true));
  EXPECT_FALSE(ListElement::number(UINT64_MAX, false));
  EXPECT_EQ(*ListElement::number(0, false), *ListElement::text("0"));
  EXPECT_EQ(*ListElement::number(305, true), *ListElement::text("-305"));
}

TEST(StringList, GrowsLinearlyWithTexts) { expectLinear(numberText); }

TEST(StringList, GrowsLinearly) { expectLinear(number); }

TEST(StringList, GrowsLinearlyWithEqualElements) {
  expectLinear([](StringTable &T, int) { return T.intern("int"); });
}

TEST(StringList, GrowsLinearlyWithTwoValues) {
  for (unsigned Seed = 0; Seed != 2; ++Seed)
    expectLinear([Seed](StringTable &T, int Index) {
      std::minstd_rand Random(unsigned(Index + 100'000) * 8 + Seed);
      Random.discard(3);
      return T.intern((Random() >> 8) % 2 ? "true" : "false");
    });
}

TEST(StringList, GrowsLinearlyWithPeriodicElements) {
  for (int Period : {2, 7, 33})
    expectLinear([Period](StringTable &T, int Index) {
      return number(T, (Index + 100'000) % Period);
    });
}

TEST(StringList, GrowsLinearlyWithRandomElements) {
  expectLinear([](StringTable &T, int Index) {
    std::minstd_rand Random(unsigned(Index + 100'000));
    Random.discard(3);
    return number(T, int(Random() % 500));
  });
}

} // namespace
