/// \file
/// Each rule of InstantiationIndex::verify() for the summary and the tables,
/// broken by one edit, and each of open() for header and section table.
#include "test/unit/support/VerifyRules.h"

using namespace instantrace;
using namespace instantrace::index;
using namespace instantrace::test;

namespace {

/// Numbers of one byte each.
std::string numbers(std::initializer_list<int> Values) {
  std::string Bytes;
  for (int Value : Values)
    Bytes += static_cast<char>(Value);
  return Bytes;
}

const std::string WideNumber = std::string(9, '\xFF') + '\x02'; // 65 bits

//===----------------------------------------------------------------------===//
// The summary
//===----------------------------------------------------------------------===//

/// Of one compile without records: what is in each part, by its number.
struct SmallSummary {
  std::vector<std::pair<int, std::string>> Parts;

  SmallSummary() {
    Parts.emplace_back(0, numbers({0, 1, 0, 0, 0, 0, 0, 0, 0}));
    Parts.emplace_back(1, numbers({0}));
    for (uint32_t No = 0; No != SummaryTable::TableLimit; ++No)
      Parts.emplace_back(2 + No, std::string(9, '\0'));
  }
  std::string bytes() const {
    std::string Head = numbers({static_cast<int>(Parts.size())}), Rest;
    for (const auto &[No, Bytes] : Parts) {
      Head += numbers({No, static_cast<int>(Bytes.size())});
      Rest += Bytes;
    }
    return Head + Rest;
  }
};
/// Where they are in the bytes.
constexpr size_t AboutAt = 29, InclusionsAt = AboutAt + 9,
                 TableAt = InclusionsAt + 1;

class IndexVerifySummary : public testing::Test {
protected:
  IndexVerifySummary() { being(SmallSummary().bytes()); }

  void being(const std::string &Bytes) {
    EditedIndex E(Good);
    E.section(Section::Summary) = Bytes;
    Edited = E.bytes();
  }
  /// \p Fault is behind the rule.
  void expectBytes(const std::string &Bytes, const std::string &Fault) {
    being(Bytes);
    expectFault(Edited, "summary-bytes, section SUMM, byte " + Fault);
  }
  static std::string with(size_t No, std::string Part) {
    SmallSummary S;
    S.Parts.at(No).second = std::move(Part);
    return S.bytes();
  }

  const std::string Good = indexBytes({SampleCompile()});
  std::string Edited;
};

std::string at(size_t Byte, const std::string &Rest) {
  return std::to_string(Byte) + ": found " + Rest;
}

TEST_F(IndexVerifySummary, ThatIsEditedIsRightBefore) {
  InstantiationIndex X;
  std::string Why;
  ASSERT_TRUE(InstantiationIndex::fromBytes(Edited, "x.itx", X, Why)) << Why;
  EXPECT_TRUE(X.verify()) << X.fault();
}

TEST_F(IndexVerifySummary, Numbers) {
  expectBytes("\x80", at(1, "no end of a number, expected one within its "
                            "part"));
  expectBytes(WideNumber,
              at(10, "a number of more than 64 bits, expected a smaller one"));
  expectBytes("\x01\x80\x80\x80\x80\x10",
              at(6, "a number of more than 32 bits, expected a smaller one"));
  expectBytes("\x05", at(1, "more rows than there are bytes, expected fewer"));
}

TEST_F(IndexVerifySummary, Parts) {
  expectBytes(numbers({2, 1, 0, 0, 0}),
              at(5, "a part that is not behind the one before, expected "
                    "ascending numbers"));
  expectBytes(numbers({2, 0, 0, 14, 0}),
              at(5, "another part, expected those of this version"));
  expectBytes(numbers({1, 0, 127}),
              at(3, "a part that ends behind the section, expected it within"));
  expectBytes(SmallSummary().bytes() + "x",
              at(AboutAt, "parts of another size, expected that of the "
                          "section"));
  expectBytes(numbers({1, 1, 1, 0}), at(0, "no such part, expected all parts"));
}

TEST_F(IndexVerifySummary, About) {
  expectBytes(with(0, numbers({1, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0})),
              at(AboutAt + 3, "another flag, expected 0 or 1"));
  expectBytes(with(0, numbers({0, 9, 0, 0, 0, 0, 0, 0, 0})),
              at(AboutAt + 5, "more compiles than there are bytes, expected "
                              "fewer"));
  expectBytes(with(0, numbers({0, 1, 0, 0, 0, 0, 0, 0, 0, 0})),
              at(AboutAt + 9, "bytes behind the last row, expected the end of "
                              "the part"));
  being(with(0, numbers({0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})));
  expectFault(Edited, "summary-compiles, section SUMM, about: found 2 "
                      "compiles, expected 1");
}

TEST_F(IndexVerifySummary, Inclusions) {
  expectBytes(with(1, numbers({1, 1, 0, 0, 0, 0})),
              at(InclusionsAt + 2, "an outer inclusion that is not before, "
                                   "expected an earlier one"));
}

/// A table of one row, which begins with these bytes; then its eight numbers.
std::string tableOf(const std::string &Begin,
                    std::initializer_list<int> Numbers) {
  return std::string(8, '\0') + '\1' + Begin + numbers(Numbers);
}

TEST_F(IndexVerifySummary, Rows) {
  constexpr size_t RowAt = TableAt + 9;
  const auto None = {0, 0, 0, 0, 0, 0, 0, 0};
  expectBytes(with(2, tableOf(numbers({3, 1, 6}), None)),
              at(RowAt + 2, "another form of a name, expected one of three"));
  expectBytes(with(2, tableOf(numbers({32, 1, 6}), None)),
              at(RowAt + 1, "another flag, expected those of this version"));
  expectBytes(with(2, tableOf(numbers({0, 0, 6}), None)),
              at(RowAt + 2, "another kind, expected one of this version"));
  // Two of which the first takes the bytes of the second.
  const std::string Long = numbers({0x80, 0x80, 0x80, 0x80, 0x80, 0});
  std::string Rows = std::string(8, '\0') + '\2' + numbers({0, 1, 6}) + Long +
                     Long + std::string(6, '\0') + '\0';
  expectBytes(with(2, Rows),
              at(RowAt + 21, "no end of a row, expected a whole one"));
}

TEST_F(IndexVerifySummary, Strings) {
  const std::string Begin = ": found 1, expected the begin of an entry";
  auto Expect = [&](const std::string &Bytes, const std::string &Place) {
    being(Bytes);
    expectFault(Edited, "summary-string, section SUMM, " + Place + Begin);
  };
  Expect(with(0, numbers({1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0})), "a trace");
  Expect(with(0, numbers({0, 1, 0, 0, 0, 0, 1, 0, 0})), "a compile");
  Expect(with(1, numbers({1, 0, 1, 0, 0, 0})), "an inclusion");
  Expect(with(4, tableOf(numbers({0, 1, 1}), {0, 0, 0, 0, 0, 0, 0, 0})),
         "table 2");
}

TEST_F(IndexVerifySummary, Tables) {
  SmallSummary S;
  S.Parts.pop_back();
  being(S.bytes());
  expectFault(Edited,
              "summary-tables, section SUMM, tables: found 11, expected 12");
  being(with(5, '\5' + std::string(8, '\0')));
  expectFault(Edited, "summary-self, section SUMM, table 3: found 5, expected "
                      "0");
  being(with(5, tableOf(numbers({0, 1, 6}), {0, 0, 0, 4, 0, 0, 0, 0})));
  expectFault(Edited, "summary-self, section SUMM, table 3: found 4, expected "
                      "0");
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

/// Two compiles of two records, of which the second has entity and place 1.
std::string tabledIndex() {
  SampleCompile C;
  C.begin(0, {.Kind = 32});
  C.begin(5, {.Entity = 1, .Location = 1});
  C.end(7);
  C.end(9);
  return indexBytes({C, C});
}

std::vector<uint64_t> rowsOf(const std::string &Bytes, index::Table Of) {
  InstantiationIndex X;
  std::string Why;
  std::vector<uint64_t> Rows;
  EXPECT_TRUE(InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why)) << Why;
  EXPECT_TRUE(X.tableRows(0, Of, Rows)) << X.fault();
  return Rows;
}

RuleCase bytesOf(index::Table Of, std::string Bytes, std::string Fault) {
  return {[=](EditedIndex &E) { E.setTable(0, Of, Bytes); }, std::move(Fault)};
}
RuleCase rowsBeing(index::Table Of, const TableRows &Rows, std::string Fault) {
  return bytesOf(Of, encodeTable(Of, Rows), std::move(Fault));
}

TEST(IndexVerifyTables, Slices) {
  EditedIndex Good(tabledIndex());
  const size_t Size = Good.section(Section::Tables).size();
  const auto About = Good.row<TableSliceRow>(Section::TableSlices, 0);
  const std::string At = std::to_string(About.Offset);
  const std::string Slices = "table-slices, section TABL, compile 0: found ";
  expectFaults(
      tabledIndex(),
      {dropping(Section::TableSlices,
                "table-count, section TABL, compile 0: found 37 tables, "
                "expected 38"),
       setting(Section::TableSlices, 0, &TableSliceRow::SizeBytes, 1000000,
               Slices + "1000000 bytes at " + At +
                   ", expected a slice of the section, at " + At),
       adding(Section::Tables, '\0',
              Slices + std::to_string(Size) + " bytes, expected " +
                  std::to_string(Size + 1))});
}

TEST(IndexVerifyTables, ReferToWhatThereIs) {
  const std::string Good = tabledIndex();
  TableRows Names = rowsOf(Good, Table::Names);
  const uint64_t Whole = Names[3 * 2] - 1; // of the parts "A<" and "int>"
  Names[2 * 2] = 0;
  TableRows Places = rowsOf(Good, Table::Places);
  TableRows Fewer = Places, Nowhere = Places;
  Fewer.pop_back();
  Nowhere[0] = 0;
  TableRows Entities = rowsOf(Good, Table::Entities);
  Entities[4] = 4;
  const std::string Compile = ", section TABL, compile 0: found ";
  const std::string NoRow = "table-record" + Compile +
                            "no row of record 1, expected its entity and its "
                            "location in the tables";
  const std::string NoOrder = "table-record" + Compile +
                              "rows of records in another order, expected "
                              "ascending ones";
  expectFaults(Good,
               {rowsBeing(Table::Texts, {0, 2},
                          "table-string" + Compile +
                              "1, expected the begin of an entry"),
                rowsBeing(Table::Names, Names,
                          "table-names" + Compile + "a part of string " +
                              std::to_string(Whole) +
                              " that is no name before it, expected one"),
                rowsBeing(Table::Places, Fewer,
                          "table-places" + Compile +
                              "5 places, expected one for each location"),
                rowsBeing(Table::Places, Nowhere, NoRow),
                rowsBeing(Table::Entities, Entities, NoRow),
                rowsBeing(Table::RecordEntities, {1, 1, 0, 1}, NoOrder),
                rowsBeing(Table::RecordLocations, {1, 1, 0, 1}, NoOrder)});
}

TEST(IndexVerifyTables, ElidedLeaves) {
  const std::string Compile = "table-elided, section TABL, compile 0: found ";
  const std::string Marked = ", expected one of each record that is marked";
  const auto Flags =
      EditedIndex(tabledIndex()).row<RecordRow>(Section::Records, 1).Flags;
  expectFaults(
      tabledIndex(),
      {rowsBeing(Table::Elided, {0, 3, 4, 1, 2, 3},
                 Compile + "a row of record 1" + Marked),
       rowsBeing(Table::Elided, {}, Compile + "no row of record 0" + Marked),
       setting(Section::Records, 1, &RecordRow::Flags,
               static_cast<uint8_t>(Flags | RecordElided),
               Compile + "no row of record 1" + Marked)});
  // What never ended is not marked, and may have a row or none.
  SampleCompile Open;
  Open.begin(0, {.Kind = 32});
  Open.begin(5, {.Entity = 1, .Location = 1});
  Open.finish();
  expectFaults(indexBytes({Open}),
               {rowsBeing(Table::Elided, {1, 2, 3, 0, 3, 4},
                          Compile + "rows of records in another order, "
                                    "expected ascending ones")});
}

TEST(IndexVerifyTables, Hits) {
  const std::string Good = tabledIndex();
  const auto Instant = static_cast<uint64_t>(EventKind::Memoization);
  TableRows Entities = rowsOf(Good, Table::Entities);
  const auto Said = EditedIndex(Good).row<index::CostRow>(
      Section::EntityCosts, static_cast<size_t>(Entities[4]));
  auto Faulty = [&](uint64_t Found, uint64_t Expected) {
    return "cost-memoized, section ENTC, row " + std::to_string(Entities[4]) +
           ": found " + std::to_string(Found) + ", expected " +
           std::to_string(Expected);
  };
  TableRows Counted = rowsOf(Good, Table::Memoized);
  for (uint64_t Value : {uint64_t(1), uint64_t(5)})
    Counted.push_back(Value);
  TableRows Instants = rowsOf(Good, Table::Instants);
  for (uint64_t Value : {uint64_t(6), uint64_t(1), uint64_t(0), uint64_t(0),
                         uint64_t(0), Instant})
    Instants.push_back(Value);
  expectFaults(
      Good, {setting(Section::EntityCosts, static_cast<size_t>(Entities[4]),
                     &index::CostRow::Memoized, Said.Memoized + 9,
                     Faulty(Said.Memoized + 9, Said.Memoized)),
             rowsBeing(Table::Memoized, Counted,
                       Faulty(Said.Memoized, Said.Memoized + 5)),
             rowsBeing(Table::Instants, Instants,
                       Faulty(Said.Memoized, Said.Memoized + 1)),
             setting(Section::TemplateSetCosts, 0, &index::CostRow::Memoized, 9,
                     "cost-memoized, section SETC, row 0: found 9, expected "
                     "6")});
}

TEST(IndexVerifyTables, Numbers) {
  const std::string Good = tabledIndex();
  const std::string Strings =
      std::to_string(EditedIndex(Good).section(Section::Strings).size());
  auto Of = [](const char *Name, const std::string &Rest) {
    return "section TABL, " + std::string(Name) + " of compile 0: found " +
           Rest;
  };
  TableRows About = rowsOf(Good, Table::About);
  TableRows Other = About;
  About.pop_back();
  Other[0] = 1;
  expectFaults(
      Good,
      {bytesOf(Table::Texts, "\x80",
               Of("texts", "no end of a number at byte 1, expected one within "
                           "its table")),
       bytesOf(Table::Texts, WideNumber,
               Of("texts", "a number of more than 64 bits at byte 10, expected "
                           "a smaller one")),
       bytesOf(Table::Texts, numbers({0}),
               Of("texts", "no end of a row at byte 1, expected a whole one")),
       rowsBeing(Table::Texts, {16, 0},
                 Of("texts", "what 16 at byte 1, expected at most 15")),
       rowsBeing(Table::Texts, {0, 1000000000},
                 Of("texts", "string 1000000000 at byte 6, expected at most " +
                                 Strings)),
       rowsBeing(Table::Names, {0, 1},
                 Of("names", "same 1 at byte 2, expected at most 0")),
       rowsBeing(Table::Locations, {uint64_t(1) << 32, 0, 0},
                 Of("locations", "file 4294967296 at byte 5, expected at most "
                                 "4294967295")),
       rowsBeing(
           Table::Inclusions, {1, 0, 0, 0, 256},
           Of("inclusions", "is system 256 at byte 6, expected at most 255")),
       rowsBeing(Table::Entities, {0, 0, 0, 0, 99},
                 Of("entities", "entity 99 at byte 6, expected at most 5")),
       rowsBeing(Table::Elided, {2, 0, 0},
                 Of("elided leaves", "inside 2 at byte 1, expected at most "
                                     "1")),
       rowsBeing(Table::Instants, {0, 0, 0, 3, 0, 0},
                 Of("instants", "parent 3 at byte 4, expected at most 2")),
       rowsBeing(Table::Places, {7},
                 Of("places", "location 7 at byte 1, expected at most 6")),
       rowsBeing(Table::About, About,
                 Of("about", "26 numbers at byte 26, expected 27")),
       rowsBeing(Table::About, Other,
                 Of("about", "file 1, expected at most the number of the "
                             "compile"))});
  expectFaults(indexBytes({SampleCompile()}),
               {rowsBeing(Table::Profiling, {0},
                          Of("profiling", "record 0 at byte 1, expected no "
                                          "row"))});
}

//===----------------------------------------------------------------------===//
// Header and section table
//===----------------------------------------------------------------------===//

template <class T> void put(std::string &Bytes, size_t At, T Value) {
  std::memcpy(Bytes.data() + At, &Value, sizeof(Value));
}
template <class T> T got(const std::string &Bytes, size_t At) {
  T Value;
  std::memcpy(&Value, Bytes.data() + At, sizeof(Value));
  return Value;
}

void expectRefused(const std::string &Bytes, const std::string &Fault) {
  InstantiationIndex X;
  std::string Why;
  EXPECT_FALSE(InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why)) << Fault;
  EXPECT_EQ(Why, "x.itx: " + Fault);
}

/// With a value at a byte, and sums that fit.
template <class T>
void expectRefused(size_t At, T Value, const std::string &Fault) {
  std::string Bytes = tabledIndex();
  put(Bytes, At, Value);
  makeSumsFit(Bytes);
  expectRefused(Bytes, Fault);
}

TEST(IndexOpen, Header) {
  const std::string Good = tabledIndex();
  const std::string Size = std::to_string(Good.size());
  expectRefused(0, 'x',
                "byte 0: found another begin, expected 'insttidx', as of an "
                "index");
  expectRefused(10, uint16_t(IndexMinor + 1),
                "byte 8: found version 1." + std::to_string(IndexMinor + 1) +
                    ", expected version 1." + std::to_string(IndexMinor) +
                    " or earlier; `instantrace index` makes one");
  expectRefused(12, uint32_t(65),
                "byte 12: found 65 bytes of header, expected 64");
  expectRefused(16, uint64_t(1),
                "byte 16: found " + Size + " bytes of file, expected 1");
  expectRefused(40, uint32_t(25), "byte 40: found 25 sections, expected 26");
  expectRefused(48, uint64_t(1), "byte 48: found 1, expected 0");
  std::string Bad = Good;
  put(Bad, 44, UINT32_MAX);
  expectRefused(Bad, "byte 44: found 4294967295 checksums, expected as many as "
                     "there is room for");
  Bad = Good;
  put(Bad, HeadCheckOffset, uint64_t(1));
  expectRefused(Bad, "byte 56: found another checksum, expected that of header "
                     "and table");
}

TEST(IndexOpen, SectionTable) {
  const std::string Good = tabledIndex();
  constexpr size_t First = sizeof(Header), Second = First + sizeof(SectionRow);
  constexpr size_t Last = First + (SectionLimit - 1) * sizeof(SectionRow);
  const std::string Other = ": found another section, expected ";
  expectRefused(First, 'X', "byte 64" + Other + "COMP of version 1");
  expectRefused(Second + offsetof(SectionRow, Version), uint16_t(2),
                "byte 96" + Other + "FILE of version 1");
  expectRefused(Second + offsetof(SectionRow, RowBytes), uint16_t(4),
                "byte 96" + Other + "FILE of version 1");
  const auto Row = got<SectionRow>(Good, Second);
  expectRefused(Second + offsetof(SectionRow, Offset), Row.Offset + 8,
                "byte 96: found FILE at byte " +
                    std::to_string(Row.Offset + 8) +
                    " with 16 bytes, expected it behind the section before, in "
                    "the file");
  expectRefused(Second + offsetof(SectionRow, SizeBytes), UINT64_MAX,
                "byte 96: found FILE at byte " + std::to_string(Row.Offset) +
                    " with 18446744073709551615 bytes, expected it behind the "
                    "section before, in the file");
  const std::string Size = " bytes, expected whole rows, and a checksum for "
                           "each block";
  expectRefused(Second + offsetof(SectionRow, SizeBytes), uint64_t(15),
                "byte 96: found a size of 15" + Size);
  expectRefused(Second + offsetof(SectionRow, FirstSum), uint32_t(3),
                "byte 96: found a size of 16" + Size);
  expectRefused(Second + offsetof(SectionRow, SumCount), uint32_t(2),
                "byte 96: found a size of 16" + Size);
  const auto End = got<SectionRow>(Good, Last);
  expectRefused(Last + offsetof(SectionRow, SizeBytes), End.SizeBytes - 1,
                "byte 16: found " + std::to_string(Good.size() - 1) +
                    " bytes in sections, expected " +
                    std::to_string(Good.size()));
}

TEST(IndexOpen, ChecksumsAreComparedWhenABlockIsRead) {
  std::string Bytes = tabledIndex();
  const auto Row = got<SectionRow>(Bytes, sizeof(Header));
  Bytes[Row.Offset] = static_cast<char>(Bytes[Row.Offset] ^ 1);
  expectFault(Bytes, "section COMP, byte " + std::to_string(Row.Offset) +
                         ": found another checksum, expected that of the "
                         "table");
}

} // namespace
