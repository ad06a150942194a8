/// \file
/// Says in words what a file is that was given for a trace.
///
/// Flow:   first bytes -> [FileKind] -> TraceIssue -> messages, `verify`
/// Leaves: whether it is a trace, to those who read it
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/system/FileDescriptor.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace instantrace {

/// How many of its first bytes say what kind of file it is.
inline constexpr size_t FileKindBytes = 512;

/// Such as "an ELF object file", of the first bytes of a file, or all. Empty:
/// they may be of anything.
std::string fileKind(std::string_view Head);

/// Whether they are those of a trace of the plugin.
bool isBeginOfTrace(std::string_view Head);

/// The begin of a file, of a compressed one of what is in it, enough for its
/// first packet; empty if it cannot be read.
std::string headOf(const FileDescriptor &File);

/// Whether the file is one, compressed or not: what was recorded, and cannot be
/// made again.
bool isTraceFile(const FileDescriptor &File);

/// Fails where that is what has the name \p Path, for what is no trace to be
/// written there.
Result<void> checkReplacesNoTrace(const std::string &Path);

/// Where a text is wanted: what \p Bytes are instead. Empty: a text, or nothing
/// that can be told.
std::string kindOfNoText(std::string_view Bytes);

inline constexpr std::string_view AnyTrace =
    "a trace, as the plugin (x.itrace) or -ftime-trace writes it";

/// Where not even the first packet of a file could be read, and its first bytes
/// say why: has the damage say that and \p Expected, and no packet.
void nameForeignFile(std::string_view Head, TraceInput &Input,
                     std::string_view Expected = AnyTrace);

} // namespace instantrace
