#include "utils/lsp/EditorCommand.h"

#include "runtime/base/SystemMessage.h"
#include "utils/session/ExecArguments.h"

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace instantrace;

Result<void> EditorCommand::start(std::vector<std::string> Words,
                                  const std::string &Folder) {
  if (isRunning())
    return Error{"another command is still running"};
  Words.insert(Words.begin(), "instantrace");
  const std::vector<char *> Arguments = execArguments(Words);
  posix_spawn_file_actions_t Files;
  posix_spawnattr_t Attributes;
  ::posix_spawn_file_actions_init(&Files);
  ::posix_spawnattr_init(&Attributes);
  ::posix_spawn_file_actions_addchdir_np(&Files, Folder.c_str());
  // The standard output is the protocol's.
  ::posix_spawn_file_actions_addopen(&Files, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&Files, STDERR_FILENO, STDOUT_FILENO);
  ::posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETPGROUP);
  const int Failed = ::posix_spawn(&Pid, "/proc/self/exe", &Files, &Attributes,
                                   Arguments.data(), environ);
  ::posix_spawnattr_destroy(&Attributes);
  ::posix_spawn_file_actions_destroy(&Files);
  IsStopped = false;
  if (Failed == 0)
    return {};
  Pid = 0;
  return Error{"cannot run instantrace " + Words[1] + " in " + Folder + ": " +
               systemMessage(Failed)};
}

std::optional<int> EditorCommand::take() {
  int Status = 0;
  if (!isRunning() || ::waitpid(Pid, &Status, WNOHANG) == 0)
    return std::nullopt;
  Pid = 0;
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
}

void EditorCommand::stop() {
  if (!isRunning())
    return;
  IsStopped = true;
  ::kill(-Pid, SIGTERM);
}
