#include "plugin/recorder/Clock.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

using namespace instantrace;

namespace {

/// A machine whose time passes as a test has it.
struct MadeUpMachine {
  static inline uint64_t Ns;       ///< CLOCK_MONOTONIC
  static inline double TicksPerNs; ///< of the counter
  static inline uint64_t CounterStart;
  static inline uint64_t ReadNs;              ///< what reading a clock takes
  static inline std::vector<uint64_t> Delays; ///< before the next readings
  static inline unsigned MonotonicReads;

  static void start(double Rate, uint64_t FirstTick = 1'000'000) {
    Ns = 5'000'000'000;
    TicksPerNs = Rate;
    CounterStart = FirstTick;
    ReadNs = 10;
    Delays.clear();
    MonotonicReads = 0;
  }
  static void pass() {
    Ns += ReadNs;
    if (!Delays.empty()) {
      Ns += Delays.back();
      Delays.pop_back();
    }
  }
  static uint64_t counter() {
    pass();
    return CounterStart +
           static_cast<uint64_t>(static_cast<double>(Ns - 5'000'000'000) *
                                 TicksPerNs);
  }
  static uint64_t monotonicNs() {
    pass();
    ++MonotonicReads;
    return Ns;
  }
};

using M = MadeUpMachine;

/// The largest distance from CLOCK_MONOTONIC over \p Readings that are
/// \p StepNs apart, with \p Change made before each.
template <class Function>
uint64_t largestError(TiedClock<M> &Clock, unsigned Readings, uint64_t StepNs,
                      Function Change) {
  uint64_t Largest = 0, Last = 0;
  for (unsigned I = 0; I != Readings; ++I) {
    M::Ns += StepNs;
    Change(I);
    uint64_t Before = M::Ns;
    uint64_t Now = Clock.nowNs();
    EXPECT_GE(Now, Last);
    Last = Now;
    if (Now < Before)
      Largest = std::max(Largest, Before - Now);
    if (Now > M::Ns)
      Largest = std::max(Largest, Now - M::Ns);
  }
  return Largest;
}

void nothing(unsigned) {}

TEST(ClockTest, FollowsCountersOfAnyRate) {
  for (double Rate : {0.024, 0.1, 0.999, 1.0, 2.1, 5.7}) {
    M::start(Rate);
    TiedClock<M> Clock(true);
    // What two ticks are of a slow one.
    EXPECT_LT(largestError(Clock, 1'000'000, 1'000, nothing),
              100 + static_cast<uint64_t>(2 / Rate))
        << std::to_string(Rate);
    // A second with a thousand ties, of a million readings.
    EXPECT_LT(M::MonotonicReads, 4'000u) << std::to_string(Rate);
  }
}

TEST(ClockTest, FollowsACounterWhoseRateDrifts) {
  M::start(2.5);
  TiedClock<M> Clock(true);
  std::mt19937 Random(1);
  // As when the kernel slews CLOCK_MONOTONIC by up to 500 in a million.
  uint64_t Error = largestError(Clock, 3'000'000, 1'000, [&](unsigned I) {
    if (I % 10'000 != 0)
      return;
    double Rate =
        2.5 * (1 + (static_cast<double>(Random() % 1000) - 500) * 1e-6);
    M::CounterStart = M::counter();
    M::CounterStart -= static_cast<uint64_t>(
        static_cast<double>(M::Ns - 5'000'000'000) * Rate);
    M::TicksPerNs = Rate;
  });
  EXPECT_LT(Error, 1'000u);
}

TEST(ClockTest, IsTiedOnlyWhereNothingCameBetween) {
  M::start(3);
  TiedClock<M> Clock(true);
  std::mt19937 Random(2);
  // The processor is often taken away for milliseconds, also between the two
  // clocks.
  uint64_t Error = largestError(Clock, 200'000, 7'000, [&](unsigned) {
    M::Delays.assign(12, 0);
    if (Random() % 4 == 0)
      M::Delays[Random() % M::Delays.size()] = Random() % 5'000'000;
  });
  EXPECT_LT(Error, 1'000u);
}

TEST(ClockTest, WaitsOfAnyLengthDoNoHarm) {
  M::start(1.9);
  TiedClock<M> Clock(true);
  std::mt19937_64 Random(3);
  uint64_t Error = largestError(Clock, 100'000, 500, [&](unsigned I) {
    if (I % 100 == 0)
      M::Ns += Random() % (uint64_t(3'600) * 1'000'000'000);
  });
  EXPECT_LT(Error, 1'000u);
}

TEST(ClockTest, DoesNotGoBackWithTheCounter) {
  M::start(2);
  TiedClock<M> Clock(true);
  // Another processor's counter may be behind.
  uint64_t Error = largestError(Clock, 100'000, 1'000, [&](unsigned I) {
    if (I % 1'000 == 0)
      M::CounterStart -= 5'000;
  });
  // What such a step does to the first rates, which are over a short time.
  EXPECT_LT(Error, 20'000u);
}

TEST(ClockTest, LeavesACounterThatStands) {
  M::start(0);
  TiedClock<M> Clock(true);
  EXPECT_LT(largestError(Clock, 10'000, 1'000, nothing), 100u);
}

TEST(ClockTest, ReadsNoCounterUnlessItMay) {
  M::start(1);
  TiedClock<M> Clock(false);
  EXPECT_EQ(largestError(Clock, 1'000, 1'000, nothing), 0u);
  EXPECT_EQ(M::MonotonicReads, 1'000u);
}

TEST(ClockTest, AgreesWithThisMachine) {
  std::string Description = describeClock(ClockChoice::Auto);
  Clock Time(isCounter(Description));
  uint64_t StartNs = monotonicNowNs(), Last = 0;
  unsigned Readings = 0, Wrong = 0;
  while (monotonicNowNs() - StartNs < 200'000'000) {
    uint64_t Before = monotonicNowNs();
    uint64_t Now = Time.nowNs();
    uint64_t After = monotonicNowNs();
    ASSERT_GE(Now, Last);
    Last = Now;
    ++Readings;
    Wrong += Now + 1'000 < Before || Now > After + 1'000;
  }
  // A virtual machine that is moved may see its clock jump.
  EXPECT_LE(Wrong, Readings / 100) << Description;
}

TEST(ClockTest, SaysWhichItIs) {
  EXPECT_EQ(describeClock(ClockChoice::Monotonic), "monotonic");
  std::string Best = describeClock(ClockChoice::Auto);
  EXPECT_TRUE(isCounter(Best) || Best.rfind("monotonic: ", 0) == 0) << Best;
}

} // namespace
