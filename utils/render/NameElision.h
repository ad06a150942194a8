/// \file
/// Shortens C++ names to a width, inside out: `std::vector<…>::push_back`.
///
/// Flow:   CostText -> [elideName]
/// Leaves: what a name is; this only knows how Clang spells names
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace instantrace {

inline constexpr std::string_view Ellipsis = "\xe2\x80\xa6";

/// Terminal columns of UTF-8 text, one per character.
size_t columnsOf(std::string_view Text);

/// As much of the begin as has at most so many columns.
std::string_view firstColumns(std::string_view Text, size_t Columns);
/// The begin of a text, with an ellipsis if that is not all.
std::string cutText(std::string_view Text, size_t Columns);

/// The name in at most Columns columns (at least 1): the deepest template
/// arguments give way first, `<…>` in their place; what is still too long
/// loses its begin, since its end says what it is.
std::string elideName(std::string_view Name, size_t Columns);

/// The name with so many levels of template arguments; 0: none.
std::string nameToLevel(std::string_view Name, size_t Levels);

/// The name in lines, an argument of a template in each, indented by two
/// columns a level. What fits into 60 columns stays on its line, but for the
/// arguments of the outermost ones.
std::string argumentLines(std::string_view Name);

} // namespace instantrace
