/// \file
/// Rows of records, as they are in the file.
///
/// Before version 1.5 a row had the numbers of its ranges in front of its kind,
/// those that start when it begins and ends; now they follow from its depth
/// (beginRange() in IndexFormat.h).
#ifndef INSTANTRACE_RUNTIME_INDEX_RECORDROWS_H
#define INSTANTRACE_RUNTIME_INDEX_RECORDROWS_H

#include "runtime/index/IndexFormat.h"

#include <cstring>

namespace instantrace::index {

/// Of a mapped file, so each is copied: it may change meanwhile.
class RecordRows {
public:
  RecordRows() = default;
  RecordRows(const char *First, size_t RowBytes)
      : First(First), RowBytes(RowBytes) {}

  /// False: they are not there.
  explicit operator bool() const { return First != nullptr; }
  RecordRow operator[](uint64_t At) const {
    RecordRow Row;
    std::memcpy(&Row, row(At), OtherAt);
    std::memcpy(reinterpret_cast<char *>(&Row) + OtherAt,
                row(At) + RowBytes - OtherBytes, OtherBytes);
    return Row;
  }
  uint32_t parent(uint64_t At) const {
    // Read once: the file may change meanwhile.
    return *reinterpret_cast<const volatile uint32_t *>(
        row(At) + offsetof(RecordRow, Parent));
  }

  struct Ranges {
    uint64_t Begin, End;
  };
  /// Of a record that has \p Depth around it.
  Ranges ranges(uint64_t At, uint64_t Id, const RecordRow &Row,
                uint64_t Depth) const {
    if (RowBytes == sizeof(RecordRow))
      return {beginRange(Id, Depth), endRange(Row.SubtreeEnd, Depth)};
    uint32_t Numbers[2];
    std::memcpy(Numbers, row(At) + OtherAt, sizeof(Numbers));
    return {Numbers[0], Numbers[1]};
  }

private:
  static constexpr size_t OtherAt = offsetof(RecordRow, Kind);
  static constexpr size_t OtherBytes = sizeof(RecordRow) - OtherAt;
  const char *row(uint64_t At) const { return First + At * RowBytes; }

  const char *First = nullptr;
  size_t RowBytes = sizeof(RecordRow);
};

} // namespace instantrace::index

#endif
