// What the plugin's writer writes, libprotobuf and our reader read alike.

#include "proto/trace.pb.h"
#include "runtime/format/Record.h"
#include "runtime/read/TraceReader.h"
#include "runtime/record/TraceFile.h"
#include "runtime/record/TraceWriter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace instantrace;

namespace {

template <class WriteFunction> std::string written(WriteFunction Write) {
  std::string Path = testing::TempDir() + "writer-agreement.itrace";
  TraceFile File(Path);
  TraceWriter Writer(File, 1);
  Write(Writer);
  File.commit(/*KeepsExisting=*/false);
  EXPECT_EQ(File.error(), "");
  std::ifstream Written(Path, std::ios::binary);
  std::string Bytes((std::istreambuf_iterator<char>(Written)), {});
  std::filesystem::remove(Path);
  return Bytes;
}

EntityRow classRow(NameId Name, NameId TemplateSet, uint32_t Declaration = 0) {
  EntityRow Row;
  Row.Name = Name;
  Row.TemplateSet = TemplateSet;
  Row.Kind = EntityKind::Class;
  Row.Declaration = Declaration;
  return Row;
}

std::string write(const StringTable &Strings, const EntityRow &Row) {
  return written([&](TraceWriter &Writer) {
    Writer.writeHeader({});
    Writer.writeDictionary(Strings);
    Writer.writeEntities(1, {Row});
    Writer.writeFooter({});
  });
}

// An entry without text is an entry: without it, all later ids would shift.
TEST(WriterAgreement, EmptyNameKeepsItsId) {
  StringTable Strings;
  StringId Before = Strings.intern("before");
  StringId Empty = Strings.intern("");
  StringId After =
      Strings.intern(StringComponents().ref(Empty).ref(Before).text("!"));
  std::string Bytes =
      write(Strings, classRow(Strings.ordinal(After), Strings.ordinal(Empty)));

  proto::Trace Parsed;
  ASSERT_TRUE(Parsed.ParseFromString(Bytes));
  EXPECT_EQ(Parsed.packet(2).dictionary().entry_size(), 3);

  Trace Read;
  readTrace(Bytes, "written", Read);
  EXPECT_TRUE(Read.Files[0].Issues.empty());
  const Sequence &S = Read.Sequences.at(0);
  EXPECT_EQ(S.Names.text(S.Entities.at(0).Name, 100), "before!");
  EXPECT_EQ(S.Names.text(S.Entities.at(0).TemplateSet, 100), "");
}

// A NUL of the text is no reference, and bytes that are no UTF-8 are no tags.
TEST(WriterAgreement, EveryByteOfATextSurvives) {
  std::string All = "\xFE";
  for (int Byte = 0; Byte != 256; ++Byte)
    All += static_cast<char>(Byte);
  StringTable Strings;
  StringId Text = Strings.intern(All);
  NameId Name = Strings.ordinal(
      Strings.intern(StringComponents().text(All).ref(Text).text("!")));
  std::string Bytes = write(Strings, classRow(Name, Name));
  Trace Read;
  readTrace(Bytes, "written", Read);
  EXPECT_TRUE(Read.Files[0].Issues.empty());
  EXPECT_EQ(Read.Sequences.at(0).Names.text(Name, 1000), All + All + "!");
}

TEST(WriterAgreement, PartsOfNamesAreWritten) {
  StringTable Strings;
  Strings.intern("plain");
  Strings.intern(StringComponents().mark(NamePart::TemplateHead).text("Box<"));
  // Nothing but a part is an entry, too.
  Strings.intern(StringComponents().mark(NamePart::Parameters));
  proto::Trace Parsed;
  ASSERT_TRUE(Parsed.ParseFromString(write(Strings, classRow({1}, {1}))));
  const proto::DictionaryBatch &Names = Parsed.packet(2).dictionary();
  ASSERT_EQ(Names.entry_size(), 3);
  EXPECT_EQ(Names.entry(0).part(), proto::NAME_PART_TEXT);
  EXPECT_EQ(Names.entry(1).part(), proto::NAME_PART_TEMPLATE_HEAD);
  EXPECT_EQ(Names.entry(2).part(), proto::NAME_PART_PARAMETERS);
}

// What the sink loses is written with the next call, with the same ids.
TEST(WriterAgreement, NamesThatWereLostAreWrittenAgain) {
  struct LossySink final : PacketSink {
    bool append(std::string_view More) override {
      if (!IsFull)
        Bytes.append(More);
      return !IsFull;
    }
    std::string Bytes;
    bool IsFull = false;
  } Sink;
  StringTable Strings;
  TraceWriter Writer(Sink, 1);
  StringId A = Strings.intern("a");
  EXPECT_TRUE(Writer.writeDictionary(Strings));
  Sink.IsFull = true;
  Strings.intern(StringComponents().ref(A).text("b"));
  EXPECT_FALSE(Writer.writeDictionary(Strings));
  Sink.IsFull = false;
  Strings.intern("c");
  EXPECT_TRUE(Writer.writeDictionary(Strings));
  proto::Trace Parsed;
  ASSERT_TRUE(Parsed.ParseFromString(Sink.Bytes));
  ASSERT_EQ(Parsed.packet_size(), 2);
  const proto::DictionaryBatch &Names = Parsed.packet(1).dictionary();
  EXPECT_EQ(Names.first_id(), 2u);
  ASSERT_EQ(Names.entry_size(), 2);
  EXPECT_EQ(Names.entry(0).marker_ids(0), 1u);
  EXPECT_EQ(Names.entry(1).marked_name(), "c");
}

// Batches of both tables and of entities alternate, as they do when names are
// written during the compile.
TEST(WriterAgreement, DeclarationLocationsAreATableOfTheirOwn) {
  StringTable Strings;
  NameId File = Strings.ordinal(Strings.intern("a.h"));
  NameId Name = Strings.ordinal(Strings.intern("f"));
  std::string Bytes = written([&](TraceWriter &Writer) {
    Writer.writeHeader({});
    Writer.writeDictionary(Strings);
    Writer.writeDeclarationLocations(1, {{{File, 10, 1}, {File, 20, 2}}, {}});
    Writer.writeEntities(1, {classRow(Name, Name, 2), classRow(Name, Name)});
    Writer.writeLocations(1, {{{File, 5, 5}}, {}});
    Writer.writeDeclarationLocations(3, {{{File, 30, 3}}, {}});
    Writer.writeEntities(3, {classRow(Name, Name, 3)});
    Writer.writeEntities(4, {classRow(Name, Name)});
    Writer.writeFooter({});
  });

  proto::Trace Parsed;
  ASSERT_TRUE(Parsed.ParseFromString(Bytes));
  EXPECT_EQ(Parsed.packet(0).file_header().format_minor(), FormatMinor);
  EXPECT_EQ(Parsed.packet(3).declaration_locations().first_id(), 1u);
  const proto::EntityBatch &First = Parsed.packet(4).entities();
  ASSERT_EQ(First.declaration_size(), 2);
  EXPECT_EQ(First.declaration(0), 2u);
  // A reader of 1.0 refuses a batch whose columns are not equally long.
  ASSERT_EQ(First.declared_at_size(), 2);
  EXPECT_EQ(First.declared_at(0), 0u);
  EXPECT_EQ(Parsed.packet(8).entities().declaration_size(), 0);

  Trace Read;
  readTrace(Bytes, "written", Read);
  EXPECT_TRUE(Read.Files[0].Issues.empty());
  const Sequence &S = Read.Sequences.at(0);
  auto LineOf = [&S](uint32_t Entity) {
    const Location *L = S.location(S.entity({Entity})->DeclaredAt);
    return L ? L->LineNo : 0;
  };
  EXPECT_EQ(LineOf(1), 20u);
  EXPECT_EQ(LineOf(2), 0u);
  EXPECT_EQ(LineOf(3), 30u);
  EXPECT_EQ(LineOf(4), 0u);
  EXPECT_EQ(S.Locations.Rows.size(), 1u);
}

// More rows than a packet holds: a detail stays with its location.
TEST(WriterAgreement, DetailsFollowTheirLocationsIntoTheNextPacket) {
  StringTable Strings;
  NameId File = Strings.ordinal(Strings.intern("a.h"));
  NameId Macro = Strings.ordinal(Strings.intern("MAKE"));
  constexpr uint32_t Rows = 100000;
  LocationRows Locations;
  Locations.Rows.assign(Rows, {File, 5, 5});
  for (uint32_t Element : {0u, 70000u, Rows - 1}) {
    LocationDetailRow Detail;
    Detail.Element = Element;
    Detail.Inclusion = 2;
    Detail.Macro = Macro;
    Detail.SpellingFile = File;
    Detail.SpellingLineNo = 30;
    Detail.SpellingColumnNo = 31;
    Detail.ExpansionEndLineNo = 6;
    Detail.ExpansionEndColumnNo = Element;
    Detail.PhysicalFile = Macro;
    Detail.PhysicalLineNo = 41;
    Locations.Details.push_back(Detail);
  }
  std::string Bytes = written([&](TraceWriter &Writer) {
    Writer.writeHeader({});
    Writer.writeDictionary(Strings);
    EXPECT_EQ(Writer.writeInclusions(
                  1, {{File, 0, 0, 0, false}, {File, 1, 7, 10, true}}),
              2u);
    EXPECT_EQ(Writer.writeLocations(1, Locations), Rows);
    Writer.writeFooter({});
  });

  proto::Trace Parsed;
  ASSERT_TRUE(Parsed.ParseFromString(Bytes));
  ASSERT_EQ(Parsed.packet_size(), 7);
  EXPECT_EQ(Parsed.packet(3).inclusions().path_size(), 2);
  EXPECT_EQ(Parsed.packet(4).locations().detail_size(), 1);
  EXPECT_EQ(Parsed.packet(5).locations().detail_size(), 2);

  Trace Read;
  readTrace(Bytes, "written", Read);
  EXPECT_TRUE(Read.Files[0].Issues.empty());
  const Sequence &S = Read.Sequences.at(0);
  ASSERT_EQ(S.Locations.Details.size(), 3u);
  for (uint32_t Element : {0u, 70000u, Rows - 1}) {
    const LocationDetail *D = S.detail({Element + 1});
    ASSERT_TRUE(D) << Element;
    EXPECT_EQ(D->In.Value, 2u);
    EXPECT_EQ(S.Names.text(D->Macro, 100), "MAKE");
    EXPECT_EQ(S.Names.text(D->SpellingFile, 100), "a.h");
    EXPECT_EQ(D->SpellingLineNo, 30u);
    EXPECT_EQ(D->SpellingColumnNo, 31u);
    EXPECT_EQ(D->ExpansionEndLineNo, 6u);
    EXPECT_EQ(D->ExpansionEndColumnNo, Element);
    EXPECT_EQ(S.Names.text(D->PhysicalFile, 100), "MAKE");
    EXPECT_EQ(D->PhysicalLineNo, 41u);
  }
  const Inclusion &Second = S.Inclusions.at(1);
  EXPECT_EQ(Second.Includer.Value, 1u);
  EXPECT_EQ(Second.LineNo, 7u);
  EXPECT_EQ(Second.ColumnNo, 10u);
  EXPECT_TRUE(Second.IsSystem);
  EXPECT_FALSE(S.Inclusions.at(0).IsSystem);
}

TEST(WriterAgreement, SessionAndFooterSayWhatWasInterrupted) {
  SessionInfo Session;
  Session.Buffer = "private: no memfd";
  Session.Clock = "monotonic: no counter";
  Session.ModuleInputs = {"a.pcm"};
  FooterInfo Footer;
  Footer.State = ExitState::Interrupted;
  Footer.ModuleInputs = {"b.pcm"};
  Footer.Signal = 9;
  Footer.EventsDropped = 5;
  Footer.FragmentsDropped = 3;
  std::string Bytes = written([&](TraceWriter &Writer) {
    Writer.writeHeader(Session);
    Writer.writeFooter(Footer);
  });

  proto::Trace Parsed;
  ASSERT_TRUE(Parsed.ParseFromString(Bytes));
  EXPECT_EQ(Parsed.packet(2).footer().exit_state(),
            proto::EXIT_STATE_INTERRUPTED);
  EXPECT_EQ(Parsed.packet(2).footer().module_inputs(0), "b.pcm");

  Trace Read;
  readTrace(Bytes, "written", Read);
  EXPECT_TRUE(Read.Files[0].Issues.empty());
  const Sequence &S = Read.Sequences.at(0);
  EXPECT_EQ(S.Session->Buffer, "private: no memfd");
  EXPECT_EQ(S.Session->Clock, "monotonic: no counter");
  EXPECT_EQ(S.Session->ModuleInputs,
            (std::vector<std::string>{"a.pcm", "b.pcm"}));
  EXPECT_TRUE(S.Footer->isInterrupted());
  EXPECT_EQ(S.Footer->Signal, 9u);
  EXPECT_EQ(S.Footer->EventsDropped, 5u);
  EXPECT_EQ(S.Footer->FragmentsDropped, 3u);
}

// What has nothing new to say is, but for the version, what 1.0 wrote.
TEST(WriterAgreement, NothingNewIsWrittenWhenThereIsNothing) {
  std::string Bytes = written([&](TraceWriter &Writer) {
    Writer.writeHeader({});
    Writer.writeFooter({});
  });
  proto::Trace Parsed;
  ASSERT_TRUE(Parsed.ParseFromString(Bytes));
  EXPECT_EQ(Bytes.find("private"), std::string::npos);
  EXPECT_EQ(Parsed.packet(2).footer().ShortDebugString(),
            "exit_state: EXIT_STATE_SUCCESS");
}

} // namespace
