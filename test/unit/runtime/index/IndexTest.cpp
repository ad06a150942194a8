#include "runtime/index/Index.h"

#include "test/unit/support/OpenedIndex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

using namespace instantrace;
using namespace instantrace::test;
using testing::ElementsAre;

namespace {

//===----------------------------------------------------------------------===//
// Random compiles, beside a naive reader
//===----------------------------------------------------------------------===//

SampleCompile randomCompile(std::mt19937 &Random, unsigned Events) {
  auto below = [&](unsigned Limit) {
    return static_cast<uint32_t>(Random() % Limit);
  };
  SampleCompile C;
  uint64_t Ns = below(3);
  bool HasMemory = below(2), IsDeep = below(4) == 0;
  for (unsigned I = 0; I != Events; ++I) {
    // Often at the same time, rarely later than 32 bits can say.
    Ns += below(3) == 0 ? 0 : below(40) == 0 ? uint64_t(1) << 33 : below(6);
    if (!C.Open.empty() && below(IsDeep ? 8 : 2) == 0) {
      C.Intervals[C.Open.back()].AstBytes = HasMemory ? below(1000) : 0;
      C.Intervals[C.Open.back()].IsDefinition = below(2);
      C.end(Ns);
      continue;
    }
    SampleInterval With;
    With.Entity = below(SampleEntities + 3); // some are not defined
    With.Location = below(SampleLocations + 2);
    With.Kind = below(10) == 0 ? 36 : 1; // Profiling
    if (!C.Intervals.empty() && below(5) == 0)
      With.Requester = below(static_cast<unsigned>(C.Intervals.size()));
    C.begin(Ns, With);
  }
  if (below(2))
    while (!C.Open.empty())
      C.end(Ns += below(3));
  C.finish();
  return C;
}

class Oracle {
public:
  explicit Oracle(const std::vector<SampleCompile> &Compiles)
      : Compiles(Compiles) {
    for (const SampleCompile &C : Compiles) {
      First.push_back(Total);
      Total += static_cast<uint32_t>(C.Intervals.size());
    }
  }

  void compare(const InstantiationIndex &X) {
    ASSERT_TRUE(X.verify()) << X.fault();
    ASSERT_EQ(X.recordCount(), Total);
    for (uint32_t No = 0; No != Compiles.size(); ++No) {
      compareRecords(X, No);
      compareStacks(X, No);
      compareEvents(X, No);
    }
    compareEntities(X);
    compareLines(X);
  }

private:
  static uint64_t selfNs(const SampleCompile &C, uint32_t Id) {
    uint64_t Ns = C.Intervals[Id].EndNs - C.Intervals[Id].BeginNs;
    for (const SampleInterval &I : C.Intervals)
      if (I.Parent == Id)
        Ns -= I.EndNs - I.BeginNs;
    return Ns;
  }
  static bool isInside(const SampleCompile &C, uint32_t Id, uint32_t Outer) {
    for (; Id != None; Id = C.Intervals[Id].Parent)
      if (Id == Outer)
        return true;
    return false;
  }
  void compareRecords(const InstantiationIndex &X, uint32_t No) {
    const SampleCompile &C = Compiles[No];
    for (uint32_t Id = 0; Id != C.Intervals.size(); ++Id) {
      const SampleInterval &I = C.Intervals[Id];
      InstantiationIndex::Record R;
      ASSERT_TRUE(X.record(First[No] + Id, R)) << X.fault();
      auto Global = [&](uint32_t Number) {
        return Number == None ? None : First[No] + Number;
      };
      EXPECT_EQ(R.BeginNs, I.BeginNs);
      EXPECT_EQ(R.EndNs, I.EndNs);
      EXPECT_EQ(R.SelfNs, selfNs(C, Id));
      EXPECT_EQ(R.OwnBytes, I.AstBytes);
      EXPECT_EQ(R.Parent, Global(I.Parent));
      EXPECT_EQ(R.Requester, Global(I.Requester));
      EXPECT_EQ(R.Compile, No);
      EXPECT_EQ(R.Kind, I.Kind);
      EXPECT_EQ(R.IsOpen, I.IsOpen);
      EXPECT_EQ(R.IsDefinition, I.IsDefinition);
      uint32_t Depth = 0, End = Id + 1;
      for (uint32_t Index = I.Parent; Index != None;
           Index = C.Intervals[Index].Parent)
        ++Depth;
      uint64_t Inside = I.AstBytes, Self = R.SelfNs;
      for (; End != C.Intervals.size() && isInside(C, End, Id); ++End) {
        Inside += C.Intervals[End].AstBytes;
        Self += selfNs(C, End);
      }
      EXPECT_EQ(R.Depth, Depth);
      EXPECT_EQ(R.SubtreeEnd, First[No] + End);
      EXPECT_EQ(R.AllBytes, Inside);
      uint64_t SubtreeNs = 0;
      EXPECT_TRUE(X.selfNs(First[No] + Id, R.SubtreeEnd, SubtreeNs));
      EXPECT_EQ(SubtreeNs, Self);
      EXPECT_EQ(SubtreeNs, I.EndNs - I.BeginNs);
    }
  }

  void compareStacks(const InstantiationIndex &X, uint32_t No) {
    const SampleCompile &C = Compiles[No];
    std::set<uint64_t> Times = {0, UINT64_MAX};
    for (const SampleEvent &E : C.Events)
      Times.insert({E.TimeNs, E.TimeNs + 1, E.TimeNs == 0 ? 0 : E.TimeNs - 1});
    for (uint64_t Index : Times) {
      std::vector<uint32_t> Expected, Found;
      for (auto Id = static_cast<uint32_t>(C.Intervals.size()); Id-- != 0;)
        if (C.Intervals[Id].BeginNs <= Index && Index < C.Intervals[Id].EndNs)
          Expected.push_back(First[No] + Id);
      ASSERT_TRUE(X.stackAt(No, Index, Found)) << X.fault();
      ASSERT_EQ(Found, Expected) << "at " << Index;
    }
  }

  void compareEvents(const InstantiationIndex &X, uint32_t No) {
    const SampleCompile &C = Compiles[No];
    InstantiationIndex::Compile Is;
    ASSERT_TRUE(X.compile(No, Is));
    ASSERT_EQ(X.eventCount(Is), C.Events.size());
    std::vector<uint32_t> Expected, Found;
    for (uint64_t Event = 0; Event != C.Events.size(); ++Event) {
      const SampleEvent &E = C.Events[Event];
      if (E.IsBegin)
        Expected.insert(Expected.begin(), First[No] + E.Interval);
      else
        Expected.erase(Expected.begin());
      uint64_t Ns = 0;
      ASSERT_TRUE(X.stackAfter(No, Event, Found, Ns)) << X.fault();
      ASSERT_EQ(Found, Expected) << "after " << Event;
      ASSERT_EQ(Ns, E.TimeNs);
    }
    EXPECT_FALSE(Opened(indexBytes(Compiles))
                     .stackAfter(No, C.Events.size(), Found, Is.EndNs));
  }

  void compareEntities(const InstantiationIndex &X) {
    for (uint32_t Entity = 1; Entity < SampleEntities; ++Entity) {
      std::vector<uint32_t> Ids, Records, Expected;
      ASSERT_TRUE(X.entitiesNamed(SampleNames[Entity - 1], Ids)) << X.fault();
      ASSERT_EQ(Ids.size(), 1u) << SampleNames[Entity - 1];
      InstantiationIndex::Entity Is;
      std::string Set;
      ASSERT_TRUE(X.entity(Ids[0], Is));
      ASSERT_TRUE(X.templateSetName(Is.TemplateSet, {}, 100, Set));
      EXPECT_EQ(Set, SampleSets[Entity - 1]);
      for (uint32_t No = 0; No != Compiles.size(); ++No)
        for (uint32_t Id = 0; Id != Compiles[No].Intervals.size(); ++Id)
          if (Compiles[No].Intervals[Id].Entity == Entity)
            Expected.push_back(First[No] + Id);
      EXPECT_EQ(Is.RecordCount, Expected.size());
      ASSERT_TRUE(X.recordsOf(Ids[0], Records));
      EXPECT_EQ(Records, Expected);
    }
  }

  void compareLines(const InstantiationIndex &X) {
    for (uint32_t File : {0, 1})
      for (uint32_t Line : {2u, 3u, 7u, 20u}) {
        std::vector<uint32_t> Files, Found, Expected;
        ASSERT_TRUE(X.filesNamed(SampleFiles[File] + 4, Files)) << X.fault();
        ASSERT_EQ(Files.size(), 1u);
        ASSERT_TRUE(X.recordsAt(Files[0], Line, Found)) << X.fault();
        for (uint32_t No = 0; No != Compiles.size(); ++No)
          for (uint32_t Id = 0; Id != Compiles[No].Intervals.size(); ++Id) {
            uint32_t Index = Compiles[No].Intervals[Id].Location;
            if (Index != 0 && Index <= SampleLocations &&
                SampleFileOf[Index - 1] == File &&
                SampleLineOf[Index - 1] == Line)
              Expected.push_back(First[No] + Id);
          }
        EXPECT_EQ(Found, Expected);
      }
  }

  const std::vector<SampleCompile> &Compiles;
  std::vector<uint32_t> First;
  uint32_t Total = 0;
};

TEST(Index, AnswersAsANaiveReaderDoes) {
  std::mt19937 Random(1);
  for (int Round = 0; Round != 25; ++Round) {
    std::vector<SampleCompile> Compiles;
    for (unsigned Count = 1 + Random() % 3; Count != 0; --Count)
      Compiles.push_back(randomCompile(Random, Random() % 120));
    Oracle(Compiles).compare(Opened(indexBytes(Compiles)));
    if (HasFailure())
      FAIL() << "round " << Round;
  }
}

TEST(Index, WindowsOfPostingsMakeTheSameBytes) {
  std::mt19937 Random(5);
  for (int Round = 0; Round != 10; ++Round) {
    std::vector<SampleCompile> Compiles = {randomCompile(Random, 100),
                                           randomCompile(Random, 17)};
    std::string AtOnce = indexBytes(Compiles);
    EXPECT_EQ(indexBytes(Compiles, 1 + Random() % 50), AtOnce);
  }
}

} // namespace
