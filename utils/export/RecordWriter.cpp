#include "utils/export/RecordWriter.h"

#include "runtime/format/EventKind.h"
#include "runtime/format/Record.h"

#include <string>

using namespace instantrace;

namespace {

/// The next id of a batch that refers to these in this order: a new one is the
/// next, and none refers to a later one.
template <class IdOf>
uint32_t firstId(uint32_t First, const auto &Subjects, IdOf Id) {
  uint32_t Largest = 0;
  bool IsInOrder = true;
  for (uint32_t Known = First; const auto &S : Subjects) {
    IsInOrder &= Id(S) <= Known;
    Known += Id(S) == Known;
    Largest = std::max(Largest, Id(S));
  }
  return IsInOrder ? First : Largest + 1;
}

/// With the batch's first id given, no record may go beyond what it counts.
Error outOfOrder(const std::string &What, uint32_t Id, uint32_t Next) {
  return Error{What + "_id: found " + std::to_string(Id) +
               ", expected at most " + std::to_string(Next) +
               ", the next new one of the packet"};
}

} // namespace

Result<void> RecordWriter::write(proto::EventBatch &Into,
                                 const std::vector<PlacedRecord> &Records) {
  Batch = &Into;
  OfBatch.clear();
  if (Into.first_time_ns() != 0)
    TimeNs = Into.first_time_ns();
  if (Into.first_interval() != 0)
    Ordinal = Into.first_interval();
  if (Into.depth() != 0)
    Depth = Into.depth();
  Into.set_first_time_ns(TimeNs);
  Into.set_first_interval(Ordinal);
  Into.set_depth(Depth);
  // Which ids are new depends on all that the batch refers to.
  uint64_t FirstOrdinal = Ordinal;
  std::vector<Subject> Subjects;
  for (const auto &[Record, Place] : Records) {
    const auto Placed = [&](const Error &Wrong) {
      return Error{Place + ": " + Wrong.Message};
    };
    if (Record.has_begin() || Record.has_instant())
      INSTANTRACE_TRY_AS(
          Placed,
          resolve(Record.has_begin() ? Record.begin() : Record.instant(),
                  Record.has_instant(), Subjects.emplace_back()));
    else if (Record.has_entity())
      INSTANTRACE_TRY_AS(Placed, Tables.declare(Record.entity()));
  }
  Ordinal = FirstOrdinal;
  startBatch(Subjects);
  auto Next = Subjects.begin();
  for (const auto &[Record, Place] : Records) {
    Result<void> Done;
    if (Record.has_end()) {
      Done = end(Record.end());
    } else if (!Record.has_entity()) {
      bool IsInstant = Record.has_instant();
      const auto &Begin = IsInstant ? Record.instant() : Record.begin();
      Done = begin(Begin, IsInstant, *Next++);
    }
    if (!Done)
      return Error{Place + ": " + Done.error().Message};
  }
  return {};
}

void RecordWriter::startBatch(const std::vector<Subject> &Subjects) {
  if (Batch->first_entity() == 0)
    Batch->set_first_entity(firstId(NextEntity, Subjects,
                                    [](const Subject &S) { return S.Entity; }));
  if (Batch->first_location() == 0)
    Batch->set_first_location(firstId(
        NextLocation, Subjects, [](const Subject &S) { return S.Location; }));
  NextEntity = Batch->first_entity();
  NextLocation = Batch->first_location();
}

Result<void> RecordWriter::resolve(const proto::NamedBegin &Record,
                                   bool IsInstant, Subject &Into) {
  if (Record.kind() == proto::NO_KIND)
    return Error{"kind: found none, expected an event kind"};
  Into.Entity = Record.entity_id();
  Into.Location = Record.location_id();
  if (Record.has_entity()) {
    bool IsFile = Record.kind() == static_cast<int>(EventKind::FileInclusion);
    INSTANTRACE_TRY_ASSIGN(Into.Entity, Tables.entity(Record.entity(), IsFile));
    Into.ByInterval = true;
  }
  if (Record.has_at()) {
    INSTANTRACE_TRY_ASSIGN(Into.Location, Tables.location(Record.at()));
  }
  bool IsLate = Record.has_requested_by() || Record.has_requester();
  if (IsInstant)
    return IsLate ? Result<void>(Error{"requester: found one of an instant, "
                                       "expected it in a begin"})
                  : Result<void>();
  uint64_t Requester = Record.requester();
  if (Record.has_requested_by()) {
    INSTANTRACE_TRY_ASSIGN(uint32_t Id,
                           Tables.entity(Record.requested_by(), false));
    auto Last = LastIntervals.find(Id);
    if (Last == LastIntervals.end())
      return Error{"requested_by: found no interval of \"" +
                   Record.requested_by() + "\", expected one before"};
    Requester = Last->second;
  }
  if (IsLate && Requester >= Ordinal)
    return Error{"requester: found " + std::to_string(Requester) +
                 ", expected less than " + std::to_string(Ordinal) +
                 ", the interval's own number"};
  Into.Requester = IsLate ? Ordinal - Requester : 0;
  if (Into.Entity != 0)
    LastIntervals[Into.Entity] = Ordinal;
  ++Ordinal;
  return {};
}

Result<void> RecordWriter::addTime(bool IsGiven, uint64_t AtNs) {
  if (!IsGiven)
    AtNs = TimeNs;
  if (AtNs < TimeNs)
    return Error{"time_ns: found " + std::to_string(AtNs) + ", expected " +
                 std::to_string(TimeNs) + " or later, as of the record before"};
  if ((AtNs - TimeNs) % TimeUnitNs != 0)
    return Error{"time_ns: found " + std::to_string(AtNs) +
                 ", expected a multiple of the session's " +
                 std::to_string(TimeUnitNs) + " ns after " +
                 std::to_string(TimeNs)};
  Batch->add_record((AtNs - TimeNs) / TimeUnitNs);
  TimeNs = AtNs;
  return {};
}

Result<void> RecordWriter::begin(const proto::NamedBegin &Record,
                                 bool IsInstant, const Subject &S) {
  RecordOp Op = IsInstant     ? RecordOp::Instant
                : S.Requester ? RecordOp::BeginRequested
                              : RecordOp::Begin;
  Batch->add_record(static_cast<uint64_t>(Record.kind()) << RecordOpBits |
                    static_cast<uint64_t>(Op));
  INSTANTRACE_TRY(addTime(Record.has_time_ns(), Record.time_ns()));
  auto Met = S.ByInterval ? OfBatch.find(S.Entity) : OfBatch.end();
  bool HasLocation = true;
  if (S.Entity == 0) {
    Batch->add_record(0);
  } else if (S.Entity == NextEntity) {
    Batch->add_record(NewReference);
    ++NextEntity;
  } else if (Met != OfBatch.end()) {
    HasLocation = Met->second.Location != S.Location;
    uint64_t Back = Ordinal - 1 - Met->second.Ordinal;
    Batch->add_record(
        FirstBackReference +
        (Back << 2 | (HasLocation ? 0 : SameLocation) | EntityOfInterval));
  } else if (S.Entity < NextEntity) {
    uint64_t Distance = NextEntity - 1 - S.Entity;
    Batch->add_record(FirstBackReference + (Distance << 1));
  } else {
    return outOfOrder("entity", S.Entity, NextEntity);
  }
  if (HasLocation) {
    if (S.Location > NextLocation)
      return outOfOrder("location", S.Location, NextLocation);
    Batch->add_record(S.Location == 0 ? 0
                      : S.Location == NextLocation
                          ? NewReference
                          : NextLocation - S.Location + NewReference);
    NextLocation += S.Location == NextLocation;
  }
  if (S.Requester != 0)
    Batch->add_record(S.Requester);
  if (!IsInstant) {
    if (S.Entity != 0)
      OfBatch[S.Entity] = {Ordinal, S.Location};
    ++Ordinal;
    ++Depth;
  }
  return {};
}

Result<void> RecordWriter::end(const proto::NamedEnd &Record) {
  if (Depth == 0)
    return Error{"found an end, expected a begin before it"};
  --Depth;
  bool IsElided = Record.has_elided() || Record.has_elided_ns();
  uint64_t Flags = (Record.has_ast_bytes() ? EndAstBytes : 0) |
                   (Record.has_memoized() ? EndMemoized : 0) |
                   (IsElided ? EndElided : 0) |
                   (Record.definition() ? EndDefinition : 0);
  Batch->add_record(Flags << RecordOpBits |
                    static_cast<uint64_t>(RecordOp::End));
  INSTANTRACE_TRY(addTime(Record.has_time_ns(), Record.time_ns()));
  if (Record.has_ast_bytes())
    Batch->add_record(Record.ast_bytes());
  if (Record.has_memoized())
    Batch->add_record(Record.memoized());
  if (IsElided) {
    Batch->add_record(Record.elided());
    Batch->add_record(Record.elided_ns());
  }
  return {};
}
