/// \file
/// What paths in a trace have in common: spelling, folder, library.
///
/// Flow:   path as Clang spells it -> [PathRules] -> EntityGroups, TraceFilter
/// Leaves: files: nothing here looks at a disk, which need not be the one the
///         trace is of
#pragma once

#include "runtime/read/Trace.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace instantrace {

/// Paths are compared as far as that, and shown as far as that: no system opens
/// a longer one (PATH_MAX).
inline constexpr size_t PathBytes = 1 << 12;
inline constexpr size_t ShownPathBytes = PathBytes;
/// Of a path that is made of other entries, which no recorder writes: as names,
/// a few of them can mean any number of long ones.
inline constexpr size_t ComposedPathBytes = 1 << 9;
/// Of a path beside a row, whose end says more than its begin.
inline constexpr size_t PlacePathBytes = 1 << 8;

/// The normal path of an entry; empty if there is none. Of a compile elsewhere
/// than in BuildFolder, it is absolute: each folder may have a util.h.
std::string normalPathOf(const Sequence &S, NameId Path);

/// The same of a path that its command has.
std::string normalPathIn(const Sequence &S, const std::string &Path);

/// The path or, with an ellipsis before it, its end of so many bytes.
std::string pathEnd(std::string Path, size_t MostBytes);

/// `path:line` for people, of a path of which the end is enough.
std::string placeText(const Sequence &S, const Location &L);

/// Without `.`, `..` and doubled slashes, by their text alone: one header is
/// often spelled in several ways. Links may make two files of one.
std::string normalPath(std::string_view Path);

/// Normal; \p Path may begin in \p Folder, which may not be known.
std::string pathFrom(const std::string &Folder, const std::string &Path);

/// The folder of a normal path; `.` for one without.
std::string folderOf(std::string_view Normal);

/// Whether a file is what was asked for, or in it: the components of Wanted are
/// a row of components of the path; an absolute one begins it. Both are normal.
bool isWithin(std::string_view Normal, std::string_view Wanted);

/// How many of the last parts of two paths are the same.
uint32_t commonParts(std::string_view A, std::string_view B);

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
