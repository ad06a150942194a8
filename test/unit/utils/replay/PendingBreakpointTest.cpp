/// \file
/// Breakpoints at what a compile that runs has not done yet.
#include "utils/replay/Debugger.h"
#include "utils/replay/FollowedCompile.h"
#include "utils/replay/ReplayText.h"

#include "test/unit/support/LeftoverFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// What the debugger writes.
class Answers {
public:
  ~Answers() {
    std::fclose(File);
    std::free(Data);
  }
  ReplayText &writer() { return Text; }
  /// Since the last call.
  std::string take() {
    EXPECT_TRUE(Text.finish());
    std::fflush(File);
    std::string New(Data + Taken, Size - Taken);
    Taken = Size;
    return New;
  }

private:
  char *Data = nullptr;
  size_t Size = 0, Taken = 0;
  FILE *File = ::open_memstream(&Data, &Size);
  ReplayText Text{File};
};

class PendingBreakpointTest : public LeftoverFolder {};

// Also if it was done before its name was there.
TEST_F(PendingBreakpointTest, StopsOnceThereIsSuchAName) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.beginNew();
  B.beginNew();
  B.writeNames();
  FollowedCompile Compile(B.bufferPath(), finalPath());
  Result<InstantiationIndex> X = Compile.read();
  ASSERT_TRUE(X) << X.error().Message;
  Result<Replay> R = Replay::make(*X);
  ASSERT_TRUE(R);
  R->goTo(R->timeline().end());
  Answers Said;
  Debugger D(*R, Said.writer(), {});
  int Looks = 0;
  D.follow([&]() -> Result<bool> {
    switch (Looks++) {
    case 0: // Box<3>, without a name
      B.beginNew();
      B.end();
      break;
    case 1:
      B.beginNew();
      B.writeNames();
      break;
    case 2:
      B.end();
      break;
    default:
      return false;
    }
    Result<InstantiationIndex> New = Compile.read();
    if (!New)
      return New.error();
    *X = std::move(*New);
    return true;
  });

  ASSERT_TRUE(D.execute("break Box<3>"));
  ASSERT_TRUE(D.execute("tbreak Box<9>"));
  ASSERT_TRUE(D.execute("break b.cpp:7"));
  ASSERT_TRUE(D.execute("info breakpoints"));
  EXPECT_EQ(Said.take(), "Breakpoint 1 (Box<3>) pending.\n"
                         "Temporary breakpoint 2 (Box<9>) pending.\n"
                         "Breakpoint 3 (b.cpp:7) pending.\n"
                         "Num  Type        Disp  Enb  What\n"
                         "1    breakpoint  keep  y    <PENDING>  Box<3>\n"
                         "2    breakpoint  del   y    <PENDING>  Box<9>\n"
                         "3    breakpoint  keep  y    <PENDING>  b.cpp:7\n");
  ASSERT_TRUE(D.execute("continue"));
  EXPECT_EQ(Looks, 2);
  EXPECT_EQ(R->position(), 3u);
  EXPECT_EQ(R->breakpoint(1)->Hits, 1u);
  EXPECT_THAT(Said.take(),
              testing::AllOf(testing::HasSubstr("Breakpoint 1, event 2 of 5"),
                             testing::HasSubstr("Box<3> at a.cpp:3:3")));
  // It is one as any other now.
  ASSERT_TRUE(D.execute("goto start"));
  ASSERT_TRUE(D.execute("continue"));
  EXPECT_EQ(R->position(), 3u);
  Said.take();

  ASSERT_TRUE(D.execute("continue"));
  EXPECT_EQ(Looks, 4);
  EXPECT_THAT(
      Said.take(),
      testing::StartsWith(
          "Breakpoint 2 (Box<9>) is still pending: the compile has ended "
          "without it.\n"
          "Breakpoint 3 (b.cpp:7) is still pending: the compile has ended "
          "without it.\n"
          "There is nothing behind this.\n"));
  // Nothing comes any more.
  Result<void> Late = D.execute("break Box<9>");
  ASSERT_FALSE(Late);
  EXPECT_THAT(Late.error().Message,
              testing::HasSubstr("found no name 'Box<9>', expected one of"));
}

} // namespace
