/// \file
/// Sets of what an entry is to whoever shows a name: `, std::allocator<int>` is
/// DefaultArguments, `(int, char)` Parameters, `std::vector<` TemplateHead.
///
/// Flow:   NameBuilder (marks) -> file -> NameStyle (what is left out)
/// Layout: runtime/format/Schema.h, NamePart
#pragma once

#include "runtime/format/Schema.h"

#include <cstdint>

namespace instantrace {

/// A set of parts, for those that leave some out.
constexpr uint32_t partBit(NamePart Part) {
  return uint32_t(1) << static_cast<unsigned>(Part);
}

} // namespace instantrace
