/// \file
/// What the decoders of all tables share: fields, columns, and their checks.
///
/// Flow:   TableDecoder, LocationDecoder -> [TableColumns] -> IssueSink
/// Errors: each check reports to the sink and returns false
#ifndef INSTANTRACE_RUNTIME_TRACE_TABLECOLUMNS_H
#define INSTANTRACE_RUNTIME_TRACE_TABLECOLUMNS_H

#include "runtime/trace/IssueSink.h"

#include <protozero/pbf_reader.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// What pbf_reader::tag_and_type() gives for a field.
inline constexpr uint32_t lengthDelimited(uint32_t Field) {
  return protozero::tag_and_type(Field,
                                 protozero::pbf_wire_type::length_delimited);
}
inline constexpr uint32_t varint(uint32_t Field) {
  return protozero::tag_and_type(Field, protozero::pbf_wire_type::varint);
}
template <class Range, class T> void append(Range Values, std::vector<T> &To) {
  for (auto Value : Values)
    To.push_back(Value);
}

/// Ids are implicit in the order, so a batch must continue where the one
/// before it ended.
inline bool isContiguous(uint32_t FirstId, size_t Defined, IssueSink &Issues) {
  if (FirstId == Defined + 1)
    return true;
  Issues.fatal("contiguous-ids", "first_id " + std::to_string(FirstId),
               std::to_string(Defined + 1));
  return false;
}

struct Column {
  std::string_view Name;
  size_t Length;
};

inline bool isEvenTable(std::initializer_list<Column> Columns,
                        IssueSink &Issues) {
  const Column &First = *Columns.begin();
  for (const Column &C : Columns) {
    if (C.Length == First.Length)
      continue;
    Issues.fatal("column-length",
                 std::to_string(C.Length) + " in " + std::string(C.Name),
                 std::to_string(First.Length) + " as in " +
                     std::string(First.Name));
    return false;
  }
  return true;
}

/// Sums deltas; refuses what is no 32-bit unsigned number.
inline bool addDelta(uint32_t &Value, int32_t Delta, std::string_view What,
                     IssueSink &Issues) {
  int64_t Sum = int64_t(Value) + Delta;
  if (Sum >= 0 && Sum <= std::numeric_limits<uint32_t>::max()) {
    Value = static_cast<uint32_t>(Sum);
    return true;
  }
  Issues.fatal("delta-range", std::string(What) + " " + std::to_string(Sum),
               "0 to 4294967295");
  return false;
}

} // namespace instantrace

#endif
