/// What is made of many things by many threads is used in their order, whatever
/// takes long, fails, is too large, or is not wanted any more.
#include "utils/open/OrderedWork.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

using namespace instantrace;

namespace {

constexpr unsigned Threads = 4;

/// Later things are done first.
void takeTime(size_t Index, size_t Count) {
  std::this_thread::sleep_for(std::chrono::microseconds(20 * (Count - Index)));
}

} // namespace

TEST(OrderedWork, resultsAreUsedInOrder) {
  constexpr size_t Count = 200;
  std::vector<size_t> Results(Count), Used;
  OrderedWork All;
  All.SizesBytes.assign(Count, 1);
  All.Work = [&](size_t Index) {
    takeTime(Index % 8, 8);
    Results[Index] = Index * Index;
  };
  All.Use = [&](size_t Index) {
    EXPECT_EQ(Results[Index], Index * Index);
    Used.push_back(Index);
    return true;
  };
  for (unsigned Most : {Threads, 1u, 0u}) {
    Used.clear();
    Results.assign(Count, 0);
    workInOrder(All, Most);
    std::vector<size_t> Expected(Count);
    std::iota(Expected.begin(), Expected.end(), size_t(0));
    EXPECT_EQ(Used, Expected);
  }
}

TEST(OrderedWork, nothingIsNothing) {
  OrderedWork All;
  All.Work = [](size_t) { FAIL(); };
  All.Use = [](size_t) { return true; };
  workInOrder(All, Threads);
}

TEST(OrderedWork, whoHasEnoughIsLeftInPeace) {
  std::atomic<size_t> BeginCount = 0;
  size_t Used = 0;
  OrderedWork All;
  All.SizesBytes.assign(10000, 1);
  All.Work = [&](size_t) { ++BeginCount; };
  All.Use = [&](size_t Index) {
    ++Used;
    return Index != 3;
  };
  workInOrder(All, Threads);
  EXPECT_EQ(Used, 4u);
  EXPECT_LE(BeginCount, 4 + size_t(OrderedWork::AheadOfEachThread) * Threads);
}

TEST(OrderedWork, whatIsThrownComesInItsTurn) {
  std::vector<size_t> Used;
  OrderedWork All;
  All.SizesBytes.assign(50, 1);
  All.Work = [](size_t Index) {
    takeTime(Index, 50);
    if (Index % 20 == 17)
      throw std::runtime_error("of " + std::to_string(Index));
  };
  All.Use = [&](size_t Index) {
    Used.push_back(Index);
    return true;
  };
  for (unsigned Most : {Threads, 1u}) {
    Used.clear();
    try {
      workInOrder(All, Most);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error &E) {
      EXPECT_STREQ(E.what(), "of 17");
    }
    EXPECT_EQ(Used.size(), 17u);
  }
}

// Neither by their number nor by their size do results wait without a limit.
TEST(OrderedWork, onlySoMuchIsAhead) {
  constexpr uint64_t Large = OrderedWork::MostBytesAhead / 2;
  for (uint64_t SizeBytes : {uint64_t(1), Large, 10 * Large}) {
    std::atomic<size_t> Waiting = 0, Most = 0;
    OrderedWork All;
    All.SizesBytes.assign(60, SizeBytes);
    All.Work = [&](size_t) {
      size_t Now = ++Waiting;
      for (size_t Was = Most;
           Was < Now && !Most.compare_exchange_weak(Was, Now);)
        ;
    };
    All.Use = [&](size_t) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      --Waiting;
      return true;
    };
    workInOrder(All, Threads);
    size_t ByNumber = size_t(OrderedWork::AheadOfEachThread) * Threads;
    size_t ByBytes =
        std::max<uint64_t>(1, OrderedWork::MostBytesAhead / SizeBytes);
    EXPECT_LE(Most, std::min(ByNumber, ByBytes)) << SizeBytes;
  }
}

TEST(OrderedWork, whoWaitsIsCalled) {
  std::atomic<bool> IsCalled = false;
  OrderedWork All;
  All.SizesBytes.assign(2, 1);
  All.Work = [&](size_t Index) {
    while (Index == 0 && !IsCalled)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  All.Use = [](size_t) { return true; };
  All.Waiting = [&] { IsCalled = true; };
  workInOrder(All, Threads);
  EXPECT_TRUE(IsCalled);
}
