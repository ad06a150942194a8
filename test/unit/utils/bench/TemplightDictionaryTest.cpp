/// \file
/// Templight's dictionary as the benchmark of names computes it: where names
/// are cut, which entries come out, and that they expand to the names.
#include "utils/bench/names/TemplightDictionary.h"

#include <gtest/gtest.h>
#include <protozero/pbf_reader.hpp>

#include <string>
#include <vector>

using namespace instantrace;

namespace {

struct DecodedEntry {
  std::string MarkedName;
  std::vector<uint32_t> Markers;
};

std::vector<DecodedEntry> decode(const TemplightDictionary &Dictionary) {
  std::vector<DecodedEntry> Entries;
  protozero::pbf_reader Trace(Dictionary.bytes());
  while (Trace.next(3)) {
    DecodedEntry &Entry = Entries.emplace_back();
    protozero::pbf_reader Fields = Trace.get_message();
    while (Fields.next())
      if (Fields.tag() == 1)
        Entry.MarkedName = Fields.get_string();
      else
        Entry.Markers.push_back(Fields.get_uint32());
  }
  return Entries;
}

/// One line per entry, its pieces written as {id}.
std::string dump(const TemplightDictionary &Dictionary) {
  std::string Out;
  for (const DecodedEntry &Entry : decode(Dictionary)) {
    auto Marker = Entry.Markers.begin();
    for (char C : Entry.MarkedName)
      if (C == '\0')
        Out += "{" + std::to_string(*Marker++) + "}";
      else
        Out += C;
    Out += '\n';
  }
  return Out;
}

std::string expand(const std::vector<DecodedEntry> &Entries, uint32_t Id) {
  std::string Out;
  auto Marker = Entries[Id].Markers.begin();
  for (char C : Entries[Id].MarkedName)
    if (C == '\0')
      Out += expand(Entries, *Marker++);
    else
      Out += C;
  return Out;
}

TEST(TemplightDictionaryTest, CutsAtScopesAndArguments) {
  TemplightDictionary D;
  EXPECT_EQ(D.add("std::vector<int, std::allocator<int>>"), 5u);
  EXPECT_EQ(dump(D), "std\nvector\nint\nallocator\n"
                     "{0}::{3}<{2}>\n"
                     "{0}::{1}<{2}, {4}>\n");
}

TEST(TemplightDictionaryTest, AnEmptyListIsAnEmptyPiece) {
  TemplightDictionary D;
  EXPECT_EQ(D.add("foo<>"), 2u);
  EXPECT_EQ(dump(D), "foo\n\n{0}<{1}>\n");
}

TEST(TemplightDictionaryTest, WhatComesAfterAListIsCutToo) {
  TemplightDictionary D;
  D.add("A<int>::f<char>");
  EXPECT_EQ(dump(D), "A\nint\nf\nchar\n{0}<{1}>::{2}<{3}>\n");
}

TEST(TemplightDictionaryTest, APieceIsWrittenOnce) {
  TemplightDictionary D;
  D.add("A<int>");
  EXPECT_EQ(D.add("B<A<int>>"), 4u);
  EXPECT_EQ(D.add("A<int>"), 2u);
  EXPECT_EQ(dump(D), "A\nint\n{0}<{1}>\nB\n{3}<{2}>\n");
}

TEST(TemplightDictionaryTest, BracketsOfOperatorsAndLiteralsMisleadIt) {
  TemplightDictionary D;
  D.add("A<&X::operator->, int>");
  EXPECT_EQ(dump(D), "A\n&X\noperator-\n{1}::{2}\n, int>\n{0}<{3}>{4}\n");
}

TEST(TemplightDictionaryTest, EveryNameExpandsToItself) {
  const char *Names[] = {
      "x",
      "::x",
      "operator<",
      "operator< <int>",
      "operator<<<int>",
      "std::operator<<<std::char_traits<char>>",
      "operator<=><int>",
      "S<'<', int>",
      "S<'>', ',', int>::T",
      "F<void (int, float)>::G<(a << 2), B<(1 > 2)>>",
      "(anonymous namespace)::P<long, int>",
      "F<(lambda at a.cpp:3:14)>::operator()<int>",
      "decltype(f<int>(g<2>()))",
      "A< B , C<D, E> >::f< >",
      "A<int",
      "A<int, ",
      "<>",
      ">>",
  };
  TemplightDictionary D;
  std::vector<uint32_t> Ids;
  for (const char *Name : Names)
    Ids.push_back(D.add(Name));
  std::vector<DecodedEntry> Entries = decode(D);
  ASSERT_EQ(Entries.size(), D.size());
  for (size_t I = 0; I != Ids.size(); ++I)
    EXPECT_EQ(expand(Entries, Ids[I]), Names[I]);
}

} // namespace
