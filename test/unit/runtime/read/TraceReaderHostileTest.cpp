/// \file
/// Traces with right checksums and wrong content: whatever they say, reading
/// and all analyses end, in memory proportional to the file.
#include "test/unit/support/ModelCosts.h"
#include "test/unit/support/RawRecords.h"
#include "test/unit/support/SampleTraces.h"
#include "test/unit/support/TraceBuilder.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/render/SessionHeader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace instantrace;
using namespace instantrace::test;

namespace {

std::vector<std::string> packetsOf(std::string_view Bytes) {
  std::vector<std::string> Packets;
  PacketFraming Framing(Bytes);
  while (auto Packet = Framing.next())
    Packets.emplace_back(
        Packet->substr(0, Packet->size() - ChecksumFieldBytes));
  return Packets;
}

std::string frame(const std::vector<std::string> &Packets) {
  std::string Bytes;
  for (const std::string &Body : Packets) {
    Bytes.push_back(0x0A);
    size_t SizeBytes = Body.size() + ChecksumFieldBytes;
    for (; SizeBytes >= 0x80; SizeBytes >>= 7)
      Bytes.push_back(static_cast<char>(SizeBytes | 0x80));
    Bytes.push_back(static_cast<char>(SizeBytes));
    Bytes += Body;
    Bytes.push_back(0x7D);
    uint32_t Checksum = packetChecksum(Body);
    for (int Shift = 0; Shift != 32; Shift += 8)
      Bytes.push_back(static_cast<char>(Checksum >> Shift));
  }
  return Bytes;
}

struct CountingVisitor {
  uint64_t Begins = 0, Ends = 0, Instants = 0;
  void begin(IntervalId) { ++Begins; }
  void end(IntervalId) { ++Ends; }
  void instant(const Instant &) { ++Instants; }
};

/// Runs all that the tool runs, and checks what must hold of any input.
void useEverything(std::string_view Bytes) {
  Trace T = read(Bytes);
  T.losses();
  for (CostKey Key : {CostKey::Template, CostKey::Specialization, CostKey::Kind,
                      CostKey::File, CostKey::UserFrame}) {
    CostTable Table = costs(T, Key);
    uint64_t SelfNs = 0;
    for (const CostRow &Row : Table.Rows)
      SelfNs += Row.SelfNs;
    EXPECT_EQ(SelfNs, Table.TotalNs);
    sortCosts(Table, T, CostOrder::Name, 0);
  }
  for (const Sequence &S : T.Sequences) {
    CountingVisitor Counts;
    walkEvents(S, Counts);
    EXPECT_EQ(Counts.Begins, S.Intervals.size());
    EXPECT_EQ(Counts.Ends + S.OpenCount, Counts.Begins);
    EXPECT_EQ(Counts.Instants, S.Instants.size());
    EXPECT_EQ(Counts.Begins + Counts.Ends + Counts.Instants, S.EventCount);
    for (const Entity &E : S.Entities)
      if (const Location *L = S.location(E.DeclaredAt)) {
        EXPECT_EQ(L, &(E.DeclaredAt.isDeclaration() ? S.DeclarationLocations
                                                    : S.Locations)
                          .Rows[E.DeclaredAt.number() - 1]);
      }
    for (size_t I = 0; I != S.Inclusions.size(); ++I)
      EXPECT_LE(S.Inclusions[I].Includer.Value, I); // chains end
    sessionHeader(T, S);
  }
}

TEST(TraceReaderHostileTest, FramingOfATestIsThatOfAssemble) {
  std::string Bytes = boxTrace().bytes();
  EXPECT_EQ(frame(packetsOf(Bytes)), Bytes);
}

TEST(TraceReaderHostileTest, EveryByteChangedUnderARightChecksum) {
  for (const TraceBuilder &B :
       {boxTrace(), interruptedTrace(), placedTrace(), optimizedTrace()}) {
    const std::vector<std::string> Packets = packetsOf(B.bytes());
    for (size_t P = 0; P != Packets.size(); ++P)
      for (size_t Byte = 0; Byte != Packets[P].size(); ++Byte)
        for (int Value : {0x00, 0x01, 0x7f, 0x80, 0xff, Packets[P][Byte] ^ 1,
                          Packets[P][Byte] + 8}) {
          std::vector<std::string> Changed = Packets;
          Changed[P][Byte] = static_cast<char>(Value);
          useEverything(frame(Changed));
        }
  }
}

TEST(TraceReaderHostileTest, PacketsInAnyOrder) {
  std::mt19937 Random(1);
  std::vector<std::string> Packets = packetsOf(boxTrace().bytes());
  for (const std::string &Packet : packetsOf(interruptedTrace().bytes()))
    Packets.push_back(Packet);
  for (const std::string &Packet : packetsOf(placedTrace().bytes()))
    Packets.push_back(Packet);
  for (const std::string &Packet : packetsOf(optimizedTrace().bytes()))
    Packets.push_back(Packet);
  for (int Round = 0; Round != 300; ++Round) {
    std::vector<std::string> Shuffled = {Packets[0]};
    for (int I = 0; I != 12; ++I)
      Shuffled.push_back(Packets[Random() % Packets.size()]);
    useEverything(frame(Shuffled));
  }
}

TEST(TraceReaderHostileTest, RandomRecords) {
  std::mt19937_64 Random(2);
  for (int Round = 0; Round != 3000; ++Round) {
    TraceBuilder B;
    proto::EventBatch &Batch = addRawRecords(B);
    for (int I = 0; I != 40; ++I)
      Batch.add_record(Random() >> (Random() % 4 ? 61 : Random() % 64));
    std::vector<std::string> Packets;
    for (const proto::Packet &P : B.Trace.packet())
      Packets.push_back(P.SerializeAsString());
    useEverything(frame(Packets));
  }
}

// A million open intervals, each inside the other.
TEST(TraceReaderHostileTest, DepthBomb) {
  constexpr uint32_t Depth = 1000000;
  TraceBuilder B;
  // A million records by name would need more memory than is shown here.
  proto::EventBatch &Batch = addRawRecords(B);
  for (uint32_t I = 0; I != Depth; ++I)
    for (uint64_t Value :
         {beginHead(EventKind::TemplateInstantiation), uint64_t(1),
          uint64_t(I == 0 ? NewReference : FirstBackReference), NoReference})
      Batch.add_record(Value);
  std::vector<std::string> Packets;
  for (const proto::Packet &P : B.Trace.packet())
    Packets.push_back(P.SerializeAsString());
  Trace T = read(frame(Packets));
  EXPECT_EQ(T.Sequences[0].OpenCount, Depth);
  CostTable Table = costs(T, CostKey::Kind);
  ASSERT_EQ(Table.Rows.size(), 1u);
  EXPECT_EQ(Table.Rows[0].SelfNs, Depth - 1);
  EXPECT_EQ(Table.Rows[0].InclusiveNs, Depth - 1);
}

// Two records in one packet: as the second id is far away, nothing may be
// allocated for the ids between.
TEST(TraceReaderHostileTest, HugeIdsCostNothing) {
  TraceBuilder B;
  proto::EventBatch &Batch = B.startBatch();
  Batch.set_first_entity(4000000000u);
  Batch.set_first_location(2147483647u);
  B.begin(EventKind::TemplateInstantiation, 1, EntityId{4000000000u},
          LocationId{2147483647u})
      .end(3);
  auto *Hits = B.packet()->mutable_memoized_hits();
  Hits->add_entity(4294967295u);
  Hits->add_hits(~uint64_t(0));
  useEverything(B.bytes());
  B.footer(2, 3).Trace.mutable_packet(4)->mutable_footer()->set_exit_state(
      proto::EXIT_STATE_INTERRUPTED);
  useEverything(B.bytes()); // whose losses() counts entities without name
  EXPECT_EQ(read(B.bytes()).Sequences[0].missingNames().None, 2u);
}

// As many modules and footers as there are bytes: not every footer may look
// at every module.
TEST(TraceReaderHostileTest, ManyFootersWithModulesTakeLinearTime) {
  TraceBuilder B;
  for (int I = 0; I != 20000; ++I) {
    std::string Name = std::to_string(I);
    B.Trace.mutable_packet(1)->mutable_session()->add_module_inputs(Name);
    B.packet()->mutable_footer()->add_module_inputs("late" + Name);
  }
  std::vector<std::string> Packets;
  for (const proto::Packet &P : B.Trace.packet())
    Packets.push_back(P.SerializeAsString());
  Trace T = read(frame(Packets));
  EXPECT_EQ(T.Sequences[0].Session->ModuleInputs.size(), 40000u);
}

// The text and the binary of libprotobuf agree with what this reader sees.
TEST(TraceReaderHostileTest, LibprotobufAgreesOnTheFraming) {
  std::string Bytes = boxTrace().bytes();
  proto::Trace Theirs;
  ASSERT_TRUE(Theirs.ParseFromString(Bytes));
  Trace Ours = read(Bytes);
  ASSERT_EQ(size_t(Theirs.packet_size()), Ours.Files[0].PacketCount);
  for (int I = 0; I != Theirs.packet_size(); ++I)
    EXPECT_TRUE(Theirs.packet(I).has_checksum());
}

} // namespace
