/// \file
/// What the system says of a failure, as a part of a message of ours.
#pragma once

#include "runtime/base/Result.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace instantrace {

/// What an errno means, in lower case: "no space left on device".
inline std::string systemMessage(int Code) {
  std::string Text = std::strerror(Code);
  if (!Text.empty() && Text[0] >= 'A' && Text[0] <= 'Z')
    Text[0] = static_cast<char>(Text[0] - 'A' + 'a');
  return Text;
}

/// Why the last call failed, by errno.
inline Error systemError(const std::string &Path) {
  return Error{Path + ": " + systemMessage(errno)};
}

} // namespace instantrace
