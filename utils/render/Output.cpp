#include "utils/render/Output.h"

#include "utils/render/Progress.h"

#include <cerrno>
#include <cstring>

using namespace instantrace;

void Output::write(std::string_view Text) {
  Progress::makeRoom();
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

void instantrace::appendPrintable(std::string &Out, std::string_view Text) {
  constexpr char Digits[] = "0123456789abcdef";
  for (char C : Text) {
    auto Byte = static_cast<unsigned char>(C);
    if (Byte >= 0x20 && Byte != 0x7F) {
      Out.push_back(C);
      continue;
    }
    Out.append("\\x");
    Out.push_back(Digits[Byte >> 4]);
    Out.push_back(Digits[Byte & 15]);
  }
}
