/// \file
/// What an editor sets: initializationOptions, or
/// workspace/didChangeConfiguration.
///
/// Flow:   JSON -> [LspSettings] -> LspServer
/// Errors: a setting of another type or value is named, and stays what it was
#pragma once

#include "utils/rpc/JsonRpc.h"

#include <cstdint>
#include <optional>
#include <string>

namespace instantrace {

struct LspSettings {
  std::string Session;             ///< empty: the newest
  uint64_t MinimumNs = 50'000'000; ///< lines of less show nothing
  double MinimumPercent = 0;       ///< likewise, of the compiles with the line
  std::optional<bool> InlayHints, CodeLens; ///< none: what the client can
  bool Diagnostics = true;                  ///< what `advise` says
  std::string BuildCommand; ///< for the shell; empty: nothing can be recorded
};

/// Takes what \p Given has, itself or in a member `instantrace`.
Result<void> changeSettings(LspSettings &Settings, const RpcJson &Given);

} // namespace instantrace
