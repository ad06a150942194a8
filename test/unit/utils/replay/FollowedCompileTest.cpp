/// \file
/// A compile that is followed: what is news of it, and how it is over.
#include "utils/replay/FollowedCompile.h"

#include "test/unit/support/LeftoverFolder.h"
#include "utils/replay/Timeline.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/wait.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

Position endOf(const InstantiationIndex &X) {
  Result<Timeline> Line = Timeline::make(X);
  return Line ? Line->end() : 0;
}

class FollowedCompileTest : public LeftoverFolder {};

TEST_F(FollowedCompileTest, AnEndAloneIsNews) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.beginNew();
  B.beginNew();
  B.writeNames();
  FollowedCompile Compile(B.bufferPath(), finalPath());
  Result<InstantiationIndex> X = Compile.read();
  ASSERT_TRUE(X) << X.error().Message;
  ASSERT_EQ(endOf(*X), 2u);
  B.end();
  Result<bool> IsMore = Compile.waitForMore(*X);
  ASSERT_TRUE(IsMore) << IsMore.error().Message;
  EXPECT_TRUE(*IsMore);
  EXPECT_EQ(endOf(*X), 3u);
  EXPECT_EQ(X->recordCount(), 2u);
  EXPECT_FALSE(Compile.wasKilled());
}

TEST_F(FollowedCompileTest, IsOverWhenItsCompilerIsKilled) {
  int Ready[2];
  ASSERT_EQ(::pipe(Ready), 0);
  pid_t Child = ::fork();
  ASSERT_GE(Child, 0);
  if (Child == 0) {
    LeftoverBuilder B(finalPath());
    B.start();
    B.beginNew();
    B.writeNames();
    if (::write(Ready[1], "", 1) == 1)
      ::pause();
    ::_exit(1);
  }
  char Byte = 0;
  EXPECT_EQ(::read(Ready[0], &Byte, 1), 1);
  FollowedCompile Compile(Folder + "/.a.itrace.buffer", finalPath());
  Result<InstantiationIndex> X = Compile.read();
  EXPECT_FALSE(Compile.wasKilled());
  ::kill(Child, SIGKILL);
  ::waitpid(Child, nullptr, 0);
  ::close(Ready[0]);
  ::close(Ready[1]);
  ASSERT_TRUE(X) << X.error().Message;
  // What it did last is not missed.
  for (bool IsLast : {true, false}) {
    Result<bool> IsMore = Compile.waitForMore(*X);
    ASSERT_TRUE(IsMore) << IsMore.error().Message;
    EXPECT_EQ(*IsMore, IsLast);
  }
  EXPECT_TRUE(Compile.wasKilled());
  EXPECT_EQ(endOf(*X), 1u);
}

TEST_F(FollowedCompileTest, IsReadFromItsTraceWhenItHasEnded) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.beginNew();
  B.writeNames();
  FollowedCompile Compile(B.bufferPath(), finalPath());
  Result<InstantiationIndex> X = Compile.read();
  ASSERT_TRUE(X) << X.error().Message;
  B.end();
  B.Buffer.drainAll(); // the footer is the last of all
  B.writeFooter();
  B.Buffer.drainAll();
  ASSERT_TRUE(B.Buffer.finish(/*KeepsExisting=*/false));
  for (bool IsLast : {true, false}) {
    Result<bool> IsMore = Compile.waitForMore(*X);
    ASSERT_TRUE(IsMore) << IsMore.error().Message;
    EXPECT_EQ(*IsMore, IsLast);
  }
  EXPECT_FALSE(Compile.wasKilled());
  EXPECT_EQ(endOf(*X), 2u);
}

} // namespace
