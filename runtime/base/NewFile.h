/// \file
/// Files that nobody else has: how each file is made whose name is ours and not
/// the user's.
///
/// Errors: -1, and errno says why
/// Trust:  the folder may be shared. A name cannot be known beforehand, and one
///         that is taken, by a link as well, is never opened
#ifndef INSTANTRACE_RUNTIME_BASE_NEWFILE_H
#define INSTANTRACE_RUNTIME_BASE_NEWFILE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace instantrace {

/// The same twice by accident alone.
uint64_t unguessableNumber();

/// How many hexadecimal digits makeNewFile() puts into a name.
constexpr unsigned NewFileDigits = 8;

/// Makes "STEM01234567ENDING" and opens it with \p Flags, such as O_WRONLY, and
/// O_CLOEXEC; \p Made is its path.
int makeNewFile(const std::string &Stem, std::string_view Ending, int Flags,
                unsigned Mode, std::string &Made);

} // namespace instantrace

#endif
