/// \file
/// The time of events.
///
/// Source: CLOCK_MONOTONIC, which all processes of a machine share. Where the
///         kernel makes it of a counter of the processor (x86-64's time-stamp
///         counter, arm64's generic timer), that is read instead, in less than
///         half of the time, and tied to CLOCK_MONOTONIC again each millisecond
/// Errors: less than 1 us from CLOCK_MONOTONIC, however long it runs
///         (test/unit/plugin/recorder/ClockTest.cpp); never goes back
/// Threads: one
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>

namespace instantrace {

/// One of the kernel's clocks in nanoseconds.
inline uint64_t nowNs(clockid_t Clock) {
  timespec Now;
  ::clock_gettime(Clock, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

inline uint64_t monotonicNowNs() { return nowNs(CLOCK_MONOTONIC); }

/// Event times are rounded down to this. Reading the clock takes longer, and a
/// record is half a byte shorter in the mean. A power of two.
inline constexpr uint32_t TimeUnitNs = 16;

inline uint64_t roundedToTimeUnit(uint64_t TimeNs) {
  return TimeNs & ~uint64_t(TimeUnitNs - 1);
}

enum class ClockChoice : uint8_t { Auto, Monotonic };

/// Which clock there is: "tsc", "cntvct" (arm64's counter), "monotonic", or
/// "monotonic: REASON".
std::string describeClock(ClockChoice Choice);

inline bool isCounter(const std::string &ClockDescription) {
  return ClockDescription == "tsc" || ClockDescription == "cntvct";
}

/// What a TiedClock reads.
struct MachineTime {
  static uint64_t counter() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t Ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(Ticks));
    return Ticks;
#else
    return 0; // describeClock() does not choose it
#endif
  }
  static uint64_t monotonicNs() { return monotonicNowNs(); }
};

/// \p Machine is another for tests alone.
template <class Machine> class TiedClock {
public:
  explicit TiedClock(bool UsesCounter) : UsesCounter(UsesCounter) {
    if (!UsesCounter)
      return;
    for (unsigned I = 0; I != PairTries; ++I)
      Base = readPair();
    Anchor = Base;
  }

  uint64_t nowNs() {
    if (!UsesCounter)
      return LastNs = std::max(LastNs, Machine::monotonicNs());
    uint64_t Elapsed = Machine::counter() - Anchor.Ticks;
    uint64_t Ns = Elapsed < TicksPerAnchor
                      ? Anchor.Ns + (Elapsed * NsPerTick >> FractionBits)
                      : nowAnchored();
    return LastNs = std::max(LastNs, Ns);
  }

  // The counter alone takes a fifth of nowNs().
  uint64_t ticks() const { return Machine::counter(); }
  /// How many of them are so long; 0: they say nothing, or nothing yet.
  uint64_t ticksIn(uint64_t Ns) const {
    return UsesCounter && NsPerTick != 0 ? (Ns << FractionBits) / NsPerTick : 0;
  }
  /// When ticks() gave that, seconds ago at most. Requires: ticksIn() is not 0.
  uint64_t nsAt(uint64_t Ticks) const {
    auto Since = static_cast<int64_t>(Ticks - Anchor.Ticks);
    return Anchor.Ns +
           static_cast<uint64_t>(static_cast<int64_t>(
               static_cast<double>(Since) * static_cast<double>(NsPerTick) /
               static_cast<double>(uint64_t(1) << FractionBits)));
  }

  /// What was given last; 0: nothing yet.
  uint64_t lastNs() const { return LastNs; }

private:
  /// Both clocks at one moment.
  struct Pair {
    uint64_t Ticks = 0, Ns = 0;
    uint64_t SpreadTicks = 0; ///< what reading them took
  };
  static constexpr unsigned PairTries = 3;
  static constexpr unsigned FractionBits = 32;
  /// Ties are so far apart, and the time over which the counter's rate is found
  /// grows from the first to the second.
  static constexpr uint64_t AnchorNs = 1'000'000;
  static constexpr uint64_t FirstRateNs = AnchorNs / 4, LastRateNs = 16'000'000;

  Pair readPair() {
    uint64_t Before = Machine::counter();
    uint64_t Ns = Machine::monotonicNs();
    uint64_t Spread = Machine::counter() - Before;
    LeastSpreadTicks = std::min(LeastSpreadTicks, Spread);
    return {Before + Spread / 2, Ns, Spread};
  }

  /// CLOCK_MONOTONIC. Unless something came between the two clocks, the counter
  /// is tied to it again.
  [[gnu::noinline]] uint64_t nowAnchored() {
    Pair Now = readPair();
    for (unsigned I = 1; I != PairTries && !isTight(Now); ++I)
      Now = readPair();
    if (isTight(Now))
      tie(Now);
    return Now.Ns;
  }
  bool isTight(const Pair &P) const {
    return P.SpreadTicks / 2 <= LeastSpreadTicks;
  }
  void tie(const Pair &Now) {
    Anchor = Now;
    if (Now.Ns - Base.Ns < RateNs)
      return;
    double PerTick = static_cast<double>(Now.Ns - Base.Ns) /
                     static_cast<double>(Now.Ticks - Base.Ticks);
    // From 10 MHz to 50 GHz; anything else is no counter to go by. An arm64's
    // may have 19.2 or 24 MHz.
    UsesCounter = PerTick > 0.02 && PerTick < 100;
    if (!UsesCounter)
      return;
    NsPerTick = static_cast<uint64_t>(
        PerTick * static_cast<double>(uint64_t(1) << FractionBits));
    TicksPerAnchor = static_cast<uint64_t>(AnchorNs / PerTick);
    Base = Now;
    RateNs = std::min(2 * RateNs, LastRateNs);
  }

  bool UsesCounter;
  Pair Anchor;
  uint64_t TicksPerAnchor = 0; ///< 0: the rate is not known yet
  uint64_t NsPerTick = 0;      ///< in units of 2^-FractionBits
  uint64_t LastNs = 0;         ///< given
  Pair Base;                   ///< from where the rate is found next
  uint64_t RateNs = FirstRateNs;
  uint64_t LeastSpreadTicks = UINT64_MAX;
};

using Clock = TiedClock<MachineTime>;

} // namespace instantrace
