/// \file
/// What a thread waited is found, once, and never more than that.
#include "plugin/recorder/ProcessorTime.h"

#include <gtest/gtest.h>

using namespace instantrace;

namespace {

/// A thread that runs and waits as a test has it.
struct MadeUpThread {
  static inline uint64_t WallNs, RanNs;
  static uint64_t nowNs() { return RanNs; }
  static void start() {
    WallNs = 7'000'000'000;
    RanNs = 30'000'000;
  }
  static void run(uint64_t Ns) {
    WallNs += Ns;
    RanNs += Ns;
  }
  static void wait(uint64_t Ns) { WallNs += Ns; }
};

using M = MadeUpThread;

class ProcessorTimeTest : public testing::Test {
protected:
  ProcessorTimeTest() {
    M::start();
    EXPECT_EQ(event(), 0u);
  }
  /// As the recorder does for each event.
  uint64_t event() {
    const uint64_t BeforeNs = LastNs;
    LastNs = M::WallNs;
    return Tested.mayHaveWaited(BeforeNs, LastNs)
               ? Tested.findWait(BeforeNs, LastNs)
               : 0;
  }
  uint64_t LastNs = 0;
  TimeOnProcessor<M> Tested;
};

TEST_F(ProcessorTimeTest, RunningIsNoWait) {
  for (int I = 0; I != 100; ++I) {
    M::run(1'000'000);
    EXPECT_EQ(event(), 0u);
  }
}

TEST_F(ProcessorTimeTest, ALostProcessorIsFoundAtTheNextEvent) {
  M::run(1'000);
  M::wait(4'000'000);
  M::run(2'000);
  EXPECT_EQ(event(), 4'000'000u);
  M::run(1'000'000);
  EXPECT_EQ(event(), 0u) << "it is found once";
}

TEST_F(ProcessorTimeTest, ShortLossesAreFoundTogetherInTheNextLongTime) {
  for (int I = 0; I != 10; ++I) {
    M::run(1'000);
    M::wait(16'000);
    EXPECT_EQ(event(), 0u) << "too short for a look";
  }
  M::run(200'000);
  EXPECT_EQ(event(), 160'000u);
}

TEST_F(ProcessorTimeTest, AWaitIsNotLongerThanTheTimeSinceTheEventBefore) {
  for (int I = 0; I != 10; ++I) {
    M::wait(16'000);
    event();
  }
  M::run(60'000);
  EXPECT_EQ(event(), 60'000u) << "times would go back otherwise";
  M::run(600'000);
  EXPECT_EQ(event(), 100'000u) << "the rest";
}

TEST_F(ProcessorTimeTest, TimesAreMultiplesOfTheUnit) {
  M::wait(1'000'007);
  EXPECT_EQ(event(), 1'000'000u);
}

} // namespace
