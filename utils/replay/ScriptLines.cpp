#include "utils/replay/ScriptLines.h"

#include "utils/open/Leftovers.h"
#include "utils/replay/Interrupt.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace instantrace;

Result<ScriptLines> ScriptLines::open(const std::string &Path) {
  FileDescriptor Open(::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!Open && errno == EINTR && isInterrupted())
    return interruptedError();
  if (!Open)
    return Error{Path + ": " + systemMessage(errno)};
  int File = Open.get();
  return ScriptLines(Path, std::move(Open), File);
}

ScriptLines ScriptLines::standardInput() {
  return {"standard input", FileDescriptor(), STDIN_FILENO};
}

Result<std::optional<std::string>> ScriptLines::next() {
  constexpr size_t PieceBytes = 1 << 12;
  while (true) {
    size_t End = Buffer.find('\n', Given);
    bool IsLast = End == std::string::npos && IsAtEnd && Given != Buffer.size();
    if (End != std::string::npos || IsLast) {
      std::string Line = Buffer.substr(Given, End - Given);
      Given = IsLast ? Buffer.size() : End + 1;
      ++LineNo;
      return std::optional(std::move(Line));
    }
    if (IsAtEnd)
      return std::optional<std::string>();
    Buffer.erase(0, Given);
    Given = 0;
    if (Buffer.size() > LongestLine)
      return makeError(Name + ":" + std::to_string(LineNo + 1),
                       "a line of more than " + std::to_string(LongestLine) +
                           " bytes",
                       "a command");
    char Piece[PieceBytes];
    if (!waitForInput(File)) {
      if (isInterrupted())
        return interruptedError();
      continue;
    }
    ssize_t Got = ::read(File, Piece, sizeof(Piece));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return Error{Name + ": " + systemMessage(errno)};
    IsAtEnd = Got == 0;
    Buffer.append(Piece, static_cast<size_t>(Got));
  }
}
