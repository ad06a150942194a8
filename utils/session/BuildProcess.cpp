#include "utils/session/BuildProcess.h"

#include "utils/open/Leftovers.h"
#include "utils/session/ExecArguments.h"
#include "utils/session/WriteSignals.h"
#include "utils/system/FileDescriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/wait.h>
#include <utility>

using namespace instantrace;

namespace {

/// Those that end a build, in the order in which they are passed on.
constexpr std::array<int, 8> EndSignals = {
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU};
/// Those that a fault of our own sends as well, which ends us then.
constexpr std::array<int, 4> FaultSignals = {SIGILL, SIGTRAP, SIGSYS, SIGABRT};
/// Those, others that a build may know, the end of a child, the stop and going
/// on, the terminal's size, and those without a meaning: all that end whoever
/// does not handle them and that a process may be sent.
/// Not before main(), which says where there is no memory for them.
const std::vector<int> &buildSignals() {
  static const std::vector<int> Signals = [] {
    std::vector<int> All = {SIGINT,    SIGTERM, SIGHUP,   SIGQUIT, SIGALRM,
                            SIGVTALRM, SIGPROF, SIGXCPU,  SIGUSR1, SIGUSR2,
                            SIGPOLL,   SIGPWR,  SIGCHLD,  SIGTSTP, SIGCONT,
                            SIGWINCH,  SIGPIPE, SIGSTKFLT};
    All.insert(All.end(), FaultSignals.begin(), FaultSignals.end());
    for (int Signal = SIGRTMIN; Signal <= SIGRTMAX; ++Signal)
      All.push_back(Signal);
    return All;
  }();
  return Signals;
}
std::array<struct sigaction, NSIG> ActionsBefore; ///< by signal
/// By signal: sent to us by a process, and to be passed on.
volatile std::sig_atomic_t Sent[NSIG];
volatile std::sig_atomic_t IsStopAsked = 0, IsResized = 0, EndsAsked = 0;

bool isEndSignal(int Signal) {
  return std::find(EndSignals.begin(), EndSignals.end(), Signal) !=
         EndSignals.end();
}

bool isFaultSignal(int Signal) {
  return std::find(FaultSignals.begin(), FaultSignals.end(), Signal) !=
         FaultSignals.end();
}

extern "C" void noteBuildSignal(int Signal, siginfo_t *Info, void *) {
  // Positive: by the kernel, for what we did.
  if (isFaultSignal(Signal) && Info->si_code > 0) {
    ::signal(Signal, SIG_DFL);
    ::raise(Signal);
    return;
  }
  // A write of ours that nobody reads sends it, too.
  if (Signal == SIGPIPE && Info->si_pid == ::getpid())
    return;
  if (Signal == SIGTSTP)
    IsStopAsked = 1;
  else if (Signal == SIGWINCH)
    IsResized = 1;
  if (isEndSignal(Signal))
    EndsAsked = EndsAsked + 1;
  // What comes from the terminal, which the build gets as well, has SI_KERNEL,
  // and so has the limit on our own processor time, of which it has its own. A
  // timer survives exec: who set it before us meant the build.
  bool IsTimer = Signal == SIGALRM || Signal == SIGVTALRM || Signal == SIGPROF;
  if (Signal != SIGCHLD && (Info->si_code <= 0 || IsTimer))
    Sent[Signal] = 1;
}

} // namespace

BuildProcess::BuildProcess() {
  struct sigaction Action = {};
  Action.sa_sigaction = noteBuildSignal;
  Action.sa_flags = SA_SIGINFO;
  sigset_t Ours;
  ::sigemptyset(&Ours);
  for (int Signal : buildSignals()) {
    ::sigaction(Signal, nullptr, &ActionsBefore[Signal]);
    // Under nohup and in the background of a script some are ignored.
    if (Signal != SIGCHLD && ActionsBefore[Signal].sa_handler == SIG_IGN)
      continue;
    ::sigaction(Signal, &Action, nullptr);
    ::sigaddset(&Ours, Signal);
  }
  ::sigprocmask(SIG_BLOCK, &Ours, &Before);
  DuringWait = Before;
  for (int Signal : buildSignals())
    ::sigdelset(&DuringWait, Signal);
  FilesBefore = allowManyDescriptors();
}

void BuildProcess::ignoreWriteSignals() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

int BuildProcess::takeEndSignal() {
  sigset_t Ends;
  ::sigemptyset(&Ends);
  for (int Signal : buildSignals())
    if (isEndSignal(Signal) && ActionsBefore[Signal].sa_handler != SIG_IGN)
      ::sigaddset(&Ends, Signal);
  timespec AtOnce = {};
  int Signal = ::sigtimedwait(&Ends, nullptr, &AtOnce);
  return Signal > 0 ? Signal : 0;
}

int BuildProcess::endsAsked() { return EndsAsked; }

BuildProcess::~BuildProcess() {
  // Of a build that has ended: it is its end that we end with.
  sigset_t Late;
  ::sigemptyset(&Late);
  for (int Signal : buildSignals())
    if (ActionsBefore[Signal].sa_handler != SIG_IGN)
      ::sigaddset(&Late, Signal);
  timespec AtOnce = {};
  while (::sigtimedwait(&Late, nullptr, &AtOnce) > 0)
    ;
  for (int Signal : buildSignals())
    ::sigaction(Signal, &ActionsBefore[Signal], nullptr);
  ::sigprocmask(SIG_SETMASK, &Before, nullptr);
}

void BuildProcess::restoreInChild() const {
  for (int Signal : buildSignals())
    ::sigaction(Signal, &ActionsBefore[Signal], nullptr);
  if (FilesBefore)
    ::setrlimit(RLIMIT_NOFILE, &*FilesBefore);
  StartedWith.restore(Before);
}

Result<void> BuildProcess::start(const std::vector<std::string> &Command,
                                 const std::vector<std::string> &Environment) {
  std::vector<char *> Arguments = execArguments(Command);
  std::vector<char *> Variables = execArguments(Environment);
  int Ends[2];
  if (::pipe2(Ends, O_CLOEXEC) != 0)
    return Error{Command.front() + ": " + systemMessage(errno)};
  FileDescriptor Read(Ends[0]);
  FileDescriptor Write(Ends[1]);
  Pid = ::fork();
  if (Pid < 0)
    return Error{Command.front() + ": " + systemMessage(errno)};
  if (Pid == 0) {
    restoreInChild();
    ::execvpe(Arguments[0], Arguments.data(), Variables.data());
    int Reason = errno;
    [[maybe_unused]] ssize_t WrittenBytes =
        ::write(Write.get(), &Reason, sizeof(Reason));
    ::_exit(ExitNotRunnable);
  }
  Write = FileDescriptor();
  int Reason = 0;
  ssize_t Got;
  do
    Got = ::read(Read.get(), &Reason, sizeof(Reason));
  while (Got < 0 && errno == EINTR);
  if (Got != sizeof(Reason))
    return {};
  ::waitpid(Pid, nullptr, 0);
  Pid = 0;
  Error Failure{Command.front() + ": " + systemMessage(Reason)};
  errno = Reason;
  return Failure;
}

Error BuildProcess::replaceBy(const std::vector<std::string> &Command) {
  sigset_t Mask;
  ::sigprocmask(SIG_SETMASK, nullptr, &Mask);
  StartedWith.restore(Mask);
  std::vector<char *> Arguments = execArguments(Command);
  ::execvp(Arguments[0], Arguments.data());
  int Reason = errno;
  Error Failure{Command.front() + ": " + systemMessage(Reason)};
  errno = Reason;
  return Failure;
}

std::optional<BuildEnd> BuildProcess::poll() {
  if (End || Pid == 0)
    return End;
  for (int Signal : buildSignals())
    if (std::exchange(Sent[Signal], 0) != 0)
      ::kill(Pid, Signal);
  int Status = 0;
  rusage Used = {};
  if (::wait4(Pid, &Status, WNOHANG, &Used) != Pid)
    return std::nullopt;
  End.emplace();
  End->Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  End->ExitCode = End->Signal ? 128 + End->Signal : WEXITSTATUS(Status);
  End->UserNs = nanoseconds(Used.ru_utime);
  End->SystemNs = nanoseconds(Used.ru_stime);
  return End;
}

bool BuildProcess::shouldStop() const { return IsStopAsked != 0; }

void BuildProcess::stop() {
  IsStopAsked = 0;
  // SIGSTOP would stop us where nobody can have us go on, too, such as without
  // a shell of the same session; SIGTSTP does nothing there.
  struct sigaction Default = {}, Ours;
  Default.sa_handler = SIG_DFL;
  sigset_t Only, Mask;
  ::sigemptyset(&Only);
  ::sigaddset(&Only, SIGTSTP);
  ::sigprocmask(SIG_BLOCK, &Only, &Mask);
  ::sigaction(SIGTSTP, &Default, &Ours);
  ::raise(SIGTSTP);
  ::sigprocmask(SIG_UNBLOCK, &Only, nullptr); // it is here that we stop
  ::sigprocmask(SIG_SETMASK, &Mask, nullptr);
  ::sigaction(SIGTSTP, &Ours, nullptr);
}

bool BuildProcess::takeResized() { return std::exchange(IsResized, 0) != 0; }

int BuildProcess::endAs(const BuildEnd &End) {
  if (End.Signal != 0) {
    // Whoever started us sees what it would have seen; one core file is enough.
    rlimit None = {};
    ::setrlimit(RLIMIT_CORE, &None);
    ::signal(End.Signal, SIG_DFL);
    sigset_t Only;
    ::sigemptyset(&Only);
    ::sigaddset(&Only, End.Signal);
    ::sigprocmask(SIG_UNBLOCK, &Only, nullptr);
    ::raise(End.Signal);
  }
  return End.ExitCode;
}
