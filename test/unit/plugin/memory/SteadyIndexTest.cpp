#include "plugin/memory/SteadyIndex.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

using namespace instantrace;

namespace {

/// A table as its clients have one: keys by place, and the index of these.
struct Table {
  std::vector<uint64_t> Keys;
  SteadyIndex Index;
  size_t (*HashOf)(uint64_t);

  uint32_t find(uint64_t Key) const {
    return Index.find(HashOf(Key),
                      [&](uint32_t Place) { return Keys[Place] == Key; });
  }
  uint32_t add(uint64_t Key) {
    Keys.push_back(Key);
    auto Place = static_cast<uint32_t>(Keys.size() - 1);
    Index.insert(Place, HashOf(Key),
                 [&](uint32_t Number) { return HashOf(Keys[Number]); });
    return Place;
  }
};

size_t spread(uint64_t Key) { return Key * 0x9E3779B97F4A7C15 >> 20; }
size_t oneBucket(uint64_t /*Key*/) { return 7; }

TEST(SteadyIndex, FindsWhatAMapFinds) {
  Table T{{}, {}, spread};
  std::unordered_map<uint64_t, uint32_t> Oracle;
  uint64_t State = 1;
  EXPECT_EQ(T.find(1), SteadyIndex::None);
  for (unsigned I = 0; I != 20'000; ++I) {
    State = State * 6364136223846793005 + 1442695040888963407;
    uint64_t Key = State >> 50; // some again and again
    auto Known = Oracle.find(Key);
    ASSERT_EQ(T.find(Key),
              Known == Oracle.end() ? SteadyIndex::None : Known->second);
    if (Known == Oracle.end())
      Oracle[Key] = T.add(Key);
  }
  EXPECT_GT(Oracle.size(), 10'000u);
  for (auto [Key, Place] : Oracle)
    ASSERT_EQ(T.find(Key), Place);
}

TEST(SteadyIndex, EqualHashesAreToldApart) {
  Table T{{}, {}, oneBucket};
  for (uint64_t Key = 0; Key != 1000; ++Key)
    EXPECT_EQ(T.add(Key * 3), Key);
  for (uint64_t Key = 0; Key != 3000; ++Key)
    ASSERT_EQ(T.find(Key), Key % 3 == 0 ? Key / 3 : SteadyIndex::None);
}

TEST(SteadyIndex, IsEmptyOnceCleared) {
  Table T{{}, {}, spread};
  T.add(5);
  T.Index.clear();
  EXPECT_EQ(T.find(5), SteadyIndex::None);
  T.Keys.clear();
  EXPECT_EQ(T.add(6), 0u);
  EXPECT_EQ(T.find(6), 0u);
}

} // namespace
