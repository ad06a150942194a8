/// \file
/// What the decoders of all tables check of their columns.
///
/// Flow:   TableDecoder, LocationDecoder -> [TableColumns] -> IssueSink
/// Errors: each check reports to the sink and returns false
#pragma once

#include "runtime/read/IssueSink.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace instantrace {

/// Ids are implicit in the order, so a batch must continue where the one
/// before it ended.
bool isContiguous(uint32_t FirstId, size_t Defined, IssueSink &Issues);

struct Column {
  std::string_view Name;
  size_t Length;
};

/// All columns are as long as the first one.
bool isEvenTable(std::initializer_list<Column> Columns, IssueSink &Issues);

/// Sums deltas; refuses what is no 32-bit unsigned number.
bool addDelta(uint32_t &Value, int32_t Delta, std::string_view What,
              IssueSink &Issues);

} // namespace instantrace
