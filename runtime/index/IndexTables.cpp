#include "runtime/index/IndexTables.h"

#include "runtime/base/Varint.h"

#include <utility>

using namespace instantrace;
using namespace instantrace::index;

namespace {

/// Small numbers of either sign are short.
uint64_t zigzag(uint64_t Difference) {
  return Difference << 1 ^ (Difference >> 63 ? UINT64_MAX : 0);
}
uint64_t fromZigzag(uint64_t Value) {
  return Value >> 1 ^ (Value & 1 ? UINT64_MAX : 0);
}

/// The largest that a column may have.
uint64_t largest(Holds What, const TableLimits &Limits, uint64_t RowsBefore) {
  switch (What) {
  case Holds::Number64:
    return UINT64_MAX;
  case Holds::Number32:
    return UINT32_MAX;
  case Holds::Number8:
    return UINT8_MAX;
  case Holds::String:
    return Limits.StringBytes;
  case Holds::Record:
    return Limits.Records - 1; // without any, there are no rows
  case Holds::Entity:
    return Limits.Entities - 1;
  case Holds::Place:
    return Limits.Places;
  case Holds::Before:
    return RowsBefore;
  case Holds::Around:
    return Limits.Records;
  case Holds::Text:
    return TextLimit - 1;
  }
  return 0;
}

bool hasNone(Holds What, const TableLimits &Limits) {
  return (What == Holds::Record && Limits.Records == 0) ||
         (What == Holds::Entity && Limits.Entities == 0);
}

} // namespace

void TableBytes::add(std::span<const uint64_t> Row) {
  const TableKind &Kind = TableKinds[static_cast<size_t>(Of)];
  for (size_t I = 0; I != Row.size(); ++I) {
    uint64_t Value = Row[I];
    if (Kind.Columns[I].IsDelta)
      Value = zigzag(Value - std::exchange(Before[I], Value));
    uint8_t Room[10];
    Bytes.append(reinterpret_cast<const char *>(Room),
                 static_cast<size_t>(writeVarint(Room, Value) - Room));
  }
}

std::string TableBytes::take() {
  Before = {};
  return std::exchange(Bytes, {});
}

std::string instantrace::index::encodeTable(Table Of, const TableRows &Rows) {
  TableBytes Bytes(Of);
  size_t Columns = columnCount(Of);
  for (size_t At = 0; At != Rows.size(); At += Columns)
    Bytes.add(std::span(Rows).subspan(At, Columns));
  return Bytes.take();
}

bool instantrace::index::decodeTable(Table Of, std::string_view Bytes,
                                     const TableLimits &Limits, TableRows &Into,
                                     TableFault &Why) {
  Into.clear();
  const TableKind &Kind = TableKinds[static_cast<size_t>(Of)];
  const size_t Columns = Kind.Columns.size();
  std::array<uint64_t, 16> Before = {};
  size_t At = 0;
  auto Fault = [&](std::string Found, std::string Expected) {
    Into.clear();
    Why = {At, std::move(Found), std::move(Expected)};
    return false;
  };
  // Few rows have more than two bytes for a number.
  Into.reserve(Bytes.size());
  size_t Column = 0;
  while (At != Bytes.size()) {
    uint64_t Value = 0;
    for (unsigned Shift = 0;; Shift += 7) {
      if (At == Bytes.size())
        return Fault("no end of a number", "one within its table");
      auto Byte = static_cast<uint8_t>(Bytes[At++]);
      if (Shift == 63 && Byte > 1)
        return Fault("a number of more than 64 bits", "a smaller one");
      Value |= uint64_t(Byte & 0x7f) << Shift;
      if (Byte < 0x80)
        break;
    }
    const TableColumn &C = Kind.Columns[Column];
    if (C.IsDelta)
      Value = Before[Column] += fromZigzag(Value);
    uint64_t Most = largest(C.What, Limits, Into.size() / Columns);
    const bool MayBe = !hasNone(C.What, Limits);
    if (Value > Most || !MayBe)
      return Fault(std::string(C.Name) + " " + std::to_string(Value),
                   MayBe ? "at most " + std::to_string(Most) : "no row");
    Into.push_back(Value);
    Column = Column + 1 == Columns ? 0 : Column + 1;
  }
  if (Column != 0)
    return Fault("no end of a row", "a whole one");
  if (Of == Table::About && Into.size() != AboutNumberLimit)
    return Fault(std::to_string(Into.size()) + " numbers",
                 std::to_string(AboutNumberLimit));
  return true;
}
