/// \file
/// Writes records by name as numbers, batch after batch of one sequence.
///
/// Flow:   NamedRecords, TextTables -> [RecordWriter] -> EventBatch.record
/// Layout: proto/FORMAT.md, "Event records"
#pragma once

#include "proto/text.pb.h"
#include "proto/trace.pb.h"
#include "runtime/base/Result.h"
#include "utils/export/NamedRecords.h"
#include "utils/export/TextTables.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace instantrace {

class RecordWriter {
public:
  RecordWriter(TextTables &Tables, uint64_t TimeUnitNs)
      : Tables(Tables), TimeUnitNs(std::max<uint64_t>(TimeUnitNs, 1)) {}

  /// What a batch begins with is that of the records before it, unless it is
  /// given; the batch has no records yet.
  Result<void> write(proto::EventBatch &Batch,
                     const std::vector<PlacedRecord> &Records);

private:
  /// A begin or an instant, its names replaced by ids.
  struct Subject {
    uint32_t Entity = 0, Location = 0;
    uint64_t Requester = 0;  ///< how many intervals before; 0: none
    bool ByInterval = false; ///< the entity may be that of an interval
  };
  struct IntervalOfBatch {
    uint64_t Ordinal;
    uint32_t Location;
  };

  Result<void> resolve(const proto::NamedBegin &Record, bool IsInstant,
                       Subject &Into);
  Result<void> begin(const proto::NamedBegin &Record, bool IsInstant,
                     const Subject &S);
  Result<void> end(const proto::NamedEnd &Record);
  Result<void> addTime(bool IsGiven, uint64_t TimeNs);
  void startBatch(const std::vector<Subject> &Subjects);

  TextTables &Tables;
  const uint64_t TimeUnitNs;
  uint64_t TimeNs = 0, Ordinal = 0;
  uint32_t NextEntity = 1, NextLocation = 1, Depth = 0;
  /// By entity: the ordinal of the last interval that is about it.
  std::unordered_map<uint32_t, uint64_t> LastIntervals;
  std::unordered_map<uint32_t, IntervalOfBatch> OfBatch;
  proto::EventBatch *Batch = nullptr;
};

} // namespace instantrace
