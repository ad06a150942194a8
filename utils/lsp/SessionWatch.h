/// \file
/// The session that an editor sees: the newest below its folders, or the one
/// that is set, and what its lines cost.
///
/// Flow:   LspServer -> [SessionWatch] -> newestTracesBelow, readSessionCosts
/// Bounds: looks for another session once a second at most, and takes no more
///         than a twentieth of the time for that, or a hundredth of a processor
///         where nobody asks, but where lookNow() asks for it; looks at
///         MostEntriesLookedAt, in all folders together, and a named folder
///         that is no session has no more below it
/// Errors: remembered, and said once; the costs that were read before stay
/// Threads: one more while traces are read; its owner alone calls it
#pragma once

#include "utils/lsp/SessionCosts.h"
#include "utils/lsp/WorkTask.h"
#include "utils/open/InputRounds.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

class SessionWatch {
public:
  /// \p Named is empty for the newest, and begins in the first of \p Folders.
  /// Forgets the costs of another one.
  void watch(std::vector<std::string> Folders, std::string Named);

  /// The next look() looks, however soon it comes.
  void lookNow() { NextLookNs = 0; }

  /// Begins to read it, if another one is there than was read last.
  void look() { lookFor(false); }
  /// The same where nobody asks, so it leaves one alone that has changed since
  /// it looked last: traces of a build come one after the other.
  void lookUnasked() { lookFor(true); }
  bool isReading() const { return Reading.isRunning(); }
  unsigned percent() const { return Reading.percent(); }
  /// Whether it has been read, for which it waits so long.
  bool take(std::chrono::milliseconds Patience);
  /// The one that is read is not shown, however long it stays.
  void stopReading();

  /// Null: there is none.
  const SessionCosts *costs() const { return Costs ? &*Costs : nullptr; }
  const std::string &path() const { return Path; }
  /// Why there is none, or no newer one.
  const std::string &problem() const { return Problem; }

private:
  struct Identity {
    std::string Path;
    std::vector<std::pair<std::string, FileState>> Files;
    bool operator==(const Identity &) const = default;
  };
  /// None: there is no session that has ended.
  Result<std::optional<Identity>> newest() const;
  void lookFor(bool IsUnasked);

  std::vector<std::string> Folders;
  std::string Named;
  uint64_t NextLookNs = 0, NextUnaskedNs = 0; ///< on the monotonic clock
  std::optional<Identity> Seen;
  std::optional<Identity> SeenUnasked; ///< and not read then
  std::optional<SessionCosts> Costs;
  std::string Path, Problem;
  WorkTask<Result<SessionCosts>> Reading; ///< of what was seen last
};

} // namespace instantrace
