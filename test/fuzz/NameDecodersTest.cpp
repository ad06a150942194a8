/// \file
/// Names and their flat texts, of the same dictionaries: good ones of several
/// origins, each fault, and every way to damage a small one.
#include "test/fuzz/NameDecoders.h"

#include "proto/trace.pb.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

using namespace instantrace;
using namespace instantrace::fuzz;

namespace {

struct Row {
  std::string MarkedName;
  std::vector<uint32_t> Markers;
  int Part = 0;
};

std::string batch(std::initializer_list<Row> Rows, uint32_t FirstId = 1) {
  proto::DictionaryBatch Batch;
  Batch.set_first_id(FirstId);
  for (const Row &R : Rows) {
    proto::DictionaryEntry *Entry = Batch.add_entry();
    Entry->set_marked_name(R.MarkedName);
    Entry->mutable_marker_ids()->Add(R.Markers.begin(), R.Markers.end());
    Entry->set_part(static_cast<proto::NamePart>(R.Part));
  }
  return Batch.SerializeAsString();
}

const std::string Nul(1, '\0');

std::string faultOf(const std::string &Batch) {
  DecodedNames Names;
  decode(Batch, Names);
  EXPECT_EQ(disagreement(Names), "");
  return Names.Fault;
}

/// Entries that refer to one another in every way that a table allows.
void fillAtRandom(StringTable &T, unsigned Seed, size_t Count) {
  std::minstd_rand Random(Seed + 1);
  std::vector<StringId> Ids{T.intern("a")};
  while (Ids.size() != Count) {
    StringComponents Parts;
    Parts.mark(static_cast<NamePart>(Random() % 8 < 4 ? Random() % 4 : 0));
    unsigned Length = Random() % 5;
    // Of recent ones, mostly: then texts stay short and nesting gets deep.
    auto any = [&] {
      size_t Back = Random() % 8 ? Random() % 8 : Random();
      return Ids[Ids.size() - 1 - Back % Ids.size()];
    };
    if (Random() % 16 == 0) {
      std::vector<ListElement> List;
      for (unsigned I = 0; I != 20; ++I)
        List.push_back(Ids[Random() % std::min<size_t>(Ids.size(), 9)]);
      Parts.ref(T.internList(List.data(), List.size()));
    }
    bool HasRef = false;
    for (unsigned I = 0; I != Length; ++I) {
      if (Random() % 2 && !HasRef) {
        Parts.ref(any());
        HasRef = true;
      }
      std::string Text(Random() % 4, static_cast<char>(Random()));
      Parts.text(Text);
    }
    if (Random() % 2)
      Parts.text(Random() % 2 ? "<" : ">");
    if (Random() % 64 == 0)
      Parts.ref(any()).ref(any());
    Ids.push_back(T.intern(Parts));
  }
}

TEST(NameDecoders, AgreeOnHandWrittenNames) {
  DecodedNames Names;
  decode(batch({{"std::", {}},
                {"int", {}},
                {Nul + "pair<", {1}, proto::NAME_PART_TEMPLATE_HEAD},
                {", " + Nul, {2}, proto::NAME_PART_DEFAULT_ARGUMENTS},
                {Nul + Nul + Nul + ">", {3, 2, 4}},
                {"(" + Nul + ")", {5}, proto::NAME_PART_PARAMETERS},
                {Nul + "::swap" + Nul, {5, 6}}}),
         Names);
  EXPECT_EQ(Names.Fault, "");
  EXPECT_EQ(disagreement(Names), "");
  EXPECT_EQ(Names.Flat.at(6), "std::pair<int, int>::swap(std::pair<int, "
                              "int>)");
  EXPECT_EQ(Names.Lazy.text({7}, {}, 100), "std::pair<int>::swap");
}

TEST(NameDecoders, AgreeOnRandomTables) {
  for (unsigned Seed = 0; Seed != 40; ++Seed) {
    StringTable T;
    fillAtRandom(T, Seed, 150);
    DecodedNames Names;
    for (const std::string &Batch : serialized(T))
      decode(Batch, Names);
    ASSERT_EQ(disagreement(Names), "") << Seed;
    EXPECT_EQ(Names.Fault, "");
    EXPECT_EQ(Names.Lazy.size(), T.size());
  }
}

// Through the file's form, each text is what it was.
TEST(NameDecoders, ATableSurvivesTheFile) {
  for (unsigned Seed = 0; Seed != 10; ++Seed) {
    StringTable T;
    fillAtRandom(T, Seed, 100);
    DecodedNames Names;
    for (const std::string &Batch : serialized(T))
      decode(Batch, Names);
    size_t Offset = 0;
    for (uint32_t Ordinal = 1; Ordinal <= T.size(); ++Ordinal) {
      ComponentReader Reader(T.entryAt(Offset));
      StringComponents Parts;
      for (StringComponent Part; Reader.next(Part);)
        Part.Ref ? Parts.ref(Part.Ref) : Parts.text(Part.Text);
      Offset = static_cast<size_t>(Reader.end() - T.heap().data());
      StringId Id = T.intern(Parts);
      ASSERT_EQ(T.ordinal(Id), NameId{Ordinal}); // nothing new
      EXPECT_EQ(Names.Flat.at(Ordinal - 1), T.expand(Id));
      EXPECT_EQ(Names.Lazy.text({Ordinal}, 1 << 20), T.expand(Id));
      EXPECT_EQ(Names.Lazy.text({Ordinal}, {}, 1 << 20),
                T.expand(Id, partBit(NamePart::DefaultArguments) |
                                 partBit(NamePart::Parameters)));
    }
  }
}

// Invalid UTF-8 and NUL are bytes like any others.
TEST(NameDecoders, EveryByteSurvives) {
  std::string All;
  for (int Byte = 0; Byte != 256; ++Byte)
    All += static_cast<char>(Byte);
  StringTable T;
  StringId Text = T.intern(All);
  T.intern(StringComponents().text("\xFF").ref(Text).text(Nul));
  DecodedNames Names;
  decode(serialized(T).at(0), Names);
  EXPECT_EQ(disagreement(Names), "");
  EXPECT_EQ(Names.Flat.at(1), "\xFF" + All + Nul);
  EXPECT_EQ(Names.Lazy.text({2}, 1000), "\xFF" + All + Nul);
}

// Written by an earlier version for a real compile.
TEST(NameDecoders, AgreeOnAStoredTrace) {
  std::ifstream File(INSTANTRACE_STORED_TRACE, std::ios::binary);
  std::string Bytes((std::istreambuf_iterator<char>(File)), {});
  proto::Trace Trace;
  ASSERT_TRUE(Trace.ParseFromString(Bytes));
  DecodedNames Names;
  uint32_t Read = 0;
  for (const proto::Packet &P : Trace.packet()) {
    if (P.has_file_header())
      Names = DecodedNames(); // of another sequence
    if (!P.has_dictionary())
      continue;
    decode(P.dictionary().SerializeAsString(), Names);
    EXPECT_EQ(Names.Fault, "");
    EXPECT_EQ(disagreement(Names), "");
    Read += static_cast<uint32_t>(P.dictionary().entry_size());
  }
  EXPECT_GT(Read, 10u);
}

TEST(NameDecoders, RefuseWhatIsNotEarlier) {
  EXPECT_EQ(faultOf(batch({{"a", {}}, {Nul, {2}}})),
            "backward-markers: found marker 2 of name 2, expected an earlier "
            "name, or 0"); // itself
  EXPECT_EQ(faultOf(batch({{Nul, {2}}, {Nul, {1}}})),
            "backward-markers: found marker 2 of name 1, expected an earlier "
            "name, or 0"); // a cycle
  EXPECT_EQ(faultOf(batch({{"a", {}}, {Nul + Nul, {1, 4294967295}}})),
            "backward-markers: found marker 4294967295 of name 2, expected an "
            "earlier name, or 0"); // of nothing
}

TEST(NameDecoders, RefuseWrongCountsOfPlaceholders) {
  EXPECT_EQ(faultOf(batch({{"a", {}}, {"b" + Nul, {}}})),
            "placeholder-count: found 1 placeholders of name 2, expected 0 as "
            "its marker_ids");
  EXPECT_EQ(faultOf(batch({{"a", {}}, {Nul, {1, 1}}})),
            "placeholder-count: found 1 placeholders of name 2, expected 2 as "
            "its marker_ids");
}

TEST(NameDecoders, RefuseAGap) {
  EXPECT_EQ(faultOf(batch({{"a", {}}}, 2)),
            "contiguous-ids: found first_id 2, expected 1");
  EXPECT_EQ(faultOf(batch({{"a", {}}}, 0)),
            "contiguous-ids: found first_id 0, expected 1");
}

TEST(NameDecoders, APartOfANewerVersionIsText) {
  DecodedNames Names;
  decode(batch({{"a", {}, 4}, {"b", {}, -1}, {Nul + Nul, {1, 2}}}), Names);
  EXPECT_EQ(disagreement(Names), "");
  EXPECT_EQ(Names.Lazy.text({3}, {}, 10), "ab");
  EXPECT_EQ(Names.Lazy.entry({1}).Part, NamePart::Text);
}

/// "x" doubled: name N has 2^(N - 1) bytes.
std::string doublings(uint32_t Count, std::initializer_list<Row> More = {}) {
  proto::DictionaryBatch Batch;
  Batch.ParseFromString(batch({{"x", {}}}));
  for (uint32_t I = 1; I != Count; ++I) {
    proto::DictionaryEntry *Entry = Batch.add_entry();
    Entry->set_marked_name(Nul + Nul);
    Entry->add_marker_ids(I);
    Entry->add_marker_ids(I);
  }
  proto::DictionaryBatch Rest;
  Rest.ParseFromString(batch(More));
  Batch.mutable_entry()->MergeFrom(Rest.entry());
  return Batch.SerializeAsString();
}

// A compiler may well have such a type.
TEST(NameDecoders, KeepABillionLaughsWithoutTheirText) {
  DecodedNames Names;
  decode(doublings(64), Names);
  EXPECT_EQ(Names.Fault, "");
  EXPECT_EQ(Names.Lazy.size(), 64u);
  EXPECT_EQ(Names.Lazy.sizeBytes({40}), uint64_t(1) << 39);
  EXPECT_EQ(Names.Flat.size(), 20u);
  EXPECT_EQ(disagreement(Names), "");
}

// One type with an absurd name is no reason to lose all others.
TEST(NameDecoders, GoOnAfterANameThatIsTooLong) {
  DecodedNames Names;
  decode(doublings(64, {{"int", {}}, {"Box<" + Nul + ">", {65}}}), Names);
  EXPECT_EQ(Names.Lazy.size(), 66u);
  EXPECT_EQ(Names.Lazy.text({66}, {}, 100), "Box<int>");
}

TEST(NameDecoders, NoTextIsLongerThanTheLimit) {
  DecodedNames Names;
  const std::string Four(4, '\0');
  decode(batch({{std::string(1 << 20, 'x'), {}},
                {Four, {1, 1, 1, 1}},
                {Four, {2, 2, 2, 2}},
                {Four, {3, 3, 3, 3}},
                {Four + Four, {4, 4, 4, 4, 4, 4, 4, 4}}}),
         Names);
  std::string Text;
  EXPECT_FALSE(Names.Lazy.expand({5}, Text, SIZE_MAX));
  EXPECT_EQ(Text.size(), MaxNameBytes + std::string("\u2026").size());
}

TEST(NameDecoders, ANameMayBeAsLongAsTheLimit) {
  DecodedNames Names;
  decode(doublings(29), Names);
  EXPECT_EQ(Names.Lazy.sizeBytes({29}), MaxNameBytes);
  DecodedNames Longer;
  decode(doublings(29, {{Nul + "y", {29}}}), Longer);
  EXPECT_EQ(Longer.Fault, "");
  EXPECT_EQ(Longer.Lazy.sizeBytes({30}), MaxNameBytes + 1);
}

// What is left out of a name counts, too: somebody will want it whole.
TEST(NameDecoders, HiddenPartsCountForTheLimit) {
  DecodedNames Names;
  decode(doublings(
             29, {{Nul, {29}, proto::NAME_PART_PARAMETERS}, {"f" + Nul, {30}}}),
         Names);
  EXPECT_GT(Names.Lazy.sizeBytes({31}), MaxNameBytes);
}

std::string smallDictionary() {
  return batch({{"ns::", {}},
                {Nul + "Box<", {1}, proto::NAME_PART_TEMPLATE_HEAD},
                {", A" + Nul, {0}, proto::NAME_PART_DEFAULT_ARGUMENTS},
                {Nul + Nul + ">", {2, 3}},
                {Nul + Nul + ">\xFF", {2, 4}},
                {Nul + "(" + Nul + ")", {4, 5}, proto::NAME_PART_PARAMETERS}});
}

TEST(NameDecoders, AgreeOnEveryTruncation) {
  std::string Whole = smallDictionary();
  ASSERT_EQ(faultOf(Whole), "");
  size_t Refused = 0;
  for (size_t Size = 0; Size != Whole.size(); ++Size)
    Refused += !faultOf(Whole.substr(0, Size)).empty();
  // Whole entries are left where the cut is between two.
  EXPECT_GE(Refused, Whole.size() - 7);
}

TEST(NameDecoders, AgreeOnEveryFlippedBit) {
  std::string Whole = smallDictionary();
  for (size_t Bit = 0; Bit != Whole.size() * 8; ++Bit) {
    std::string Damaged = Whole;
    Damaged[Bit / 8] = static_cast<char>(Damaged[Bit / 8] ^ (1 << Bit % 8));
    faultOf(Damaged);
  }
}

} // namespace
