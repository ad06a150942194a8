/// \file
/// The records around a record, from a column that has nothing but parents.
///
/// Flow:    IndexBytes -> [ParentColumn] -> stackAt
/// Memory:  4 bytes for a record, of which only what was asked for is there
/// Threads: const calls may run at once; a group is filled once
/// Hostile: a parent is compared with its record when it is copied, so a walk
///          over the copies ends and needs no further look
///
/// A row of a record has 20 bytes: a walk over rows waits for memory at each
/// frame. Of a column sixteen parents share a line of the cache, and a whole
/// stack is mostly in a few of them.
#pragma once

#include "runtime/index/IndexBytes.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace instantrace::index {

class ParentColumn {
public:
  /// \p Opened must outlive the object.
  explicit ParentColumn(const IndexBytes &Opened) : Bytes(Opened) {}
  ~ParentColumn();
  ParentColumn(const ParentColumn &) = delete;
  ParentColumn &operator=(const ParentColumn &) = delete;

  /// Appends a record and those around it, innermost first. False, with a
  /// fault: one of them is no record, or has a parent behind it.
  bool append(uint32_t Record, std::vector<uint32_t> &Into) const;
  /// The one that many steps outwards, or None just outside of all. False, with
  /// a fault, likewise, and if there are fewer around it.
  bool outward(uint32_t Record, uint32_t Steps, uint32_t &Into) const {
    Into = Record;
    return Steps == 0 || walkOutward(Record, Steps, Into);
  }
  /// Says that records around this one are asked for next.
  void fetch(uint32_t Record) const;

private:
  /// So many are copied at once: with their sums, that takes some 10 µs.
  static constexpr uint32_t GroupRecords = 2048;

  struct Column {
    uint32_t *Parents = nullptr;
    std::unique_ptr<std::atomic<bool>[]> IsFilled; ///< by group
    size_t SizeBytes = 0;
    uint32_t Count = 0;
  };
  const Column *column() const;
  bool walkOutward(uint32_t Record, uint32_t Steps, uint32_t &Into) const;
  template <class Visitor> bool walk(uint32_t Record, Visitor See) const;
  bool fill(const Column &C, uint32_t Group) const;

  const IndexBytes &Bytes;
  mutable Column Own;
  mutable std::atomic<const Column *> Ready = nullptr;
  mutable std::mutex Lock;
};

} // namespace instantrace::index
