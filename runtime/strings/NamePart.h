/// \file
/// Sets of what an entry is to whoever shows a name: `, std::allocator<int>` is
/// DefaultArguments, `(int, char)` Parameters, `std::vector<` TemplateHead.
///
/// Flow:   NameBuilder (marks) -> file -> NameStyle (what is left out)
/// Layout: runtime/format/Schema.h, NamePart
#ifndef INSTANTRACE_RUNTIME_STRINGS_NAMEPART_H
#define INSTANTRACE_RUNTIME_STRINGS_NAMEPART_H

#include "runtime/format/Schema.h"

#include <cstdint>

namespace instantrace {

/// A set of parts, for those that leave some out.
constexpr uint32_t partBit(NamePart Part) {
  return uint32_t(1) << static_cast<unsigned>(Part);
}

} // namespace instantrace

#endif
