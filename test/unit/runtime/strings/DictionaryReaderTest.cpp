/// \file
/// Names: shared parts, equal keys for equal texts, bounds on expansion.
#include "runtime/strings/Dictionary.h"

#include <gtest/gtest.h>

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

} // namespace
