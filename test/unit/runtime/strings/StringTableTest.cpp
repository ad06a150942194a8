/// \file
/// The string table: contents, ids, limits, virtual ids.
#include "runtime/strings/StringTable.h"

#include "runtime/strings/DictionaryEntries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace instantrace;

namespace {

std::string_view bytes(const char *Text, size_t Size) { return {Text, Size}; }

TEST(StringTable, EqualContentsHaveOneId) {
  StringTable T;
  StringId Int = T.intern("int");
  StringId Box = T.intern(StringComponents().text("Box<").ref(Int).text(">"));
  EXPECT_EQ(
      T.intern(StringComponents().text("Box").text("<").ref(Int).text(">")),
      Box);
  EXPECT_EQ(T.expand(Box), "Box<int>");
  // The same text of other components is another entry.
  EXPECT_NE(T.intern("Box<int>"), Box);
  EXPECT_EQ(T.size(), 3u);
}

TEST(StringTable, NoTextIsAnEntryAndNoneIsNot) {
  StringTable T;
  StringId Empty = T.intern("");
  EXPECT_TRUE(Empty);
  EXPECT_EQ(T.ordinal(Empty), NameId{1});
  EXPECT_EQ(T.intern(StringComponents()), Empty);
  EXPECT_EQ(T.intern(StringComponents().ref(StringId())), Empty);
  EXPECT_EQ(T.ordinal(StringId()), NameId());
  EXPECT_EQ(T.expand(StringId()), "");
}

TEST(StringTable, ALoneReferenceIsWhatItRefersTo) {
  StringTable T;
  StringId Text = T.intern("text");
  EXPECT_EQ(T.intern(StringComponents().ref(Text)), Text);
  EXPECT_EQ(T.size(), 1u);
}

// 0xFE and 0xFF are the encoding's own, a NUL is a marker in the file.
TEST(StringTable, EveryByteOfATextSurvives) {
  StringTable T;
  std::string All;
  for (int Byte = 0; Byte != 256; ++Byte) {
    std::string Single(1, static_cast<char>(Byte));
    EXPECT_EQ(T.expand(T.intern(Single)), Single);
    All += Single + Single;
  }
  EXPECT_EQ(T.expand(T.intern(All)), All);
  EXPECT_EQ(T.expand(T.intern(StringComponents().text("a").text(All))),
            "a" + All);
  EXPECT_EQ(T.size(), 258u);
}

TEST(StringTable, EntriesThatBeginAlikeAreDifferent) {
  StringTable T;
  StringId A = T.intern("a");
  std::map<std::string, StringId> Ids;
  auto Add = [&](std::string Text, StringId Id) {
    EXPECT_TRUE(Ids.emplace(Text, Id).second);
    EXPECT_EQ(T.expand(Id), Text);
  };
  Add("a", A);
  Add("ab", T.intern("ab"));
  Add("abc", T.intern("abc"));
  Add("abcc", T.intern("abcc"));
  Add("aa", T.intern(StringComponents().ref(A).ref(A)));
  Add("aaa", T.intern(StringComponents().ref(A).ref(A).ref(A)));
  Add("aab", T.intern(StringComponents().ref(A).ref(A).text("b")));
  EXPECT_EQ(T.size(), 7u);
}

TEST(StringTable, LongTextsAndComponentsSpill) {
  StringTable T;
  std::string Long(100'000, 'x');
  StringId Id = T.intern(Long);
  StringComponents Many;
  std::string Expected;
  for (int I = 0; I != 1000; ++I) {
    Many.ref(Id).text("|");
    Expected += Long + "|";
  }
  EXPECT_TRUE(T.expand(T.intern(Many)) == Expected);
  Many.clear();
  EXPECT_EQ(T.intern(Many.text("x")), T.intern("x"));
}

TEST(StringTable, KnowsTheEdgesOfTheExpandedText) {
  StringTable T;
  StringId Empty = T.intern(""), Int = T.intern("int");
  StringId Box =
      T.intern(StringComponents().ref(Empty).ref(Int).text("*").ref(Empty));
  EXPECT_EQ(T.firstChar(Box), 'i');
  EXPECT_EQ(T.lastChar(Box), '*');
  EXPECT_EQ(T.firstChar(Empty), 0);
  EXPECT_EQ(T.lastChar(Empty), 0);
  StringId Bytes = T.intern("\xFF"
                            "a"
                            "\xFE");
  EXPECT_EQ(T.firstChar(Bytes), '\xFF');
  EXPECT_EQ(T.lastChar(Bytes), '\xFE');
  EXPECT_EQ(T.firstChar(StringId::tableFull()), 0);
}

TEST(StringTable, AMarkMakesAnotherEntryOfTheSameText) {
  StringTable T;
  StringId Plain = T.intern(", int");
  StringId Default = T.intern(
      StringComponents().mark(NamePart::DefaultArguments).text(", int"));
  StringId Parameters =
      T.intern(StringComponents().text(", int").mark(NamePart::Parameters));
  EXPECT_NE(Default, Plain);
  EXPECT_NE(Default, Parameters);
  EXPECT_EQ(T.firstChar(Default), ',');
  EXPECT_EQ(T.intern(StringComponents()
                         .mark(NamePart::Parameters)
                         .text(", int")
                         .mark(NamePart::DefaultArguments)),
            Default);
  EXPECT_EQ(T.intern(StringComponents()
                         .mark(NamePart::Parameters)
                         .text(", int")
                         .mark(NamePart::Text)),
            Plain);
  // A marked reference is an entry.
  StringId Marked =
      T.intern(StringComponents().mark(NamePart::DefaultArguments).ref(Plain));
  EXPECT_NE(Marked, Plain);
  EXPECT_EQ(T.expand(Marked), ", int");
}

TEST(StringTable, ExpandsWithoutHiddenParts) {
  StringTable T;
  StringId Default =
      T.intern(StringComponents().mark(NamePart::DefaultArguments).text(", A"));
  StringId Parameters =
      T.intern(StringComponents().mark(NamePart::Parameters).text("(int)"));
  StringId Name = T.intern(StringComponents()
                               .text("f<int")
                               .ref(Default)
                               .text(">")
                               .ref(Parameters)
                               .text("!"));
  EXPECT_EQ(T.expand(Name), "f<int, A>(int)!");
  EXPECT_EQ(T.expand(Name, partBit(NamePart::DefaultArguments)),
            "f<int>(int)!");
  EXPECT_EQ(T.expand(Name, partBit(NamePart::DefaultArguments) |
                               partBit(NamePart::Parameters)),
            "f<int>!");
  // What is asked for itself is shown.
  EXPECT_EQ(T.expand(Default, partBit(NamePart::DefaultArguments)), ", A");
}

TEST(StringTable, DeepNestingNeedsNoStack) {
  StringTable T;
  StringId Id = T.intern("x");
  for (int I = 0; I != 200'000; ++I)
    Id = T.intern(StringComponents().text("(").ref(Id).text(")"));
  EXPECT_EQ(T.expand(Id).size(), 400'001u);
}

// What is in a trace must not depend on the run.
TEST(StringTable, TheSameInputGivesTheSameHeap) {
  StringTable A, B;
  for (StringTable *T : {&A, &B}) {
    std::vector<ListElement> List;
    for (int I = 0; I != 3000; ++I) {
      List.push_back(T->intern(std::to_string(I)));
      if (I % 7 == 0)
        T->internList(List.data(), List.size());
    }
  }
  EXPECT_TRUE(A.heap() == B.heap());
  EXPECT_GT(A.heap().size(), 30'000u);
}

// Growing the hash table keeps every entry where it can be found.
TEST(StringTable, FindsEachOfManyEntriesAgain) {
  StringTable T;
  std::vector<StringId> Ids;
  for (int I = 0; I != 100'000; ++I)
    Ids.push_back(T.intern("entry " + std::to_string(I)));
  for (int I = 0; I != 100'000; ++I)
    ASSERT_EQ(T.intern("entry " + std::to_string(I)), Ids[size_t(I)]);
  EXPECT_EQ(T.size(), 100'000u);
  EXPECT_EQ(T.ordinal(Ids.back()), NameId{100'000});
}

// An entry is its text, a terminator, six bytes in front and, in a table that
// grows, at most four times eight for the buckets; twice for what is reserved.
TEST(StringTable, MemoryPerEntryIsSmall) {
  StringTable T;
  for (uint32_t I = 0; I != 100'000; ++I)
    T.intern(std::to_string(100'000 + I));
  EXPECT_EQ(T.heap().size(), size_t(100'000) * (6 + 6 + 1));
  EXPECT_GE(T.memoryBytes(), T.heap().size() + size_t(100'000) * 8);
  EXPECT_LE(T.memoryBytes(), 2 * T.heap().size() + size_t(100'000) * 32);
}

std::vector<uint32_t> markers(const DictionaryEntry &E) {
  return {E.Markers, E.Markers + E.MarkerCount};
}

// Entries are read by words of eight bytes: each byte at each place of one.
TEST(StringTable, EveryByteIsSerializedWhereverItStands) {
  StringTable T;
  std::vector<std::string> Texts;
  StringId Part = T.intern("part");
  for (size_t Before = 0; Before != 18; ++Before)
    for (int Byte = 0; Byte != 256; ++Byte) {
      std::string Text(Before, 'x');
      Text += static_cast<char>(Byte);
      Text.append(Byte % 3, 'y');
      Texts.push_back(Text);
      T.intern(StringComponents().text(Text).ref(Part));
    }
  DictionaryEntries Entries(T);
  DictionaryEntry Entry;
  ASSERT_TRUE(Entries.next(Entry));
  EXPECT_EQ(Entry.MarkedName, "part");
  for (const std::string &Text : Texts) {
    ASSERT_TRUE(Entries.next(Entry));
    EXPECT_EQ(Entry.MarkedName, Text + '\0');
    std::vector<uint32_t> Expected(std::count(Text.begin(), Text.end(), '\0'));
    Expected.push_back(1);
    EXPECT_EQ(
        std::vector<uint32_t>(Entry.Markers, Entry.Markers + Entry.MarkerCount),
        Expected);
  }
  EXPECT_FALSE(Entries.next(Entry));
}

TEST(StringTable, EntriesAreSerializedInTheirOrder) {
  StringTable T;
  StringId Int = T.intern("int");
  StringId Head =
      T.intern(StringComponents().mark(NamePart::TemplateHead).text("Box<"));
  T.intern(StringComponents().ref(Head).ref(Int).text(">"));
  DictionaryEntries Entries(T);
  DictionaryEntry E;
  ASSERT_TRUE(Entries.next(E));
  EXPECT_EQ(E.MarkedName, "int");
  EXPECT_EQ(E.Part, NamePart::Text);
  ASSERT_TRUE(Entries.next(E));
  EXPECT_EQ(E.MarkedName, "Box<");
  EXPECT_EQ(E.Part, NamePart::TemplateHead);
  EXPECT_EQ(E.MarkerCount, 0u);
  ASSERT_TRUE(Entries.next(E));
  EXPECT_EQ(E.MarkedName, bytes("\0\0>", 3));
  EXPECT_EQ(E.Part, NamePart::Text);
  EXPECT_EQ(markers(E), (std::vector<uint32_t>{2, 1}));
  EXPECT_FALSE(Entries.next(E));
  // Later entries are found from where the last search ended.
  T.intern(bytes("a\0\xFF", 3));
  DictionaryEntries More(T, Entries.offset());
  ASSERT_TRUE(More.next(E));
  EXPECT_EQ(E.MarkedName, bytes("a\0\xFF", 3));
  EXPECT_EQ(markers(E), std::vector<uint32_t>{0});
  EXPECT_FALSE(More.next(E));
}

} // namespace
