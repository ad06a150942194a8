#include "utils/session/SystemCheck.h"

#include "utils/open/Leftovers.h"
#include "utils/render/NumberText.h"
#include "utils/session/BuildEnvironment.h"
#include "utils/session/CommandOutput.h"
#include "utils/session/SessionFolder.h"
#include "utils/system/FileDescriptor.h"

#include <cerrno>
#include <filesystem>
#include <sys/inotify.h>
#include <sys/mman.h>

using namespace instantrace;

namespace {

constexpr const char *SystemGroup = "system";
constexpr int ProgramPatienceMs = 5'000;

HealthCheck goodCheck(const char *What, std::string Found) {
  return {SystemGroup, What, HealthState::Good, std::move(Found)};
}

/// What `record` gets the events of compiles through.
HealthCheck checkSharedMemory() {
  FileDescriptor Memory(::memfd_create("instantrace-doctor", MFD_CLOEXEC));
  constexpr off_t BufferBytes = off_t(256) * 1024;
  if (Memory && ::ftruncate(Memory.get(), BufferBytes) == 0)
    return goodCheck("memory of compiles", "memfd works");
  return {SystemGroup, "memory of compiles", HealthState::Problem,
          "memfd: " + systemMessage(errno),
          "`record` and `run` need it, -fplugin does not; a container may "
          "forbid memfd_create"};
}

HealthCheck checkSocketFolder() {
  Result<PrivateFolder> Folder = PrivateFolder::make();
  if (!Folder)
    return {SystemGroup, "folder for sockets", HealthState::Problem,
            Folder.error().Message,
            "name a short one that you may write in by TMPDIR"};
  return goodCheck("folder for sockets", Folder->path());
}

HealthCheck checkWatching() {
  if (FileDescriptor(::inotify_init1(IN_CLOEXEC)))
    return goodCheck("counting of GCC", "inotify works");
  return {SystemGroup, "counting of GCC", HealthState::Note,
          "inotify: " + systemMessage(errno),
          "compiles by GCC in a build are not counted; raise "
          "fs.inotify.max_user_instances"};
}

/// Buffers and traces are files, up to the size of the largest trace.
HealthCheck checkFileSize() {
  constexpr rlim_t Enough = rlim_t(64) << 20;
  rlimit Limit = {};
  if (::getrlimit(RLIMIT_FSIZE, &Limit) != 0 || Limit.rlim_cur >= Enough)
    return goodCheck("size of files",
                     Limit.rlim_cur == RLIM_INFINITY
                         ? "not limited"
                         : "up to " + sizeText(Limit.rlim_cur));
  return {SystemGroup, "size of files", HealthState::Problem,
          "limited to " + sizeText(Limit.rlim_cur),
          "traces of large files are cut there; raise it by ulimit -f"};
}

HealthCheck checkOpenFiles() {
  constexpr rlim_t Enough = 256;
  rlimit Limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &Limit) != 0 || Limit.rlim_max >= Enough)
    return goodCheck("open files", "up to " + groupedText(Limit.rlim_max));
  return {SystemGroup, "open files", HealthState::Note,
          "limited to " + groupedText(Limit.rlim_max),
          "`record` has a few for each compile that runs; raise it by ulimit "
          "-n for builds of many at a time"};
}

HealthCheck checkRoom() {
  constexpr uint64_t Enough = uint64_t(100) << 20;
  std::error_code Failed;
  uint64_t FreeBytes = std::filesystem::space(".", Failed).available;
  if (Failed)
    return {SystemGroup, "room in this folder", HealthState::Note,
            Failed.message()};
  if (FreeBytes >= Enough)
    return goodCheck("room in this folder", sizeText(FreeBytes));
  return {SystemGroup, "room in this folder", HealthState::Note,
          sizeText(FreeBytes),
          "a trace has about as many bytes as the object of a debug build"};
}

/// Of programs that are of use, and not needed.
HealthCheck checkProgram(const char *Program, const char *Use) {
  CommandOutput Said = runShortly({Program, "--version"}, ProgramPatienceMs);
  std::string Text;
  if (Said.StartError != 0)
    Text = std::string("not here; ") + Use;
  else if (Said.isGood())
    Text = firstLine(Said.Text);
  else // ClickHouse 18 has no such option
    Text = "here, and does not tell its version";
  return {SystemGroup, Program, HealthState::Good, Text};
}

} // namespace

std::vector<HealthCheck> instantrace::checkSystem() {
  std::vector<HealthCheck> Checks = {checkSharedMemory(), checkSocketFolder(),
                                     checkFileSize(),     checkRoom(),
                                     checkOpenFiles(),    checkWatching()};
  for (const std::string &Variable : ownEnvironment())
    if (Variable.starts_with("INSTANTRACE_DISABLE=") &&
        Variable != "INSTANTRACE_DISABLE=" &&
        Variable != "INSTANTRACE_DISABLE=0")
      Checks.push_back({SystemGroup, "environment", HealthState::Problem,
                        Variable, "nothing is recorded as long as it is set"});
    else if (Variable.starts_with("INSTANTRACE_") &&
             !Variable.starts_with("INSTANTRACE_BRANCH=")) // of `record` alone
      Checks.push_back({SystemGroup, "environment", HealthState::Note, Variable,
                        "it applies to every compile with the plugin"});
  Checks.push_back(checkProgram("git", "a session has no revision without it"));
  Checks.push_back(checkProgram(
      "clickhouse-server", "only a store on a server of your own needs it"));
  return Checks;
}
