/// \file
/// What paths in a trace have in common: spelling, folder, library.
///
/// Flow:   path as Clang spells it -> [PathRules] -> EntityGroups, TraceFilter
/// Leaves: files: nothing here looks at a disk, which need not be the one the
///         trace is of
#ifndef INSTANTRACE_UTILS_ANALYSIS_VIEW_PATHRULES_H
#define INSTANTRACE_UTILS_ANALYSIS_VIEW_PATHRULES_H

#include <cstddef>
#include <string>
#include <string_view>

namespace instantrace {

/// Paths are compared as far as that, and shown as far as that.
inline constexpr size_t PathBytes = 1 << 16;
inline constexpr size_t ShownPathBytes = 1 << 12;

/// Without `.`, `..` and doubled slashes, by their text alone: one header is
/// often spelled in several ways. Links may make two files of one.
std::string normalPath(std::string_view Path);

/// The folder of a normal path; `.` for one without.
std::string folderOf(std::string_view Normal);

/// Whether a file is what was asked for, or in it: the components of Wanted are
/// a row of components of the path; an absolute one begins it. Both are normal.
bool isWithin(std::string_view Normal, std::string_view Wanted);

/// Which library a file belongs to, by the spelling of its normal path:
///  * after the last folder `include`, past folders for a target
///    (`x86_64-linux-gnu`): the next folder (`boost`, `eigen3`, `c++`), or, for
///    a file right there, the path of that `include`;
///  * after a folder for others' code (`third_party`, `external`, `_deps`,
///  ...):
///    the next one;
///  * otherwise none: empty text.
/// The later one in the path wins.
std::string libraryOf(std::string_view Normal);

} // namespace instantrace

#endif
