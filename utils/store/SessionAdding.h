/// \file
/// Takes a session into a store.
///
/// Flow:    session folder -> readSession, CostSink -> [addSession]
/// Errors:  of the session and of the store; a trace that cannot be read is a
///          row of what is missing, and the others count
/// Memory:  names and rows of a trace in each thread; all rows go to a temporary
///          file of SQLite
///
/// Rows go to tables of this process alone. What is then done to the
/// store is one step of it, so a session is in it as a whole or not at all,
/// whenever the process ends.
#pragma once

#include "runtime/base/Result.h"
#include "utils/open/InputObserver.h"
#include "utils/store/Store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct AddedSession {
  Store::Inserted::OutcomeKind Outcome = Store::Inserted::Added;
  uint64_t Build = 0; ///< its number in the store
  uint64_t Units = 0;
  std::vector<std::string> Missing = {}; ///< a line each
};

/// The same session, in any folder, is one build. One whose files are no longer
/// what they were is an error, unless it \p Replaces what is there.
Result<AddedSession> addSession(Store &Db, const std::string &Folder,
                                bool Replaces, InputObserver &Seen);

} // namespace instantrace
