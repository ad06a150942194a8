/// \file
/// Names: shared parts, equal keys for equal texts, bounds on expansion.
#include "runtime/base/Utf8.h"
#include "runtime/strings/Dictionary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace instantrace;

namespace {

using Ids = std::vector<uint32_t>;
const std::string Marker(1, '\0');

TEST(DictionaryReaderTest, ExpandsMarkersFromLeftToRight) {
  Dictionary D;
  D.add("std", Ids{});
  D.add("int", Ids{});
  D.add(Marker + "::pair<" + Marker + ", " + Marker + ">", Ids{1, 2, 2});
  D.add(Marker + "::first", Ids{3});
  EXPECT_EQ(D.text({4}, 100), "std::pair<int, int>::first");
  EXPECT_EQ(D.text({0}, 100), "");
  EXPECT_EQ(D.text({5}, 100), "");
}

TEST(DictionaryReaderTest, EqualTextsHaveEqualKeys) {
  Dictionary D;
  D.add("a", Ids{});
  D.add("b<" + Marker + ">", Ids{1});
  D.add("b<a>", Ids{});
  D.add("b<" + Marker, Ids{1});
  D.add(Marker + ">", Ids{4});
  EXPECT_EQ(D.key({2}), D.key({3}));
  EXPECT_EQ(D.key({2}), D.key({5}));
  EXPECT_EQ(D.key({2}), Dictionary::keyOf("b<a>"));
  EXPECT_NE(D.key({2}), D.key({1}));
  EXPECT_EQ(D.key({9}), Dictionary::keyOf(""));
}

// As the scope of a member is, when it has no entry of its own.
TEST(DictionaryReaderTest, APrefixIsANameToo) {
  Dictionary D;
  D.add("int", Ids{});
  D.add("a<" + Marker + ">::b<" + Marker + ">", Ids{1, 1});
  std::string Out;
  EXPECT_TRUE(D.expandPrefix({{2}, 4}, {}, Out, 100));
  EXPECT_EQ(Out, "a<int>");
  EXPECT_EQ(D.prefixKey({{2}, 4}), Dictionary::keyOf("a<int>"));
  EXPECT_EQ(D.prefixKey({{2}}), D.key({2}));
  EXPECT_EQ(D.prefixKey({{2}, 0}), Dictionary::keyOf(""));
  EXPECT_EQ(D.prefixKey({{3}, 1}), Dictionary::keyOf(""));
}

TEST(DictionaryReaderTest, KeysOfManyPrefixesAreThoseOfEach) {
  Dictionary D;
  D.add("int", Ids{});
  D.add("a<" + Marker + ">::b<" + Marker + ">", Ids{1, 1});
  const uint64_t Ends[] = {0, 1, 2, 3, 4, 9, 10};
  std::vector<NameKey> Keys = D.prefixKeys({2}, Ends);
  ASSERT_EQ(Keys.size(), std::size(Ends));
  for (size_t I = 0; I != Keys.size(); ++I)
    EXPECT_EQ(Keys[I], D.prefixKey({{2}, Ends[I]})) << Ends[I];
}

TEST(DictionaryReaderTest, AKeyGrowsByAText) {
  EXPECT_EQ(Dictionary::keyOf(Dictionary::keyOf("a.h"), ":12"),
            Dictionary::keyOf("a.h:12"));
}

// Without what closes it, a template head opens nothing.
TEST(DictionaryReaderTest, APrefixMayEndInItsArguments) {
  Dictionary D;
  D.add("a<", Ids{}, NamePart::TemplateHead);
  D.add(Marker + "int>", Ids{1});
  std::string Out;
  EXPECT_TRUE(D.expandPrefix({{2}, 3}, {false, false, true, 0}, Out, 100));
  EXPECT_EQ(Out, "a<in");
}

TEST(DictionaryReaderTest, LongTextIsCutBetweenCharacters) {
  Dictionary D;
  D.add("ab\xc3\xa9", Ids{}); // abé
  std::string Out;
  EXPECT_TRUE(D.expand({1}, Out, 4));
  Out.clear();
  EXPECT_FALSE(D.expand({1}, Out, 3));
  EXPECT_EQ(Out, "ab\xe2\x80\xa6");
}

// 64 doublings: more text than there is memory in the world.
TEST(DictionaryReaderTest, BillionLaughs) {
  Dictionary D;
  D.add("lol", Ids{});
  for (uint32_t I = 1; I != 64; ++I)
    D.add(Marker + Marker, Ids{I, I});
  std::string Out;
  EXPECT_FALSE(D.expand({64}, Out, 1000));
  EXPECT_EQ(Out.size(), 999 + 3 + 1u); // the rest is a cut "lol" and the mark
  EXPECT_EQ(D.key({64}).SizeBytes, ~uint64_t(0));
}

// As many parts, but none has any text.
TEST(DictionaryReaderTest, BillionLaughsOfNothing) {
  Dictionary D;
  D.add("", Ids{});
  for (uint32_t I = 1; I != 64; ++I)
    D.add(Marker + Marker, Ids{I, I});
  std::string Out;
  EXPECT_TRUE(D.expand({64}, Out, 1000));
  EXPECT_EQ(Out, "");
}

// Each byte is at the end of a long chain: time is bounded too.
TEST(DictionaryReaderTest, LongChainsOfPartsAreCut) {
  Dictionary D;
  D.add("x", Ids{});
  for (uint32_t I = 1; I != 200000; ++I)
    D.add(Marker, Ids{I});
  std::string Users, Out;
  Ids Parts;
  for (int I = 0; I != 1000; ++I) {
    Users += Marker;
    Parts.push_back(200000);
  }
  D.add(Users, Parts);
  EXPECT_FALSE(D.expand({200001}, Out, 65536));
}

TEST(DictionaryReaderTest, DeepNestingNeedsNoStack) {
  Dictionary D;
  D.add("x", Ids{});
  constexpr uint32_t Depth = 100000;
  for (uint32_t I = 1; I != Depth; ++I)
    D.add("(" + Marker + ")", Ids{I});
  EXPECT_EQ(D.text({Depth}, 1 << 20).size(), 2 * (Depth - 1) + 1);
}

// Whose first byte is behind all the others.
TEST(DictionaryReaderTest, TheBeginOfALongChainIsShown) {
  Dictionary D;
  D.add("B", Ids{});
  constexpr uint32_t Count = 200000;
  for (uint32_t I = 1; I != Count; ++I)
    D.add(Marker + "<", Ids{I});
  EXPECT_EQ(D.text({Count}, 5), "B<<<<\xe2\x80\xa6");
  EXPECT_EQ(D.text({300}, 299), "B" + std::string(298, '<') + "\xe2\x80\xa6");
  EXPECT_EQ(D.text({300}, 300), "B" + std::string(299, '<'));
  D.add("A" + Marker + ">", Ids{Count});
  EXPECT_EQ(D.text({Count + 1}, 5), "AB<<<\xe2\x80\xa6");
  EXPECT_EQ(D.text({Count + 1}, Count + 2).size(), Count + 2);
}

// A level without text costs as much as one with text, and shows nothing.
TEST(DictionaryReaderTest, LevelsWithoutTextAreCut) {
  Dictionary D;
  D.add("B", Ids{});
  for (uint32_t I = 1; I != 20000; ++I)
    D.add(Marker, Ids{I});
  D.add(Marker + ">", Ids{20000});
  EXPECT_EQ(D.text({100}, 200), "B");
  EXPECT_EQ(D.text({20001}, 200), "B\xe2\x80\xa6");
}

/// Names that begin with earlier ones, of all kinds of parts.
Dictionary chainsOfAllParts(std::mt19937 &Engine, uint32_t Count) {
  auto Random = [&Engine] { return static_cast<uint32_t>(Engine()); };
  Dictionary D;
  D.add("B", Ids{});
  D.add("H<", Ids{}, NamePart::TemplateHead);
  D.add(", hid", Ids{}, NamePart::DefaultArguments);
  D.add("()", Ids{}, NamePart::Parameters);
  while (D.size() != Count) {
    uint32_t Newest = D.size();
    // Mostly the newest, so that chains are long.
    uint32_t First = Random() % 256 != 0 ? Newest : 1 + Random() % Newest;
    uint32_t Other = 1 + Random() % std::min(Newest, 6u);
    auto Part = Random() % 40 == 0 ? static_cast<NamePart>(Random() % 4)
                                   : NamePart::Text;
    switch (Random() % 8) {
    case 0:
      D.add(Marker + "<", Ids{First}, NamePart::TemplateHead);
      break;
    case 1:
      D.add(Marker + Marker + ">", Ids{First, Other}, Part);
      break;
    case 2:
      D.add(Marker + Marker, Ids{First, Other}, Part);
      break;
    case 3:
      D.add(Marker, Ids{First}, Part);
      break;
    case 4:
      D.add("c" + Marker, Ids{First}, Part);
      break;
    case 5:
      D.add(Marker + "\xc3\xa9" + Marker + "e", Ids{First, Other}, Part);
      break;
    default:
      D.add(Marker + "d", Ids{First}, Part);
    }
  }
  return D;
}

// What is leapt over makes no difference to what is shown.
TEST(DictionaryReaderTest, APartOfATextIsTheBeginOfTheWhole) {
  std::mt19937 Engine(15);
  auto Random = [&Engine] { return static_cast<uint32_t>(Engine()); };
  for (int Round = 0; Round != 20; ++Round) {
    constexpr uint32_t Count = 600;
    Dictionary D = chainsOfAllParts(Engine, Count);
    for (uint32_t Set = 0; Set != 16; ++Set) {
      NameStyle Style = {(Set & 1) != 0, (Set & 2) != 0, (Set & 4) != 0,
                         (Set & 8) != 0 ? UINT_MAX : Random() % 4};
      for (uint32_t Id = Count; Id > Count - 200; Id -= 10) {
        std::string Whole, Begin;
        bool IsWhole = D.expand({Id}, Style, Whole, 1 << 14);
        size_t Limit = Random() % 300;
        bool Fits = D.expand({Id}, Style, Begin, Limit);
        ASSERT_EQ(Fits, IsWhole && Whole.size() <= Limit);
        if (!Fits)
          Whole =
              Whole.substr(0, utf8PrefixBytes(Whole, Limit)) + "\xe2\x80\xa6";
        ASSERT_EQ(Begin, Whole) << Id << " of round " << Round;
      }
    }
  }
}

} // namespace
