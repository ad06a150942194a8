#include "runtime/index/Index.h"

#include "test/unit/support/IndexSamples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

using namespace instantrace;
using namespace instantrace::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// With the bytes that it reads.
struct Opened : InstantiationIndex {
  explicit Opened(std::string From) : Bytes(std::move(From)) {
    std::string Why;
    EXPECT_TRUE(fromBytes(Bytes, "x.itx", *this, Why)) << Why;
  }
  const std::string Bytes;
};

std::vector<uint32_t> stackAt(const InstantiationIndex &X, uint64_t TimeNs) {
  std::vector<uint32_t> Ids;
  EXPECT_TRUE(X.stackAt(0, TimeNs, Ids)) << X.fault();
  return Ids;
}

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
  static uint64_t inclusiveNs(const SampleCompile &C, uint32_t Id) {
    const SampleInterval &I = C.Intervals[Id];
    uint64_t Ns = I.EndNs - I.BeginNs;
    if (I.Kind == 36)
      return Ns;
    for (uint32_t J = Id + 1; J < C.Intervals.size(); ++J) {
      const SampleInterval &Inner = C.Intervals[J];
      if (Inner.Kind != 36 || !isInside(C, J, Id))
        continue;
      bool IsOutermost = true;
      for (uint32_t At = Inner.Parent; At != Id; At = C.Intervals[At].Parent)
        IsOutermost &= C.Intervals[At].Kind != 36;
      if (IsOutermost)
        Ns -= Inner.EndNs - Inner.BeginNs;
    }
    return Ns;
  }

  void compareRecords(const InstantiationIndex &X, uint32_t No) {
    const SampleCompile &C = Compiles[No];
    for (uint32_t Id = 0; Id != C.Intervals.size(); ++Id) {
      const SampleInterval &I = C.Intervals[Id];
      InstantiationIndex::Record R;
      ASSERT_TRUE(X.record(First[No] + Id, R)) << X.fault();
      auto Global = [&](uint32_t Of) {
        return Of == None ? None : First[No] + Of;
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
      for (uint32_t At = I.Parent; At != None; At = C.Intervals[At].Parent)
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
      std::vector<uint32_t> Chain, Expected;
      for (uint32_t At = Id; At != None; At = C.Intervals[At].Requester != None
                                                  ? C.Intervals[At].Requester
                                                  : C.Intervals[At].Parent)
        Expected.push_back(First[No] + At);
      EXPECT_TRUE(X.chain(First[No] + Id, Chain));
      EXPECT_EQ(Chain, Expected);
    }
  }

  void compareStacks(const InstantiationIndex &X, uint32_t No) {
    const SampleCompile &C = Compiles[No];
    std::set<uint64_t> Times = {0, UINT64_MAX};
    for (const SampleEvent &E : C.Events)
      Times.insert({E.TimeNs, E.TimeNs + 1, E.TimeNs == 0 ? 0 : E.TimeNs - 1});
    for (uint64_t At : Times) {
      std::vector<uint32_t> Expected, Found;
      for (auto Id = static_cast<uint32_t>(C.Intervals.size()); Id-- != 0;)
        if (C.Intervals[Id].BeginNs <= At && At < C.Intervals[Id].EndNs)
          Expected.push_back(First[No] + Id);
      ASSERT_TRUE(X.stackAt(No, At, Found)) << X.fault();
      ASSERT_EQ(Found, Expected) << "at " << At;
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

  /// By \p Group of an entity: its name, or its template set's.
  template <class GroupOf>
  std::map<std::string, InstantiationIndex::Cost> costs(GroupOf Group) {
    std::map<std::string, InstantiationIndex::Cost> Costs;
    std::map<std::string, uint64_t> LargestNs;
    for (uint32_t No = 0; No != Compiles.size(); ++No) {
      const SampleCompile &C = Compiles[No];
      for (uint32_t Id = 0; Id != C.Intervals.size(); ++Id) {
        std::string Name = Group(C.Intervals[Id].Entity);
        if (Name.empty())
          continue;
        auto [At, IsNew] = Costs.try_emplace(Name);
        bool IsOutermost = true;
        for (uint32_t Outer = C.Intervals[Id].Parent; Outer != None;
             Outer = C.Intervals[Outer].Parent)
          IsOutermost &= Group(C.Intervals[Outer].Entity) != Name;
        uint64_t Ns = inclusiveNs(C, Id);
        At->second.SelfNs += selfNs(C, Id);
        At->second.InclusiveNs += IsOutermost ? Ns : 0;
        At->second.AstBytes += C.Intervals[Id].AstBytes;
        At->second.Count += 1;
        At->second.Definitions += C.Intervals[Id].IsDefinition;
        if (IsNew || Ns > LargestNs[Name]) {
          LargestNs[Name] = Ns;
          At->second.Costliest = First[No] + Id;
        }
      }
    }
    return Costs;
  }
  static void expectEqual(const InstantiationIndex::Cost &Found,
                          const InstantiationIndex::Cost &Expected) {
    EXPECT_EQ(Found.SelfNs, Expected.SelfNs);
    EXPECT_EQ(Found.InclusiveNs, Expected.InclusiveNs);
    EXPECT_EQ(Found.AstBytes, Expected.AstBytes);
    EXPECT_EQ(Found.Count, Expected.Count);
    EXPECT_EQ(Found.Definitions, Expected.Definitions);
    if (Expected.Count != 0) {
      EXPECT_EQ(Found.Costliest, Expected.Costliest);
    }
  }

  void compareEntities(const InstantiationIndex &X) {
    auto NameOf = [](uint32_t Entity) {
      return std::string(Entity == 0 || Entity > SampleEntities
                             ? ""
                             : SampleNames[Entity - 1]);
    };
    auto SetOf = [](uint32_t Entity) {
      return std::string(
          Entity == 0 || Entity > SampleEntities ? "" : SampleSets[Entity - 1]);
    };
    auto ByName = costs(NameOf), BySet = costs(SetOf);
    for (uint32_t Entity = 1; Entity < SampleEntities; ++Entity) {
      std::string Name = NameOf(Entity);
      std::vector<uint32_t> Ids, Records, Expected;
      ASSERT_TRUE(X.entitiesNamed(Name, Ids)) << X.fault();
      ASSERT_EQ(Ids.size(), 1u) << Name;
      InstantiationIndex::Cost Cost;
      ASSERT_TRUE(X.entityCost(Ids[0], Cost));
      expectEqual(Cost, ByName[Name]);
      EXPECT_EQ(Cost.Memoized, (Entity - 1) * Compiles.size());
      for (uint32_t No = 0; No != Compiles.size(); ++No)
        for (uint32_t Id = 0; Id != Compiles[No].Intervals.size(); ++Id)
          if (Compiles[No].Intervals[Id].Entity == Entity)
            Expected.push_back(First[No] + Id);
      ASSERT_TRUE(X.recordsOf(Ids[0], Records));
      EXPECT_EQ(Records, Expected);
    }
    std::vector<uint32_t> Best;
    for (size_t Wanted : {1, 2, 0}) {
      ASSERT_TRUE(X.costliestTemplateSets(InstantiationIndex::Order::Self,
                                          Wanted, Best));
      EXPECT_EQ(Best.size(), Wanted == 0 ? BySet.size() == 0
                                               ? X.templateSetCount()
                                               : X.templateSetCount()
                                         : std::min<size_t>(Wanted, 2));
      uint64_t Before = UINT64_MAX;
      for (uint32_t Set : Best) {
        InstantiationIndex::Cost Cost;
        std::string Name;
        ASSERT_TRUE(X.templateSetCost(Set, Cost));
        ASSERT_TRUE(X.templateSetName(Set, {}, 100, Name));
        expectEqual(Cost, BySet[Name]);
        EXPECT_LE(Cost.SelfNs, Before);
        Before = Cost.SelfNs;
      }
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
            uint32_t At = Compiles[No].Intervals[Id].Location;
            if (At != 0 && At <= SampleLocations &&
                SampleFileOf[At - 1] == File && SampleLineOf[At - 1] == Line)
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

TEST(Index, RulesAreThoseThatItWasMadeBy) {
  std::vector<SampleCompile> Compiles(1);
  std::vector<std::string> Rules;
  EXPECT_TRUE(Opened(indexBytes(Compiles)).rules(Rules));
  EXPECT_THAT(Rules, ElementsAre("collapse-defaults", "map /a=/b"));
  EXPECT_TRUE(Opened(indexBytes(Compiles, 9, {})).rules(Rules));
  EXPECT_TRUE(Rules.empty());
}

// Several blocks of ranges, and of sums.
TEST(Index, AnswersAcrossBlocks) {
  SampleCompile C;
  for (uint64_t I = 0; I != 20000; ++I) {
    C.begin(I * 10, {.AstBytes = 3});
    C.begin(I * 10 + 2, {.AstBytes = I});
    C.end(I * 10 + 5);
    C.end(I * 10 + 7);
  }
  Opened X(indexBytes({C}));
  ASSERT_TRUE(X.verify()) << X.fault();
  for (uint32_t I = 0; I < 20000; I += 7) {
    uint64_t Ns = uint64_t(I) * 10;
    EXPECT_THAT(stackAt(X, Ns), ElementsAre(2 * I));
    EXPECT_THAT(stackAt(X, Ns + 4), ElementsAre(2 * I + 1, 2 * I));
    EXPECT_THAT(stackAt(X, Ns + 5), ElementsAre(2 * I));
    EXPECT_THAT(stackAt(X, Ns + 7), IsEmpty());
  }
  uint64_t Ns = 0;
  EXPECT_TRUE(X.selfNs(2, 40000, Ns));
  EXPECT_EQ(Ns, uint64_t(19999) * 7);
}

/// Begins that are close together here and far apart there, some levels deep.
SampleCompile unevenCompile(uint32_t Count) {
  std::mt19937 Random(4);
  SampleCompile C;
  uint64_t Ns = 0;
  for (uint32_t I = 0; I != Count; ++I) {
    Ns += I % 5000 == 0 ? uint64_t(1) << 36
                        : 1 + Random() % (I < Count / 2 ? 3 : 900);
    while (!C.Open.empty() && Random() % 16 >= 16 - C.Open.size())
      C.end(++Ns);
    C.begin(Ns);
  }
  while (!C.Open.empty())
    C.end(++Ns);
  return C;
}

/// At the begin of each interval, beside the intervals around it.
void expectStacks(const InstantiationIndex &X, const SampleCompile &C) {
  std::vector<uint32_t> Ids, Wanted;
  for (uint32_t Id = 0; Id != C.Intervals.size(); ++Id) {
    ASSERT_TRUE(X.stackAt(0, C.Intervals[Id].BeginNs, Ids)) << X.fault();
    Wanted.clear();
    for (uint32_t At = Id; At != test::None; At = C.Intervals[At].Parent)
      Wanted.push_back(At);
    ASSERT_EQ(Ids, Wanted) << Id;
  }
}

TEST(Index, StacksAreFoundWhereTimesAreUneven) {
  const SampleCompile C = unevenCompile(30000);
  expectStacks(Opened(indexBytes({C})), C);
}

TEST(Index, SeveralThreadsMayAskAtOnce) {
  const SampleCompile C = unevenCompile(12000);
  Opened X(indexBytes({C}));
  std::vector<std::thread> Asking;
  for (int I = 0; I != 4; ++I)
    Asking.emplace_back([&] { expectStacks(X, C); });
  for (std::thread &T : Asking)
    T.join();
}

//===----------------------------------------------------------------------===//
// What SymCache had wrong once
//===----------------------------------------------------------------------===//

TEST(Index, GapBetweenSiblingsIsTheParents) {
  SampleCompile C;
  C.begin(0);
  C.begin(10);
  C.end(20);
  C.begin(30);
  C.end(40);
  C.end(50);
  Opened X(indexBytes({C}));
  EXPECT_THAT(stackAt(X, 19), ElementsAre(1, 0));
  EXPECT_THAT(stackAt(X, 20), ElementsAre(0));
  EXPECT_THAT(stackAt(X, 30), ElementsAre(2, 0));
  EXPECT_THAT(stackAt(X, 49), ElementsAre(0));
  EXPECT_THAT(stackAt(X, 50), IsEmpty());
}

TEST(Index, HolesAreNobodys) {
  SampleCompile C;
  C.begin(10);
  C.end(20);
  C.begin(30);
  C.end(40);
  Opened X(indexBytes({C}));
  for (uint64_t Hole : {uint64_t(0), uint64_t(9), uint64_t(20), uint64_t(29),
                        uint64_t(40), UINT64_MAX})
    EXPECT_THAT(stackAt(X, Hole), IsEmpty()) << Hole;
  EXPECT_THAT(stackAt(X, 10), ElementsAre(0));
  EXPECT_THAT(stackAt(X, 39), ElementsAre(1));
}

TEST(Index, ChildMayTakeAllOfItsParent) {
  SampleCompile C;
  C.begin(5);
  C.begin(5);
  C.end(9);
  C.end(9);
  Opened X(indexBytes({C}));
  EXPECT_THAT(stackAt(X, 5), ElementsAre(1, 0));
  InstantiationIndex::Record R;
  ASSERT_TRUE(X.record(0, R));
  EXPECT_EQ(R.SelfNs, 0u);
}

TEST(Index, RecordWithoutTimeIsThereButNeverInnermost) {
  SampleCompile C;
  C.begin(0);
  C.begin(4);
  C.end(4);
  C.begin(4);
  C.end(6);
  C.end(6);
  Opened X(indexBytes({C}));
  EXPECT_THAT(stackAt(X, 4), ElementsAre(2, 0));
  InstantiationIndex::Record R;
  ASSERT_TRUE(X.record(1, R));
  EXPECT_EQ(R.BeginNs, 4u);
  EXPECT_EQ(R.EndNs, 4u);
}

TEST(Index, NestsAHundredThousandDeep) {
  constexpr uint32_t Deep = 100000;
  SampleCompile C;
  for (uint32_t I = 0; I != Deep; ++I)
    C.begin(I);
  for (uint32_t I = 0; I != Deep; ++I)
    C.end(Deep + I);
  Opened X(indexBytes({C}));
  ASSERT_TRUE(X.verify()) << X.fault();
  EXPECT_EQ(stackAt(X, Deep).size(), Deep - 1);
  InstantiationIndex::Record R;
  ASSERT_TRUE(X.record(Deep - 1, R));
  EXPECT_EQ(R.Depth, Deep - 1);
  std::vector<uint32_t> Ids;
  uint64_t Ns = 0;
  ASSERT_TRUE(X.stackAfter(0, Deep + 9, Ids, Ns));
  EXPECT_EQ(Ids.size(), Deep - 10);
}

TEST(Index, BytesMayBeginAnywhere) {
  SampleCompile C;
  C.begin(1, {.Entity = 1, .Location = 1});
  C.end(2);
  std::string Bytes = indexBytes({C});
  std::string Expected = answers(Opened(Bytes));
  for (size_t Shift = 1; Shift != 8; ++Shift) {
    std::string Shifted(Shift, 'x');
    Shifted += Bytes;
    InstantiationIndex X;
    std::string Why;
    ASSERT_TRUE(InstantiationIndex::fromBytes(
        std::string_view(Shifted).substr(Shift), "x", X, Why));
    EXPECT_EQ(answers(X), Expected);
  }
}

TEST(Index, OneEntityInSeveralCompilesIsOne) {
  SampleCompile C;
  C.begin(1, {.Entity = 1, .Location = 1});
  C.end(2);
  Opened X(indexBytes({C, C, C}));
  std::vector<uint32_t> Ids;
  ASSERT_TRUE(X.entitiesNamed("A<int>", Ids));
  ASSERT_EQ(Ids.size(), 1u);
  std::vector<uint32_t> Records;
  ASSERT_TRUE(X.recordsOf(Ids[0], Records));
  EXPECT_THAT(Records, ElementsAre(0, 1, 2));
  EXPECT_EQ(X.fileCount(), 2u);
}

} // namespace
