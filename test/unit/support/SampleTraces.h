/// \file
/// Small traces that have a little of everything.
///
/// Flow: [SampleTraces] -> TraceBuilder -> a test
#pragma once

#include "test/unit/support/FunctionRows.h"
#include "test/unit/support/TraceBuilder.h"

namespace instantrace::test {

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
  B.begin(EventKind::Frontend, 0)
      .begin(EventKind::TemplateInstantiation, 5, "Box<int>", "a.cpp:5:12")
      .instant(EventKind::Memoization, 6, "Box<int>", "a.cpp:2:12")
      .end(26, {.AstBytes = 100,
                .Memoized = 7,
                .Elided = 2,
                .ElidedNs = 6,
                .Definition = true})
      .beginLate(EventKind::TemplateInstantiation, 30, "Box<int>", "Box<int>",
                 "a.cpp:2:12")
      .end(40)
      .end(41);
  B.hits({{1, 3}});
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
  B.begin(EventKind::Frontend, 0)
      .begin(EventKind::TemplateInstantiation, 5, "Box<int>", "a.h:90:1")
      .begin(EventKind::Profiling, 6)
      .end(8)
      .begin(EventKind::TemplateInstantiation, 11, EntityId{2}, LocationId{2});
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

/// What format 1.5 says about code generation: Box<int>::get is optimized and
/// inlined away, main is kept; one of two functions that Box<int>::get pays for
/// is a closure's.
inline TraceBuilder optimizedTrace() {
  TraceBuilder B;
  B.Trace.mutable_packet(0)->mutable_file_header()->set_format_minor(5);
  B.names({"Box<int>::get", "Box<$>::get", "main"});
  B.entities({{1, 2, proto::ENTITY_FUNCTION}, {3, 3, proto::ENTITY_FUNCTION}});
  addFunctions(
      B, {{{1}, 30, 7},
          {{2}, 10, 8, proto::LINKAGE_EXTERNAL, proto::FUNCTION_OWNER_NAME}});
  addFunctions(
      B,
      {{{1}, 20, 9, proto::LINKAGE_INTERNAL, proto::FUNCTION_OWNER_ENCLOSING}},
      3);
  B.begin(EventKind::Frontend, 0)
      .begin(EventKind::TemplateInstantiation, 5, EntityId{1}, "a.cpp:5:12")
      .end(26, WithDefinition)
      .begin(EventKind::CodeGeneration, 30)
      .begin(EventKind::OptimizeModule, 40)
      .end(42)
      .begin(EventKind::OptimizeFunction, 42, EntityId{1})
      .end(60)
      .begin(EventKind::Profiling, 60)
      .end(61)
      .begin(EventKind::MachineCode, 61, EntityId{2})
      .end(70)
      .begin(EventKind::MachineCode, 70)
      .end(74)
      .end(80)
      .end(81);
  addSizes(B, {2, 3});
  B.footer(16, 100);
  auto *Footer =
      B.Trace.mutable_packet(B.Trace.packet_size() - 1)->mutable_footer();
  Footer->set_backend("functions");
  Footer->set_code_bytes(240);
  return B;
}

} // namespace instantrace::test
