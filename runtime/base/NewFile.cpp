#include "runtime/base/NewFile.h"

#include "runtime/base/Hash.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

namespace instantrace {

namespace {

/// Paths, where a signal handler can read them. Whoever takes one out of its
/// place may free it. More files than places are never open at once; one that
/// finds no place would stay behind.
constexpr size_t MostUnfinished = 64;
std::array<std::atomic<char *>, MostUnfinished> Unfinished;
pid_t Owner = 0;

void removeUnfinishedFiles(int Signal) {
  if (::getpid() == Owner) // and not a child that has not become another yet
    for (std::atomic<char *> &Place : Unfinished)
      if (char *Path = Place.exchange(nullptr))
        ::unlink(Path);
  ::signal(Signal, SIG_DFL);
  ::raise(Signal);
}

} // namespace

UnfinishedFile::UnfinishedFile(std::string Name) : Path(std::move(Name)) {
  char *Copy = ::strdup(Path.c_str());
  for (std::atomic<char *> &Place : Unfinished) {
    char *Free = nullptr;
    if (Copy && Place.compare_exchange_strong(Free, Copy)) {
      Listed = Copy;
      return;
    }
  }
  std::free(Copy);
}

void UnfinishedFile::keep() {
  const int Reason = errno; // of what failed, which is our caller's
  Path.clear();
  for (std::atomic<char *> &Place : Unfinished) {
    char *Ours = Listed;
    if (Ours && Place.compare_exchange_strong(Ours, nullptr)) {
      std::free(Listed);
      break;
    }
  }
  Listed = nullptr;
  errno = Reason;
}

void UnfinishedFile::remove() {
  if (!Path.empty())
    ::unlink(Path.c_str());
  keep();
}

bool UnfinishedFile::renameTo(const std::string &Name) {
  if (::rename(Path.c_str(), Name.c_str()) != 0)
    return false;
  keep();
  return true;
}

void removeUnfinishedFilesAtEnd() {
  Owner = ::getpid();
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU}) {
    struct sigaction Action = {};
    ::sigaction(Signal, nullptr, &Action);
    if (Action.sa_handler == SIG_IGN)
      continue;
    Action.sa_handler = removeUnfinishedFiles;
    ::sigaction(Signal, &Action, nullptr);
  }
}

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
                unsigned Mode, UnfinishedFile &Made) {
  constexpr int MostTries = 100;
  int Descriptor = -1;
  errno = EEXIST;
  for (int Try = 0; Descriptor < 0 && errno == EEXIST && Try != MostTries;
       ++Try) {
    char Digits[NewFileDigits + 1];
    std::snprintf(Digits, sizeof(Digits), "%08x",
                  static_cast<unsigned>(unguessableNumber()));
    Made = UnfinishedFile((Stem + Digits).append(Ending));
    Descriptor = ::open(Made.path().c_str(),
                        Flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        static_cast<mode_t>(Mode));
    if (Descriptor < 0)
      Made.keep(); // it is somebody else's
  }
  return Descriptor;
}

} // namespace instantrace
