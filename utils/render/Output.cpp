#include "utils/render/Output.h"

#include <cerrno>
#include <cstring>

using namespace instantrace;

void Output::write(std::string_view Text) {
  if (Beside)
    Beside->makeRoom();
  if (!Failure && std::fwrite(Text.data(), 1, Text.size(), To) != Text.size())
    Failure = errno;
}

Result<int> Output::finish() {
  flush();
  if (!Failure && std::fflush(To) != 0)
    Failure = errno;
  if (Failure)
    return Error{std::string("cannot write the output: ") +
                 std::strerror(Failure)};
  return 0;
}
