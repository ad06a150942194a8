#include "runtime/read/TableColumns.h"

#include <limits>
#include <string>

using namespace instantrace;

bool instantrace::isContiguous(uint32_t FirstId, size_t Defined,
                               IssueSink &Issues) {
  if (FirstId == Defined + 1)
    return true;
  Issues.fatal("contiguous-ids", "first_id " + std::to_string(FirstId),
               std::to_string(Defined + 1));
  return false;
}

bool instantrace::isEvenTable(std::initializer_list<Column> Columns,
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

bool instantrace::addDelta(uint32_t &Value, int32_t Delta,
                           std::string_view What, IssueSink &Issues) {
  int64_t Sum = int64_t(Value) + Delta;
  if (Sum >= 0 && Sum <= std::numeric_limits<uint32_t>::max()) {
    Value = static_cast<uint32_t>(Sum);
    return true;
  }
  Issues.fatal("delta-range", std::string(What) + " " + std::to_string(Sum),
               "0 to 4294967295");
  return false;
}
