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
#include <functional>
#include <optional>
#include <vector>

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

/// A compile that has begun Box<1> and Box<2>, and a debugger at what it does
/// then.
class PendingBreakpointTest : public LeftoverFolder {
protected:
  PendingBreakpointTest() {
    B.start();
    B.beginNew();
    B.beginNew();
    B.writeNames();
    Result<InstantiationIndex> First = Compile.read();
    EXPECT_TRUE(First) << First.error().Message;
    X = std::move(*First);
    R.emplace(std::move(*Replay::make(*X)));
    R->goTo(R->timeline().end());
    D.emplace(*R, Said.writer(), InstantiationIndex::NameParts());
    D->follow([this]() -> Result<bool> {
      if (Looks == Does.size())
        return false;
      if (Result<void> Done = Does[Looks++](); !Done)
        return Done.error();
      Result<InstantiationIndex> New = Compile.read();
      if (!New)
        return New.error();
      *X = std::move(*New);
      return true;
    });
  }
  void run(const std::string &Line) {
    Result<void> Done = D->execute(Line);
    ASSERT_TRUE(Done) << Line << ": " << Done.error().Message;
  }
  /// One record of Box<2>, whose name is there.
  void useBox2() {
    B.beginAgain(B.State.Entity - 3);
    B.end();
  }

  LeftoverBuilder B{finalPath()};
  FollowedCompile Compile{B.bufferPath(), finalPath()};
  std::optional<InstantiationIndex> X;
  std::optional<Replay> R;
  Answers Said;
  std::optional<Debugger> D;
  /// What the compile does before each look; then it has ended.
  std::vector<std::function<Result<void>()>> Does;
  size_t Looks = 0;
};

// Also if it was done before its name was there.
TEST_F(PendingBreakpointTest, StopsOnceThereIsSuchAName) {
  Does = {[this] { // Box<3>, without a name
            B.beginNew();
            B.end();
            return Result<void>();
          },
          [this] {
            B.beginNew();
            B.writeNames();
            return Result<void>();
          },
          [this] {
            B.end();
            return Result<void>();
          }};
  run("break Box<3>");
  run("tbreak Box<9>");
  run("break b.cpp:7");
  run("info breakpoints");
  EXPECT_EQ(Said.take(), "Breakpoint 1 (Box<3>) pending.\n"
                         "Temporary breakpoint 2 (Box<9>) pending.\n"
                         "Breakpoint 3 (b.cpp:7) pending.\n"
                         "Num  Type        Disp  Enb  What\n"
                         "1    breakpoint  keep  y    <PENDING>  Box<3>\n"
                         "2    breakpoint  del   y    <PENDING>  Box<9>\n"
                         "3    breakpoint  keep  y    <PENDING>  b.cpp:7\n");
  run("continue");
  EXPECT_EQ(Looks, 2u);
  EXPECT_EQ(R->position(), 3u);
  EXPECT_EQ(R->breakpoint(1)->Hits, 1u);
  EXPECT_THAT(Said.take(),
              testing::AllOf(testing::HasSubstr("Breakpoint 1, event 2 of 5"),
                             testing::HasSubstr("Box<3> at a.cpp:3:3")));
  // It is one as any other now.
  run("goto start");
  run("continue");
  EXPECT_EQ(R->position(), 3u);
  Said.take();

  run("continue");
  EXPECT_EQ(Looks, 3u);
  EXPECT_THAT(
      Said.take(),
      testing::StartsWith(
          "Breakpoint 2 (Box<9>) is still pending: the compile has ended "
          "without it.\n"
          "Breakpoint 3 (b.cpp:7) is still pending: the compile has ended "
          "without it.\n"
          "There is nothing behind this.\n"));
  // Nothing comes any more.
  Result<void> Late = D->execute("break Box<9>");
  ASSERT_FALSE(Late);
  EXPECT_THAT(Late.error().Message,
              testing::HasSubstr("found no name 'Box<9>', expected one of"));
}

// Box<3> lies before the stop that the user has come to, when its name comes.
TEST_F(PendingBreakpointTest, StopsAtWhatWasPassedBeforeTheLastStop) {
  Does = {[this] {
            useBox2();
            B.beginNew();
            B.end();
            useBox2();
            useBox2();
            return Result<void>();
          },
          [this] {
            B.beginNew();
            B.writeNames();
            return Result<void>();
          }};
  run("break Box<3>");
  run("break Box<2>");
  run("break -kind TemplateInstantiation -depth 2");
  run("ignore 2 1");
  run("ignore 3 3");
  run("continue");
  EXPECT_EQ(R->position(), 7u); // behind the second Box<2>
  EXPECT_EQ(R->breakpoint(3)->Ignore, 0u);
  run("continue");
  EXPECT_EQ(R->position(), 9u);
  Said.take();
  run("continue");
  EXPECT_EQ(R->position(), 5u);
  EXPECT_THAT(Said.take(), testing::HasSubstr("Breakpoint 1, event 4 of"));
  // As it was there: the first Box<2>, and this one.
  EXPECT_EQ(R->breakpoint(1)->Hits, 1u);
  EXPECT_EQ(R->breakpoint(2)->Hits, 1u);
  EXPECT_EQ(R->breakpoint(2)->Ignore, 0u);
  EXPECT_EQ(R->breakpoint(3)->Hits, 2u);
  EXPECT_EQ(R->breakpoint(3)->Ignore, 1u);
  run("continue");
  EXPECT_EQ(R->position(), 7u);
  EXPECT_EQ(R->breakpoint(2)->Hits, 2u);
  EXPECT_EQ(R->breakpoint(3)->Hits, 3u);
  EXPECT_EQ(R->breakpoint(3)->Ignore, 0u);
  EXPECT_EQ(R->breakpoint(1)->Hits, 1u);
}

TEST_F(PendingBreakpointTest, StopsAtWhatWasPassedBeforeAnInterrupt) {
  Does = {[this] {
            B.beginNew();
            B.end();
            return Result<void>();
          },
          []() -> Result<void> { return Error{"interrupted"}; },
          [this] {
            B.beginNew();
            B.writeNames();
            return Result<void>();
          }};
  run("break Box<3>");
  EXPECT_FALSE(D->execute("continue"));
  EXPECT_EQ(R->position(), 4u);
  run("continue");
  EXPECT_EQ(R->position(), 3u);
  EXPECT_EQ(R->breakpoint(1)->Hits, 1u);
}

// What was done before the breakpoint was made is no stop of it, unless the
// user goes back to there and comes again.
TEST_F(PendingBreakpointTest, MissesNothingBeforeItWasMade) {
  Does = {[this] {
            B.beginNew();
            B.end();
            useBox2();
            return Result<void>();
          },
          [this] {
            B.writeNames();
            B.beginAgain();
            B.end();
            return Result<void>();
          }};
  run("break Box<2>");
  run("continue");
  EXPECT_EQ(R->position(), 5u);
  run("break Box<3>");
  run("continue");
  EXPECT_EQ(Looks, 2u);
  EXPECT_EQ(R->position(), 7u); // the second one
}

TEST_F(PendingBreakpointTest, StopsAtWhatIsPassedOnTheWayFromWhereTheUserIs) {
  Does = {[this] {
            B.beginNew();
            B.end();
            useBox2();
            return Result<void>();
          },
          [this] {
            B.writeNames();
            B.end();
            return Result<void>();
          }};
  run("break Box<2>");
  run("continue");
  run("break Box<3>");
  run("goto 2");
  run("reverse-continue");
  EXPECT_EQ(R->position(), 2u); // Box<2> itself
  run("continue");
  EXPECT_EQ(R->position(), 5u);
  run("continue");
  EXPECT_EQ(R->position(), 3u);
}

// It never was pending.
TEST_F(PendingBreakpointTest, FindsLaterNamesOfAPattern) {
  Does = {[this] {
            B.beginNew();
            B.end();
            B.beginNew();
            B.end();
            return Result<void>();
          },
          [this] {
            B.writeNames();
            B.end();
            return Result<void>();
          }};
  run("rbreak ^Box<[24]>");
  run("break a.cpp:2");
  run("ignore 2 7");
  run("info breakpoints");
  EXPECT_THAT(Said.take(), testing::Not(testing::HasSubstr("PENDING")));
  run("continue");
  EXPECT_EQ(R->position(), 5u); // Box<4>
  EXPECT_EQ(R->breakpoint(1)->Hits, 1u);
  run("continue");
  EXPECT_EQ(R->position(), R->timeline().end());
  EXPECT_EQ(R->breakpoint(1)->Hits, 1u);
}

// Of two, the first one stops first, and ignored ones are counted once.
TEST_F(PendingBreakpointTest, CountsWhatItIgnoresOfThese) {
  Does = {[this] {
            B.beginNew(); // Box<3>
            B.end();
            B.beginAgain(); // and again
            B.end();
            B.beginNew(); // Box<4>
            B.end();
            return Result<void>();
          },
          [this] {
            B.writeNames();
            B.end();
            return Result<void>();
          }};
  run("break Box<3>");
  run("break Box<4>");
  run("ignore 1 1");
  run("continue");
  EXPECT_EQ(R->position(), 5u);
  EXPECT_EQ(R->breakpoint(1)->Hits, 2u);
  EXPECT_EQ(R->breakpoint(2)->Hits, 0u);
  run("continue");
  EXPECT_EQ(R->position(), 7u);
  EXPECT_EQ(R->breakpoint(1)->Hits, 2u);
  EXPECT_EQ(R->breakpoint(2)->Hits, 1u);
}

} // namespace
