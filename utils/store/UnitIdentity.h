/// \file
/// What makes a translation unit the same in two builds, and a path.
///
/// Flow:   Sequence, source root -> [UnitIdentity] -> SessionAdding
#pragma once

#include "runtime/read/Trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct UnitIdentity {
  std::string Path;    ///< from the source root, where it is below that
  std::string Target;  ///< triple
  std::string Options; ///< hash of what chooses the language, in 16 digits
};

/// \p Path, which is relative to \p Folder or absolute, from \p Root on if it
/// is below it. So a file has one name in every checkout.
std::string pathBelow(const std::string &Root, const std::string &Folder,
                      std::string_view Path);

/// The words of a compile that choose the language and the code: standard,
/// dialect (-f, -m), level of optimization, and macros by name. Neither values
/// of macros, which may be a version or a date, nor paths, nor what messages
/// look like.
std::vector<std::string> languageOptions(const TraceSession &Session);

UnitIdentity unitIdentity(const Sequence &S, const std::string &Root);

} // namespace instantrace
