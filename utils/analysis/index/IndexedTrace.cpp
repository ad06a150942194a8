#include "utils/analysis/index/IndexedTrace.h"

#include "utils/analysis/index/IndexedNames.h"

#include <algorithm>
#include <utility>

using namespace instantrace;
using instantrace::index::AboutNumber;
using instantrace::index::columnCount;
using instantrace::index::Table;
using instantrace::index::TableRows;
using instantrace::index::TextLimit;

namespace {

uint32_t u32(uint64_t Value) { return static_cast<uint32_t>(Value); }

/// Calls \p See with each row.
template <size_t Columns, class Function>
void eachRow(const TableRows &Rows, Function See) {
  for (size_t At = 0; At != Rows.size(); At += Columns)
    See(std::span<const uint64_t, Columns>(&Rows[At], Columns));
}

} // namespace

const TableRows *IndexedTrace::table(uint32_t Compile, Table Of) {
  Part &P = Parts[Compile];
  const auto No = static_cast<size_t>(Of);
  if (!P.IsRead[No] && !X->tableRows(Compile, Of, P.Rows[No]))
    return nullptr;
  P.IsRead[No] = true;
  return &P.Rows[No];
}

Result<IndexedTrace> IndexedTrace::of(const InstantiationIndex &X) {
  IndexedTrace All(X);
  All.Parts.resize(X.compileCount());
  All.T.Sequences.resize(X.compileCount());
  for (uint32_t Compile = 0; Compile != X.compileCount(); ++Compile)
    if (!All.readAbout(Compile))
      return All.fault();
  // Files that have no compile have bytes, too.
  uint64_t Bytes = 0;
  for (const TraceInput &File : All.T.Files)
    Bytes += File.SizeBytes;
  if (All.T.Files.empty())
    All.T.Files.emplace_back();
  if (Bytes < X.traceBytes())
    All.T.Files.back().SizeBytes += X.traceBytes() - Bytes;
  return All;
}

Result<Trace> IndexedTrace::some(const InstantiationIndex &X,
                                 const std::vector<bool> &AreWanted) {
  Result<IndexedTrace> All = of(X);
  if (!All)
    return All.error();
  for (uint32_t Compile = 0; Compile != X.compileCount(); ++Compile) {
    bool IsRead = AreWanted[Compile]
                      ? All->readTables(Compile) && All->readNames(Compile) &&
                            All->readIntervals(Compile)
                      : All->readTexts(Compile);
    if (!IsRead)
      return All->fault();
    All->leaveCompile(); // by its tables
    All->Parts[Compile] = {};
  }
  return std::move(All->T);
}

Result<Sequence> IndexedTrace::described(const InstantiationIndex &X,
                                         uint32_t Compile) {
  IndexedTrace One(X);
  One.Parts.resize(Compile + 1);
  One.T.Sequences.resize(Compile + 1);
  if (!One.readAbout(Compile) || !One.readTexts(Compile))
    return One.fault();
  return std::move(One.T.Sequences[Compile]);
}

bool IndexedTrace::readTables(uint32_t Compile) {
  return readTexts(Compile) &&
         readLocations(Compile, Table::Locations, Table::LocationDetails,
                       T.Sequences[Compile].Locations) &&
         readLocations(Compile, Table::Declarations, Table::DeclarationDetails,
                       T.Sequences[Compile].DeclarationLocations) &&
         readInclusions(Compile) && readEntities(Compile) &&
         readEvents(Compile);
}

bool IndexedTrace::readAbout(uint32_t Compile) {
  InstantiationIndex::Compile C;
  TableRows Rows;
  if (!X->compile(Compile, C) || !X->tableRows(Compile, Table::About, Rows))
    return false;
  auto At = [&Rows](AboutNumber Of) { return Rows[static_cast<size_t>(Of)]; };
  Sequence &S = T.Sequences[Compile];
  Parts[Compile].FirstRecord = C.FirstRecord;
  Parts[Compile].EndRecord = C.EndRecord;
  uint64_t File = At(AboutNumber::FileIndex);
  if (T.Files.size() <= File)
    T.Files.resize(File + 1);
  TraceInput &Input = T.Files[File];
  Input.Name = C.Trace;
  Input.SizeBytes = At(AboutNumber::FileBytes);
  Input.PacketCount = At(AboutNumber::FilePackets);
  ++Input.SequenceCount;
  S.Id = C.Sequence;
  S.FileIndex = u32(File);
  S.LastTimeNs = C.EndNs;
  S.OpenCount = C.OpenCount;
  S.FormatMinor = u32(At(AboutNumber::FormatMinor));
  S.DictionaryBytes = At(AboutNumber::DictionaryBytes);
  S.EventCount = At(AboutNumber::EventCount);
  S.FirstShortName = u32(At(AboutNumber::FirstShortName));
  if (At(AboutNumber::HasSession) != 0) {
    TraceSession &Of = S.Session.emplace();
    Of.Pid = u32(At(AboutNumber::Pid));
    Of.RealtimeNs = At(AboutNumber::RealtimeNs);
    Of.MonotonicNs = At(AboutNumber::MonotonicNs);
    Of.GranularityNs = At(AboutNumber::GranularityNs);
    Of.TimeUnitNs = u32(At(AboutNumber::TimeUnitNs));
    Of.Memoization =
        knownOr(At(AboutNumber::Memoization), MemoizationMode::Unknown);
  }
  if (At(AboutNumber::HasFooter) != 0) {
    TraceFooter &Of = S.Footer.emplace();
    Of.State = knownOr(At(AboutNumber::State), ExitState::Unknown);
    Of.EndTimeNs = At(AboutNumber::EndTimeNs);
    Of.PeakRssBytes = At(AboutNumber::PeakRssBytes);
    Of.UserTimeNs = At(AboutNumber::UserTimeNs);
    Of.SystemTimeNs = At(AboutNumber::SystemTimeNs);
    Of.EventsRecorded = At(AboutNumber::EventsRecorded);
    Of.EventsDropped = At(AboutNumber::EventsDropped);
    Of.EventsElided = At(AboutNumber::EventsElided);
    Of.MemoizedHits = At(AboutNumber::MemoizedHits);
    Of.Signal = u32(At(AboutNumber::Signal));
    Of.FragmentsDropped = At(AboutNumber::FragmentsDropped);
    Of.CodeBytes = At(AboutNumber::CodeBytes);
  }
  return true;
}

bool IndexedTrace::readTexts(uint32_t Compile) {
  TableRows Rows;
  if (!X->tableRows(Compile, Table::Texts, Rows))
    return false;
  Sequence &S = T.Sequences[Compile];
  TraceSession NoSession;
  TraceFooter NoFooter;
  TraceSession &Of = S.Session ? *S.Session : NoSession;
  TraceFooter &End = S.Footer ? *S.Footer : NoFooter;
  // In the order of TextOf; of lists, each row is one more.
  std::string *const Single[TextLimit] = {&Of.ToolVersion,
                                          &Of.ClangVersion,
                                          nullptr,
                                          nullptr,
                                          nullptr,
                                          &Of.WorkingDirectory,
                                          &Of.Input,
                                          &Of.Object,
                                          &Of.Triple,
                                          &Of.LanguageStandard,
                                          &Of.OptimizationLevel,
                                          &Of.Hook,
                                          &Of.Buffer,
                                          &Of.Clock,
                                          &End.Pass,
                                          &End.Backend};
  std::vector<std::string> *const Lists[TextLimit] = {
      nullptr, nullptr, &Of.Argv, &Of.PchInputs, &Of.ModuleInputs};
  for (size_t At = 0; At != Rows.size(); At += columnCount(Table::Texts)) {
    uint64_t What = Rows[At];
    std::string &Into =
        Lists[What] ? Lists[What]->emplace_back() : *Single[What];
    if (Rows[At + 1] == 0)
      continue;
    IndexedNames Entries(*X);
    Dictionary Names;
    NameId Id = Entries.add(Rows[At + 1] - 1, Names);
    if (!Id)
      return false;
    Into = Names.text(Id, MaxNameBytes);
  }
  return true;
}

bool IndexedTrace::readLocations(uint32_t Compile, Table Of, Table DetailsOf,
                                 LocationTable &Into) {
  TableRows Rows;
  if (!X->tableRows(Compile, Of, Rows))
    return false;
  Into.Rows.reserve(Rows.size() / 3);
  eachRow<3>(Rows, [&](auto R) {
    Into.Rows.push_back({{u32(R[0])}, u32(R[1]), u32(R[2])});
  });
  if (!X->tableRows(Compile, DetailsOf, Rows))
    return false;
  eachRow<10>(Rows, [&](auto R) {
    Into.Details.push_back({u32(R[0]),
                            {u32(R[1])},
                            {u32(R[2])},
                            {u32(R[3])},
                            u32(R[4]),
                            u32(R[5]),
                            u32(R[6]),
                            u32(R[7]),
                            {u32(R[8])},
                            u32(R[9])});
  });
  return true;
}

bool IndexedTrace::readInclusions(uint32_t Compile) {
  TableRows Rows;
  if (!X->tableRows(Compile, Table::Inclusions, Rows))
    return false;
  Sequence &S = T.Sequences[Compile];
  eachRow<5>(Rows, [&](auto R) {
    S.Inclusions.push_back(
        {{u32(R[0])}, {u32(R[1])}, u32(R[2]), u32(R[3]), R[4] != 0});
    S.FirstInclusions.try_emplace(u32(R[0]),
                                  InclusionId{u32(S.Inclusions.size())});
  });
  return true;
}

bool IndexedTrace::readEntities(uint32_t Compile) {
  const TableRows *Rows = table(Compile, Table::Entities);
  if (!Rows)
    return false;
  Sequence &S = T.Sequences[Compile];
  S.Entities.reserve(Rows->size() / columnCount(Table::Entities));
  eachRow<columnCount(Table::Entities)>(*Rows, [&S](auto R) {
    S.Entities.push_back({{u32(R[0])},
                          {u32(R[1])},
                          {u32(R[2])},
                          knownOr(R[3], EntityKind::Other)});
  });
  TableRows Whole;
  if (!X->tableRows(Compile, Table::WholeNames, Whole))
    return false;
  for (uint64_t Id : Whole)
    S.WholeNames.push_back(u32(Id));
  return true;
}

bool IndexedTrace::readEvents(uint32_t Compile) {
  TableRows Elided, Memoized, Functions, Instants;
  if (!X->tableRows(Compile, Table::Elided, Elided) ||
      !X->tableRows(Compile, Table::Memoized, Memoized) ||
      !X->tableRows(Compile, Table::Functions, Functions) ||
      !X->tableRows(Compile, Table::Instants, Instants))
    return false;
  Sequence &S = T.Sequences[Compile];
  eachRow<3>(Elided,
             [&](auto R) { S.Elided.push_back({{u32(R[0])}, R[1], R[2]}); });
  eachRow<2>(Memoized,
             [&](auto R) { S.Memoized.push_back({{u32(R[0])}, R[1]}); });
  eachRow<7>(Functions, [&](auto R) {
    S.Functions.push_back({{u32(R[0])},
                           u32(R[1]),
                           R[2],
                           R[3],
                           u32(R[4]),
                           knownOr(R[5], FunctionOwner::Enclosing),
                           knownOr(R[6], Linkage::Unknown)});
  });
  eachRow<6>(Instants, [&](auto R) {
    // 0 is none, which is the largest number here.
    S.Instants.push_back({R[0],
                          {u32(R[1])},
                          {u32(R[2])},
                          {u32(R[3]) - 1},
                          u32(R[4]),
                          static_cast<EventKind>(R[5])});
  });
  return true;
}

uint64_t IndexedTrace::nameAt(uint32_t Compile, NameId Name) const {
  const TableRows &Rows =
      Parts[Compile].Rows[static_cast<size_t>(Table::Names)];
  size_t At = (size_t(Name.Value) - 1) * columnCount(Table::Names);
  if (!Name || At >= Rows.size() || Rows[At] == 0)
    return NoName;
  return Rows[At] - 1;
}

bool IndexedTrace::isNameLost(uint32_t Compile, EntityId Id) const {
  const Sequence &S = T.Sequences[Compile];
  const Entity *E = S.entity(Id);
  if (!E)
    return static_cast<bool>(Id);
  size_t Count = Parts[Compile].Rows[static_cast<size_t>(Table::Names)].size() /
                 columnCount(Table::Names);
  bool HasName = E->Name && E->Name.Value <= Count;
  bool MayBeShort = S.FirstShortName != 0 && Id.Value >= S.FirstShortName;
  return !HasName && (E->Name || MayBeShort);
}

bool IndexedTrace::readNames(uint32_t Compile) {
  const TableRows *Rows = table(Compile, Table::Names);
  if (!Rows)
    return false;
  Dictionary &Names = T.Sequences[Compile].Names;
  IndexedNames Entries(*X);
  bool AreRead = true;
  eachRow<columnCount(Table::Names)>(*Rows, [&](auto R) {
    uint32_t Same = u32(R[1]);
    if (Same != 0)
      Names.add(std::string_view("\0", 1), std::span(&Same, 1));
    else if (R[0] == 0)
      Names.add({}, {});
    else
      AreRead = AreRead && Entries.addNext(R[0] - 1, Names);
  });
  return AreRead;
}

void IndexedTrace::leaveCompile() {
  if (Entered == Nowhere)
    return;
  for (const auto &[Of, Ids] : {std::pair(Table::Entities, &EntityIds),
                                std::pair(Table::Places, &LocationIds)}) {
    const TableRows &Rows = Parts[Entered].Rows[static_cast<size_t>(Of)];
    bool IsPlace = Of == Table::Places;
    for (size_t At = columnCount(Of); At <= Rows.size(); At += columnCount(Of))
      if (uint64_t Value = Rows[At - 1]; !IsPlace || Value != 0)
        (*Ids)[Value - IsPlace] = 0;
  }
  Entered = Nowhere;
}

bool IndexedTrace::enterCompile(uint32_t Compile) {
  if (Entered == Compile)
    return true;
  leaveCompile();
  EntityIds.resize(X->entityCount());
  LocationIds.resize(X->locationCount());
  if (!table(Compile, Table::Entities) || !table(Compile, Table::Places) ||
      !table(Compile, Table::RecordEntities) ||
      !table(Compile, Table::RecordLocations))
    return false;
  Entered = Compile;
  uint32_t Id = 0;
  eachRow<columnCount(Table::Entities)>(*table(Compile, Table::Entities),
                                        [&](auto R) {
                                          ++Id;
                                          uint32_t &First = EntityIds[R.back()];
                                          First = First == 0 ? Id : First;
                                        });
  Id = 0;
  for (uint64_t Place : *table(Compile, Table::Places)) {
    ++Id;
    if (Place == 0)
      continue;
    uint32_t &First = LocationIds[Place - 1];
    First = First == 0 ? Id : First;
  }
  return true;
}

namespace {

/// Of a record that has an id of its own; 0: it has not.
uint32_t ownId(const TableRows &Rows, uint32_t Record) {
  size_t Low = 0, High = Rows.size() / 2;
  while (Low != High) {
    size_t Middle = Low + (High - Low) / 2;
    if (Rows[Middle * 2] < Record)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low != Rows.size() / 2 && Rows[Low * 2] == Record
             ? u32(Rows[Low * 2 + 1])
             : 0;
}

} // namespace

bool IndexedTrace::recordFault(uint32_t Record) {
  return X->tableFault(Entered, Table::Entities,
                       "a way outwards from record " + std::to_string(Record) +
                           " into another compile",
                       "one within it");
}

EntityId IndexedTrace::entityOf(uint32_t Record, uint32_t Entity) const {
  const Part &P = Parts[Entered];
  if (uint32_t Own = ownId(P.Rows[static_cast<size_t>(Table::RecordEntities)],
                           Record - P.FirstRecord))
    return {Own};
  return {Entity < EntityIds.size() ? EntityIds[Entity] : 0};
}

LocationId IndexedTrace::locationOf(uint32_t Record, uint32_t Location) const {
  const Part &P = Parts[Entered];
  if (uint32_t Own = ownId(P.Rows[static_cast<size_t>(Table::RecordLocations)],
                           Record - P.FirstRecord))
    return {Own};
  return {Location < LocationIds.size() ? LocationIds[Location] : 0};
}

bool IndexedTrace::readIntervals(uint32_t Compile) {
  if (!enterCompile(Compile))
    return false;
  Sequence &S = T.Sequences[Compile];
  const Part &P = Parts[Compile];
  S.Intervals.clear();
  S.Intervals.reserve(P.EndRecord - P.FirstRecord);
  auto Within = [&P](uint32_t Record) {
    return IntervalId{Record == InstantiationIndex::None
                          ? IntervalId::None
                          : Record - P.FirstRecord};
  };
  bool IsRead = X->eachRecord(
      Compile, [&](uint32_t, const InstantiationIndex::Record &R) {
        Interval &I = S.Intervals.emplace_back();
        I.BeginNs = R.BeginNs;
        I.EndNs = R.EndNs;
        I.AstBytes = R.OwnBytes;
        if (R.Entity < EntityIds.size())
          I.Entity.Value = EntityIds[R.Entity];
        if (R.Location < LocationIds.size())
          I.Location.Value = LocationIds[R.Location];
        I.Parent = Within(R.Parent);
        I.Requester = Within(R.Requester);
        I.Kind = static_cast<EventKind>(R.Kind);
        I.Open = R.IsOpen;
        I.Definition = R.IsDefinition;
        return true;
      });
  const TableRows *Hits = table(Compile, Table::RecordHits);
  if (!IsRead || !Hits) {
    // What refers to intervals must not be left without them.
    S.Intervals.clear();
    S.Elided.clear();
    S.Instants.clear();
    return false;
  }
  eachRow<2>(P.Rows[static_cast<size_t>(Table::RecordEntities)],
             [&](auto R) { S.Intervals[R[0]].Entity.Value = u32(R[1]); });
  eachRow<2>(P.Rows[static_cast<size_t>(Table::RecordLocations)],
             [&](auto R) { S.Intervals[R[0]].Location.Value = u32(R[1]); });
  eachRow<2>(*Hits, [&](auto R) { S.Intervals[R[0]].setMemoized(R[1]); });
  for (const ElidedLeaves &E : S.Elided)
    S.Intervals[E.Inside.Value].HasElided = true;
  return true;
}
