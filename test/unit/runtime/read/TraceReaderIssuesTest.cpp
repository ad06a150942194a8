/// \file
/// Every invariant has a message, and every message a test.
#include "test/unit/support/FunctionRows.h"
#include "test/unit/support/RawRecords.h"
#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// What follows "x.itrace: packet N (byte B): " in the only issue.
std::string onlyIssue(std::string_view Bytes) {
  Trace T = read(Bytes);
  const std::vector<TraceIssue> &Issues = T.Files[0].Issues;
  if (Issues.size() != 1)
    return std::to_string(Issues.size()) + " issues: " + issues(T);
  return std::string(Issues[0].Invariant) + ": found " + Issues[0].Found +
         ", expected " + Issues[0].Expected;
}
std::string onlyIssue(const TraceBuilder &B) { return onlyIssue(B.bytes()); }

TraceBuilder withRaw(std::initializer_list<uint64_t> Numbers) {
  TraceBuilder B;
  addRawRecords(B, Numbers);
  return B;
}
constexpr uint64_t Begin = beginHead(EventKind::Frontend);
constexpr uint64_t None = NoReference;

TEST(TraceReaderIssues, MessageNamesFilePacketAndByte) {
  std::string Bytes = TraceBuilder().bytes();
  Trace T = read(Bytes + "?");
  EXPECT_EQ(issues(T), "x.itrace: packet 3 (byte " +
                           std::to_string(Bytes.size()) +
                           "): packet-tag: found byte 0x3f, expected 0x0a\n");
}

TEST(TraceReaderIssues, Framing) {
  EXPECT_EQ(onlyIssue(std::string_view()),
            "file-header: found an empty file, expected a trace");
  EXPECT_EQ(onlyIssue("\x7f"
                      "ELF"),
            "packet-tag: found byte 0x7f, expected 0x0a");
  EXPECT_EQ(onlyIssue("\x0a\xff\xff"),
            "packet-length: found no whole number, expected a varint");
  EXPECT_EQ(onlyIssue("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
            "packet-length: found no whole number, expected a varint");
  EXPECT_EQ(onlyIssue("\x0a\x09xx"),
            "packet-length: found 2 bytes to the end of the file, expected 9 "
            "bytes");
  EXPECT_EQ(onlyIssue("\x0a\x02xx"),
            "checksum: found none, expected a checksum as the packet's last "
            "field");
  EXPECT_EQ(onlyIssue(std::string_view("\x0a\x05\x7d\0\0\0\0", 7)),
            "checksum: found 0x00000000, expected 0x38d394c2");
}

TEST(TraceReaderIssues, Header) {
  TraceBuilder B;
  auto *Header = B.Trace.mutable_packet(0)->mutable_file_header();
  Header->set_magic("other");
  EXPECT_EQ(onlyIssue(B),
            "magic: found 5 other bytes, expected \"instantrace\"");
  Header->set_magic("instantrace");
  Header->set_format_major(2);
  Header->set_format_minor(3);
  EXPECT_EQ(onlyIssue(B),
            "version: found trace version 2.3, which is newer than this tool "
            "reads, expected version 1.x");
  Header->set_format_major(0);
  EXPECT_EQ(onlyIssue(B),
            "version: found trace version 0.3, which is older than this tool "
            "reads, expected version 1.x");
}

TEST(TraceReaderIssues, PacketOrder) {
  TraceBuilder NoId;
  NoId.Trace.mutable_packet(1)->set_sequence_id(0);
  EXPECT_EQ(onlyIssue(NoId), "sequence-id: found 0, expected a number from 1");
  TraceBuilder NoHeader;
  NoHeader.Trace.mutable_packet(1)->set_sequence_id(5);
  EXPECT_EQ(onlyIssue(NoHeader),
            "file-header: found a packet of sequence 5 before its header, "
            "expected the file header as its first packet");
  TraceBuilder NoSession;
  NoSession.Trace.mutable_packet(1)->mutable_dictionary()->set_first_id(1);
  EXPECT_EQ(onlyIssue(NoSession),
            "session: found another packet, expected the session as the "
            "sequence's second packet");
  TraceBuilder TwoSessions;
  TwoSessions.packet()->mutable_session();
  EXPECT_EQ(onlyIssue(TwoSessions),
            "session: found a session in packet 3 of the sequence, expected "
            "one, in its second packet");
  TraceBuilder Late;
  Late.footer(0, 0).names({"late"});
  EXPECT_EQ(onlyIssue(Late),
            "footer-last: found a packet after the footer, expected the footer "
            "as the sequence's last packet");
}

TEST(TraceReaderIssues, Dictionary) {
  TraceBuilder Gap;
  Gap.packet()->mutable_dictionary()->set_first_id(3);
  EXPECT_EQ(onlyIssue(Gap), "contiguous-ids: found first_id 3, expected 1");
  TraceBuilder Forward;
  auto *Batch = Forward.packet()->mutable_dictionary();
  Batch->set_first_id(1);
  auto *Entry = Batch->add_entry();
  Entry->set_marked_name(std::string(1, '\0'));
  Entry->add_marker_ids(1); // itself: the smallest cycle
  EXPECT_EQ(onlyIssue(Forward),
            "backward-markers: found marker 1 of name 1, expected an earlier "
            "name, or 0");
  Entry->set_marker_ids(0, 2); // of no name at all
  EXPECT_EQ(onlyIssue(Forward),
            "backward-markers: found marker 2 of name 1, expected an earlier "
            "name, or 0");
  Entry->add_marker_ids(1);
  EXPECT_EQ(onlyIssue(Forward),
            "placeholder-count: found 1 placeholders of name 1, expected 2 as "
            "its marker_ids");
}

TEST(TraceReaderIssues, Columns) {
  TraceBuilder Locations;
  auto *L = Locations.packet()->mutable_locations();
  L->set_first_id(1);
  L->add_file(1);
  L->add_line(1);
  EXPECT_EQ(onlyIssue(Locations),
            "column-length: found 0 in column, expected 1 as in file");
  L->add_column(1);
  L->set_line(0, -4);
  EXPECT_EQ(onlyIssue(Locations),
            "delta-range: found line -4, expected 0 to 4294967295");
  TraceBuilder Entities;
  auto *E = Entities.packet()->mutable_entities();
  E->set_first_id(1);
  E->add_name(1);
  EXPECT_EQ(onlyIssue(Entities),
            "column-length: found 0 in template_set, expected 1 as in name");
  E->add_template_set(1);
  E->add_kind(proto::ENTITY_CLASS);
  EXPECT_EQ(onlyIssue(Entities), "0 issues: ");
  for (int I = 0; I != 2; ++I)
    E->add_declared_at(0);
  EXPECT_EQ(onlyIssue(Entities),
            "column-length: found 2 in declared_at, expected 1 as in name");
  E->clear_declared_at();
  for (int I = 0; I != 2; ++I)
    E->add_declaration(0);
  EXPECT_EQ(onlyIssue(Entities),
            "column-length: found 2 in declaration, expected 1 as in name");
  TraceBuilder Functions;
  auto *F = Functions.packet()->mutable_functions();
  F->set_first_id(1);
  F->add_entity(1);
  EXPECT_EQ(onlyIssue(Functions),
            "column-length: found 0 in owner, expected 1 as in entity");
  F->add_owner(proto::FUNCTION_OWNER_ITSELF);
  F->add_name_hash(1);
  F->add_linkage(proto::LINKAGE_LINK_ONCE);
  EXPECT_EQ(
      onlyIssue(Functions),
      "column-length: found 0 in ir_instructions, expected 1 as in entity");
  F->add_ir_instructions(9);
  EXPECT_EQ(onlyIssue(Functions), "0 issues: ");
  auto *Sizes = Functions.packet()->mutable_function_sizes();
  Sizes->add_function(1);
  for (int I = 0; I != 2; ++I)
    Sizes->add_object_bytes(8);
  EXPECT_EQ(
      onlyIssue(Functions),
      "column-length: found 2 in object_bytes, expected 1 as in function");
  TraceBuilder Hits;
  Hits.packet()->mutable_memoized_hits()->add_hits(3);
  EXPECT_EQ(onlyIssue(Hits),
            "column-length: found 1 in hits, expected 0 as in entity");
  TraceBuilder Memory;
  Memory.packet()->mutable_memory_samples()->add_interval(3);
  EXPECT_EQ(onlyIssue(Memory),
            "column-length: found 0 in depth, expected 1 as in interval");
}

TEST(TraceReaderIssues, DeclarationLocations) {
  TraceBuilder Gap;
  auto *L = Gap.packet()->mutable_locations();
  L->set_first_id(1);
  L->add_file(0);
  L->add_line(1);
  L->add_column(1);
  auto *D = Gap.packet()->mutable_declaration_locations();
  D->set_first_id(2); // the other table's next id
  EXPECT_EQ(onlyIssue(Gap), "contiguous-ids: found first_id 2, expected 1");
  D->set_first_id(1);
  D->add_file(0);
  EXPECT_EQ(onlyIssue(Gap),
            "column-length: found 0 in line, expected 1 as in file");
  D->add_line(-1);
  D->add_column(1);
  EXPECT_EQ(onlyIssue(Gap),
            "delta-range: found line -1, expected 0 to 4294967295");
}

TEST(TraceReaderIssues, OneDeclaration) {
  TraceBuilder B;
  B.entities({{0, 0}});
  auto *E = B.Trace.mutable_packet(2)->mutable_entities();
  E->add_declaration(0); // beside a declared_at of 0, as writers write it
  EXPECT_EQ(onlyIssue(B), "0 issues: ");
  E->set_declared_at(0, 3);
  EXPECT_EQ(onlyIssue(B),
            "one-declaration: found declared_at 3 beside a declaration column, "
            "expected 0");
}

TEST(TraceReaderIssues, BatchState) {
  auto With = [](auto Change) {
    TraceBuilder B;
    B.begin(EventKind::Frontend, 7, EntityId{1}, LocationId{1}).end(10);
    auto *Second = B.packet()->mutable_events();
    Second->set_first_time_ns(10);
    Second->set_first_interval(1);
    Second->set_first_entity(2);
    Second->set_first_location(2);
    Change(*Second);
    return onlyIssue(B);
  };
  EXPECT_EQ(With([](auto &) {}), "0 issues: ");
  EXPECT_EQ(With([](auto &B) { B.set_first_time_ns(9); }),
            "batch-time: found 9 ns, expected 10 ns or later");
  EXPECT_EQ(With([](auto &B) { B.set_first_interval(2); }),
            "batch-interval: found 2, expected 1");
  EXPECT_EQ(With([](auto &B) { B.set_first_entity(1); }),
            "batch-entity: found 1, expected 2 or more");
  EXPECT_EQ(With([](auto &B) { B.set_first_entity(9); }), "0 issues: ");
  EXPECT_EQ(With([](auto &B) { B.set_first_location(1); }),
            "batch-location: found 1, expected 2 or more");
  EXPECT_EQ(With([](auto &B) { B.set_first_location(2147483648u); }),
            "0 issues: ");
  EXPECT_EQ(With([](auto &B) { B.set_first_location(2147483649u); }),
            "batch-location: found 2147483649, expected at most 2147483648");
  EXPECT_EQ(With([](auto &B) {
              B.set_first_location(2147483648u);
              for (uint64_t V : {Begin, uint64_t(0), None,
                                 uint64_t(NewReference)}) // one more location
                B.add_record(V);
            }),
            "location-reference: found 1, expected at most 2147483648");
  EXPECT_EQ(With([](auto &B) { B.set_depth(1); }),
            "batch-depth: found 1, expected 0");
}

TEST(TraceReaderIssues, TimeUnit) {
  TraceBuilder B = TraceBuilder().begin(EventKind::Frontend, 0);
  B.Trace.mutable_packet(1)->mutable_session()->set_time_unit_ns(2000000000);
  EXPECT_EQ(onlyIssue(B),
            "time-unit: found 2000000000 ns, expected at most 1000000000 ns");
}

TEST(TraceReaderIssues, Records) {
  EXPECT_EQ(onlyIssue(withRaw({endHead(0), 1})),
            "balanced-end: found an end at depth 0, expected an open interval");
  EXPECT_EQ(onlyIssue(withRaw({beginHead(0), 1, None, None})),
            "event-kind: found 0, expected a known kind");
  EXPECT_EQ(onlyIssue(withRaw({beginHead(200), 1, None, None})),
            "event-kind: found 200, expected a kind of this version, below 45");
  EXPECT_EQ(onlyIssue(withRaw({beginHead(300), 1, None, None})),
            "event-kind: found 300, expected a known kind");
  EXPECT_EQ(onlyIssue(withRaw({Begin, 1, FirstBackReference, None})),
            "entity-reference: found 2, expected at most 1");
  EXPECT_EQ(onlyIssue(withRaw({Begin, 1, None, 9})),
            "location-reference: found 9, expected at most 1");
  EXPECT_EQ(
      onlyIssue(withRaw({Begin, 0, None, None, endHead(EndFlagLimit), 1})),
      "end-flags: found 16, expected less than 16");
  EXPECT_EQ(
      onlyIssue(withRaw({lateHead(EventKind::Parsing), 0, None, None, 1})),
      "requester: found distance 1 at interval 0, expected 1 to the "
      "interval's number");
  EXPECT_EQ(onlyIssue(withRaw({Begin, ~uint64_t(0), None, None})),
            "time-range: found 18446744073709551615 units of 1 ns after 0 ns, "
            "expected "
            "times up to 4611686018427387904 ns");
  EXPECT_EQ(onlyIssue(withRaw({Begin, 0, None})),
            "packet-body: found end of buffer exception, expected well-formed "
            "protobuf");
  EXPECT_EQ(onlyIssue(TraceBuilder()
                          .begin(EventKind::Frontend, 0)
                          .end(5, {.Elided = 1, .ElidedNs = 6})),
            "elided-time: found 6 ns, expected at most the interval's 5 ns");
  EXPECT_EQ(onlyIssue(TraceBuilder()
                          .begin(EventKind::Frontend, 0)
                          .end(5, {.Memoized = uint64_t(1) << 48})),
            "memoized-range: found 281474976710656, expected 0 to "
            "281474976710655");
}

TEST(TraceReaderIssues, Footer) {
  EXPECT_EQ(
      onlyIssue(TraceBuilder().begin(EventKind::Frontend, 5).footer(1, 5)),
      "closed-intervals: found 1 in sequence 1, expected 0");
  EXPECT_EQ(onlyIssue(TraceBuilder().footer(3, 0)),
            "footer-events: found 3 in sequence 1, expected 0");
  EXPECT_EQ(onlyIssue(TraceBuilder().footer(0, 0, 2)),
            "footer-memoized-hits: found 2 in sequence 1, expected 0");
  EXPECT_EQ(
      onlyIssue(
          TraceBuilder().begin(EventKind::Frontend, 5).end(7).footer(2, 6)),
      "end-time: found 6 ns in sequence 1, expected the last event's 7 "
      "ns or later");
}

TEST(TraceReaderIssues, References) {
  EXPECT_EQ(onlyIssue(TraceBuilder()
                          .begin(EventKind::Frontend, 5, EntityId{1})
                          .end(7)
                          .footer(2, 7)),
            "defined-entities: found entity 1 of sequence 1, expected at most "
            "0");
  EXPECT_EQ(onlyIssue(TraceBuilder()
                          .begin(EventKind::Frontend, 5, {}, LocationId{1})
                          .end(7)
                          .footer(2, 7)),
            "defined-locations: found location 1 of sequence 1, expected at "
            "most 0");
  EXPECT_EQ(onlyIssue(TraceBuilder().entities({{4, 0}}).footer(0, 0)),
            "name-range: found an entity's name 4 of sequence 1, expected at "
            "most 0");
  EXPECT_EQ(onlyIssue(TraceBuilder().entities({{0, 4}}).footer(0, 0)),
            "name-range: found an entity's template_set 4 of sequence 1, "
            "expected at most 0");
  TraceBuilder File;
  auto *L = File.packet()->mutable_locations();
  L->set_first_id(1);
  L->add_file(2);
  L->add_line(1);
  L->add_column(1);
  EXPECT_EQ(onlyIssue(File.footer(0, 0)),
            "name-range: found a location's file 2 of sequence 1, expected at "
            "most 0");
  TraceBuilder Declared;
  Declared.entities({{0, 0}});
  Declared.Trace.mutable_packet(2)->mutable_entities()->set_declared_at(0, 8);
  EXPECT_EQ(onlyIssue(Declared.footer(0, 0)),
            "location-range: found an entity's declared_at 8 of sequence 1, "
            "expected at most 0");
}

TEST(TraceReaderIssues, Functions) {
  auto With = [](std::initializer_list<uint32_t> Sized) {
    TraceBuilder B;
    addFunctions(B, {{{1}, 12}, {{1}, 3}});
    addSizes(B, Sized);
    return onlyIssue(B);
  };
  EXPECT_EQ(With({1, 2}), "0 issues: ");
  EXPECT_EQ(With({1, 3}), "function-range: found function 3, expected 1 to 2");
  EXPECT_EQ(With({0}), "function-range: found function 0, expected 1 to 2");
  TraceBuilder Gap;
  Gap.packet()->mutable_functions()->set_first_id(2);
  EXPECT_EQ(onlyIssue(Gap), "contiguous-ids: found first_id 2, expected 1");
  TraceBuilder Entity;
  addFunctions(Entity, {{{5}, 12}});
  EXPECT_EQ(onlyIssue(Entity.footer(0, 0)),
            "defined-entities: found entity 5 of sequence 1, expected at most "
            "0");
}

TEST(TraceReaderIssues, DeclarationReferences) {
  TraceBuilder File;
  auto *L = File.packet()->mutable_declaration_locations();
  L->set_first_id(1);
  L->add_file(2);
  L->add_line(1);
  L->add_column(1);
  EXPECT_EQ(onlyIssue(File.footer(0, 0)),
            "name-range: found a declaration location's file 2 of sequence 1, "
            "expected at most 0");
  auto With = [](auto Change) {
    TraceBuilder B;
    B.entities({{0, 0}});
    Change(*B.Trace.mutable_packet(2)->mutable_entities());
    return onlyIssue(B.footer(0, 0));
  };
  EXPECT_EQ(With([](auto &E) { E.add_declaration(8); }),
            "location-range: found an entity's declaration 8 of sequence 1, "
            "expected at most 0");
  EXPECT_EQ(With([](auto &E) { E.add_declaration(2147483649u); }),
            "location-range: found an entity's declaration 2147483649, "
            "expected at most 2147483647");
  // Not to be taken for declaration 1.
  EXPECT_EQ(With([](auto &E) { E.set_declared_at(0, 2147483649u); }),
            "location-range: found an entity's declared_at 2147483649, "
            "expected at most 2147483647");
}

// recover writes a footer, but cannot make up what was never recorded.
TEST(TraceReaderIssues, AnInterruptedCompileMayLackDefinitionsAndEnds) {
  auto With = [](auto Change) {
    TraceBuilder B = TraceBuilder().begin(EventKind::Frontend, 5, EntityId{1},
                                          LocationId{1});
    B.entities({{7, 8}}).footer(1, 5);
    B.Trace.mutable_packet(3)->mutable_entities()->set_declared_at(0, 9);
    auto *Footer = B.Trace.mutable_packet(4)->mutable_footer();
    Footer->set_exit_state(proto::EXIT_STATE_INTERRUPTED);
    Change(*Footer);
    return onlyIssue(B);
  };
  EXPECT_EQ(With([](auto &) {}), "0 issues: ");
  EXPECT_EQ(With([](auto &F) { F.set_events_recorded(2); }),
            "footer-events: found 2 in sequence 1, expected 1");
  EXPECT_EQ(With([](auto &F) { F.set_memoized_hits(2); }),
            "footer-memoized-hits: found 2 in sequence 1, expected 0");
  EXPECT_EQ(With([](auto &F) { F.set_end_time_ns(4); }),
            "end-time: found 4 ns in sequence 1, expected the last event's 5 "
            "ns or later");
}

// A killed compile leaves references without definitions, which is no error.
TEST(TraceReaderIssues, NoFooterNoComplaint) {
  EXPECT_EQ(onlyIssue(TraceBuilder().begin(EventKind::Frontend, 5, EntityId{1},
                                           LocationId{1})),
            "0 issues: ");
}

TEST(TraceReaderIssues, ManyAreCounted) {
  TraceBuilder B;
  for (int I = 0; I != 1500; ++I)
    // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
    B.begin(static_cast<EventKind>(200), I + 1);
  Trace T = read(B.bytes());
  EXPECT_EQ(T.Files[0].Issues.size(), 1000u);
  EXPECT_EQ(T.Files[0].IssuesNotKept, 500u);
}

} // namespace
