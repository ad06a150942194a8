/// \file
/// How much of a template's body does not depend on its arguments, by the text
/// of the source.
///
/// Flow:   source text, line, column -> [independentWords] ->
///         TypeIndependentPart
/// Leaves: preprocessing, and types: a variable depends on an argument if its
///         declaration names one, or if it is `auto` and its value does
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace instantrace {

/// The share of the words of a function's body, 0 to 1, in statements that name
/// neither a parameter of a template nor what is declared with one. A loop is
/// one statement. None: no body follows the name that is at \p LineNo and
/// \p ColumnNo, both from 1.
std::optional<double> independentWords(std::string_view Source, uint32_t LineNo,
                                       uint32_t ColumnNo);

} // namespace instantrace
