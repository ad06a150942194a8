/// \file
/// User frames: the nearest location outside system headers, and its costs.
#include "test/unit/support/ModelCosts.h"
#include "test/unit/support/SampleTraces.h"
#include "test/unit/support/TraceBuilder.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/analysis/view/UserFrame.h"

#include <gtest/gtest.h>

#include <map>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// The user frame of one interval, when all have begun and ended.
uint32_t frame(const Trace &T, uint32_t Interval) {
  class Frames final : public EventSink {
  public:
    explicit Frames(const Sequence &S) : Ahead(lookAhead(S)) {
      Open.enterSequence(S, Ahead);
    }
    void begin(IntervalId Id, const instantrace::Interval &I) override {
      Values.push_back(Open.begin(Id, I).Value);
    }
    void end(IntervalId Id, const instantrace::Interval &,
             const ElidedLeaves &) override {
      EXPECT_EQ(Open.end().Value, Values[Id.Value]);
    }
    void instant(const Instant &) override {}
    std::vector<uint32_t> Values;

  private:
    LookAhead Ahead;
    UserFrames Open;
  };
  Frames All(T.Sequences[0]);
  feedEvents(T.Sequences[0], All);
  return All.Values[Interval];
}

std::map<std::string, uint64_t> selfByLine(const Trace &T) {
  std::map<std::string, uint64_t> SelfNs;
  CostTable Table = costs(T, CostKey::UserFrame);
  uint64_t SumNs = 0;
  for (const CostRow &Row : Table.Rows) {
    EXPECT_TRUE(SelfNs.emplace(Row.Name.text(T, {}, 1000), Row.SelfNs).second);
    SumNs += Row.SelfNs;
  }
  EXPECT_EQ(SumNs, Table.TotalNs);
  return SelfNs;
}

TEST(UserFrame, NearestIsTheOwnLocationOutsideSystemHeaders) {
  Trace T =
      read(placedTrace()
               .begin(EventKind::TemplateInstantiation, 0, {}, "m.h:4:3")
               .begin(EventKind::TemplateInstantiation, 1, {}, "a.cpp:9:3")
               .bytes());
  EXPECT_EQ(frame(T, 0), 4u);
  EXPECT_EQ(frame(T, 1), 1u);
}

TEST(UserFrame, SystemHeadersAndPlacelessIntervalsAreSkipped) {
  Trace T =
      read(placedTrace()
               .begin(EventKind::TemplateInstantiation, 0, {}, "a.cpp:9:3")
               .begin(EventKind::TemplateInstantiation, 1, {}, "vec:70:3")
               .begin(EventKind::TemplateInstantiation, 2)
               .begin(EventKind::TemplateInstantiation, 3, {}, "mem:50:3")
               .bytes());
  EXPECT_EQ(frame(T, 1), 1u);
  EXPECT_EQ(frame(T, 2), 1u);
  EXPECT_EQ(frame(T, 3), 1u);
}

TEST(UserFrame, NoneWhereAllIsSystemOrUnknown) {
  Trace T =
      read(placedTrace()
               .begin(EventKind::Frontend, 0)
               .begin(EventKind::TemplateInstantiation, 1, {}, "vec:70:3")
               .begin(EventKind::TemplateInstantiation, 2, {}, "<gen>:1:3")
               .bytes());
  EXPECT_EQ(frame(T, 0), 0u);
  EXPECT_EQ(frame(T, 1), 0u);
  EXPECT_EQ(frame(T, 2), 0u);
}

// A late body stands at the end of the file, but somebody asked for it.
TEST(UserFrame, LateBodyHasThatOfItsRequester) {
  Trace T =
      read(placedTrace()
               .begin(EventKind::Frontend, 0)
               .begin(EventKind::TemplateInstantiation, 1, {}, "a.cpp:9:3")
               .begin(EventKind::TemplateInstantiation, 2, {}, "vec:70:3")
               .end(3)
               .end(4)
               .beginLate(EventKind::TemplateInstantiation, 5, {},
                          IntervalId{2}, "mem:50:3")
               .begin(EventKind::TemplateInstantiation, 6, {}, "mem:50:3")
               .bytes());
  EXPECT_EQ(frame(T, 3), 1u);
  EXPECT_EQ(frame(T, 4), 1u);
}

TEST(UserFrame, TracesBefore12HaveNone) {
  Trace T = read(boxTrace().bytes());
  for (uint32_t I = 0; I != T.Sequences[0].Intervals.size(); ++I)
    EXPECT_EQ(frame(T, I), 0u) << I;
  std::map<std::string, uint64_t> SelfNs = selfByLine(T);
  EXPECT_EQ(SelfNs.count("(no user frame)"), 1u);
}

TEST(UserFrame, CostsOfALineAreSelfTimesAndAddUp) {
  Trace T =
      read(placedTrace()
               .begin(EventKind::Frontend, 0)
               .begin(EventKind::FileInclusion, 1, {},
                      "a.cpp:9:3") // a system header, of line 9
               .begin(EventKind::TemplateInstantiation, 3, {}, "mem:50:3")
               .end(7)
               .end(15)
               .begin(EventKind::TemplateInstantiation, 31, {}, "m.h:4:3")
               .begin(EventKind::TemplateInstantiation, 63, {}, "vec:70:3")
               .end(127)
               .end(255)
               .begin(EventKind::TemplateInstantiation, 511, {}, "vec:70:3")
               .end(1023)
               .end(2047)
               .bytes());
  std::map<std::string, uint64_t> SelfNs = selfByLine(T);
  EXPECT_EQ(SelfNs["a.cpp:9"], 2u + 4 + 8);
  EXPECT_EQ(SelfNs["m.h:4"], 32u + 64 + 128);
  EXPECT_EQ(SelfNs["(no user frame)"], 512u);
  EXPECT_EQ(SelfNs["(frontend)"], 1u + 16 + 256 + 1024);
}

// One line, whatever the columns, sequences and dictionaries.
TEST(UserFrame, LinesOfTwoTracesAreOneRow) {
  TraceBuilder A = placedTrace();
  A.begin(EventKind::TemplateInstantiation, 0, {}, "a.cpp:9:3").end(5);
  TraceBuilder B(2);
  B.names({"vec", "a.cpp"});
  addInclusions(B, 1, {{2, 0, 0, false}});
  addLocations(B, 1, {{2, 9}, {2, 10}});
  B.begin(EventKind::TemplateInstantiation, 0, {}, "a.cpp:9:3")
      .end(7)
      .begin(EventKind::TemplateInstantiation, 7, {}, "a.cpp:10:3")
      .end(10);
  Trace T = read(A.bytes());
  readTrace(B.bytes(), "y.itrace", T);
  std::map<std::string, uint64_t> SelfNs = selfByLine(T);
  EXPECT_EQ(SelfNs["a.cpp:9"], 12u);
  EXPECT_EQ(SelfNs["a.cpp:10"], 3u);
}

} // namespace
