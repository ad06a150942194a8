/// \file
/// When a compile ran, from where, and what it has from other compiles.
///
/// Flow: Sequence -> [CompileRun] -> HeaderFacts -> Rebuilds
#pragma once

#include "utils/analysis/costs/CompileTimes.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// When a compile ran, and which others use what it makes. Paths are normal,
/// and absolute as far as is known where they begin.
struct CompileRun {
  std::string Source, Product;
  std::vector<std::string> Uses; ///< precompiled headers and modules
  CompileTimes Times;
  bool HasTimeOfDay = false;
  uint64_t Process = 0; ///< processKey()
  uint64_t Ns = 0;      ///< all of it, without our own work
};

/// \p Ns: all of it, without our own work.
CompileRun compileRun(const Sequence &S, uint64_t Ns);

/// The next word is one's folder, unless it is behind it in the same word.
inline constexpr std::array<std::string_view, 4> IncludeFolderOptions = {
    "-I", "-isystem", "-iquote", "-idirafter"};

/// The folders of -I and the like, as its options have them.
std::vector<std::string> includeFolders(const std::vector<std::string> &Argv);

} // namespace instantrace
