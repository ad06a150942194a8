/// \file
/// Builds traces in memory with libprotobuf, the independent writer.
///
/// Flow: a test -> [TraceBuilder] -> NamedRecords -> bytes -> TraceReader
///
/// Events are given by name and absolute time, as in the text that `assemble`
/// reads (proto/text.proto), and written by the same code.
#pragma once

#include "proto/trace.pb.h"
#include "runtime/format/EventKind.h"
#include "runtime/read/Trace.h"
#include "runtime/read/TraceReader.h"
#include "utils/export/NamedRecords.h"
#include "utils/export/TextProto.h"

#include <gtest/gtest.h>

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace::test {

/// An entity, a location as "file:line:column", or an interval by the name of
/// its entity; or its id or number. Nothing: none.
template <class Number> class Named {
public:
  Named() = default;
  Named(Number Id) : Id(Id.Value) {}
  template <std::convertible_to<std::string> Text>
  Named(const Text &Value) : Name(Value) {}
  std::optional<std::string> Name;
  std::optional<uint32_t> Id;
};

/// What an end record says beside its time.
struct EndFields {
  std::optional<uint64_t> AstBytes = {}, Memoized = {}, Elided = {},
                          ElidedNs = {};
  bool Definition = false;
};
inline const EndFields WithDefinition{.Definition = true};

class TraceBuilder {
public:
  explicit TraceBuilder(uint32_t SequenceId = 1) : SequenceId(SequenceId) {
    auto *Header = packet()->mutable_file_header();
    Header->set_magic("instantrace");
    Header->set_format_major(1);
    packet()->mutable_session()->set_input("a.cpp");
  }

  proto::Packet *packet() {
    auto *Packet = Trace.add_packet();
    Packet->set_sequence_id(SequenceId);
    return Packet;
  }

  /// Defines names 1, 2, ... as plain text.
  TraceBuilder &names(std::initializer_list<const char *> Texts) {
    auto *Batch = packet()->mutable_dictionary();
    Batch->set_first_id(1);
    for (const char *Text : Texts)
      Batch->add_entry()->set_marked_name(Text);
    return *this;
  }

  struct Row {
    uint32_t Name, TemplateSet;
    proto::EntityKind Kind = proto::ENTITY_CLASS;
  };
  TraceBuilder &entities(std::initializer_list<Row> Rows) {
    auto *Batch = packet()->mutable_entities();
    Batch->set_first_id(1);
    int32_t Name = 0, Set = 0;
    for (const Row &R : Rows) {
      Batch->add_name(int32_t(R.Name) - Name);
      Batch->add_template_set(int32_t(R.TemplateSet) - Set);
      Batch->add_declared_at(0);
      Batch->add_kind(R.Kind);
      Name = int32_t(R.Name);
      Set = int32_t(R.TemplateSet);
    }
    return *this;
  }

  /// An entity that is in no table so far, before its first use.
  TraceBuilder &entity(const std::string &Name, const std::string &TemplateSet,
                       proto::EntityKind Kind = proto::ENTITY_CLASS,
                       const std::string &DeclaredAt = {}) {
    auto *Entity = record().mutable_entity();
    Entity->set_name(Name);
    Entity->set_template_set(TemplateSet);
    Entity->set_kind(Kind);
    Entity->set_declared_at(DeclaredAt);
    return *this;
  }

  /// Times are absolute. What is in no table yet is added to them, entities as
  /// classes.
  TraceBuilder &begin(EventKind Kind, uint64_t TimeNs,
                      const Named<EntityId> &Entity = {},
                      const Named<LocationId> &Location = {}) {
    fill(*record().mutable_begin(), Kind, TimeNs, Entity, Location);
    return *this;
  }
  /// A body that \p Requester queued.
  TraceBuilder &beginLate(EventKind Kind, uint64_t TimeNs,
                          const Named<EntityId> &Entity,
                          const Named<IntervalId> &Requester,
                          const Named<LocationId> &Location = {}) {
    auto &Begin = *record().mutable_begin();
    fill(Begin, Kind, TimeNs, Entity, Location);
    if (Requester.Name)
      Begin.set_requested_by(*Requester.Name);
    else
      Begin.set_requester(Requester.Id.value());
    return *this;
  }
  TraceBuilder &end(uint64_t TimeNs, const EndFields &With = {}) {
    auto &End = *record().mutable_end();
    End.set_time_ns(TimeNs);
    if (With.AstBytes)
      End.set_ast_bytes(*With.AstBytes);
    if (With.Memoized)
      End.set_memoized(*With.Memoized);
    if (With.Elided)
      End.set_elided(*With.Elided);
    if (With.ElidedNs)
      End.set_elided_ns(*With.ElidedNs);
    End.set_definition(With.Definition);
    return *this;
  }
  TraceBuilder &instant(EventKind Kind, uint64_t TimeNs,
                        const Named<EntityId> &Entity = {},
                        const Named<LocationId> &Location = {}) {
    fill(*record().mutable_instant(), Kind, TimeNs, Entity, Location);
    return *this;
  }
  /// What follows is in a packet of its own, which may say where it begins.
  proto::EventBatch &startBatch() {
    proto::EventBatch *Batch = packet()->mutable_events();
    Records[Trace.packet_size() - 1];
    return *Batch;
  }
  TraceBuilder &hits(const std::vector<std::pair<uint32_t, uint64_t>> &Rows) {
    auto *Hits = packet()->mutable_memoized_hits();
    for (auto [Entity, Count] : Rows) {
      Hits->add_entity(Entity);
      Hits->add_hits(Count);
    }
    return *this;
  }

  TraceBuilder &footer(uint64_t Events, uint64_t EndTimeNs,
                       uint64_t MemoizedHits = 0) {
    auto *Footer = packet()->mutable_footer();
    Footer->set_exit_state(proto::EXIT_STATE_SUCCESS);
    Footer->set_events_recorded(Events);
    Footer->set_end_time_ns(EndTimeNs);
    Footer->set_memoized_hits(MemoizedHits);
    return *this;
  }

  /// With all records as numbers.
  proto::Trace whole() const {
    Result<proto::Trace> Written = writeNamedRecords(Trace, Records);
    if (Written)
      return *Written;
    ADD_FAILURE() << Written.error().Message;
    return {};
  }
  /// With checksums, as `assemble` computes them.
  std::string bytes() const { return traceBytes(whole()); }

  /// Without the records that were given by name.
  proto::Trace Trace;

private:
  proto::NamedRecord &record() {
    if (!Records.count(Trace.packet_size() - 1))
      startBatch();
    PlacedRecord &New = Records[Trace.packet_size() - 1].emplace_back();
    New.Place =
        "record " + std::to_string(Records[Trace.packet_size() - 1].size());
    return New.Record;
  }
  static void fill(proto::NamedBegin &Begin, EventKind Kind, uint64_t TimeNs,
                   const Named<EntityId> &Entity,
                   const Named<LocationId> &Location) {
    Begin.set_kind(static_cast<proto::RecordKind>(Kind));
    Begin.set_time_ns(TimeNs);
    if (Entity.Name)
      Begin.set_entity(*Entity.Name);
    else if (Entity.Id)
      Begin.set_entity_id(*Entity.Id);
    if (Location.Name)
      Begin.set_at(*Location.Name);
    else if (Location.Id)
      Begin.set_location_id(*Location.Id);
  }

  uint32_t SequenceId;
  NamedRecords Records;
};

struct InclusionIs {
  uint32_t Path, Includer, Line;
  bool IsSystem;
};
/// Appends a packet that defines inclusions from \p FirstId on.
inline proto::InclusionBatch *
addInclusions(TraceBuilder &B, uint32_t FirstId,
              std::initializer_list<InclusionIs> Rows) {
  auto *Batch = B.packet()->mutable_inclusions();
  Batch->set_first_id(FirstId);
  for (const InclusionIs &R : Rows) {
    Batch->add_path(R.Path);
    Batch->add_included_from(R.Includer);
    Batch->add_line(R.Line);
    Batch->add_column(R.Line == 0 ? 0 : 10);
    Batch->add_is_system(R.IsSystem);
  }
  return Batch;
}

struct LocationIs {
  uint32_t File, Line;
};
/// The same for locations of events.
inline proto::LocationBatch *
addLocations(TraceBuilder &B, uint32_t FirstId,
             std::initializer_list<LocationIs> Rows) {
  auto *Batch = B.packet()->mutable_locations();
  Batch->set_first_id(FirstId);
  int32_t Line = 0;
  for (const LocationIs &R : Rows) {
    Batch->add_file(R.File);
    Batch->add_line(static_cast<int32_t>(R.Line) - Line);
    Batch->add_column(3);
    Line = static_cast<int32_t>(R.Line);
  }
  return Batch;
}

inline instantrace::Trace read(std::string_view Bytes) {
  instantrace::Trace T;
  readTrace(Bytes, "x.itrace", T);
  return T;
}

/// The messages of all issues, one per line.
inline std::string issues(const instantrace::Trace &T) {
  std::string Text;
  for (const TraceIssue &Issue : T.Files.front().Issues)
    Text += Issue.message("x.itrace") + "\n";
  return Text;
}

} // namespace instantrace::test
