/// \file
/// The commands of a build that link recorded objects, so that they write into
/// a folder of ours alone.
///
/// Flow:   build.ninja by `ninja -t compdb`, or CMake's link.txt ->
///         [readLinkCommands] -> scratchLink -> Trial
/// Errors: why a command is not run
///
/// Anybody may have written the files of a build. No shell runs their commands:
/// words are split here, the program has to be called as Clang is, and an
/// option that is not known to write, load or run nothing is an error.
#pragma once

#include "runtime/base/Result.h"
#include "utils/trial/ScratchCommand.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// One that has recorded objects among its words.
struct LinkCommand {
  std::vector<std::string> Words;
  std::string WorkingDirectory;
  std::map<size_t, std::string> Objects; ///< absolute, by index of the word
};

/// The commands of a line for a shell that "&&" joins; none: it has what only a
/// shell can expand.
std::optional<std::vector<std::vector<std::string>>>
splitShellCommand(std::string_view Text);

/// From the text of a link.txt, or from JSON as `ninja -t compdb -x` prints it.
/// \p Objects: absolute.
Result<std::vector<LinkCommand>>
readLinkCommands(std::string_view Text, const std::string &WorkingDirectory,
                 const std::set<std::string> &Objects);

/// Links to \p Output; the words have the same order, but not the same number.
/// \p Replaced: objects that others take the place of.
Result<std::vector<std::string>>
scratchLink(const LinkCommand &Link, const std::string &Output,
            const std::map<std::string, std::string> &Replaced);

} // namespace instantrace
