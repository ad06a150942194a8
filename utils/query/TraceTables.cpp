#include "utils/query/TraceTables.h"

#include "utils/analysis/view/Emission.h"
#include "utils/render/CleanText.h"
#include "utils/render/NumberText.h"
#include "utils/render/SessionHeader.h"

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
/// NULL where the trace does not say.
Cell nameCell(const TraceRow &R, NameId Name) {
  if (!R.Model.hasName(R.SequenceIndex, Name))
    return {};
  return R.Model.name(R.SequenceIndex, Name);
}
Cell entityName(const TraceRow &R, EntityId Id) {
  const Entity *E = R.sequence().entity(Id);
  return E ? nameCell(R, E->Name) : Cell();
}

// NULL without a location.
Cell fileCell(const TraceRow &R, LocationId Id) {
  const Location *L = R.sequence().location(Id);
  return L ? nameCell(R, L->File) : Cell();
}
Cell lineCell(const TraceRow &R, LocationId Id) {
  const Location *L = R.sequence().location(Id);
  return L ? idCell(L->LineNo) : Cell();
}
Cell columnCell(const TraceRow &R, LocationId Id) {
  const Location *L = R.sequence().location(Id);
  return L ? idCell(L->ColumnNo) : Cell();
}

// Columns of all tables

// The check mistakes a variant's number for an int.
// NOLINTBEGIN(bugprone-narrowing-conversions)
Cell sequenceNo(const TraceRow &R) { return uint64_t(R.SequenceIndex) + 1; }
Cell rowNo(const TraceRow &R) { return R.Index + 1; }
// NOLINTEND(bugprone-narrowing-conversions)

// sequences

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

constexpr TraceColumn SequenceColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"trace", TextType,
     [](const TraceRow &R) {
       return textCell(R.Model.input(R.SequenceIndex).Name);
     }},
    {"input", TextType,
     [](const TraceRow &R) { return textCell(sessionAt(R).Input); }},
    {"object", TextType,
     [](const TraceRow &R) { return textCell(sessionAt(R).Object); }},
    {"command", TextType,
     [](const TraceRow &R) -> Cell { return commandText(sessionAt(R)); }},
    {"directory", TextType,
     [](const TraceRow &R) { return textCell(sessionAt(R).WorkingDirectory); }},
    {"clang", TextType,
     [](const TraceRow &R) { return textCell(sessionAt(R).ClangVersion); }},
    {"pid", IntType,
     [](const TraceRow &R) { return idCell(sessionAt(R).Pid); }},
    {"realtime_ns", IntType,
     [](const TraceRow &R) { return idCell(sessionAt(R).RealtimeNs); }},
    {"duration_ns", IntType,
     [](const TraceRow &R) -> Cell { return R.sequence().LastTimeNs; }},
    {"user_ns", IntType,
     [](const TraceRow &R) -> Cell { return footerAt(R).UserTimeNs; }},
    {"system_ns", IntType,
     [](const TraceRow &R) -> Cell { return footerAt(R).SystemTimeNs; }},
    {"peak_rss_bytes", IntType,
     [](const TraceRow &R) -> Cell { return footerAt(R).PeakRssBytes; }},
    {"events", IntType,
     [](const TraceRow &R) -> Cell { return R.sequence().EventCount; }},
    {"elided", IntType,
     [](const TraceRow &R) -> Cell { return footerAt(R).EventsElided; }},
    {"dropped", IntType,
     [](const TraceRow &R) -> Cell { return footerAt(R).EventsDropped; }},
    {"unfinished", IntType,
     [](const TraceRow &R) -> Cell { return R.sequence().OpenCount; }},
    {"backend", TextType,
     [](const TraceRow &R) { return textCell(footerAt(R).Backend); }},
    {"code_bytes", IntType,
     [](const TraceRow &R) { return idCell(footerAt(R).CodeBytes); }},
    {"complete", IntType,
     [](const TraceRow &R) -> Cell {
       return uint64_t(isComplete(R.sequence()));
     }},
};

uint64_t sequenceRows(TraceModel &, size_t) { return 1; }

// intervals

const Interval &intervalAt(const TraceRow &R) {
  return R.sequence().Intervals[R.Index];
}
IntervalId intervalId(const TraceRow &R) {
  return {static_cast<uint32_t>(R.Index)};
}
ElidedLeaves elidedAt(const TraceRow &R) {
  return intervalAt(R).HasElided ? R.sequence().elidedIn(intervalId(R))
                                 : ElidedLeaves();
}
Cell templateName(const TraceRow &R) {
  const Entity *E = R.sequence().entity(intervalAt(R).Entity);
  return E ? nameCell(R, E->TemplateSet) : Cell();
}

constexpr TraceColumn IntervalColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"parent", IntType,
     [](const TraceRow &R) { return idCell(intervalAt(R).Parent); }},
    {"requester", IntType,
     [](const TraceRow &R) { return idCell(intervalAt(R).Requester); }},
    {"depth", IntType,
     [](const TraceRow &R) -> Cell {
       return R.Model.depth(R.SequenceIndex, intervalId(R).Value);
     }},
    {"kind", TextType,
     [](const TraceRow &R) -> Cell {
       return eventKindName(intervalAt(R).Kind);
     }},
    {"entity", IntType,
     [](const TraceRow &R) { return idCell(intervalAt(R).Entity.Value); }},
    {"location", IntType,
     [](const TraceRow &R) { return idCell(intervalAt(R).Location.Value); }},
    {"begin_ns", IntType,
     [](const TraceRow &R) -> Cell { return intervalAt(R).BeginNs; }},
    {"end_ns", IntType,
     [](const TraceRow &R) -> Cell { return intervalAt(R).EndNs; }},
    {"duration_ns", IntType,
     [](const TraceRow &R) -> Cell { return intervalAt(R).durationNs(); }},
    {"self_ns", IntType,
     [](const TraceRow &R) -> Cell {
       return R.Model.selfNs(R.SequenceIndex, intervalId(R).Value);
     }},
    {"ast_bytes", IntType,
     [](const TraceRow &R) -> Cell { return intervalAt(R).AstBytes; }},
    {"memoized", IntType,
     [](const TraceRow &R) -> Cell { return intervalAt(R).memoized(); }},
    {"elided_count", IntType,
     [](const TraceRow &R) -> Cell { return elidedAt(R).Count; }},
    {"elided_ns", IntType,
     [](const TraceRow &R) -> Cell { return elidedAt(R).SumNs; }},
    {"definition", IntType,
     [](const TraceRow &R) -> Cell {
       return uint64_t(intervalAt(R).Definition);
     }},
    {"unfinished", IntType,
     [](const TraceRow &R) -> Cell { return uint64_t(intervalAt(R).Open); }},
    {"exported", "INT HIDDEN",
     [](const TraceRow &R) -> Cell {
       return uint64_t(R.Model.keeps(R.SequenceIndex, intervalId(R).Value));
     }},
    {"name", TextType,
     [](const TraceRow &R) { return entityName(R, intervalAt(R).Entity); }},
    {"template", TextType, templateName},
    {"file", TextType,
     [](const TraceRow &R) { return fileCell(R, intervalAt(R).Location); }},
    {"line", IntType,
     [](const TraceRow &R) { return lineCell(R, intervalAt(R).Location); }},
    {"column", IntType,
     [](const TraceRow &R) { return columnCell(R, intervalAt(R).Location); }},
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
    {"depth", IntType,
     [](const TraceRow &R) -> Cell { return uint64_t(eventAt(R).Depth); }},
    {"interval", IntType, eventInterval},
    {"kind", TextType, eventKind},
    {"entity", IntType,
     [](const TraceRow &R) { return idCell(eventEntity(R).Value); }},
    {"location", IntType,
     [](const TraceRow &R) { return idCell(eventLocation(R).Value); }},
    {"name", TextType,
     [](const TraceRow &R) { return entityName(R, eventEntity(R)); }},
    {"file", TextType,
     [](const TraceRow &R) { return fileCell(R, eventLocation(R)); }},
    {"line", IntType,
     [](const TraceRow &R) { return lineCell(R, eventLocation(R)); }},
    {"column", IntType,
     [](const TraceRow &R) { return columnCell(R, eventLocation(R)); }},
};

uint64_t eventRows(TraceModel &M, size_t SequenceIndex) {
  return M.events(SequenceIndex).size();
}

// entities

const Entity &entityAt(const TraceRow &R) {
  return R.sequence().Entities[R.Index];
}

constexpr TraceColumn EntityColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"name", TextType,
     [](const TraceRow &R) { return nameCell(R, entityAt(R).Name); }},
    {"template", TextType,
     [](const TraceRow &R) { return nameCell(R, entityAt(R).TemplateSet); }},
    {"kind", TextType,
     [](const TraceRow &R) -> Cell { return shownName(entityAt(R).Kind); }},
    {"specialization", IntType,
     [](const TraceRow &R) -> Cell {
       return uint64_t(entityAt(R).Name.Value != entityAt(R).TemplateSet.Value);
     }},
    {"memoized", IntType,
     [](const TraceRow &R) -> Cell {
       return R.Model.memoizedHits(R.SequenceIndex,
                                   {static_cast<uint32_t>(R.Index) + 1});
     }},
    {"declared_file", TextType,
     [](const TraceRow &R) { return fileCell(R, entityAt(R).DeclaredAt); }},
    {"declared_line", IntType,
     [](const TraceRow &R) { return lineCell(R, entityAt(R).DeclaredAt); }},
    {"declared_column", IntType,
     [](const TraceRow &R) { return columnCell(R, entityAt(R).DeclaredAt); }},
};

uint64_t entityRows(TraceModel &M, size_t SequenceIndex) {
  return M.sequence(SequenceIndex).Entities.size();
}

// locations

LocationId locationId(const TraceRow &R) {
  return {static_cast<uint32_t>(R.Index) + 1};
}
Cell locationIsSystem(const TraceRow &R) {
  const Sequence &S = R.sequence();
  return S.inclusionOf(locationId(R))
             ? Cell(uint64_t(S.isSystem(locationId(R))))
             : Cell();
}
Cell locationMacro(const TraceRow &R) {
  const LocationDetail *D = R.sequence().detail(locationId(R));
  return D ? nameCell(R, D->Macro) : Cell();
}

constexpr TraceColumn LocationColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"file", TextType,
     [](const TraceRow &R) { return fileCell(R, locationId(R)); }},
    {"line", IntType,
     [](const TraceRow &R) { return lineCell(R, locationId(R)); }},
    {"column", IntType,
     [](const TraceRow &R) { return columnCell(R, locationId(R)); }},
    {"inclusion", IntType,
     [](const TraceRow &R) {
       return idCell(R.sequence().inclusionOf(locationId(R)).Value);
     }},
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
    {"path", TextType,
     [](const TraceRow &R) { return nameCell(R, inclusionAt(R).Path); }},
    {"included_from", IntType,
     [](const TraceRow &R) { return idCell(inclusionAt(R).Includer.Value); }},
    {"line", IntType,
     [](const TraceRow &R) { return idCell(inclusionAt(R).LineNo); }},
    {"column", IntType,
     [](const TraceRow &R) { return idCell(inclusionAt(R).ColumnNo); }},
    {"system", IntType,
     [](const TraceRow &R) -> Cell {
       return uint64_t(inclusionAt(R).IsSystem);
     }},
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
Cell functionTemplate(const TraceRow &R) {
  const Entity *E = R.sequence().entity(functionAt(R).Entity);
  return E ? nameCell(R, E->TemplateSet) : Cell();
}

constexpr TraceColumn FunctionColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"entity", IntType,
     [](const TraceRow &R) { return idCell(functionAt(R).Entity.Value); }},
    {"owner", TextType,
     [](const TraceRow &R) -> Cell { return shownName(functionAt(R).Owner); }},
    {"name_hash", TextType, functionHash},
    {"linkage", TextType,
     [](const TraceRow &R) -> Cell { return shownName(functionAt(R).Link); }},
    {"ir_instructions", IntType,
     [](const TraceRow &R) -> Cell {
       return uint64_t(functionAt(R).IrInstructions);
     }},
    {"machine_instructions", IntType,
     [](const TraceRow &R) {
       return idCell(functionAt(R).MachineInstructions);
     }},
    {"object_bytes", IntType,
     [](const TraceRow &R) { return idCell(functionAt(R).ObjectBytes); }},
    {"emitted", IntType, functionKept},
    {"name", TextType,
     [](const TraceRow &R) { return entityName(R, functionAt(R).Entity); }},
    {"template", TextType, functionTemplate},
};

uint64_t functionRows(TraceModel &M, size_t SequenceIndex) {
  return M.sequence(SequenceIndex).Functions.size();
}

// names

NameId nameId(const TraceRow &R) {
  return {static_cast<uint32_t>(R.Index) + 1};
}

constexpr TraceColumn NameColumns[] = {
    {"sequence", IntType, sequenceNo},
    {"id", IntType, rowNo},
    {"size_bytes", IntType,
     [](const TraceRow &R) -> Cell {
       return R.sequence().Names.sizeBytes(nameId(R));
     }},
    {"name", TextType,
     [](const TraceRow &R) { return nameCell(R, nameId(R)); }},
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
