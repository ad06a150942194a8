/// \file
/// The session that an editor sees: the newest below its workspace, or the one
/// that is set, and what its lines cost.
///
/// Flow:   LspServer -> [SessionWatch] -> newestTracesBelow, readSessionCosts
/// Bounds: looks for another session once a second at most, and takes no more
///         than a twentieth of the time for that, but where lookNow() asks for
///         it; a named folder that is no
///         session has MostEntriesLookedAt below it at most
/// Errors: remembered, and said once; the costs that were read before stay
#pragma once

#include "utils/lsp/SessionCosts.h"
#include "utils/open/InputRounds.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

class SessionWatch {
public:
  /// \p Named is empty for the newest, and begins in \p Workspace. Forgets the
  /// costs of another one.
  void watch(std::string Workspace, std::string Named);

  /// The next refresh() looks, however soon it comes.
  void lookNow() { NextLookNs = 0; }

  /// Reads it, if another one is there than was read last. Whether it did.
  /// \p OnPercent is called often meanwhile.
  bool refresh(const std::function<void(unsigned Percent)> &OnPercent);

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
  Result<std::optional<Identity>> look() const;

  std::string Workspace, Named;
  uint64_t NextLookNs = 0; ///< on the monotonic clock
  std::optional<Identity> Seen;
  std::optional<SessionCosts> Costs;
  std::string Path, Problem;
};

} // namespace instantrace
