/// \file
/// Traces for rules of advice, event by event, with ids as they are.
///
/// Flow: a test -> [AdviceBuilder] -> TraceBuilder -> Trace -> findAdvice
///
/// Time passes only in end(), so what is given there is the self time.
#pragma once

#include "test/unit/support/FedAdvice.h"
#include "test/unit/support/FunctionRows.h"
#include "test/unit/support/TraceBuilder.h"

#include <string>
#include <vector>

namespace instantrace::test {

class AdviceBuilder {
public:
  explicit AdviceBuilder(uint32_t SequenceId = 1,
                         const std::string &Input = "a.cpp")
      : B(SequenceId) {
    B.Trace.mutable_packet(0)->mutable_file_header()->set_format_minor(2);
    B.Trace.mutable_packet(1)->mutable_session()->set_input(Input);
  }

  void object(const std::string &Path, const std::string &PchInput) {
    auto *Session = B.Trace.mutable_packet(1)->mutable_session();
    Session->set_object(Path);
    if (!PchInput.empty())
      Session->add_pch_inputs(PchInput);
  }
  void argv(const std::vector<std::string> &Words) {
    for (const std::string &Word : Words)
      B.Trace.mutable_packet(1)->mutable_session()->add_argv(Word);
  }
  /// proto MemoizationMode.
  void mode(uint32_t Mode) {
    B.Trace.mutable_packet(1)->mutable_session()->set_memoization(
        static_cast<proto::MemoizationMode>(Mode));
  }
  /// In the file and line that it is declared at; Set empty: no specialization.
  uint32_t entity(const std::string &Name, const std::string &Set,
                  proto::EntityKind Kind, const std::string &File = "a.cpp",
                  uint32_t Line = 1) {
    uint32_t Id = name(Name);
    Entities.push_back({Id, Set.empty() ? Id : name(Set), Kind,
                        static_cast<uint32_t>(Declared.size() + 1)});
    Declared.push_back({name(File), Line});
    return static_cast<uint32_t>(Entities.size());
  }
  uint32_t location(const std::string &File, uint32_t Line) {
    Locations.push_back({name(File), Line});
    return static_cast<uint32_t>(Locations.size());
  }
  /// Enters a file in the table of inclusions; 0: it is not included.
  void inclusion(const std::string &Path, uint32_t Includer, bool IsSystem) {
    Inclusions.push_back(
        {name(Path), Includer, Includer != 0 ? 1u : 0u, IsSystem});
  }

  /// The ordinal, for a requester.
  uint32_t begin(EventKind Kind, uint32_t Entity = 0, uint32_t Location = 0) {
    B.begin(Kind, TimeNs, EntityId{Entity}, LocationId{Location});
    return Ordinal++;
  }
  uint32_t beginLate(uint32_t Entity, uint32_t Requester,
                     uint32_t Location = 0) {
    B.beginLate(EventKind::TemplateInstantiation, TimeNs, EntityId{Entity},
                IntervalId{Requester}, LocationId{Location});
    return Ordinal++;
  }
  void end(uint64_t SelfNs, uint64_t HitsInside = 0) {
    end(SelfNs, HitsInside, false);
  }
  void endDefinition(uint64_t SelfNs, uint64_t HitsInside = 0) {
    end(SelfNs, HitsInside, true);
  }
  /// begin() and end().
  void leaf(EventKind Kind, uint32_t Entity, uint64_t SelfNs,
            uint32_t Location = 0) {
    begin(Kind, Entity, Location);
    end(SelfNs);
  }
  void definition(uint32_t Entity, uint64_t SelfNs, uint32_t Location = 0) {
    begin(EventKind::TemplateInstantiation, Entity, Location);
    endDefinition(SelfNs);
  }
  /// That LLVM was given, and that is in the object.
  void function(uint32_t Entity) { Functions.push_back(Entity); }
  void hits(uint32_t Entity, uint64_t Count) {
    Hits.push_back({Entity, Count});
  }

  std::string bytes() {
    writeTables();
    if (!Hits.empty())
      B.hits(Hits);
    uint32_t Id = 0;
    for (uint32_t Entity : Functions) {
      addFunctions(B, {{EntityId{Entity}, 10, Entity}}, ++Id);
      addSizes(B, {Id});
    }
    return B.bytes();
  }

private:
  struct EntityRow {
    uint32_t Name, Set;
    proto::EntityKind Kind;
    uint32_t Declaration;
  };

  void end(uint64_t SelfNs, uint64_t HitsInside, bool IsDefinition) {
    EndFields Fields;
    if (HitsInside != 0)
      Fields.Memoized = HitsInside;
    Fields.Definition = IsDefinition;
    B.end(TimeNs += SelfNs, Fields);
  }

  uint32_t name(const std::string &Text) {
    for (uint32_t I = 0; I != Names.size(); ++I)
      if (Names[I] == Text)
        return I + 1;
    Names.push_back(Text);
    return static_cast<uint32_t>(Names.size());
  }

  static void addRows(proto::LocationBatch *Batch,
                      const std::vector<LocationIs> &Rows) {
    Batch->set_first_id(1);
    int32_t Line = 0;
    for (const LocationIs &R : Rows) {
      Batch->add_file(R.File);
      Batch->add_line(static_cast<int32_t>(R.Line) - Line);
      Batch->add_column(1);
      Line = static_cast<int32_t>(R.Line);
    }
  }

  void writeTables() {
    auto *Dictionary = B.packet()->mutable_dictionary();
    Dictionary->set_first_id(1);
    for (const std::string &Text : Names)
      Dictionary->add_entry()->set_marked_name(Text);
    for (uint32_t I = 0; I != Inclusions.size(); ++I)
      addInclusions(B, I + 1, {Inclusions[I]});
    if (!Locations.empty())
      addRows(B.packet()->mutable_locations(), Locations);
    addRows(B.packet()->mutable_declaration_locations(), Declared);
    auto *Batch = B.packet()->mutable_entities();
    Batch->set_first_id(1);
    int32_t Name = 0, Set = 0;
    for (const EntityRow &R : Entities) {
      Batch->add_name(int32_t(R.Name) - Name);
      Batch->add_template_set(int32_t(R.Set) - Set);
      Batch->add_declared_at(0);
      Batch->add_kind(R.Kind);
      Batch->add_declaration(R.Declaration);
      Name = int32_t(R.Name);
      Set = int32_t(R.Set);
    }
  }

  TraceBuilder B;
  std::vector<std::string> Names;
  std::vector<EntityRow> Entities;
  std::vector<LocationIs> Locations, Declared;
  std::vector<InclusionIs> Inclusions;
  std::vector<std::pair<uint32_t, uint64_t>> Hits;
  std::vector<uint32_t> Functions; // by entity
  uint32_t Ordinal = 0;
  uint64_t TimeNs = 0;
};

/// Of one kind, whatever it saves.
inline Advised advise(const instantrace::Trace &T, AdviceKind Kind,
                      SourceReader Sources = {}) {
  TraceFilter Everything = *TraceFilter::make({});
  AdviceSpec Spec;
  Spec.Only = {Kind};
  Spec.MinPermille = 0;
  Spec.Sources = std::move(Sources);
  return findAdvice(T, Everything, Spec);
}

/// How often a suggestion counted something that is called so.
inline uint64_t evidence(const Suggestion &S, std::string_view Begin) {
  for (const AdviceEvidence &E : S.Evidence)
    if (E.What.starts_with(Begin))
      return E.Count;
  return 0;
}

} // namespace instantrace::test
