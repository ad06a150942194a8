/// \file
/// Builds traces in memory with libprotobuf, the independent writer.
///
/// Flow: a test -> [TraceBuilder] -> bytes -> TraceReader
#ifndef INSTANTRACE_TEST_UNIT_SUPPORT_TRACEBUILDER_H
#define INSTANTRACE_TEST_UNIT_SUPPORT_TRACEBUILDER_H

#include "proto/trace.pb.h"
#include "runtime/format/EventKind.h"
#include "runtime/read/Trace.h"
#include "runtime/read/TraceReader.h"
#include "utils/export/TextProto.h"

#include <initializer_list>
#include <string>

namespace instantrace::test {

/// Heads of records.
inline uint64_t beginOf(EventKind Kind) { return uint64_t(Kind) << 2; }
inline uint64_t instantOf(EventKind Kind) { return uint64_t(Kind) << 2 | 2; }
inline uint64_t requestedOf(EventKind Kind) { return uint64_t(Kind) << 2 | 3; }
inline uint64_t endWith(uint64_t Flags) { return Flags << 2 | 1; }

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

  TraceBuilder &events(std::initializer_list<uint64_t> Records) {
    auto *Batch = packet()->mutable_events();
    Batch->set_first_entity(1);
    Batch->set_first_location(1);
    Batch->mutable_record()->Add(Records.begin(), Records.end());
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

  /// With checksums, as `assemble` computes them.
  std::string bytes() const {
    std::string Text = Trace.DebugString();
    Result<std::string> Bytes = assembleTrace(Text, "test", false);
    return Bytes ? *Bytes : std::string();
  }

  proto::Trace Trace;

private:
  uint32_t SequenceId;
};

/// A little of everything: Box<int> is instantiated, used again, and asks for
/// a late body.
inline TraceBuilder boxTrace() {
  TraceBuilder B;
  B.names({"a.cpp", "Box<int>", "Box<$>"});
  auto *Locations = B.packet()->mutable_locations();
  Locations->set_first_id(1);
  for (int LineDelta : {5, -3}) {
    Locations->add_file(1);
    Locations->add_line(LineDelta);
    Locations->add_column(12);
  }
  B.entities({{2, 3}});
  B.events({beginOf(EventKind::Frontend),
            0,
            0,
            0, //
            beginOf(EventKind::TemplateInstantiation),
            5,
            1,
            1, //
            instantOf(EventKind::Memoization),
            1,
            2,
            1, //
            endWith(15),
            20,
            100,
            7,
            2,
            6, //
            requestedOf(EventKind::TemplateInstantiation),
            4,
            2,
            2,
            1,
            endWith(0),
            10, //
            endWith(0),
            1});
  auto *Hits = B.packet()->mutable_memoized_hits();
  Hits->add_entity(1);
  Hits->add_hits(3);
  B.footer(7, 100, 4);
  return B;
}

/// Everything that format 1.1 added: definitions before and after their use, a
/// table of declaration locations, the footer of a compiler that crashed.
inline TraceBuilder interruptedTrace() {
  TraceBuilder B;
  B.Trace.mutable_packet(0)->mutable_file_header()->set_format_minor(1);
  auto *Session = B.Trace.mutable_packet(1)->mutable_session();
  Session->set_buffer("memfd");
  Session->add_module_inputs("std.pcm");
  B.names({"a.h", "Box<int>", "Box<$>"});
  auto *Declarations = B.packet()->mutable_declaration_locations();
  Declarations->set_first_id(1);
  Declarations->add_file(1);
  Declarations->add_line(30);
  Declarations->add_column(7);
  auto *Entities = B.packet()->mutable_entities();
  Entities->set_first_id(1);
  Entities->add_name(2);
  Entities->add_template_set(3);
  Entities->add_declared_at(0);
  Entities->add_kind(proto::ENTITY_CLASS);
  Entities->add_declaration(1);
  B.events({beginOf(EventKind::Frontend), 0, 0, 0,              //
            beginOf(EventKind::TemplateInstantiation), 5, 1, 1, //
            beginOf(EventKind::Profiling), 1, 0, 0,             //
            endWith(0), 2,                                      //
            beginOf(EventKind::TemplateInstantiation), 3, 1, 1});
  auto *Locations = B.packet()->mutable_locations();
  Locations->set_first_id(1);
  Locations->add_file(1);
  Locations->add_line(90);
  Locations->add_column(1);
  B.footer(5, 1234567890);
  auto *Footer =
      B.Trace.mutable_packet(B.Trace.packet_size() - 1)->mutable_footer();
  Footer->set_exit_state(proto::EXIT_STATE_INTERRUPTED);
  Footer->add_module_inputs("late.pcm");
  Footer->add_module_inputs("std.pcm");
  Footer->set_signal(11);
  Footer->set_fragments_dropped(2);
  Footer->set_events_dropped(4);
  return B;
}

struct InclusionIs {
  uint32_t Path, From, Line;
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
    Batch->add_included_from(R.From);
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

/// What format 1.2 says about places. a.cpp includes the system header vec,
/// which includes the system header mem, and then m.h twice.
/// Locations: 1 a.cpp:9, 2 vec:70, 3 mem:50, 4 m.h:4 of the second time, in a
/// macro that mem defines, 5 <gen>:1, in no inclusion.
inline TraceBuilder placedTrace() {
  TraceBuilder B;
  B.Trace.mutable_packet(0)->mutable_file_header()->set_format_minor(2);
  B.names({"a.cpp", "vec", "mem", "m.h", "MAKE", "<gen>", "gen.cpp"});
  addInclusions(B, 1, {{1, 0, 0, false}, {2, 1, 1, true}, {3, 2, 20, true}});
  addInclusions(B, 4, {{4, 1, 2, false}, {4, 1, 3, false}});
  auto *Locations =
      addLocations(B, 1, {{1, 9}, {2, 70}, {3, 50}, {4, 4}, {6, 1}});
  auto *InMacro = Locations->add_detail();
  InMacro->set_element(3);
  InMacro->set_inclusion(5);
  InMacro->set_macro(5);
  InMacro->set_spelling_file(3);
  InMacro->set_spelling_line(12);
  InMacro->set_spelling_column(17);
  InMacro->set_expansion_end_line(5);
  InMacro->set_expansion_end_column(8);
  auto *Generated = Locations->add_detail();
  Generated->set_element(4);
  Generated->set_physical_file(7);
  Generated->set_physical_line(100);
  return B;
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

#endif
