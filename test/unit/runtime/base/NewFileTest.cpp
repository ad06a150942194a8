#include "runtime/base/NewFile.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Nobody else has it.
std::string newFolder() {
  std::string Name =
      (fs::temp_directory_path() / "instantrace-new-file-XXXXXX").string();
  EXPECT_NE(::mkdtemp(Name.data()), nullptr);
  return Name;
}

/// Has a child make a file, with \p Signal ignored or not, and then end by it;
/// what it ended with, and in \p IsLeft whether the file is there.
template <typename Function>
int endingOf(int Signal, bool Ignores, bool &IsLeft, Function Work) {
  const std::string Folder = newFolder();
  pid_t Child = ::fork();
  if (Child == 0) {
    ::signal(Signal, Ignores ? SIG_IGN : SIG_DFL);
    removeUnfinishedFilesAtEnd();
    UnfinishedFile Made;
    ::close(makeNewFile(Folder + "/x.", ".tmp", O_WRONLY, 0600, Made));
    Work(Made);
    ::raise(Signal);
    ::_exit(0);
  }
  int Status = 0;
  ::waitpid(Child, &Status, 0);
  IsLeft = !fs::is_empty(Folder);
  fs::remove_all(Folder);
  return Status;
}

} // namespace

TEST(NewFile, SignalThatEndsRemovesUnfinished) {
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU}) {
    bool IsLeft = true;
    int Status = endingOf(Signal, false, IsLeft, [](UnfinishedFile &) {});
    EXPECT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == Signal);
    EXPECT_FALSE(IsLeft);
  }
}

TEST(NewFile, IgnoredSignalAndKeptFileStay) {
  bool IsLeft = false;
  int Status = endingOf(SIGHUP, true, IsLeft, [](UnfinishedFile &) {});
  EXPECT_TRUE(WIFEXITED(Status));
  EXPECT_TRUE(IsLeft); // _exit() runs no destructor
  Status =
      endingOf(SIGTERM, false, IsLeft, [](UnfinishedFile &F) { F.keep(); });
  EXPECT_TRUE(WIFSIGNALED(Status));
  EXPECT_TRUE(IsLeft);
}

TEST(NewFile, ChildOfOursRemovesNothing) {
  bool IsLeft = false;
  endingOf(SIGTERM, false, IsLeft, [](UnfinishedFile &F) {
    pid_t Child = ::fork();
    if (Child == 0) {
      ::raise(SIGTERM);
      ::_exit(0);
    }
    ::waitpid(Child, nullptr, 0);
    bool IsThere = fs::exists(F.path());
    if (IsThere)
      F.keep();
  });
  EXPECT_TRUE(IsLeft);
}

TEST(NewFile, MoreThanPlacesAreRemovedByTheirOwners) {
  const std::string Folder = newFolder();
  {
    std::vector<UnfinishedFile> Made(200);
    for (UnfinishedFile &File : Made)
      ::close(makeNewFile(Folder + "/x.", ".tmp", O_WRONLY, 0600, File));
    EXPECT_FALSE(fs::is_empty(Folder));
  }
  EXPECT_TRUE(fs::is_empty(Folder));
  fs::remove(Folder);
}
