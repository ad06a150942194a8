/// \file
/// Leftovers in a folder that others can write to: files and folders that are
/// exchanged for links while they are looked at.
#include "utils/open/Leftovers.h"

#include "test/unit/support/LeftoverFolder.h"
#include "utils/recover/RecoveryTarget.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

using namespace instantrace;
using namespace instantrace::test;
namespace fs = std::filesystem;

namespace {

class SharedFolder : public LeftoverFolder {
protected:
  SharedFolder() {
    fs::create_directories(Folder + "/shared/sub");
    fs::create_directories(Folder + "/owner");
    std::ofstream(File) << "x";
    std::ofstream(Folder + "/owner/.a.itrace.buffer") << "precious";
  }

  std::string Shared = Folder + "/shared";
  std::string File = Shared + "/sub/.a.itrace.buffer";
};

TEST_F(SharedFolder, FolderThatBecameALinkIsRefused) {
  EXPECT_TRUE(openFolderOf(File, Shared));
  fs::remove_all(Shared + "/sub");
  fs::create_directory_symlink(Folder + "/owner", Shared + "/sub");
  Result<FileDescriptor> Opened = openFolderOf(File, Shared);
  ASSERT_FALSE(Opened);
  EXPECT_EQ(Opened.error().Message, File + ": not a directory");
  EXPECT_TRUE(openFolderOf(File, "")) << "whoever names a path knows it";
}

TEST_F(SharedFolder, FileThatBecameALinkIsRefused) {
  FileDescriptor Open = openRegularFile(Folder + "/owner/.a.itrace.buffer");
  Result<FileDescriptor> In = openFolderOf(File, Shared);
  ASSERT_TRUE(In);
  std::string Other =
      File + ": found another file of that name when it was opened";
  Result<void> Same = checkIsIn(*In, File, Open, /*FollowsLink=*/false);
  ASSERT_FALSE(Same);
  EXPECT_EQ(Same.error().Message, Other);
  fs::remove(File);
  fs::create_symlink(Folder + "/owner/.a.itrace.buffer", File);
  Same = checkIsIn(*In, File, Open, /*FollowsLink=*/false);
  ASSERT_FALSE(Same);
  EXPECT_EQ(Same.error().Message, Other);
  EXPECT_TRUE(checkIsIn(*In, File, Open, /*FollowsLink=*/true));
  EXPECT_EQ(removeFile(*In, File, Open), ESTALE);
  EXPECT_TRUE(fs::exists(Folder + "/owner/.a.itrace.buffer"));
  EXPECT_TRUE(fs::is_symlink(File));
}

TEST_F(SharedFolder, LinkAtTheTracesNameIsLeftAlone) {
  LeftoverBuilder B(finalPath());
  B.start();
  std::string Bytes = recovered(B.image(), B.partial()).Bytes;
  B.Buffer.discard();
  std::string Victim = Folder + "/owner/victim.itrace";
  std::ofstream(Victim) << Bytes.substr(0, Bytes.size() / 2);
  fs::create_symlink(Victim, Shared + "/sub/a.itrace");
  Result<FileDescriptor> In = openFolderOf(File, Shared);
  ASSERT_TRUE(In);
  RecoveryTarget Target("");
  Result<RecoveryTarget::Written> R = Target.write(Bytes, *In, "a.itrace");
  ASSERT_TRUE(R) << R.error().Message;
  EXPECT_EQ(fs::path(R->Path).filename(), "a.recovered.itrace");
  EXPECT_EQ(contentOf(Victim).size(), Bytes.size() / 2);
  EXPECT_TRUE(fs::is_symlink(Shared + "/sub/a.itrace"));
}

} // namespace
