/// \file
/// The file that appears when it is complete: what it replaces, who may read it
/// until then, and the hidden names beside it.
#include "runtime/record/TraceFile.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {
/// What happens in the moment before the next renaming; and whether the file
/// system can be told to replace nothing.
std::function<void()> BeforeRename;
bool KnowsFlags = true;
} // namespace

// In place of the C library's.
extern "C" int renameat2(int FromFolder, const char *OldPath, int ToFolder,
                         const char *NewPath, unsigned Flags) noexcept {
  if (auto Before = std::exchange(BeforeRename, nullptr))
    Before();
  if (!KnowsFlags) {
    errno = EINVAL;
    return -1;
  }
  return static_cast<int>(
      ::syscall(SYS_renameat2, FromFolder, OldPath, ToFolder, NewPath, Flags));
}

namespace {

class TraceFiles : public testing::Test {
protected:
  TraceFiles() : Folder(testing::TempDir() + "trace-file-test") {
    fs::remove_all(Folder);
    fs::create_directories(Folder);
    Final = Folder + "/a.itrace";
    Partial = Folder + "/.a.itrace.partial";
  }
  ~TraceFiles() override { fs::remove_all(Folder); }

  static mode_t modeOf(const std::string &Path) {
    struct stat Status;
    return ::lstat(Path.c_str(), &Status) == 0 ? Status.st_mode & 07777 : 0;
  }
  static std::string textOf(const std::string &Path) {
    std::ifstream In(Path);
    return {std::istreambuf_iterator<char>(In), {}};
  }

  std::string Folder, Final, Partial;
};

TEST_F(TraceFiles, IsNobodyElsesUntilItIsComplete) {
  mode_t Before = ::umask(027);
  TraceFile File(Final, Partial);
  EXPECT_TRUE(File.append("abc"));
  ::umask(Before);
  EXPECT_EQ(modeOf(Partial), 0600u);
  File.commit(/*KeepsExisting=*/false);
  EXPECT_EQ(File.error(), "");
  EXPECT_EQ(modeOf(Final), 0640u);
  EXPECT_EQ(textOf(Final), "abc");
  EXPECT_FALSE(fs::exists(Partial));
}

TEST_F(TraceFiles, LeftoverOfOursIsReplacedAndNotEmptied) {
  std::ofstream(Partial) << "old";
  int Old = ::open(Partial.c_str(), O_RDONLY);
  TraceFile File(Final, Partial);
  File.replaceLeftover();
  EXPECT_TRUE(File.append("new")) << File.error();
  EXPECT_EQ(textOf(Partial), "new");
  char Bytes[4] = {};
  EXPECT_EQ(::read(Old, Bytes, 3), 3);
  EXPECT_STREQ(Bytes, "old");
  ::close(Old);
}

// Opening a pipe for writing waits for a reader, for ever.
TEST_F(TraceFiles, PipeIsAnErrorAndNoWait) {
  ASSERT_EQ(::mkfifo(Partial.c_str(), 0666), 0);
  TraceFile File(Final, Partial);
  File.replaceLeftover();
  EXPECT_FALSE(File.append("x"));
  EXPECT_EQ(File.error(), Partial + ": File exists");
  EXPECT_TRUE(fs::is_fifo(Partial));
}

TEST_F(TraceFiles, PlantedFilesAndLinksAreLeftAlone) {
  std::string Victim = Folder + "/victim";
  std::ofstream(Victim) << "precious";
  fs::create_symlink(Victim, Partial);
  TraceFile ByLink(Final, Partial);
  ByLink.replaceLeftover();
  EXPECT_FALSE(ByLink.append("x"));
  EXPECT_EQ(ByLink.error(), Partial + ": File exists");
  fs::remove(Partial);
  fs::create_hard_link(Victim, Partial);
  TraceFile BySecondName(Final, Partial);
  BySecondName.replaceLeftover();
  EXPECT_FALSE(BySecondName.append("x"));
  EXPECT_EQ(textOf(Victim), "precious");
  EXPECT_TRUE(fs::exists(Partial));
  if (::geteuid() != 0)
    return; // nobody else can give files away
  fs::remove(Partial);
  std::ofstream(Partial) << "theirs";
  ASSERT_EQ(::chown(Partial.c_str(), 12345, 12345), 0);
  TraceFile OfAnother(Final, Partial);
  OfAnother.replaceLeftover();
  EXPECT_FALSE(OfAnother.append("x"));
  EXPECT_EQ(textOf(Partial), "theirs");
}

// Modules that are compiled within a compile, by the same process.
TEST_F(TraceFiles, TwoOfOneProcessShareNoPartialFile) {
  TraceFile One(Final), Two(Final);
  EXPECT_TRUE(One.append("one"));
  EXPECT_TRUE(Two.append("two"));
  EXPECT_NE(One.partialPath(), Two.partialPath());
  EXPECT_EQ(textOf(One.partialPath()), "one");
  EXPECT_EQ(textOf(Two.partialPath()), "two");
}

TEST_F(TraceFiles, HiddenNamesAreNewEachTime) {
  std::set<std::string> Names;
  for (int I = 0; I != 1000; ++I)
    Names.insert(uniqueHiddenPath(Final));
  EXPECT_EQ(Names.size(), 1000u);
}

// Only who has a name for itself may replace what is there.
TEST_F(TraceFiles, WhatHasThePartialNameStaysUnlessItIsALeftover) {
  std::ofstream(Partial) << "precious";
  TraceFile File(Final, Partial);
  EXPECT_FALSE(File.append("x"));
  EXPECT_EQ(File.error(), Partial + ": File exists");
  EXPECT_EQ(textOf(Partial), "precious");
}

TEST_F(TraceFiles, LongNamesHaveShortHiddenOnes) {
  // 255 bytes, the most that file systems have; the cut is within a character.
  std::string Name;
  while (Name.size() < 246)
    Name += "\xC3\xA4";
  Name += "0.itrace";
  std::string Long = Folder + "/" + Name;
  std::string Hidden = fs::path(hiddenPath(Long)).filename().string();
  EXPECT_LE(Hidden.size() + std::string(".4194304-999.recovering").size(),
            255u);
  EXPECT_EQ(Hidden.rfind("\xC3-"), std::string::npos) << "half a character";
  std::string Other = Long;
  Other[Other.size() - 8] = '1';
  EXPECT_NE(hiddenPath(Long), hiddenPath(Other));
  TraceFile File(Long);
  EXPECT_TRUE(File.append("x")) << File.error();
  File.commit(/*KeepsExisting=*/false);
  EXPECT_EQ(textOf(Long), "x");
}

// Somebody takes the name between the last look at it and the renaming.
TEST_F(TraceFiles, WhatHasTheNameMeanwhileStays) {
  for (bool Knows : {true, false}) {
    KnowsFlags = Knows;
    TraceFile File(Final, Partial);
    EXPECT_TRUE(File.append("ours"));
    BeforeRename = [this] { std::ofstream(Final) << "theirs"; };
    EXPECT_FALSE(File.commitAsNew());
    EXPECT_EQ(File.error(), "");
    EXPECT_EQ(textOf(Final), "theirs");
    EXPECT_FALSE(fs::exists(Partial));
    fs::remove(Final);
    TraceFile Again(Final, Partial);
    EXPECT_TRUE(Again.append("ours"));
    EXPECT_TRUE(Again.commitAsNew());
    EXPECT_EQ(Again.error(), "");
    EXPECT_EQ(textOf(Final), "ours");
    fs::remove(Final);
  }
  KnowsFlags = true;
  TraceFile Lesser(Final, Partial);
  EXPECT_TRUE(Lesser.append("without events"));
  BeforeRename = [this] { std::ofstream(Final) << "theirs"; };
  Lesser.commit(/*KeepsExisting=*/true);
  EXPECT_EQ(Lesser.error(), "");
  EXPECT_EQ(textOf(Final), "theirs");
  EXPECT_FALSE(fs::exists(Partial));
}

} // namespace
