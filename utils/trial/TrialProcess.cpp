#include "utils/trial/TrialProcess.h"

#include "runtime/base/SystemMessage.h"
#include "utils/session/ExecArguments.h"
#include "utils/session/WriteSignals.h"
#include "utils/system/FileDescriptor.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace instantrace;

TrialProcess::TrialProcess() {
  // Blocked, they wait for sigwaitinfo(): none comes between two looks.
  ::sigemptyset(&Awaited);
  for (int Each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction Known = {};
    ::sigaction(Each, nullptr, &Known);
    if (Known.sa_handler != SIG_IGN) // as nohup has it
      ::sigaddset(&Awaited, Each);
  }
  ::sigaddset(&Awaited, SIGCHLD);
  struct sigaction Default = {};
  Default.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &Default, &ChildBefore);
  // Of a reader that left, it comes when the scratch folder went.
  sigset_t Blocked = Awaited;
  ::sigaddset(&Blocked, SIGPIPE);
  ::sigprocmask(SIG_BLOCK, &Blocked, &Before);
}

TrialProcess::~TrialProcess() {
  ::sigaction(SIGCHLD, &ChildBefore, nullptr);
  ::sigprocmask(SIG_SETMASK, &Before, nullptr);
}

Result<ProcessEnd>
TrialProcess::run(const std::vector<std::string> &Words,
                  const std::vector<std::string> &Environment,
                  const std::string &WorkingDirectory,
                  const std::string &Messages, const ProcessLimits &Limits) {
  const std::vector<char *> Arguments = execArguments(Words),
                            Variables = execArguments(Environment);
  FileDescriptor Nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  FileDescriptor Out(
      ::open(Messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  int Ends[2];
  if (!Nothing || !Out)
    return Error{Messages + ": " + systemMessage(errno)};
  if (::pipe2(Ends, O_CLOEXEC) != 0)
    return Error{Words.front() + ": " + systemMessage(errno)};
  FileDescriptor Read(Ends[0]), Write(Ends[1]);
  const pid_t Parent = ::getpid(), Pid = ::fork();
  if (Pid < 0)
    return Error{Words.front() + ": " + systemMessage(errno)};
  if (Pid == 0) {
    // A group of its own, to be ended with what it starts; and if we are
    // killed, it ends as well.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    StartedWith.restore(Before);
    auto limit = [](int What, rlim_t Most) {
      const rlimit Limit = {Most, Most};
      ::setrlimit(static_cast<__rlimit_resource>(What), &Limit);
    };
    limit(RLIMIT_CORE, 0); // it would be in the user's folder
    if (Limits.FileBytes != 0)
      limit(RLIMIT_FSIZE, Limits.FileBytes);
    if (Limits.MemoryBytes != 0)
      limit(RLIMIT_AS, Limits.MemoryBytes);
    if (::getppid() == Parent && ::chdir(WorkingDirectory.c_str()) == 0) {
      ::dup2(Nothing.get(), STDIN_FILENO);
      ::dup2(Out.get(), STDOUT_FILENO);
      ::dup2(Out.get(), STDERR_FILENO);
      ::execve(Arguments[0], Arguments.data(), Variables.data());
    }
    int Reason = errno;
    [[maybe_unused]] ssize_t Next =
        ::write(Write.get(), &Reason, sizeof(Reason));
    ::_exit(127);
  }
  ::setpgid(Pid, Pid); // whoever of the two comes first
  Write = FileDescriptor();
  int Reason = 0;
  const bool HasFailed =
      ::read(Read.get(), &Reason, sizeof(Reason)) == sizeof(Reason);
  Result<ProcessEnd> End = wait(Pid, Limits.Seconds);
  if (HasFailed)
    return Error{Words.front() + ": " + systemMessage(Reason)};
  return End;
}

Result<ProcessEnd> TrialProcess::wait(int Pid, uint64_t Seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point Latest = Clock::now() + std::chrono::seconds(Seconds);
  bool IsLate = false;
  while (true) {
    int Status = 0;
    rusage Used = {};
    const bool HasEnded = ::wait4(Pid, &Status, WNOHANG, &Used) == Pid;
    // A signal that came with the end of the compile is one, too.
    const timespec AtOnce = {};
    siginfo_t Info;
    const timespec Second = {1, 0};
    const int Came =
        HasEnded || Seconds != 0
            ? ::sigtimedwait(&Awaited, &Info, HasEnded ? &AtOnce : &Second)
            : ::sigwaitinfo(&Awaited, &Info);
    if (Came > 0 && Came != SIGCHLD) {
      Signal = Came;
      if (!HasEnded) {
        ::kill(-Pid, SIGKILL);
        ::waitpid(Pid, nullptr, 0);
      }
      return Error{"interrupted"};
    }
    if (!HasEnded) {
      if (Seconds != 0 && !IsLate && Clock::now() >= Latest) {
        IsLate = true;
        ::kill(-Pid, SIGKILL);
      }
      continue;
    }
    ProcessEnd End;
    End.IsLate = IsLate;
    End.ExitCode =
        WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
    End.CpuNs = nanoseconds(Used.ru_utime) + nanoseconds(Used.ru_stime);
    return End;
  }
}
