/// \file
/// A compile that runs: what it has done so far, and what it does then.
///
/// Flow:   buffer, trace -> [FollowedCompile] -> InstantiationIndex -> Replay
/// Errors: what it left cannot be read; Interrupted
#pragma once

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"

#include <string>
#include <utility>

namespace instantrace {

class FollowedCompile {
public:
  /// \p Trace is there once the compile has ended as it should, and \p Buffer
  /// is not then.
  FollowedCompile(std::string Buffer, std::string Trace)
      : Buffer(std::move(Buffer)), Trace(std::move(Trace)) {}

  /// All of it up to now.
  Result<InstantiationIndex> read();
  /// Until there are events that \p Into has not, which then has them. False:
  /// nothing will come.
  Result<bool> waitForMore(InstantiationIndex &Into);
  /// Its buffer is all that it left.
  bool wasKilled() const { return WasKilled; }

private:
  std::string Buffer, Trace;
  bool IsOver = false, WasKilled = false;
};

} // namespace instantrace
