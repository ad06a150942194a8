/// \file
/// Hand-made sequences of one compile, as two hooks may have recorded it.
///
/// Flow: a test -> [SequenceBuilder] -> TraceBuilder -> Sequence ->
///       utils/bench/hooks
#ifndef INSTANTRACE_TEST_UNIT_SUPPORT_HOOKTRACES_H
#define INSTANTRACE_TEST_UNIT_SUPPORT_HOOKTRACES_H

#include "runtime/read/Trace.h"
#include "test/unit/support/TraceBuilder.h"

#include <string>

namespace instantrace::test {

class SequenceBuilder {
public:
  /// As it is read, of a compile that ended. What a test changes here, it
  /// changes after the last event.
  Sequence S;

  explicit SequenceBuilder(uint64_t MonotonicNs = 0) {
    auto *Session = B.Trace.mutable_packet(1)->mutable_session();
    Session->clear_input();
    Session->set_pid(1);
    Session->set_monotonic_ns(MonotonicNs);
    update();
  }

  /// \p LineNo of its declaration. There may be several of a name.
  EntityId entity(const std::string &Name, const std::string &TemplateSet,
                  uint32_t LineNo = 1, EntityKind Kind = EntityKind::Function) {
    uint32_t First = 3 * Entities + 1;
    auto *Names = B.packet()->mutable_dictionary();
    Names->set_first_id(First);
    for (const std::string &Text : {std::string("a.h"), Name, TemplateSet})
      Names->add_entry()->set_marked_name(Text);
    auto *Declarations = B.packet()->mutable_declaration_locations();
    Declarations->set_first_id(++Entities);
    Declarations->add_file(First);
    Declarations->add_line(static_cast<int32_t>(LineNo));
    Declarations->add_column(1);
    auto *Rows = B.packet()->mutable_entities();
    Rows->set_first_id(Entities);
    Rows->add_name(static_cast<int32_t>(First + 1));
    Rows->add_template_set(static_cast<int32_t>(First + 2));
    Rows->add_kind(static_cast<proto::EntityKind>(Kind));
    Rows->add_declaration(Entities);
    update();
    return {Entities};
  }

  /// Until end() or the end of the test, others are inside it.
  SequenceBuilder &begin(EventKind Kind, uint64_t TimeNs,
                         EntityId Entity = {}) {
    B.begin(Kind, TimeNs, Entity);
    return update();
  }
  SequenceBuilder &end(uint64_t TimeNs, const EndFields &With = {}) {
    B.end(TimeNs, With);
    return update();
  }
  /// An instantiation with nothing inside it.
  SequenceBuilder &leaf(uint64_t BeginNs, uint64_t EndNs, EntityId Entity,
                        const EndFields &With = {}) {
    begin(EventKind::TemplateInstantiation, BeginNs, Entity);
    return end(EndNs, With);
  }
  /// ... that \p Requester asked for.
  SequenceBuilder &lateLeaf(uint64_t BeginNs, uint64_t EndNs, EntityId Entity,
                            IntervalId Requester) {
    B.beginLate(EventKind::TemplateInstantiation, BeginNs, Entity, Requester);
    return end(EndNs);
  }

  Trace trace(const char *File) const {
    Trace T;
    T.Files.emplace_back().Name = File;
    T.Sequences.push_back(S);
    return T;
  }

private:
  SequenceBuilder &update() {
    Trace T = read(B.bytes());
    EXPECT_EQ(issues(T), "");
    S = std::move(T.Sequences.front());
    S.Footer.emplace();
    return *this;
  }

  TraceBuilder B;
  uint32_t Entities = 0;
};

} // namespace instantrace::test

#endif
