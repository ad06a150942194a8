#include "runtime/base/NewFile.h"

#include "runtime/base/Hash.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

namespace instantrace {

uint64_t unguessableNumber() {
  uint64_t Number = 0;
  if (::getrandom(&Number, sizeof(Number), GRND_NONBLOCK) == sizeof(Number))
    return Number;
  // Early after a start of the system, or forbidden: names are opened with
  // O_EXCL, so that a number that somebody guesses is a failure, and no more.
  timespec Now = {};
  ::clock_gettime(CLOCK_REALTIME, &Now);
  const std::string Text = std::to_string(Now.tv_sec) + " " +
                           std::to_string(Now.tv_nsec) + " " +
                           std::to_string(::getpid());
  return hashBytes(Text);
}

int makeNewFile(const std::string &Stem, std::string_view Ending, int Flags,
                unsigned Mode, std::string &Made) {
  constexpr int MostTries = 100;
  int Descriptor = -1;
  errno = EEXIST;
  for (int Try = 0; Descriptor < 0 && errno == EEXIST && Try != MostTries;
       ++Try) {
    char Digits[NewFileDigits + 1];
    std::snprintf(Digits, sizeof(Digits), "%08x",
                  static_cast<unsigned>(unguessableNumber()));
    Made = Stem + Digits;
    Made += Ending;
    Descriptor =
        ::open(Made.c_str(), Flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               static_cast<mode_t>(Mode));
  }
  return Descriptor;
}

} // namespace instantrace
