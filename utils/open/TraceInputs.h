/// \file
/// Finds what the command line names, files, folders, `-`, and reads one.
///
/// Flow:   command line -> [TraceInputs] -> TraceReader -> Trace
/// Leaves: many of them, to EachTrace
/// Errors: a file that cannot be read or holds no trace at all
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "runtime/read/TraceReader.h"
#include "utils/open/InputObserver.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// What to do with a trace that is named twice.
enum class NamedTwice : uint8_t {
  CountOnce, ///< by a link, or compressed and not, too
  LookOnce   ///< by its path; for whoever looks at files, and sums nothing up
};

/// What to do with a file in a folder that is a link.
enum class LinksInFolders : uint8_t {
  Follow,
  LeaveOut ///< for whoever makes files of what is read: whoever made the folder
           ///< may not read what the link leads to, and gets those
};

/// Replaces folders by the *.itrace and *.itrace.zst files below them, sorted
/// by path; of two that differ in that alone by the first. What is named twice,
/// also by a link, is there once. A leftover stands for the trace that is not
/// there. \p Seen is warned of all these, and of folders below one that may not
/// be listed.
Result<std::vector<std::string>>
findTraces(const std::vector<std::string> &Paths, InputObserver *Seen = nullptr,
           NamedTwice Twice = NamedTwice::CountOnce,
           LinksInFolders Links = LinksInFolders::Follow);

/// Those of the session \p Folder, which may have none. \p Seen is only warned
/// of folders below it that may not be listed, and of links, which are left
/// out.
Result<std::vector<std::string>> tracesOfSession(const std::string &Folder,
                                                 InputObserver *Seen);

/// The whole file, read and not mapped: a file that is cut while it is mapped
/// would end the tool with a bus error. `-` is the standard input. With \p Seen
/// a trace is meant: of a pipe or a device that does not begin as one, only the
/// begin is read, since it may have no end. What is compressed by zstd is
/// expanded, and \p Seen is told of damage; without it that is an error. Of
/// what a killed compile left, the trace that `recover` makes of it; \p Seen is
/// warned of what is missing from that, and told nothing else.
Result<std::string> readBytes(const std::string &Path,
                              InputObserver *Seen = nullptr,
                              const ByteProgress &AtByte = {});

/// Of all files together; 0 when that is not known before they are read.
uint64_t totalBytes(const std::vector<std::string> &Paths);

/// Whether -ftime-trace has written the regular file, by its first bytes: other
/// programs have JSON in a build as well, and a session.cpp has a session.json
/// that is none of a session.
bool hasTimeTrace(const std::string &Path);

/// How messages name an input.
std::string inputName(const std::string &Path);

/// What times are of all traces that are read. Set before the first one.
EventClock &eventClock();

/// Whether a pipe is read where one has the name of an input: yes, but by who
/// serves others, and may not wait for a writer. Likewise.
bool &arePipesRead();

/// Appends what the bytes of one input have, which \p Name names as inputName()
/// does. A damaged trace is read up to its damage; a damaged one of
/// -ftime-trace is refused, and nothing is to be made of \p Into then.
Result<void> addTrace(std::string_view Bytes, const std::string &Name,
                      Trace &Into, const ByteProgress &AtByte = {});

/// Why nothing could be read; empty: there is no reason.
std::string damageOf(const Trace &T);

/// Of all that was given, what can be read has no compile; \p File names it if
/// there was one.
Error noCompile(const std::string &File = {});

/// Whether none is a pipe or a device, which can be read once, in their order.
bool areFiles(const std::vector<std::string> &Paths);

} // namespace instantrace
