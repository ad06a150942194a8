/// \file
/// What the log of a CI job takes for a command where it is printed: the
/// "::error::" of GitHub at the begin of a line, "##[error]" of it and of
/// Azure, "##vso[" and "##teamcity[" anywhere.
///
/// Flow:   names, paths -> [LogCommands] -> PrintableText, CleanText, JsonText,
///         which all that is printed goes through
/// Source: GitHub's runner, ActionCommand.cs; Azure Pipelines, "Logging
///         commands"; TeamCity, "Service messages"
#pragma once

#include <cstddef>
#include <string_view>

namespace instantrace {

/// Where the first of them is in \p Text, behind blanks if it begins a line;
/// npos: there is none.
size_t findLogCommand(std::string_view Text, bool IsLineBegin);

/// Hands \p Text to \p UsePiece, but for the first character of each of them,
/// which \p UseCharacter gets, to escape it.
template <class Piece, class Character>
void breakLogCommands(std::string_view Text, bool IsLineBegin,
                      const Piece &UsePiece, const Character &UseCharacter) {
  for (size_t Offset; (Offset = findLogCommand(Text, IsLineBegin)) != Text.npos;
       IsLineBegin = false) {
    UsePiece(Text.substr(0, Offset));
    UseCharacter(Text[Offset]);
    Text.remove_prefix(Offset + 1);
  }
  UsePiece(Text);
}

} // namespace instantrace
