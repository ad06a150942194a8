#include "utils/query/TraceTables.h"

#include "utils/analysis/view/Emission.h"
#include "utils/render/CleanText.h"
#include "utils/render/NumberText.h"
#include "utils/render/SessionHeader.h"

#include <functional>
#include <type_traits>

using namespace instantrace;

namespace {

constexpr std::string_view IntType = "INT", TextType = "TEXT";

// Cells

Cell textCell(std::string_view Text) { return cleanText(Text); }
/// NULL for 0, where 0 means none.
Cell idCell(uint64_t Id) { return Id == 0 ? Cell() : Cell(Id); }
Cell idCell(IntervalId Id) {
  return Id ? Cell(uint64_t(Id.Value) + 1) : Cell();
}
Cell idCell(EntityId Id) { return idCell(Id.Value); }
Cell idCell(LocationId Id) { return idCell(Id.Value); }
Cell idCell(InclusionId Id) { return idCell(Id.Value); }
/// NULL where the trace does not say.
Cell nameCell(const TraceRow &R, NameId Name) {
  if (!R.Model.hasName(R.SequenceIndex, Name))
    return {};
  return R.Model.name(R.SequenceIndex, Name);
}

// What a column has: a function of the row gives what the row is of, and a
// member of that, or a function of it, the value.

template <auto Item, auto Value> decltype(auto) valueOf(const TraceRow &R) {
  if constexpr (std::is_reference_v<decltype(Item(R))>) {
    return std::invoke(Value, Item(R));
  } else {
    auto Copy = std::invoke(Value, Item(R)); // of what is gone then
    return Copy;
  }
}
template <auto Item, auto Value> Cell number(const TraceRow &R) {
  return static_cast<uint64_t>(valueOf<Item, Value>(R));
}
template <auto Item, auto Value> Cell id(const TraceRow &R) {
  return idCell(valueOf<Item, Value>(R));
}
template <auto Item, auto Value> Cell text(const TraceRow &R) {
  return textCell(valueOf<Item, Value>(R));
}
template <auto Item, auto Value> Cell name(const TraceRow &R) {
  return nameCell(R, valueOf<Item, Value>(R));
}
template <auto Item, auto Value> Cell shown(const TraceRow &R) {
  return shownName(valueOf<Item, Value>(R));
}

// NULL without an entity or a location.

template <auto Item, auto Value, auto Part> Cell entityPart(const TraceRow &R) {
  const Entity *E = R.sequence().entity(valueOf<Item, Value>(R));
  return E ? nameCell(R, E->*Part) : Cell();
}
template <auto Item, auto Value> Cell entityName(const TraceRow &R) {
  return entityPart<Item, Value, &Entity::Name>(R);
}
template <auto Item, auto Value> Cell templateName(const TraceRow &R) {
  return entityPart<Item, Value, &Entity::TemplateSet>(R);
}
template <auto Item, auto Value> Cell file(const TraceRow &R) {
  const Location *L = R.sequence().location(valueOf<Item, Value>(R));
  return L ? nameCell(R, L->File) : Cell();
}
template <auto Item, auto Value> Cell line(const TraceRow &R) {
  const Location *L = R.sequence().location(valueOf<Item, Value>(R));
  return L ? idCell(L->LineNo) : Cell();
}
template <auto Item, auto Value> Cell column(const TraceRow &R) {
  const Location *L = R.sequence().location(valueOf<Item, Value>(R));
  return L ? idCell(L->ColumnNo) : Cell();
}

// Columns of all tables

// The check mistakes a variant's number for an int.
// NOLINTBEGIN(bugprone-narrowing-conversions)
Cell sequenceNo(const TraceRow &R) { return uint64_t(R.SequenceIndex) + 1; }
Cell rowNo(const TraceRow &R) { return R.Index + 1; }
// NOLINTEND(bugprone-narrowing-conversions)
/// For a value that needs the row itself, which the caller keeps.
// NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter)
const TraceRow &itself(const TraceRow &R) { return R; }

// sequences

const Sequence &sequenceAt(const TraceRow &R) { return R.sequence(); }
const TraceSession &sessionAt(const TraceRow &R) {
  static const TraceSession None;
  return R.sequence().Session ? *R.sequence().Session : None;
}
const TraceFooter &footerAt(const TraceRow &R) {
  static const TraceFooter None;
  return R.sequence().Footer ? *R.sequence().Footer : None;
}
bool isComplete(const Sequence &S) {
  return S.Footer && !S.Footer->isInterrupted() && S.Footer->EventsDropped == 0;
}
const std::string &traceName(const TraceRow &R) {
  return R.Model.input(R.SequenceIndex).Name;
}
Cell command(const TraceRow &R) { return commandText(sessionAt(R)); }

constexpr TraceColumn SequenceColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"trace", TextType, text<itself, traceName>},
    {"input", TextType, text<sessionAt, &TraceSession::Input>},
    {"object", TextType, text<sessionAt, &TraceSession::Object>},
    {"command", TextType, command},
    {"directory", TextType, text<sessionAt, &TraceSession::WorkingDirectory>},
    {"clang", TextType, text<sessionAt, &TraceSession::ClangVersion>},
    {"pid", IntType, id<sessionAt, &TraceSession::Pid>},
    {"realtime_ns", IntType, id<sessionAt, &TraceSession::RealtimeNs>},
    {"duration_ns", IntType, number<sequenceAt, &Sequence::LastTimeNs>},
    {"user_ns", IntType, number<footerAt, &TraceFooter::UserTimeNs>},
    {"system_ns", IntType, number<footerAt, &TraceFooter::SystemTimeNs>},
    {"peak_rss_bytes", IntType, number<footerAt, &TraceFooter::PeakRssBytes>},
    {"events", IntType, number<sequenceAt, &Sequence::EventCount>},
    {"elided", IntType, number<footerAt, &TraceFooter::EventsElided>},
    {"dropped", IntType, number<footerAt, &TraceFooter::EventsDropped>},
    {"unfinished", IntType, number<sequenceAt, &Sequence::OpenCount>},
    {"backend", TextType, text<footerAt, &TraceFooter::Backend>},
    {"code_bytes", IntType, id<footerAt, &TraceFooter::CodeBytes>},
    {"complete", IntType, number<sequenceAt, isComplete>},
};

uint64_t sequenceRows(TraceModel &, size_t) { return 1; }

// intervals

const Interval &intervalAt(const TraceRow &R) {
  return R.sequence().Intervals[R.Index];
}
uint32_t intervalIndex(const TraceRow &R) {
  return static_cast<uint32_t>(R.Index);
}
ElidedLeaves elidedAt(const TraceRow &R) {
  return intervalAt(R).HasElided ? R.sequence().elidedIn({intervalIndex(R)})
                                 : ElidedLeaves();
}
bool isDefinition(const Interval &I) { return I.Definition; }
bool isUnfinished(const Interval &I) { return I.Open; }
uint64_t depthAt(const TraceRow &R) {
  return R.Model.depth(R.SequenceIndex, intervalIndex(R));
}
uint64_t selfNsAt(const TraceRow &R) {
  return R.Model.selfNs(R.SequenceIndex, intervalIndex(R));
}
bool isExported(const TraceRow &R) {
  return R.Model.keeps(R.SequenceIndex, intervalIndex(R));
}
Cell intervalKind(const TraceRow &R) {
  return eventKindName(intervalAt(R).Kind);
}

constexpr TraceColumn IntervalColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"parent", IntType, id<intervalAt, &Interval::Parent>},
    {"requester", IntType, id<intervalAt, &Interval::Requester>},
    {"depth", IntType, number<itself, depthAt>},
    {"kind", TextType, intervalKind},
    {"entity", IntType, id<intervalAt, &Interval::Entity>},
    {"location", IntType, id<intervalAt, &Interval::Location>},
    {"begin_ns", IntType, number<intervalAt, &Interval::BeginNs>},
    {"end_ns", IntType, number<intervalAt, &Interval::EndNs>},
    {"duration_ns", IntType, number<intervalAt, &Interval::durationNs>},
    {"self_ns", IntType, number<itself, selfNsAt>},
    {"ast_bytes", IntType, number<intervalAt, &Interval::AstBytes>},
    {"memoized", IntType, number<intervalAt, &Interval::memoized>},
    {"elided_count", IntType, number<elidedAt, &ElidedLeaves::Count>},
    {"elided_ns", IntType, number<elidedAt, &ElidedLeaves::SumNs>},
    {"definition", IntType, number<intervalAt, isDefinition>},
    {"unfinished", IntType, number<intervalAt, isUnfinished>},
    {"exported", "INT HIDDEN", number<itself, isExported>},
    {"name", TextType, entityName<intervalAt, &Interval::Entity>},
    {"template", TextType, templateName<intervalAt, &Interval::Entity>},
    {"file", TextType, file<intervalAt, &Interval::Location>},
    {"line", IntType, line<intervalAt, &Interval::Location>},
    {"column", IntType, column<intervalAt, &Interval::Location>},
};

uint64_t intervalRows(TraceModel &M, size_t SequenceIndex) {
  return M.intervalCount(SequenceIndex);
}

// events

const TraceEvent &eventAt(const TraceRow &R) {
  return R.Model.events(R.SequenceIndex)[R.Index];
}
/// Calls \p OfInterval or \p OfInstant with what the event is of.
template <class IntervalFunction, class InstantFunction>
auto ofEvent(const TraceRow &R, IntervalFunction OfInterval,
             InstantFunction OfInstant) {
  uint32_t Index = eventAt(R).Index;
  return eventAt(R).What == TraceEvent::Instant
             ? OfInstant(R.sequence().Instants[Index])
             : OfInterval(R.sequence().Intervals[Index]);
}
EntityId eventEntity(const TraceRow &R) {
  auto Get = [](const auto &E) { return E.Entity; };
  return ofEvent(R, Get, Get);
}
LocationId eventLocation(const TraceRow &R) {
  auto Get = [](const auto &E) { return E.Location; };
  return ofEvent(R, Get, Get);
}
Cell eventKind(const TraceRow &R) {
  auto Get = [](const auto &E) { return eventKindName(E.Kind); };
  return ofEvent(R, Get, Get);
}
Cell eventTimeNs(const TraceRow &R) {
  bool IsBegin = eventAt(R).What == TraceEvent::Begin;
  return ofEvent(
      R, [IsBegin](const Interval &I) { return IsBegin ? I.BeginNs : I.EndNs; },
      [](const Instant &I) { return I.TimeNs; });
}
/// Of an instant, the one around it.
Cell eventInterval(const TraceRow &R) {
  return idCell(ofEvent(
      R, [&](const Interval &) { return IntervalId{eventAt(R).Index}; },
      [](const Instant &I) { return I.Parent; }));
}
Cell eventType(const TraceRow &R) {
  switch (eventAt(R).What) {
  case TraceEvent::Begin:
    return std::string_view("begin");
  case TraceEvent::End:
    return std::string_view("end");
  case TraceEvent::Instant:
    return std::string_view("instant");
  }
  return {};
}

constexpr TraceColumn EventColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"time_ns", IntType, eventTimeNs},
    {"event", TextType, eventType},
    {"depth", IntType, number<eventAt, &TraceEvent::Depth>},
    {"interval", IntType, eventInterval},
    {"kind", TextType, eventKind},
    {"entity", IntType, id<itself, eventEntity>},
    {"location", IntType, id<itself, eventLocation>},
    {"name", TextType, entityName<itself, eventEntity>},
    {"file", TextType, file<itself, eventLocation>},
    {"line", IntType, line<itself, eventLocation>},
    {"column", IntType, column<itself, eventLocation>},
};

uint64_t eventRows(TraceModel &M, size_t SequenceIndex) {
  return M.events(SequenceIndex).size();
}

// entities

const Entity &entityAt(const TraceRow &R) {
  return R.sequence().Entities[R.Index];
}
bool isSpecialization(const Entity &E) {
  return E.Name.Value != E.TemplateSet.Value;
}
uint64_t entityHits(const TraceRow &R) {
  return R.Model.memoizedHits(R.SequenceIndex,
                              {static_cast<uint32_t>(R.Index) + 1});
}

constexpr TraceColumn EntityColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"name", TextType, name<entityAt, &Entity::Name>},
    {"template", TextType, name<entityAt, &Entity::TemplateSet>},
    {"kind", TextType, shown<entityAt, &Entity::Kind>},
    {"specialization", IntType, number<entityAt, isSpecialization>},
    {"memoized", IntType, number<itself, entityHits>},
    {"declared_file", TextType, file<entityAt, &Entity::DeclaredAt>},
    {"declared_line", IntType, line<entityAt, &Entity::DeclaredAt>},
    {"declared_column", IntType, column<entityAt, &Entity::DeclaredAt>},
};

uint64_t entityRows(TraceModel &M, size_t SequenceIndex) {
  return M.sequence(SequenceIndex).Entities.size();
}

// locations

LocationId locationId(const TraceRow &R) {
  return {static_cast<uint32_t>(R.Index) + 1};
}
InclusionId locationInclusion(const TraceRow &R) {
  return R.sequence().inclusionOf(locationId(R));
}
Cell locationIsSystem(const TraceRow &R) {
  return locationInclusion(R)
             ? Cell(uint64_t(R.sequence().isSystem(locationId(R))))
             : Cell();
}
Cell locationMacro(const TraceRow &R) {
  const LocationDetail *D = R.sequence().detail(locationId(R));
  return D ? nameCell(R, D->Macro) : Cell();
}

constexpr TraceColumn LocationColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"file", TextType, file<itself, locationId>},
    {"line", IntType, line<itself, locationId>},
    {"column", IntType, column<itself, locationId>},
    {"inclusion", IntType, id<itself, locationInclusion>},
    {"system", IntType, locationIsSystem},
    {"macro", TextType, locationMacro},
};

uint64_t locationRows(TraceModel &M, size_t SequenceIndex) {
  return M.sequence(SequenceIndex).Locations.Rows.size();
}

// files

const Inclusion &inclusionAt(const TraceRow &R) {
  return R.sequence().Inclusions[R.Index];
}

constexpr TraceColumn FileColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"path", TextType, name<inclusionAt, &Inclusion::Path>},
    {"included_from", IntType, id<inclusionAt, &Inclusion::Includer>},
    {"line", IntType, id<inclusionAt, &Inclusion::LineNo>},
    {"column", IntType, id<inclusionAt, &Inclusion::ColumnNo>},
    {"system", IntType, number<inclusionAt, &Inclusion::IsSystem>},
};

uint64_t fileRows(TraceModel &M, size_t SequenceIndex) {
  return M.sequence(SequenceIndex).Inclusions.size();
}

// functions

const Function &functionAt(const TraceRow &R) {
  return R.sequence().Functions[R.Index];
}
/// SQLite's numbers have a sign, and the hash is to be compared.
Cell functionHash(const TraceRow &R) {
  return hashText(functionAt(R).NameHash);
}
Cell functionKept(const TraceRow &R) {
  std::optional<bool> Kept = isEmitted(R.sequence(), functionAt(R));
  return Kept ? Cell(uint64_t(*Kept)) : Cell();
}

constexpr TraceColumn FunctionColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"entity", IntType, id<functionAt, &Function::Entity>},
    {"owner", TextType, shown<functionAt, &Function::Owner>},
    {"name_hash", TextType, functionHash},
    {"linkage", TextType, shown<functionAt, &Function::Link>},
    {"ir_instructions", IntType, number<functionAt, &Function::IrInstructions>},
    {"machine_instructions", IntType,
     id<functionAt, &Function::MachineInstructions>},
    {"object_bytes", IntType, id<functionAt, &Function::ObjectBytes>},
    {"emitted", IntType, functionKept},
    {"name", TextType, entityName<functionAt, &Function::Entity>},
    {"template", TextType, templateName<functionAt, &Function::Entity>},
};

uint64_t functionRows(TraceModel &M, size_t SequenceIndex) {
  return M.sequence(SequenceIndex).Functions.size();
}

// names

NameId nameId(const TraceRow &R) {
  return {static_cast<uint32_t>(R.Index) + 1};
}
uint64_t nameBytes(const TraceRow &R) {
  return R.sequence().Names.sizeBytes(nameId(R));
}

constexpr TraceColumn NameColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"size_bytes", IntType, number<itself, nameBytes>},
    {"name", TextType, name<itself, nameId>},
};

uint64_t nameRows(TraceModel &M, size_t SequenceIndex) {
  return M.nameCount(SequenceIndex);
}

constexpr TraceTable AllTables[] = {
    {"sequences", SequenceColumns, sequenceRows},
    {"intervals", IntervalColumns, intervalRows},
    {"events", EventColumns, eventRows},
    {"entities", EntityColumns, entityRows},
    {"locations", LocationColumns, locationRows},
    {"files", FileColumns, fileRows},
    {"functions", FunctionColumns, functionRows},
    {"names", NameColumns, nameRows},
};

} // namespace

std::span<const TraceTable> instantrace::traceTables() { return AllTables; }
