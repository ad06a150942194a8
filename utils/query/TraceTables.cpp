#include "utils/query/TraceTables.h"

#include "utils/render/CleanText.h"
#include "utils/render/SessionHeader.h"

#include <algorithm>

using namespace instantrace;

namespace {

void put(sqlite3_context *To, uint64_t Value) {
  // SQLite's integers are signed.
  sqlite3_result_int64(
      To, static_cast<sqlite3_int64>(std::min<uint64_t>(Value, INT64_MAX)));
}
void put(sqlite3_context *To, std::string_view Text) {
  sqlite3_result_text64(To, Text.data(), Text.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
}
/// NULL for 0, where 0 means none.
void putId(sqlite3_context *To, uint64_t Id) {
  if (Id != 0)
    put(To, Id);
}
void putInterval(sqlite3_context *To, IntervalId Id) {
  if (Id)
    put(To, uint64_t(Id.Value) + 1);
}

/// NULL where the trace does not say.
void putName(sqlite3_context *To, TraceModel &M, size_t Sequence, NameId Name) {
  if (M.sequence(Sequence).Names.contains(Name))
    put(To, M.name(Sequence, Name));
}

void putPlace(sqlite3_context *To, TraceModel &M, size_t Sequence,
              const Location *L, int What) {
  if (!L)
    return;
  switch (What) {
  case 0:
    return putName(To, M, Sequence, L->File);
  case 1:
    return putId(To, L->LineNo);
  default:
    return putId(To, L->ColumnNo);
  }
}

// sequences

constexpr const char *SequenceColumns =
    "sequence INT, trace TEXT, input TEXT, object TEXT, command TEXT, "
    "directory TEXT, clang TEXT, pid INT, realtime_ns INT, duration_ns INT, "
    "user_ns INT, system_ns INT, peak_rss_bytes INT, events INT, elided INT, "
    "dropped INT, unfinished INT, complete INT";

uint64_t sequenceRows(TraceModel &, size_t) { return 1; }

void sequenceColumn(sqlite3_context *To, TraceModel &M, size_t Sequence,
                    uint64_t, int Column) {
  const instantrace::Sequence &S = M.sequence(Sequence);
  const TraceSession None;
  const TraceSession &Session = S.Session ? *S.Session : None;
  const TraceFooter NoFooter;
  const TraceFooter &Footer = S.Footer ? *S.Footer : NoFooter;
  switch (Column) {
  case 1:
    return put(To, cleanText(M.input(Sequence).Name));
  case 2:
    return put(To, cleanText(Session.Input));
  case 3:
    return put(To, cleanText(Session.Object));
  case 4:
    return put(To, commandText(Session));
  case 5:
    return put(To, cleanText(Session.WorkingDirectory));
  case 6:
    return put(To, cleanText(Session.ClangVersion));
  case 7:
    return putId(To, Session.Pid);
  case 8:
    return putId(To, Session.RealtimeNs);
  case 9:
    return put(To, S.LastTimeNs);
  case 10:
    return put(To, Footer.UserTimeNs);
  case 11:
    return put(To, Footer.SystemTimeNs);
  case 12:
    return put(To, Footer.PeakRssBytes);
  case 13:
    return put(To, S.EventCount);
  case 14:
    return put(To, Footer.EventsElided);
  case 15:
    return put(To, Footer.EventsDropped);
  case 16:
    return put(To, S.OpenCount);
  default:
    return put(To, uint64_t(S.Footer && !S.Footer->isInterrupted() &&
                            Footer.EventsDropped == 0));
  }
}

// intervals

constexpr const char *IntervalColumns =
    "sequence INT, id INT, parent INT, requester INT, depth INT, kind TEXT, "
    "entity INT, location INT, begin_ns INT, end_ns INT, duration_ns INT, "
    "self_ns INT, ast_bytes INT, memoized INT, elided_count INT, "
    "elided_ns INT, definition INT, unfinished INT, exported INT HIDDEN, "
    "name TEXT, template TEXT, file TEXT, line INT, \"column\" INT";

uint64_t intervalRows(TraceModel &M, size_t Sequence) {
  return M.sequence(Sequence).Intervals.size();
}

void intervalColumn(sqlite3_context *To, TraceModel &M, size_t Sequence,
                    uint64_t Row, int Column) {
  const instantrace::Sequence &S = M.sequence(Sequence);
  auto Index = static_cast<uint32_t>(Row);
  const Interval &I = S.Intervals[Index];
  const Entity *E = S.entity(I.Entity);
  switch (Column) {
  case 2:
    return putInterval(To, I.Parent);
  case 3:
    return putInterval(To, I.Requester);
  case 4:
    return put(To, M.depth(Sequence, Index));
  case 5:
    return put(To, eventKindName(I.Kind));
  case 6:
    return putId(To, I.Entity.Value);
  case 7:
    return putId(To, I.Location.Value);
  case 8:
    return put(To, I.BeginNs);
  case 9:
    return put(To, I.EndNs);
  case 10:
    return put(To, I.durationNs());
  case 11:
    return put(To, M.selfNs(Sequence, Index));
  case 12:
    return put(To, I.AstBytes);
  case 13:
    return put(To, I.Memoized);
  case 14:
    return put(To, I.HasElided ? S.elidedIn({Index}).Count : 0);
  case 15:
    return put(To, I.HasElided ? S.elidedIn({Index}).SumNs : 0);
  case 16:
    return put(To, I.Definition);
  case 17:
    return put(To, I.Open);
  case 18:
    return put(To, M.keeps(Sequence, Index));
  case 19:
    return putName(To, M, Sequence, E ? E->Name : NameId{});
  case 20:
    return putName(To, M, Sequence, E ? E->TemplateSet : NameId{});
  default:
    return putPlace(To, M, Sequence, S.location(I.Location), Column - 21);
  }
}

// events

constexpr const char *EventColumns =
    "sequence INT, id INT, time_ns INT, event TEXT, depth INT, interval INT, "
    "kind TEXT, entity INT, location INT, name TEXT, file TEXT, line INT, "
    "\"column\" INT";

uint64_t eventRows(TraceModel &M, size_t Sequence) {
  return M.events(Sequence).size();
}

void eventColumn(sqlite3_context *To, TraceModel &M, size_t Sequence,
                 uint64_t Row, int Column) {
  const instantrace::Sequence &S = M.sequence(Sequence);
  const TraceEvent &Event = M.events(Sequence)[Row];
  bool IsInstant = Event.Of == TraceEvent::Instant;
  const Interval *I = IsInstant ? nullptr : &S.Intervals[Event.Index];
  const Instant *At = IsInstant ? &S.Instants[Event.Index] : nullptr;
  EntityId Entity = I ? I->Entity : At->Entity;
  LocationId Location = I ? I->Location : At->Location;
  switch (Column) {
  case 2:
    return put(To, IsInstant                       ? At->TimeNs
                   : Event.Of == TraceEvent::Begin ? I->BeginNs
                                                   : I->EndNs);
  case 3:
    return put(To, std::string_view(IsInstant                       ? "instant"
                                    : Event.Of == TraceEvent::Begin ? "begin"
                                                                    : "end"));
  case 4:
    return put(To, Event.Depth);
  case 5: // of an instant, the one around it
    return putInterval(To, I ? IntervalId{Event.Index} : At->Parent);
  case 6:
    return put(To, eventKindName(I ? I->Kind : At->Kind));
  case 7:
    return putId(To, Entity.Value);
  case 8:
    return putId(To, Location.Value);
  case 9: {
    const instantrace::Entity *E = S.entity(Entity);
    return putName(To, M, Sequence, E ? E->Name : NameId{});
  }
  default:
    return putPlace(To, M, Sequence, S.location(Location), Column - 10);
  }
}

// entities

constexpr const char *EntityColumns =
    "sequence INT, id INT, name TEXT, template TEXT, kind TEXT, "
    "specialization INT, memoized INT, declared_file TEXT, declared_line INT, "
    "declared_column INT";

uint64_t entityRows(TraceModel &M, size_t Sequence) {
  return M.sequence(Sequence).Entities.size();
}

void entityColumn(sqlite3_context *To, TraceModel &M, size_t Sequence,
                  uint64_t Row, int Column) {
  const instantrace::Sequence &S = M.sequence(Sequence);
  const Entity &E = S.Entities[Row];
  switch (Column) {
  case 2:
    return putName(To, M, Sequence, E.Name);
  case 3:
    return putName(To, M, Sequence, E.TemplateSet);
  case 4:
    return put(To, shownName(E.Kind));
  case 5:
    return put(To, uint64_t(E.Name.Value != E.TemplateSet.Value));
  case 6:
    return put(To, M.memoizedHits(Sequence, {static_cast<uint32_t>(Row) + 1}));
  default:
    return putPlace(To, M, Sequence, S.location(E.DeclaredAt), Column - 7);
  }
}

// locations

constexpr const char *LocationColumns =
    "sequence INT, id INT, file TEXT, line INT, \"column\" INT, "
    "inclusion INT, system INT, macro TEXT";

uint64_t locationRows(TraceModel &M, size_t Sequence) {
  return M.sequence(Sequence).Locations.Rows.size();
}

void locationColumn(sqlite3_context *To, TraceModel &M, size_t Sequence,
                    uint64_t Row, int Column) {
  const instantrace::Sequence &S = M.sequence(Sequence);
  LocationId Id{static_cast<uint32_t>(Row) + 1};
  switch (Column) {
  case 5:
    return putId(To, S.inclusionOf(Id).Value);
  case 6:
    if (S.inclusionOf(Id))
      put(To, uint64_t(S.isSystem(Id)));
    return;
  case 7: {
    const LocationDetail *D = S.detail(Id);
    return putName(To, M, Sequence, D ? D->Macro : NameId{});
  }
  default:
    return putPlace(To, M, Sequence, S.location(Id), Column - 2);
  }
}

// files

constexpr const char *FileColumns =
    "sequence INT, id INT, path TEXT, included_from INT, line INT, "
    "\"column\" INT, system INT";

uint64_t fileRows(TraceModel &M, size_t Sequence) {
  return M.sequence(Sequence).Inclusions.size();
}

void fileColumn(sqlite3_context *To, TraceModel &M, size_t Sequence,
                uint64_t Row, int Column) {
  const Inclusion &I = M.sequence(Sequence).Inclusions[Row];
  switch (Column) {
  case 2:
    return putName(To, M, Sequence, I.Path);
  case 3:
    return putId(To, I.From.Value);
  case 4:
    return putId(To, I.LineNo);
  case 5:
    return putId(To, I.ColumnNo);
  default:
    return put(To, uint64_t(I.IsSystem));
  }
}

// names

constexpr const char *NameColumns =
    "sequence INT, id INT, size_bytes INT, name TEXT";

uint64_t nameRows(TraceModel &M, size_t Sequence) {
  return M.sequence(Sequence).Names.size();
}

void nameColumn(sqlite3_context *To, TraceModel &M, size_t Sequence,
                uint64_t Row, int Column) {
  NameId Id{static_cast<uint32_t>(Row) + 1};
  if (Column == 2)
    return put(To, M.sequence(Sequence).Names.sizeBytes(Id));
  putName(To, M, Sequence, Id);
}

} // namespace

const TraceTable instantrace::TraceTables[] = {
    {"sequences", SequenceColumns, false, sequenceRows, sequenceColumn},
    {"intervals", IntervalColumns, true, intervalRows, intervalColumn},
    {"events", EventColumns, true, eventRows, eventColumn},
    {"entities", EntityColumns, true, entityRows, entityColumn},
    {"locations", LocationColumns, true, locationRows, locationColumn},
    {"files", FileColumns, true, fileRows, fileColumn},
    {"names", NameColumns, true, nameRows, nameColumn},
    {},
};
