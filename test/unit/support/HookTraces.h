/// \file
/// Hand-made sequences of one compile, as two hooks may have recorded it.
///
/// Flow: a test -> [SequenceBuilder] -> Sequence -> utils/bench/hooks
#ifndef INSTANTRACE_TEST_UNIT_SUPPORT_HOOKTRACES_H
#define INSTANTRACE_TEST_UNIT_SUPPORT_HOOKTRACES_H

#include "runtime/read/Trace.h"

#include <string_view>

namespace instantrace::test {

class SequenceBuilder {
public:
  Sequence S;

  explicit SequenceBuilder(uint64_t MonotonicNs = 0) {
    S.Session.emplace();
    S.Session->Pid = 1;
    S.Session->MonotonicNs = MonotonicNs;
    S.Footer.emplace();
  }

  /// \p LineNo of its declaration.
  EntityId entity(std::string_view Name, std::string_view TemplateSet,
                  uint32_t LineNo = 1, EntityKind Kind = EntityKind::Function) {
    NameId File = name("a.h");
    S.DeclarationLocations.Rows.push_back({File, LineNo, 1});
    auto Number = static_cast<uint32_t>(S.DeclarationLocations.Rows.size());
    S.Entities.push_back(
        {name(Name), name(TemplateSet), LocationId::declaration(Number), Kind});
    return {static_cast<uint32_t>(S.Entities.size())};
  }

  /// Until end() or the end of the test, others are inside it.
  Interval &begin(EventKind Kind, uint64_t TimeNs, EntityId Entity = {}) {
    Interval &I = S.Intervals.emplace_back();
    I.Kind = Kind;
    I.BeginNs = I.EndNs = TimeNs;
    I.Entity = Entity;
    I.Parent = Innermost;
    Innermost.Value = static_cast<uint32_t>(S.Intervals.size() - 1);
    return I;
  }
  SequenceBuilder &end(uint64_t TimeNs) {
    Interval &I = S.Intervals[Innermost.Value];
    I.EndNs = S.LastTimeNs = TimeNs;
    I.Open = false;
    Innermost = I.Parent;
    return *this;
  }
  /// An instantiation with nothing inside it.
  Interval &leaf(uint64_t BeginNs, uint64_t EndNs, EntityId Entity) {
    begin(EventKind::TemplateInstantiation, BeginNs, Entity);
    end(EndNs);
    return S.Intervals.back();
  }

  Trace trace(const char *File) const {
    Trace T;
    T.Files.emplace_back().Name = File;
    T.Sequences.push_back(S);
    return T;
  }

private:
  NameId name(std::string_view Text) {
    S.Names.add(Text, {});
    return {S.Names.size()};
  }

  IntervalId Innermost;
};

} // namespace instantrace::test

#endif
