/// \file
/// What sccache's server says that it did, between two questions.
///
/// Flow:   `sccache --show-stats` -> [readCacheServer] -> CacheUse
/// Errors: none; nothing is known of a server that is not at a port here, or
///         whose statistics are no JSON of the members that sccache 0.4 has
///
/// A server that does not run is not asked, since asking starts one, which
/// would then serve the build with the environment of whoever asked.
#pragma once

#include "utils/session/CacheLog.h"

#include <optional>

namespace instantrace {

/// Since the server has been started; empty: there is none. No value: something
/// listens there, and gave no such answer in time, or SCCACHE_SERVER_UDS names
/// another place than a port. Takes 2.2 s at most.
std::optional<CacheUse> readCacheServer();

/// What it did in between; empty: not known. A server with smaller numbers than
/// before is another one, which was started since.
CacheUse cacheUseSince(const std::optional<CacheUse> &Before,
                       const std::optional<CacheUse> &After);

} // namespace instantrace
