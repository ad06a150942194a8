/// \file
/// Rows for one INSERT, in ClickHouse's RowBinary, and compressed.
///
/// Flow:   values -> [RowBlock] -> Server
/// Memory: the rows, as long as the caller lets it grow
///
/// A text is its length and its bytes, so no text has a meaning there.
/// Source: ClickHouse, "Formats", RowBinary: numbers little-endian, the length
///         of a String as LEB128, Date in days and DateTime in seconds
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

class RowBlock {
public:
  /// 28 February 2104. A Date has 16 bits, which end in 2149, and 18.16 takes
  /// those from 2106 on for 1970: no day is beyond this one.
  static constexpr uint64_t LastDay = 49'000;
  static uint64_t dayOf(uint64_t Ns);

  /// Its lowest bytes.
  RowBlock &number(uint64_t Value, int Count);
  RowBlock &u8(uint8_t Value) { return number(Value, 1); }
  RowBlock &u32(uint32_t Value) { return number(Value, 4); }
  RowBlock &u64(uint64_t Value) { return number(Value, 8); }
  /// What is more is the most that there is.
  RowBlock &i64(uint64_t Value);
  RowBlock &text(std::string_view Text);
  /// Of a time since 1970.
  RowBlock &day(uint64_t Ns) { return number(dayOf(Ns), 2); }

  bool isEmpty() const { return Bytes.empty(); }
  size_t sizeBytes() const { return Bytes.size(); }
  const std::string &bytes() const { return Bytes; }
  void clear() { Bytes.clear(); }

  /// As gzip; empty when there is no memory for it.
  std::string compressed() const;

private:
  std::string Bytes;
};

} // namespace instantrace
