/// \file
/// The sources that a trace names, as far as they are there.
///
/// Flow:   path in a trace -> [SourceFiles] -> advise
///
/// A trace may name any path. So only regular files are read that SourceRoots
/// allows, up to a limit each and in all; one that cannot be read is not there.
#pragma once

#include "utils/open/SourceRoots.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace instantrace {

class SourceFiles {
public:
  /// What was modified later than \p LatestNs, since 1970, is not there.
  explicit SourceFiles(SourceRoots Roots, uint64_t LatestNs = UINT64_MAX)
      : Roots(std::move(Roots)), LatestNs(LatestNs) {}

  static constexpr uint64_t MostFileBytes = uint64_t(16) << 20;
  static constexpr uint64_t MostBytes = uint64_t(256) << 20;

  /// Null when it is not there. Valid as long as the object.
  const std::string *text(const std::string &Path);
  /// A relative path begins in \p Folder, unless that is null.
  const std::string *text(const std::string *Folder, const std::string &Path);
  /// One of its lines, from 1; empty if it is not there.
  std::string line(const std::string &Folder, const std::string &Path,
                   uint32_t LineNo);

private:
  std::optional<std::string> read(const std::string &Path);

  SourceRoots Roots;
  uint64_t LatestNs;
  uint64_t LeftBytes = MostBytes;
  std::unordered_map<std::string, std::optional<std::string>> ByPath;
};

} // namespace instantrace
