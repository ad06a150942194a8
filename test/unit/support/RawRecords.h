/// \file
/// Records as numbers, for what TraceBuilder's begin() and end() cannot make:
/// those that are wrong on purpose, and the several forms of a reference.
///
/// Layout: proto/FORMAT.md, "Event records"
#pragma once

#include "runtime/format/EventKind.h"
#include "runtime/format/Record.h"
#include "test/unit/support/TraceBuilder.h"

#include <initializer_list>

namespace instantrace::test {

/// Heads of records, as numbers since a kind or a flag may be unknown.
constexpr uint64_t beginHead(uint64_t Kind) { return Kind << RecordOpBits; }
constexpr uint64_t beginHead(EventKind Kind) {
  return beginHead(static_cast<uint64_t>(Kind));
}
constexpr uint64_t lateHead(EventKind Kind) {
  return beginHead(Kind) | static_cast<uint64_t>(RecordOp::BeginRequested);
}
constexpr uint64_t endHead(uint64_t Flags) {
  return Flags << RecordOpBits | static_cast<uint64_t>(RecordOp::End);
}
/// References to an entity or a location.
inline constexpr uint64_t NoReference = 0;

/// A packet of these, with nothing before it.
inline proto::EventBatch &
addRawRecords(TraceBuilder &B, std::initializer_list<uint64_t> Numbers = {}) {
  proto::EventBatch *Batch = B.packet()->mutable_events();
  Batch->set_first_entity(1);
  Batch->set_first_location(1);
  Batch->mutable_record()->Add(Numbers.begin(), Numbers.end());
  return *Batch;
}

} // namespace instantrace::test
