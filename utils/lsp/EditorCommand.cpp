#include "utils/lsp/EditorCommand.h"

#include "runtime/base/SystemMessage.h"
#include "utils/session/ExecArguments.h"
#include "utils/system/Processes.h"
#include "utils/system/SystemClock.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <utility>

using namespace instantrace;

namespace {

constexpr uint64_t PatienceNs = 3'000'000'000;
constexpr int WaitingPauseMs = 20;

/// For the shell that ends the process group of $0 when its input has ended. In
/// `stat`, the state, the parent and the group follow the name.
constexpr const char *GuardScript = R"(exec 2>/dev/null
read -r _
trap '' TERM
kill 0
sleep 3
for Pid in $(cd /proc && echo [0-9]*); do
  read -r Stat </proc/$Pid/stat && set -- ${Stat##*) } || continue
  [ $3 != $0 ] || [ $Pid = $0 ] || [ $Pid = $$ ] || kill -9 $Pid
done)";

/// What is to be done to the descriptors of a process before it runs.
class SpawnFiles {
public:
  SpawnFiles() { ::posix_spawn_file_actions_init(&Actions); }
  ~SpawnFiles() { ::posix_spawn_file_actions_destroy(&Actions); }
  SpawnFiles(const SpawnFiles &) = delete;
  SpawnFiles &operator=(const SpawnFiles &) = delete;

  posix_spawn_file_actions_t Actions;
};

/// In the process group \p Group; 0: in one of its own. errno's number, or 0.
int spawnIn(pid_t Group, const char *Program,
            const std::vector<std::string> &Words, SpawnFiles &Files,
            pid_t &Pid) {
  // The standard output is the protocol's.
  ::posix_spawn_file_actions_adddup2(&Files.Actions, STDERR_FILENO,
                                     STDOUT_FILENO);
  posix_spawnattr_t Attributes;
  ::posix_spawnattr_init(&Attributes);
  ::posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&Attributes, Group);
  const int Failed = ::posix_spawn(&Pid, Program, &Files.Actions, &Attributes,
                                   execArguments(Words).data(), environ);
  ::posix_spawnattr_destroy(&Attributes);
  if (Failed != 0)
    Pid = 0;
  return Failed;
}

/// What runs in the process group of \p Leader beside it.
std::vector<pid_t> othersInGroup(pid_t Leader) {
  std::vector<pid_t> Others;
  for (uint32_t Number : allProcesses()) {
    const auto Pid = static_cast<pid_t>(Number);
    if (Pid == Leader || ::getpgid(Pid) != Leader)
      continue;
    // One that has ended stays where nobody waits for orphans.
    const auto Stat = processStat(Number);
    if (Stat && Stat->State != 'Z' && Stat->State != 'X')
      Others.push_back(Pid);
  }
  return Others;
}

} // namespace

Result<void> EditorCommand::start(std::vector<std::string> Words,
                                  const std::string &Folder) {
  if (isRunning())
    return Error{"another command is still running"};
  const std::string Name = "instantrace " + Words.front();
  int Ends[2];
  if (::pipe2(Ends, O_CLOEXEC) != 0)
    return Error{"cannot run " + Name + ": " + systemMessage(errno)};
  FileDescriptor GuardInput(Ends[0]);
  FileDescriptor OurEnd(Ends[1]);
  SpawnFiles Files, GuardFiles;
  ::posix_spawn_file_actions_addchdir_np(&Files.Actions, Folder.c_str());
  ::posix_spawn_file_actions_addopen(&Files.Actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
  Words.insert(Words.begin(), "instantrace");
  if (const int Failed = spawnIn(0, "/proc/self/exe", Words, Files, Pid))
    return Error{"cannot run " + Name + " in " + Folder + ": " +
                 systemMessage(Failed)};
  ::posix_spawn_file_actions_adddup2(&GuardFiles.Actions, GuardInput.get(),
                                     STDIN_FILENO);
  IsStopped = false;
  if (const int Failed = spawnIn(Pid, "/bin/sh",
                                 {"sh", "-c", GuardScript, std::to_string(Pid)},
                                 GuardFiles, Guard)) {
    stop();
    return Error{"cannot run /bin/sh: " + systemMessage(Failed)};
  }
  Alive = std::move(OurEnd);
  return {};
}

std::optional<int> EditorCommand::take() {
  if (!isRunning())
    return std::nullopt;
  if (IsStopped) {
    const std::vector<pid_t> Others = othersInGroup(Pid);
    if (monotonicNs() >= KillNs)
      for (pid_t Each : Others)
        ::kill(Each, SIGKILL);
    if (!Others.empty())
      return std::nullopt;
  }
  int Status = 0;
  if (::waitpid(Pid, &Status, WNOHANG) == 0)
    return std::nullopt;
  Pid = 0;
  if (Guard != 0) {
    // Before its input ends: what the build has left to run stays.
    ::kill(Guard, SIGKILL);
    ::waitpid(Guard, nullptr, 0);
    Guard = 0;
  }
  Alive = FileDescriptor();
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
}

void EditorCommand::stop() {
  if (!isRunning() || IsStopped)
    return;
  IsStopped = true;
  KillNs = monotonicNs() + PatienceNs;
  ::kill(-Pid, SIGTERM);
}

EditorCommand::~EditorCommand() {
  stop();
  const uint64_t EndNs = monotonicNs() + 4 * PatienceNs;
  while (isRunning() && !take() && monotonicNs() < EndNs)
    ::poll(nullptr, 0, WaitingPauseMs);
}
