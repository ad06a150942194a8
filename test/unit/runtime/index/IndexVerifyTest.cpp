/// \file
/// Each rule of InstantiationIndex::verify(), broken by one edit.
#include "test/unit/support/VerifyRules.h"

using namespace instantrace;
using namespace instantrace::index;
using namespace instantrace::test;

namespace {

/// Two compiles of four records: 1 has 2 inside, and 3 was requested by 1; 0
/// and 3 never end. Sums are wide from record 1 on.
SampleCompile smallCompile() {
  SampleCompile C;
  C.begin(0, {.Kind = 32});
  C.begin(5,
          {.AstBytes = 100, .Entity = 1, .Location = 1, .IsDefinition = true});
  C.begin(7, {.Entity = 2, .Location = 2});
  C.end(9);
  C.end(uint64_t(1) << 34);
  C.begin((uint64_t(1) << 34) + 1,
          {.Entity = 3, .Location = 5, .Requester = 1});
  C.finish();
  return C;
}

std::string smallIndex() {
  return indexBytes({smallCompile(), smallCompile()});
}

void expectRules(const std::vector<RuleCase> &Cases) {
  expectFaults(smallIndex(), Cases);
}

/// The last entry, with its number in front.
size_t lastEntry(const std::string &Strings) {
  return Strings.rfind('\xFF', Strings.size() - 2) + 1;
}

uint32_t entryCount(const std::string &Strings) {
  uint32_t Number = 0;
  std::memcpy(&Number, Strings.data() + lastEntry(Strings), sizeof(Number));
  return Number;
}

/// One more entry of these components.
void addEntry(EditedIndex &E, const std::string &Components) {
  E.addRow(Section::Strings, entryCount(E.section(Section::Strings)) + 1);
  E.section(Section::Strings) += std::string(2, '\0') + Components;
}

std::string reference(uint64_t Id) {
  std::string Bytes = "\xFE";
  for (unsigned Shift = 0; Shift != 40; Shift += 8)
    Bytes += static_cast<char>(Id >> Shift & 0xFF);
  return Bytes;
}

TEST(IndexVerify, Strings) {
  const size_t End = EditedIndex(smallIndex()).section(Section::Strings).size();
  const size_t Last =
      lastEntry(EditedIndex(smallIndex()).section(Section::Strings));
  const std::string Entry = "string-entry, section STRD, row ";
  const std::string NoEnd = ": found no end, expected a whole entry";
  const std::string NoSuch = ": found another reference, expected one to an "
                             "earlier entry or a mark";
  auto Adding = [](std::string Components, std::string Fault) {
    return RuleCase{[=](EditedIndex &E) { addEntry(E, Components); },
                    std::move(Fault)};
  };
  expectRules({
      putting(Section::Strings, 0, uint32_t(2),
              Entry + "0: found another number, expected entries in their "
                      "order"),
      {[](EditedIndex &E) { E.section(Section::Strings) += "1234"; },
       Entry + std::to_string(End) + NoEnd},
      dropping(Section::Strings, Entry + std::to_string(Last) + NoEnd),
      Adding("text", Entry + std::to_string(End) + NoEnd),
      Adding("\xFE\x01", Entry + std::to_string(End) + NoEnd),
      // Of itself, of what is no entry, of none, and a mark behind text.
      Adding(reference(StringId::FirstRegular + End + 6) + "\xFF",
             Entry + std::to_string(End) + NoSuch),
      Adding(reference(StringId::FirstRegular + 7) + "\xFF",
             Entry + std::to_string(End) + NoSuch),
      Adding(reference(0) + "\xFF", Entry + std::to_string(End) + NoSuch),
      Adding("a" + reference(StringId::FirstMark + 1) + "\xFF",
             Entry + std::to_string(End) + NoSuch),
  });
}

TEST(IndexVerify, StringEdges) {
  const std::string Strings =
      EditedIndex(smallIndex()).section(Section::Strings);
  const size_t End = Strings.size();
  auto Found = [End](size_t Byte, unsigned Is, unsigned Expected) {
    return "string-edges, section STRD, row " + std::to_string(End + Byte) +
           ": found " + std::to_string(Is) + ", expected " +
           std::to_string(Expected);
  };
  auto Adding = [](std::string Edges, std::string Components,
                   std::string Fault) {
    auto Edit = [=](EditedIndex &E) {
      addEntry(E, Components + "\xFF");
      E.section(Section::Strings)
          .replace(E.section(Section::Strings).size() - Components.size() - 3,
                   2, Edges);
    };
    return RuleCase{Edit, std::move(Fault)};
  };
  const std::string First = reference(StringId::FirstRegular + 6);
  ASSERT_EQ(Strings.substr(4, 10), "xex.itrace");
  expectRules({
      Adding("xb", "ab", Found(4, 'x', 'a')),
      Adding("ax", "ab", Found(5, 'x', 'b')),
      Adding("yb", First + "b", Found(4, 'y', 'x')),
      Adding("ax", "a" + First, Found(5, 'x', 'e')),
      Adding("a\xC3", "a" + reference(StringId::FirstByte + 0xC4),
             Found(5, 0xC3, 0xC4)),
      // No text but a mark.
      Adding("ab", reference(StringId::FirstMark + 1), Found(4, 'a', 0)),
  });
}

TEST(IndexVerify, Names) {
  const std::string Begin = ", expected the begin of an entry";
  expectRules({
      setting(Section::Folders, 3, &FolderRow::Path, 1,
              "string-reference, section FOLD, row 3: found 1" + Begin),
      setting(Section::Compiles, 0, &CompileRow::WorkingDirectory, 1,
              "string-reference, section COMP, row 0: found 1" + Begin),
      setting(Section::Files, 0, &FileRow::Path, 1,
              "string-reference, section FILE, row 0: found 1" + Begin),
      setting(Section::Files, 1, &FileRow::Path, NoString,
              "string-reference, section FILE, row 1: found "
              "18446744073709551615" +
                  Begin),
      setting(Section::TemplateSets, 1, &TemplateSetRow::Name, 1,
              "string-reference, section SETS, row 1: found 1" + Begin),
      setting(Section::Entities, 2, &EntityRow::Name, 1,
              "string-reference, section ENTS, row 2: found 1" + Begin),
      setting(Section::Compiles, 1, &CompileRow::File, 1,
              "string-reference, section COMP, row 1: found 1" + Begin),
      setting(Section::Compiles, 1, &CompileRow::Input, 1,
              "string-reference, section COMP, row 1: found 1" + Begin),
      setting(Section::Locations, 0, &LocationRow::File, 9,
              "location-file, section LOCS, row 0: found 9, expected none or "
              "one below 2"),
      setting(Section::Locations, 1, &LocationRow::ColumnNo, 1,
              "location-order, section LOCS, row 1: found one that is not "
              "behind the row before, expected ascending rows"),
      setting(Section::Entities, 0, &EntityRow::TemplateSet, 7,
              "entity-set, section ENTS, row 0: found 7, expected none or one "
              "below 2"),
      setting(Section::Entities, 5, &EntityRow::DeclaredAt, 6,
              "entity-location, section ENTS, row 5: found 6, expected none or "
              "one below 6"),
      {[](EditedIndex &E) {
         auto Row = E.row<EntityRow>(Section::Entities, 3);
         Row.Reserved[1] = 1;
         E.setRow(Section::Entities, 3, Row);
       },
       "reserved, section ENTS, row 3: found another number, expected 0"},
      setting(Section::SelfWide, 0, &WideSumRow::Reserved, 5,
              "reserved, section SELW, row 0: found 5, expected 0"),
      putting(Section::EntitiesByHash, 0, uint32_t(99),
              "hash-order, section ENTH, row 0: found 99, expected at most 5"),
      {[](EditedIndex &E) {
         auto First = E.row<uint32_t>(Section::EntitiesByHash, 0);
         E.setRow(Section::EntitiesByHash, 1, First);
       },
       "hash-order, section ENTH, row 1: found one that is not behind the row "
       "before, expected ascending rows"},
  });
}

// A hash is compared with the text, so with other text it is another one.
TEST(IndexVerify, HashesOfNames) {
  EditedIndex Good(smallIndex());
  const auto Named = Good.row<EntityRow>(Section::Entities, 0);
  const auto Other = Good.row<EntityRow>(Section::Entities, 1);
  auto Hashes = [](uint64_t Found, uint64_t Expected) {
    return ": found " + std::to_string(Found) + ", expected " +
           std::to_string(Expected);
  };
  expectRules({
      setting(Section::Entities, 0, &EntityRow::Name, Other.Name,
              "name-hash, section ENTS, row 0" +
                  Hashes(Named.Hash, Other.Hash)),
      setting(Section::Entities, 4, &EntityRow::Hash, 1,
              "name-hash, section ENTS, row 4" + Hashes(1, 0)),
  });
}

TEST(IndexVerify, Counts) {
  expectRules({
      dropping(Section::EntitiesByHash,
               "row-count, section ENTH, row 0: found 5, expected 6"),
      adding(Section::RangeStarts, uint32_t(0),
             "row-count, section RKEY, row 0: found 17, expected 16"),
      adding(Section::RangeBegins, uint64_t(0),
             "row-count, section RBEG, row 0: found 2, expected 1"),
      dropping(Section::SelfSums,
               "row-count, section SELS, row 0: found 8, expected 9"),
      adding(Section::SelfBases, uint64_t(0),
             "row-count, section SELB, row 0: found 2, expected 1"),
      dropping(Section::MemorySums,
               "row-count, section MEMS, row 0: found 8, expected 9"),
      dropping(Section::MemoryBases,
               "row-count, section MEMB, row 0: found 0, expected 1"),
  });
}

TEST(IndexVerify, Compiles) {
  const std::string Slices = "compile-slices, section COMP, row ";
  expectRules({
      setting(Section::Compiles, 0, &CompileRow::FirstRecord, 1,
              Slices + "0: found 1, expected 0"),
      setting(Section::Compiles, 0, &CompileRow::FirstFolder, 1,
              Slices + "0: found 1, expected 0"),
      setting(Section::Compiles, 1, &CompileRow::FirstBlock, 3,
              Slices + "1: found 3, expected 2"),
      setting(Section::Compiles, 1, &CompileRow::FirstRecord, 9,
              Slices + "0: found 9, expected at most 8"),
      setting(Section::Compiles, 1, &CompileRow::FirstFolder, 9,
              Slices + "0: found 9, expected at most 4"),
      setting(Section::Compiles, 1, &CompileRow::Flags, 2,
              "compile-flags, section COMP, row 1: found 2, expected at most "
              "1"),
      setting(Section::Compiles, 1, &CompileRow::OpenCount, 1,
              "open-count, section COMP, row 1: found 1, expected 2"),
  });
  const std::string Three =
      indexBytes({smallCompile(), smallCompile(), smallCompile()});
  expectFaults(Three, {setting(Section::Compiles, 2, &CompileRow::FirstRecord,
                               1, Slices + "1: found 4, expected at most 1")});
  SampleCompile Ended;
  Ended.begin(0);
  Ended.end(9);
  expectFaults(indexBytes({Ended}),
               {setting(Section::Compiles, 0, &CompileRow::EndNs, 8,
                        "compile-end, section COMP, row 0: found 9, expected "
                        "at most 8")});
  // Rows of nobody.
  expectFaults(indexBytes({}),
               {{[](EditedIndex &E) {
                   E.addRow(Section::Records,
                            RecordRow{index::None, index::None, index::None, 1,
                                      1, 0, 0});
                   E.addRow(Section::SelfSums, uint32_t(0));
                   E.addRow(Section::RangeStarts, uint32_t(0));
                   E.addRow(Section::RangeStarts, uint32_t(0));
                   E.addRow(Section::RangeBegins, uint64_t(0));
                 },
                 "compile-slices, section RECS, row 0: found 0, expected 1"},
                {[](EditedIndex &E) {
                   E.addRow(Section::Folders, FolderRow{6});
                   E.addRow(Section::Strings, uint32_t(1));
                   E.section(Section::Strings) += std::string("aaa\xFF");
                 },
                 "compile-slices, section FOLD, row 0: found 0, expected 1"}});
}

TEST(IndexVerify, Records) {
  const std::string Subtree = "record-subtree, section RECS, row ";
  expectRules({
      setting(Section::Records, 1, &RecordRow::Entity, 77,
              "record-entity, section RECS, row 1: found 77, expected none or "
              "one below 6"),
      setting(Section::Records, 1, &RecordRow::Location, 77,
              "record-location, section RECS, row 1: found 77, expected none "
              "or one below 6"),
      setting(Section::Records, 1, &RecordRow::Parent, index::None,
              "record-parent, section RECS, row 1: found 4294967295, expected "
              "0"),
      setting(Section::Records, 1, &RecordRow::Depth, 3,
              "record-depth, section RECS, row 1: found 3, expected 1"),
      setting(Section::Records, 1, &RecordRow::Flags, 8,
              "record-flags, section RECS, row 1: found 8, expected at most "
              "7"),
      setting(Section::Records, 1, &RecordRow::Kind, 0,
              "record-kind, section RECS, row 1: found 0, expected a kind of "
              "event"),
      setting(Section::Records, 3, &RecordRow::SubtreeEnd, 3,
              Subtree + "3: found 4, expected at most 3"),
      setting(Section::Records, 2, &RecordRow::SubtreeEnd, 4,
              Subtree + "2: found 4, expected at most 3"),
      setting(Section::Records, 0, &RecordRow::SubtreeEnd, 5,
              Subtree + "0: found 5, expected 4"),
      setting(Section::Records, 2, &RecordRow::Flags, RecordOpen,
              "record-open, section RECS, row 2: found one that never ended in "
              "one that did, expected all around it without an end"),
      setting(Section::Records, 1, &RecordRow::Flags, RecordOpen,
              "record-open, section RECS, row 1: found 17179869184, expected "
              "17179869185"),
      setting(Section::Requesters, 0, &RequesterRow::Requester, 3,
              "requester, section RECS, row 3: found 3, expected an earlier "
              "record of the compile"),
      setting(Section::Requesters, 1, &RequesterRow::Requester, 1,
              "requester, section RECS, row 7: found 1, expected an earlier "
              "record of the compile"),
      setting(Section::Requesters, 0, &RequesterRow::Record, 2,
              "requester, section RECS, row 3: found 1, expected an earlier "
              "record of the compile"),
      dropping(Section::Requesters,
               "requester, section RECS, row 7: found 4294967295, expected an "
               "earlier record of the compile"),
      adding(Section::Requesters, RequesterRow{7, 5},
             "requester, section REQU, row 0: found 2, expected 3"),
  });
}

TEST(IndexVerify, Ranges) {
  expectRules({
      putting(Section::RangeBegins, 0, uint64_t(0x2725),
              "range-begin, section RBEG, row 0: found 0, expected 1"),
      putting(Section::RangeBegins, 0, uint64_t(0x102727),
              "range-begin, section RBEG, row 0: found 16, expected 0"),
      setting(Section::RangeBlocks, 1, &RangeBlockRow::FirstRecord, 2,
              "range-block, section RBLK, row 1: found 2, expected 3"),
      setting(Section::RangeBlocks, 0, &RangeBlockRow::FirstRange, 1,
              "range-block, section RKEY, row 0: found no block, expected a "
              "new one"),
      putting(Section::RangeStarts, 4, uint32_t(1),
              "range-base, section RKEY, row 4: found 1, expected 0"),
      putting(Section::RangeStarts, 2, uint32_t(3),
              "range-time, section RKEY, row 2: found 3 ns, expected a time "
              "behind 5 ns"),
      adding(Section::RangeBlocks, RangeBlockRow{0, 16, 8},
             "block-count, section RBLK, row 0: found 4, expected 5"),
  });
  SampleCompile Long;
  for (uint64_t I = 0; I != 100; ++I) {
    Long.begin(I);
    Long.end(I);
  }
  expectFaults(
      indexBytes({Long}),
      {setting(Section::RangeBlocks, 1, &RangeBlockRow::FirstRange, 130,
               "range-block, section RBLK, row 0: found 128, expected "
               "at most 127")});
}

TEST(IndexVerify, Postings) {
  const std::string Slices = ", expected ascending slices";
  expectRules({
      dropping(Section::EntityPostings,
               "entity-postings, section PENT, row 0: found 5, expected 6"),
      setting(Section::Entities, 0, &EntityRow::FirstPosting, 1,
              "entity-postings, section ENTS, row 0: found 1 to 2" + Slices),
      setting(Section::Entities, 1, &EntityRow::FirstPosting, 99,
              "entity-postings, section ENTS, row 0: found 0 to 99" + Slices),
      setting(Section::Entities, 2, &EntityRow::FirstPosting, 1,
              "entity-postings, section ENTS, row 1: found 2 to 1" + Slices),
      putting(Section::EntityPostings, 1, uint32_t(1),
              "entity-postings, section PENT, row 1: found 1, expected an "
              "ascending record of row 0"),
      putting(Section::EntityPostings, 1, uint32_t(6),
              "entity-postings, section PENT, row 1: found 6, expected an "
              "ascending record of row 0"),
      putting(Section::EntityPostings, 1, uint32_t(8),
              "entity-postings, section PENT, row 1: found 8, expected an "
              "ascending record of row 0"),
      dropping(Section::LocationPostings,
               "location-postings, section PLOC, row 0: found 5, expected 6"),
      setting(Section::Locations, 0, &LocationRow::FirstPosting, 1,
              "location-postings, section LOCS, row 0: found 1 to 2" + Slices),
      putting(Section::LocationPostings, 0, uint32_t(2),
              "location-postings, section PLOC, row 0: found 2, expected an "
              "ascending record of row 0"),
  });
}

TEST(IndexVerify, Sums) {
  expectRules({
      putting(Section::SelfSums, 0, uint32_t(1),
              "self-sum, section SELS, row 0: found 1, expected 0"),
      putting(Section::SelfSums, 1, uint32_t(7),
              "self-sum, section SELS, row 2: found 17179869176, expected "
              "17179869177"),
      setting(Section::SelfWide, 1, &WideSumRow::Sum, 9,
              "self-sum, section SELS, row 3: found 9, expected at least "
              "17179869183"),
      putting(Section::MemorySums, 3, uint32_t(99),
              "memory-sum, section MEMS, row 3: found 99, expected at least "
              "100"),
      putting(Section::MemoryBases, 0, uint64_t(1),
              "memory-sum, section MEMS, row 0: found 1, expected 0"),
      setting(Section::SelfWide, 0, &WideSumRow::Record, 1,
              "wide-sum, section SELW, row 0: found 1, expected 2"),
      dropping(Section::SelfWide,
               "wide-sum, section SELW, row 6: found 4294967295, expected 8"),
      adding(Section::MemoryWide, WideSumRow{0, 3, 0},
             "wide-sum, section MEMW, row 0: found 0, expected 1"),
  });
}

// No sum is of what is between sections.
TEST(IndexVerify, Padding) {
  std::string Bytes = smallIndex();
  SectionRow Odd;
  for (size_t No = 0;; ++No) {
    ASSERT_LT(No + 1, SectionLimit);
    std::memcpy(&Odd, Bytes.data() + sizeof(Header) + No * sizeof(SectionRow),
                sizeof(Odd));
    if ((Odd.Offset + Odd.SizeBytes) % SectionAlignment != 0)
      break;
  }
  const uint64_t Index = Odd.Offset + Odd.SizeBytes;
  Bytes[Index] = 1;
  expectFault(Bytes, "byte " + std::to_string(Index) +
                         ": found padding, expected zero");
}

} // namespace
