/// \file
/// What libprotobuf wrote is what TraceReader yields.
#include "test/unit/support/RawRecords.h"
#include "test/unit/support/SampleTraces.h"
#include "test/unit/support/TraceBuilder.h"

#include <google/protobuf/unknown_field_set.h>

#include <gtest/gtest.h>

#include <algorithm>

using namespace instantrace;
using namespace instantrace::test;

namespace {

TEST(TraceReaderTest, ReadsIntervals) {
  Trace T = read(boxTrace().bytes());
  EXPECT_EQ(issues(T), "");
  ASSERT_EQ(T.Sequences.size(), 1u);
  const Sequence &S = T.Sequences[0];
  ASSERT_EQ(S.Intervals.size(), 3u);
  const Interval &Box = S.Intervals[1];
  EXPECT_EQ(Box.Kind, EventKind::TemplateInstantiation);
  EXPECT_EQ(Box.BeginNs, 5u);
  EXPECT_EQ(Box.EndNs, 26u);
  EXPECT_EQ(Box.Parent.Value, 0u);
  EXPECT_EQ(Box.AstBytes, 100u);
  EXPECT_EQ(Box.memoized(), 7u);
  EXPECT_TRUE(Box.Definition);
  EXPECT_FALSE(Box.Open);
  EXPECT_FALSE(Box.Requester);
  EXPECT_EQ(S.elidedIn({1}).Count, 2u);
  EXPECT_EQ(S.elidedIn({1}).SumNs, 6u);
  EXPECT_EQ(S.elidedIn({2}).Count, 0u);
  EXPECT_EQ(S.Intervals[2].Requester.Value, 1u);
  EXPECT_EQ(S.Intervals[2].Entity.Value, 1u);
  EXPECT_EQ(S.Intervals[2].Location.Value, 2u);
  EXPECT_EQ(S.EventCount, 7u);
}

TEST(TraceReaderTest, ReadsTables) {
  Trace T = read(boxTrace().bytes());
  const Sequence &S = T.Sequences[0];
  ASSERT_TRUE(S.Session);
  EXPECT_EQ(S.Session->Input, "a.cpp");
  const Entity *E = S.entity({1});
  ASSERT_TRUE(E);
  EXPECT_EQ(S.Names.text(E->Name, 100), "Box<int>");
  EXPECT_EQ(S.Names.text(E->TemplateSet, 100), "Box<$>");
  ASSERT_TRUE(S.location({2}));
  EXPECT_EQ(S.location({2})->LineNo, 2u);
  EXPECT_EQ(S.location({2})->ColumnNo, 12u);
  EXPECT_EQ(S.location({3}), nullptr);
  ASSERT_EQ(S.Instants.size(), 1u);
  EXPECT_EQ(S.Instants[0].TimeNs, 6u);
  EXPECT_EQ(S.Instants[0].BegunBefore, 2u);
  ASSERT_TRUE(S.Footer);
  EXPECT_EQ(S.Footer->EndTimeNs, 100u);
}

TEST(TraceReaderTest, OpenIntervalsEndAtTheLastEvent) {
  TraceBuilder B;
  B.begin(EventKind::Frontend, 10)
      .begin(EventKind::Parsing, 15)
      .instant(EventKind::Memoization, 22);
  Trace T = read(B.bytes());
  EXPECT_EQ(issues(T), "");
  EXPECT_EQ(T.losses().size(), 1u);
  const Sequence &S = T.Sequences[0];
  EXPECT_EQ(S.OpenCount, 2u);
  for (const Interval &I : S.Intervals) {
    EXPECT_TRUE(I.Open);
    EXPECT_EQ(I.EndNs, 22u);
  }
}

// A record may take its entity, or entity and location, from an interval that
// began before it in the batch.
TEST(TraceReaderTest, RecordsReferToEarlierIntervals) {
  const uint64_t Begin = beginHead(EventKind::TemplateInstantiation);
  const uint64_t New = NewReference, Back = FirstBackReference;
  TraceBuilder B;
  addRawRecords(
      B, {Begin, 1, New, New,                                          //
          Begin, 1, New, New,                                          //
          Begin, 1, Back + (1 << 2 | SameLocation | EntityOfInterval), // two
          Begin, 1, Back + EntityOfInterval, Back, // one before, newest place
          Begin, 1, Back + (1 << 1), Back + 1});   // 1 and 1, by distance
  Trace T = read(B.bytes());
  EXPECT_EQ(issues(T), "");
  const std::vector<Interval> &Intervals = T.Sequences[0].Intervals;
  ASSERT_EQ(Intervals.size(), 5u);
  const uint32_t Expected[][2] = {{1, 1}, {2, 2}, {1, 1}, {1, 2}, {1, 1}};
  for (size_t I = 0; I != 5; ++I) {
    EXPECT_EQ(Intervals[I].Entity.Value, Expected[I][0]) << I;
    EXPECT_EQ(Intervals[I].Location.Value, Expected[I][1]) << I;
  }
}

// The ids of the two tables are independent of each other.
TEST(TraceReaderTest, DeclarationLocationsAreATableOfTheirOwn) {
  Trace T = read(interruptedTrace().bytes());
  EXPECT_EQ(issues(T), "");
  const Sequence &S = T.Sequences[0];
  LocationId DeclaredAt = S.entity({1})->DeclaredAt;
  EXPECT_TRUE(DeclaredAt.isDeclaration());
  EXPECT_EQ(DeclaredAt.number(), 1u);
  ASSERT_TRUE(S.location(DeclaredAt));
  EXPECT_EQ(S.location(DeclaredAt)->LineNo, 30u);
  LocationId Used = S.Intervals[1].Location;
  EXPECT_FALSE(Used.isDeclaration());
  EXPECT_EQ(Used.number(), 1u);
  ASSERT_TRUE(S.location(Used));
  EXPECT_EQ(S.location(Used)->LineNo, 90u);
  EXPECT_EQ(S.location(LocationId::declaration(2)), nullptr);
  EXPECT_FALSE(LocationId::declaration(0));
  EXPECT_EQ(S.location(LocationId{LocationId::DeclarationBit}), nullptr);
}

TEST(TraceReaderTest, DeclaredAtOfFormat10IsALocationOfTheEvents) {
  TraceBuilder B = boxTrace();
  B.Trace.mutable_packet(4)->mutable_entities()->set_declared_at(0, 2);
  Trace T = read(B.bytes());
  EXPECT_EQ(issues(T), "");
  const Sequence &S = T.Sequences[0];
  EXPECT_FALSE(S.entity({1})->DeclaredAt.isDeclaration());
  EXPECT_EQ(S.location(S.entity({1})->DeclaredAt), &S.Locations.Rows[1]);
}

TEST(TraceReaderTest, EntitiesMayBeDeclaredNowhere) {
  TraceBuilder B = boxTrace();
  B.Trace.mutable_packet(4)->mutable_entities()->clear_declared_at();
  Trace T = read(B.bytes());
  EXPECT_EQ(issues(T), "");
  EXPECT_FALSE(T.Sequences[0].entity({1})->DeclaredAt);
}

// Tables in one piece at the end, in one piece at the front, and in pieces
// between the events that need them: the model is the same.
TEST(TraceReaderTest, DefinitionsMayComeBeforeAndAfterTheirUse) {
  enum Part { Names1, Names2, Entities1, Entities2, Events1, Events2, Parts };
  auto Trace = [&](std::initializer_list<Part> Order) {
    TraceBuilder B;
    for (Part P : Order) {
      if (P == Names1 || P == Names2) {
        auto *Names = B.packet()->mutable_dictionary();
        Names->set_first_id(P == Names1 ? 1 : 2);
        Names->add_entry()->set_marked_name(P == Names1 ? "one" : "two");
      } else if (P == Entities1 || P == Entities2) {
        auto *Rows = B.packet()->mutable_entities();
        int Id = P == Entities1 ? 1 : 2;
        Rows->set_first_id(Id);
        Rows->add_name(Id);
        Rows->add_template_set(Id);
        Rows->add_kind(proto::ENTITY_CLASS);
      } else {
        uint32_t Id = P == Events1 ? 1 : 2;
        B.startBatch();
        B.begin(EventKind::TemplateInstantiation, uint64_t(5) * (Id - 1),
                EntityId{Id})
            .end(uint64_t(5) * Id);
      }
    }
    B.footer(4, 10);
    instantrace::Trace T = read(B.bytes());
    EXPECT_EQ(issues(T), "");
    std::string Text;
    const Sequence &S = T.Sequences[0];
    for (const Interval &I : S.Intervals)
      Text += S.Names.text(S.entity(I.Entity)->Name, 9) + " ";
    return Text;
  };
  EXPECT_EQ(Trace({Events1, Events2, Names1, Names2, Entities1, Entities2}),
            "one two ");
  EXPECT_EQ(Trace({Names1, Names2, Entities1, Entities2, Events1, Events2}),
            "one two ");
  EXPECT_EQ(Trace({Names1, Entities1, Events1, Names2, Entities2, Events2}),
            "one two ");
  EXPECT_EQ(Trace({Entities1, Entities2, Names1, Events1, Names2, Events2}),
            "one two ");
}

TEST(TraceReaderTest, ModulesOfTheFooterJoinThoseOfTheSession) {
  Trace T = read(interruptedTrace().bytes());
  EXPECT_EQ(T.Sequences[0].Session->ModuleInputs,
            (std::vector<std::string>{"std.pcm", "late.pcm"}));
}

TEST(TraceReaderTest, ReadsWhatFormat11Added) {
  Trace T = read(interruptedTrace().bytes());
  const Sequence &S = T.Sequences[0];
  EXPECT_EQ(S.FormatMinor, 1u);
  EXPECT_EQ(S.Session->Buffer, "memfd");
  EXPECT_TRUE(S.Footer->isInterrupted());
  EXPECT_EQ(S.Footer->Signal, 11u);
  EXPECT_EQ(S.Footer->FragmentsDropped, 2u);
  EXPECT_EQ(S.OpenCount, 3u);
  EXPECT_EQ(S.missingNames().None, 1u);
}

TEST(TraceReaderTest, ReadsFunctionsAndTheirSizes) {
  Trace T = read(optimizedTrace().bytes());
  ASSERT_EQ(issues(T), "");
  const Sequence &S = T.Sequences[0];
  ASSERT_EQ(S.Functions.size(), 3u);
  EXPECT_EQ(S.Functions[0].Entity.Value, 1u);
  EXPECT_EQ(S.Functions[0].IrInstructions, 30u);
  EXPECT_EQ(S.Functions[0].MachineInstructions, 0u);
  EXPECT_EQ(S.Functions[0].Link, Linkage::LinkOnce);
  EXPECT_EQ(S.Functions[1].Owner, FunctionOwner::Name);
  EXPECT_EQ(S.Functions[1].ObjectBytes, 80u);
  EXPECT_EQ(S.Functions[2].Owner, FunctionOwner::Enclosing);
  EXPECT_EQ(S.Functions[2].NameHash, 9u);
  EXPECT_EQ(S.Functions[2].MachineInstructions, 30u);
  EXPECT_EQ(S.Footer->Backend, "functions");
  EXPECT_EQ(S.Footer->CodeBytes, 240u);
}

// What a newer version knows is some other way and no linkage to this one.
TEST(TraceReaderTest, ReadsFunctionsOfANewerVersion) {
  TraceBuilder B;
  addFunctions(B, {{{},
                    1,
                    0,
                    static_cast<proto::Linkage>(77),
                    static_cast<proto::FunctionOwner>(200)}});
  Trace T = read(B.bytes());
  ASSERT_EQ(T.Sequences[0].Functions.size(), 1u);
  EXPECT_EQ(T.Sequences[0].Functions[0].Link, Linkage::Unknown);
  EXPECT_EQ(T.Sequences[0].Functions[0].Owner, FunctionOwner::Enclosing);
}

TEST(TraceReaderTest, TimesCountInTheSessionsUnit) {
  TraceBuilder B;
  B.Trace.mutable_packet(1)->mutable_session()->set_time_unit_ns(10);
  B.begin(EventKind::Frontend, 30).end(70);
  Trace T = read(B.bytes());
  EXPECT_EQ(T.Sequences[0].Intervals[0].BeginNs, 30u);
  EXPECT_EQ(T.Sequences[0].Intervals[0].EndNs, 70u);
}

TEST(TraceReaderTest, SequencesInterleave) {
  TraceBuilder A(1), B(2);
  A.names({"one"});
  B.names({"two"});
  proto::Trace Both;
  for (int I = 0; I != 3; ++I) {
    *Both.add_packet() = A.Trace.packet(I);
    *Both.add_packet() = B.Trace.packet(I);
  }
  TraceBuilder Mixed;
  Mixed.Trace = Both;
  Trace T = read(Mixed.bytes());
  EXPECT_EQ(issues(T), "");
  ASSERT_EQ(T.Sequences.size(), 2u);
  EXPECT_EQ(T.Sequences[0].Names.text({1}, 9), "one");
  EXPECT_EQ(T.Sequences[1].Names.text({1}, 9), "two");
}

TEST(TraceReaderTest, ConcatenatedTracesWithOneIdAreTwoSequences) {
  std::string Bytes = boxTrace().bytes();
  Trace T = read(Bytes + Bytes);
  EXPECT_EQ(issues(T), "");
  ASSERT_EQ(T.Sequences.size(), 2u);
  EXPECT_EQ(T.Sequences[0].EventCount, T.Sequences[1].EventCount);
}

TEST(TraceReaderTest, AcceptsNewerMinorVersionWithUnknownBodies) {
  proto::Trace Written = boxTrace().whole();
  Written.mutable_packet(0)->mutable_file_header()->set_format_minor(9);
  auto *Newer = Written.mutable_packet(2);
  Newer->clear_body();
  // Field 100, which this version does not know.
  Newer->GetReflection()->MutableUnknownFields(Newer)->AddLengthDelimited(
      100, "of the future");
  std::string Bytes;
  for (const proto::Packet &P : Written.packet()) {
    std::string Body = P.SerializeAsString();
    uint32_t Checksum = packetChecksum(Body);
    Body.push_back(0x7D);
    for (int Shift = 0; Shift != 32; Shift += 8)
      Body.push_back(static_cast<char>(Checksum >> Shift));
    Bytes.push_back(0x0A);
    Bytes.push_back(static_cast<char>(Body.size()));
    ASSERT_LT(Body.size(), 128u);
    Bytes += Body;
  }
  Trace T = read(Bytes);
  EXPECT_EQ(T.Files[0].damage(), nullptr) << issues(T);
  EXPECT_EQ(T.Sequences[0].EventCount, 7u);
}

// Every way to end early keeps the whole packets before it.
TEST(TraceReaderTest, EveryTruncationKeepsThePrefix) {
  std::string Bytes = boxTrace().bytes();
  std::vector<size_t> Ends = {0};
  PacketFraming Framing(Bytes);
  while (auto Packet = Framing.next())
    Ends.push_back(Packet->data() + Packet->size() - Bytes.data());
  for (size_t Size = 0; Size != Bytes.size(); ++Size) {
    Trace T = read(std::string_view(Bytes).substr(0, Size));
    size_t Whole =
        std::upper_bound(Ends.begin(), Ends.end(), Size) - Ends.begin() - 1;
    EXPECT_EQ(T.Files[0].PacketCount, Whole) << Size;
    bool IsBoundary = Size == Ends[Whole];
    EXPECT_EQ(T.Files[0].damage() == nullptr, IsBoundary && Size != 0) << Size;
    EXPECT_TRUE(Size == 0 || !T.losses().empty()) << Size;
  }
}

TEST(TraceReaderTest, EveryBitFlipIsSeenAndKeepsThePrefix) {
  const std::string Bytes = boxTrace().bytes();
  std::vector<size_t> Ends;
  PacketFraming Framing(Bytes);
  while (auto Packet = Framing.next())
    Ends.push_back(Packet->data() + Packet->size() - Bytes.data());
  for (size_t Bit = 0; Bit != Bytes.size() * 8; ++Bit) {
    std::string Flipped = Bytes;
    Flipped[Bit / 8] = static_cast<char>(Flipped[Bit / 8] ^ (1 << Bit % 8));
    Trace T = read(Flipped);
    size_t Whole =
        std::upper_bound(Ends.begin(), Ends.end(), Bit / 8) - Ends.begin();
    EXPECT_NE(T.Files[0].damage(), nullptr) << Bit;
    EXPECT_EQ(T.Files[0].PacketCount, Whole) << Bit;
  }
}

} // namespace
