/// \file
/// A text that all have that match a pattern.
///
/// Flow: rbreak's pattern -> [literalOf] -> a search for it before each match
#ifndef INSTANTRACE_UTILS_REPLAY_PATTERNLITERAL_H
#define INSTANTRACE_UTILS_REPLAY_PATTERNLITERAL_H

#include <string>
#include <string_view>

namespace instantrace {

/// The longest one outside of groups of a pattern as NamePattern has it. Empty:
/// none is known, such as of alternatives.
std::string literalOf(std::string_view Pattern);

} // namespace instantrace

#endif
