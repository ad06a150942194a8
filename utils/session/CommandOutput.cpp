#include "utils/session/CommandOutput.h"

#include "utils/session/ExecArguments.h"
#include "utils/session/WriteSignals.h"
#include "utils/system/FileDescriptor.h"
#include "utils/system/SystemClock.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace instantrace;

namespace {

constexpr size_t MostErrorBytes = size_t(64) << 10;
constexpr int WaitingPauseMs = 5;

[[noreturn]] void execInChild(const std::vector<std::string> &Command,
                              const FileDescriptor &Out,
                              const FileDescriptor &Nothing,
                              const FileDescriptor &Failure,
                              const FileDescriptor &Errors) {
  // A group of its own, to be killed with what it starts.
  ::setpgid(0, 0);
  // Nobody waits for its answer then.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t None;
  ::sigemptyset(&None);
  StartedWith.restore(None);
  ::dup2(Nothing.get(), STDIN_FILENO);
  ::dup2(Out.get(), STDOUT_FILENO);
  ::dup2(Errors.get(), STDERR_FILENO);
  const std::vector<char *> Arguments = execArguments(Command);
  ::execvp(Arguments[0], Arguments.data());
  int Reason = errno;
  [[maybe_unused]] ssize_t WrittenBytes =
      ::write(Failure.get(), &Reason, sizeof(Reason));
  ::_exit(127);
}

/// Reads until the end, or \p EndNs; false: it was too late.
bool readUntil(uint64_t EndNs, size_t MostBytes,
               const FileDescriptor &Descriptor, std::string &Into) {
  while (Into.size() < MostBytes) {
    uint64_t NowNs = monotonicNs();
    pollfd Polled = {Descriptor.get(), POLLIN, 0};
    int Ready = NowNs >= EndNs
                    ? 0
                    : ::poll(&Polled, 1,
                             static_cast<int>((EndNs - NowNs) / 1'000'000) + 1);
    if (Ready < 0 && errno == EINTR)
      continue;
    if (Ready <= 0)
      return false;
    char Bytes[4096];
    ssize_t Got = ::read(Descriptor.get(), Bytes, sizeof(Bytes));
    if (Got <= 0)
      return true;
    Into.append(Bytes, static_cast<size_t>(Got));
  }
  return false;
}

/// Who closes its output need not have ended.
bool waitUntil(uint64_t EndNs, pid_t Pid, int &Status) {
  while (::waitpid(Pid, &Status, WNOHANG) == 0) {
    if (monotonicNs() >= EndNs)
      return false;
    ::poll(nullptr, 0, WaitingPauseMs);
  }
  return true;
}

} // namespace

CommandOutput instantrace::runShortly(const std::vector<std::string> &Command,
                                      int PatienceMs, ErrorOutput Errors,
                                      size_t MostBytes) {
  CommandOutput Done;
  int Output[2], Start[2];
  if (::pipe2(Output, O_CLOEXEC) != 0) {
    Done.StartError = errno;
    return Done;
  }
  FileDescriptor Read(Output[0]), Write(Output[1]);
  if (::pipe2(Start, O_CLOEXEC) != 0) {
    Done.StartError = errno;
    return Done;
  }
  FileDescriptor Failed(Start[0]), Failure(Start[1]);
  // Here, where it may fail: what the command says is nobody's to see then.
  FileDescriptor Nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!Nothing) {
    Done.StartError = errno;
    return Done;
  }
  FileDescriptor Apart(Errors == ErrorOutput::Apart
                           ? ::memfd_create("errors", MFD_CLOEXEC)
                           : -1);
  if (Errors == ErrorOutput::Apart && !Apart) {
    Done.StartError = errno;
    return Done;
  }
  const uint64_t EndNs =
      monotonicNs() + static_cast<uint64_t>(PatienceMs) * 1'000'000;
  pid_t Pid = ::fork();
  if (Pid < 0) {
    Done.StartError = errno;
    return Done;
  }
  if (Pid == 0)
    execInChild(Command, Write, Nothing, Failure,
                Apart                         ? Apart
                : Errors == ErrorOutput::Kept ? Write
                                              : Nothing);
  ::setpgid(Pid, Pid); // whoever of the two comes first
  Write = FileDescriptor();
  Failure = FileDescriptor();
  int Status = 0;
  bool IsInTime = readUntil(EndNs, MostBytes, Read, Done.Text) &&
                  waitUntil(EndNs, Pid, Status);
  if (!IsInTime) {
    Done.IsTooLong = Done.Text.size() >= MostBytes;
    Done.IsTooLate = !Done.IsTooLong;
    ::kill(-Pid, SIGKILL);
    ::waitpid(Pid, &Status, 0);
  }
  int Reason = 0;
  if (::read(Failed.get(), &Reason, sizeof(Reason)) == sizeof(Reason))
    Done.StartError = Reason;
  else if (IsInTime && WIFEXITED(Status))
    Done.ExitCode = WEXITSTATUS(Status);
  else if (WIFSIGNALED(Status))
    Done.Signal = WTERMSIG(Status);
  if (Apart) {
    Done.Errors.resize(MostErrorBytes);
    ssize_t Got = ::pread(Apart.get(), Done.Errors.data(), MostErrorBytes, 0);
    Done.Errors.resize(Got > 0 ? static_cast<size_t>(Got) : 0);
  }
  return Done;
}
