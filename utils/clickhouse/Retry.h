/// \file
/// Retries what failed on a server for a reason that passes.
///
/// Flow: what is to be done -> [retried] -> Server, later each time
#pragma once

#include "utils/clickhouse/Server.h"

#include <cstdint>

namespace instantrace {

/// Between the half and the whole of a time that doubles from half a second to
/// 16 s, so that those who failed together do not come back together.
void waitBefore(uint32_t Attempt);

/// \p Once with the number of the attempt, from 0; again, later each time, as
/// long as the failure is transient.
template <class Do>
auto retried(Server &Db, const Do &Once) -> decltype(Once(0)) {
  for (uint32_t Attempt = 0;; ++Attempt) {
    auto Done = Once(Attempt);
    if (Done || !Db.isTransient() || Attempt + 1 >= Db.access().Attempts)
      return Done;
    waitBefore(Attempt);
  }
}

} // namespace instantrace
