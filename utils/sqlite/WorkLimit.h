/// \file
/// Ends what never would: statements over a file that somebody has forged, in
/// whose trees one page stands for millions.
#pragma once

#include <cstdint>
#include <sqlite3.h>

namespace instantrace {

/// While it lives, statements of the database share a number of steps of
/// SQLite's machine; then they fail with SQLITE_INTERRUPT.
class WorkLimit {
public:
  WorkLimit(sqlite3 *Database, uint64_t FileBytes)
      : Database(Database),
        CallsLeft((LeastSteps + StepsPerByte * FileBytes) / StepsPerCall) {
    sqlite3_progress_handler(Database, StepsPerCall, count, this);
  }
  ~WorkLimit() { sqlite3_progress_handler(Database, 0, nullptr, nullptr); }
  WorkLimit(const WorkLimit &) = delete;
  WorkLimit &operator=(const WorkLimit &) = delete;

private:
  // The question that takes the most has one step for a byte.
  static constexpr uint64_t StepsPerByte = 100, LeastSteps = 20'000'000;
  static constexpr int StepsPerCall = 10'000;

  static int count(void *Data) {
    auto &Limit = *static_cast<WorkLimit *>(Data);
    if (Limit.CallsLeft != 0)
      --Limit.CallsLeft;
    return static_cast<int>(Limit.CallsLeft == 0);
  }

  sqlite3 *Database;
  uint64_t CallsLeft;
};

} // namespace instantrace
