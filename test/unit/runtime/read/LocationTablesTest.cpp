/// \file
/// Details of locations and inclusions: read, refused, and asked for.
#include "test/unit/support/SampleTraces.h"
#include "test/unit/support/TraceBuilder.h"

#include "runtime/read/SequenceReader.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

std::string onlyIssue(const TraceBuilder &B) {
  Trace T = read(B.bytes());
  const std::vector<TraceIssue> &Issues = T.Files[0].Issues;
  if (Issues.size() != 1)
    return std::to_string(Issues.size()) + " issues: " + issues(T);
  return std::string(Issues[0].Invariant) + ": found " + Issues[0].Found +
         ", expected " + Issues[0].Expected;
}

std::vector<uint32_t> chain(const Sequence &S, uint32_t Location) {
  std::vector<uint32_t> Ids;
  InclusionId Id = S.inclusionOf({Location});
  while (const Inclusion *I = S.inclusion(Id)) {
    Ids.push_back(Id.Value);
    Id = I->Includer;
  }
  return Ids;
}

TEST(LocationTables, ChainRunsFromTheFileToTheMainFile) {
  Trace T = read(placedTrace().bytes());
  EXPECT_EQ(issues(T), "");
  const Sequence &S = T.Sequences[0];
  EXPECT_EQ(chain(S, 1), (std::vector<uint32_t>{1}));
  EXPECT_EQ(chain(S, 3), (std::vector<uint32_t>{3, 2, 1}));
  const Inclusion *Mem = S.inclusion(S.inclusionOf({3}));
  ASSERT_TRUE(Mem);
  EXPECT_EQ(S.Names.text(Mem->Path, 100), "mem");
  EXPECT_EQ(Mem->LineNo, 20u);
  EXPECT_EQ(Mem->ColumnNo, 10u);
  EXPECT_EQ(Mem->Includer.Value, 2u);
}

// The first inclusion of a file needs no detail; further ones are named.
TEST(LocationTables, InclusionIsTheFirstOfTheFileUnlessNamed) {
  TraceBuilder B = placedTrace();
  addLocations(B, 6, {{4, 7}});
  Trace T = read(B.bytes());
  EXPECT_EQ(issues(T), "");
  const Sequence &S = T.Sequences[0];
  EXPECT_EQ(chain(S, 4), (std::vector<uint32_t>{5, 1}));
  EXPECT_EQ(chain(S, 6), (std::vector<uint32_t>{4, 1}));
}

TEST(LocationTables, SystemIsAskedOfTheInclusion) {
  Trace T = read(placedTrace().bytes());
  const Sequence &S = T.Sequences[0];
  EXPECT_FALSE(S.isSystem({1}));
  EXPECT_TRUE(S.isSystem({2}));
  EXPECT_TRUE(S.isSystem({3}));
  EXPECT_FALSE(S.isSystem({4}));
}

TEST(LocationTables, NothingIsKnownOfALocationInNoInclusion) {
  Trace T = read(placedTrace().bytes());
  const Sequence &S = T.Sequences[0];
  for (uint32_t Location : {0u, 5u, 6u, 4000000000u}) {
    EXPECT_FALSE(S.inclusionOf({Location})) << Location;
    EXPECT_FALSE(S.isSystem({Location})) << Location;
  }
}

TEST(LocationTables, DetailHasEveryField) {
  Trace T = read(placedTrace().bytes());
  const Sequence &S = T.Sequences[0];
  EXPECT_EQ(S.detail({1}), nullptr);
  const LocationDetail *D = S.detail({4});
  ASSERT_TRUE(D);
  EXPECT_EQ(S.Names.text(D->Macro, 100), "MAKE");
  EXPECT_EQ(S.Names.text(D->SpellingFile, 100), "mem");
  EXPECT_EQ(D->SpellingLineNo, 12u);
  EXPECT_EQ(D->SpellingColumnNo, 17u);
  EXPECT_EQ(D->ExpansionEndLineNo, 5u);
  EXPECT_EQ(D->ExpansionEndColumnNo, 8u);
  EXPECT_FALSE(D->PhysicalFile);
  D = S.detail({5});
  ASSERT_TRUE(D);
  EXPECT_EQ(S.Names.text(D->PhysicalFile, 100), "gen.cpp");
  EXPECT_EQ(D->PhysicalLineNo, 100u);
}

// Each table has details of its own, and batches number them on.
TEST(LocationTables, DetailsBelongToTheirTableAndBatch) {
  TraceBuilder B = placedTrace();
  addLocations(B, 6, {{1, 1}, {1, 2}})->add_detail()->set_macro(5);
  auto *Declarations = B.packet()->mutable_declaration_locations();
  Declarations->set_first_id(1);
  Declarations->add_file(1);
  Declarations->add_line(1);
  Declarations->add_column(1);
  Declarations->add_detail()->set_macro(6);
  Trace T = read(B.bytes());
  EXPECT_EQ(issues(T), "");
  const Sequence &S = T.Sequences[0];
  ASSERT_TRUE(S.detail({6}));
  EXPECT_EQ(S.detail({6})->Macro.Value, 5u);
  EXPECT_FALSE(S.detail({7}));
  ASSERT_TRUE(S.detail(LocationId::declaration(1)));
  EXPECT_EQ(S.detail(LocationId::declaration(1))->Macro.Value, 6u);
  EXPECT_FALSE(S.detail({1}));
}

TEST(LocationTables, FormatsWithoutInclusionsKnowNone) {
  Trace T = read(boxTrace().bytes());
  EXPECT_FALSE(T.Sequences[0].inclusionOf({1}));
  EXPECT_EQ(T.Sequences[0].detail({1}), nullptr);
}

TEST(LocationTables, InclusionsComeAfterTheirIncluders) {
  for (uint32_t Includer : {1u, 2u, 4294967295u}) {
    TraceBuilder B;
    addInclusions(B, 1, {{0, Includer, 0, false}});
    EXPECT_EQ(onlyIssue(B),
              "inclusion-order: found inclusion 1 included_from " +
                  std::to_string(Includer) + ", expected an earlier one");
  }
  TraceBuilder Cycle;
  addInclusions(Cycle, 1,
                {{0, 0, 0, false}, {0, 3, 1, false}, {0, 2, 1, true}});
  EXPECT_EQ(onlyIssue(Cycle), "inclusion-order: found inclusion 2 "
                              "included_from 3, expected an earlier one");
  EXPECT_TRUE(read(Cycle.bytes()).Sequences[0].Inclusions.empty());
}

TEST(LocationTables, InclusionColumnsAreEquallyLong) {
  TraceBuilder B;
  auto *Batch = addInclusions(B, 1, {{0, 0, 0, false}});
  EXPECT_EQ(onlyIssue(B), "0 issues: ");
  Batch->add_is_system(true);
  EXPECT_EQ(onlyIssue(B),
            "column-length: found 2 in is_system, expected 1 as in path");
  Batch->add_path(0);
  EXPECT_EQ(onlyIssue(B),
            "column-length: found 1 in included_from, expected 2 as in path");
  Batch->add_included_from(0);
  EXPECT_EQ(onlyIssue(B),
            "column-length: found 1 in line, expected 2 as in path");
  Batch->add_line(0);
  EXPECT_EQ(onlyIssue(B),
            "column-length: found 1 in column, expected 2 as in path");
}

TEST(LocationTables, InclusionIdsAreContiguous) {
  TraceBuilder B;
  addInclusions(B, 2, {{0, 0, 0, false}});
  EXPECT_EQ(onlyIssue(B), "contiguous-ids: found first_id 2, expected 1");
}

TEST(LocationTables, DetailsAreOfElementsInOrder) {
  TraceBuilder B;
  auto *Batch = addLocations(B, 1, {{0, 1}, {0, 2}});
  Batch->add_detail()->set_element(2);
  EXPECT_EQ(onlyIssue(B),
            "detail-range: found element 2, expected less than 2");
  Batch->mutable_detail(0)->set_element(4294967295u);
  EXPECT_EQ(onlyIssue(B),
            "detail-range: found element 4294967295, expected less than 2");
  Batch->mutable_detail(0)->set_element(1);
  EXPECT_EQ(onlyIssue(B), "0 issues: ");
  Batch->add_detail()->set_element(1);
  EXPECT_EQ(onlyIssue(B), "detail-order: found element 1, expected at least 2");
  Batch->mutable_detail(1)->set_element(0);
  EXPECT_EQ(onlyIssue(B), "detail-order: found element 0, expected at least 2");
  EXPECT_TRUE(read(B.bytes()).Sequences[0].Locations.Rows.empty());
}

TEST(LocationTables, ReferencesAreResolvedAtTheEnd) {
  auto With = [](auto Change) {
    TraceBuilder B;
    auto *Batch = addLocations(B, 1, {{0, 1}});
    Change(*Batch->add_detail());
    return onlyIssue(B.footer(0, 0));
  };
  EXPECT_EQ(With([](auto &D) { D.set_inclusion(7); }),
            "inclusion-range: found a location's inclusion 7 of sequence 1, "
            "expected at most 0");
  std::string Name = "name-range: found a location's macro or other file 7 of "
                     "sequence 1, expected at most 0";
  EXPECT_EQ(With([](auto &D) { D.set_macro(7); }), Name);
  EXPECT_EQ(With([](auto &D) { D.set_spelling_file(7); }), Name);
  EXPECT_EQ(With([](auto &D) { D.set_physical_file(7); }), Name);
  TraceBuilder Path;
  addInclusions(Path, 1, {{7, 0, 0, false}});
  EXPECT_EQ(onlyIssue(Path.footer(0, 0)),
            "name-range: found an inclusion's path 7 of sequence 1, expected "
            "at most 0");
}

// A killed compile may lack the inclusions that a location names.
TEST(LocationTables, DanglingInclusionIsUnknown) {
  TraceBuilder B;
  addLocations(B, 1, {{0, 1}})->add_detail()->set_inclusion(7);
  Trace T = read(B.bytes());
  EXPECT_EQ(issues(T), "");
  EXPECT_FALSE(T.Sequences[0].inclusionOf({1}));
}

// What is salvaged packet by packet has nothing of a packet that was refused.
TEST(LocationTables, RefusedPacketLeavesNothing) {
  TraceBuilder B;
  addInclusions(B, 1, {{1, 0, 0, true}, {2, 9, 0, true}});
  auto *Batch = addLocations(B, 1, {{1, 1}});
  Batch->add_detail()->set_element(1);
  SequenceReader Reader(1);
  std::string Bytes = B.bytes(), Why;
  PacketFraming Framing(Bytes);
  int Refused = 0;
  while (auto Packet = Framing.next())
    Refused += !Reader.add(*Packet, Why);
  EXPECT_EQ(Refused, 2);
  EXPECT_TRUE(Reader.sequence().Inclusions.empty());
  EXPECT_TRUE(Reader.sequence().FirstInclusions.empty());
  EXPECT_TRUE(Reader.sequence().Locations.Rows.empty());
  EXPECT_TRUE(Reader.sequence().Locations.Details.empty());
}

} // namespace
