/// \file
/// What an entry is to whoever shows a name.
///
/// Flow:   NameBuilder (marks) -> file -> NameStyle (what is left out)
/// Layout: proto/trace.proto, NamePart; the numbers are those
#ifndef INSTANTRACE_RUNTIME_STRINGS_NAMEPART_H
#define INSTANTRACE_RUNTIME_STRINGS_NAMEPART_H

#include <cstdint>

namespace instantrace {

enum class NamePart : uint8_t {
  Text = 0,             ///< may not be left out
  DefaultArguments = 1, ///< ", std::allocator<int>"
  Parameters = 2,       ///< "(int, char)"
  TemplateHead = 3,     ///< "std::vector<"; the user's last byte closes it
};

/// A set of parts, for those that leave some out.
constexpr uint32_t partBit(NamePart Part) {
  return uint32_t(1) << static_cast<unsigned>(Part);
}

} // namespace instantrace

#endif
