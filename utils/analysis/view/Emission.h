/// \file
/// What became of a function that LLVM was given.
#pragma once

#include "runtime/read/Trace.h"

#include <optional>

namespace instantrace {

/// True if a compile recorded each function that is in its object, whoever pays
/// for it, so that what has no size was inlined everywhere or dropped
/// (proto/FORMAT.md, Functions).
inline bool knowsEmission(const Sequence &S) {
  return S.Footer && S.Footer->Backend.starts_with("functions") &&
         S.Footer->CodeBytes != 0;
}

/// True if the object has the function; none where it is not known.
inline std::optional<bool> isEmitted(const Sequence &S, const Function &F) {
  if (F.MachineInstructions != 0 || F.ObjectBytes != 0)
    return true;
  return knowsEmission(S) ? std::optional(false) : std::nullopt;
}

} // namespace instantrace
