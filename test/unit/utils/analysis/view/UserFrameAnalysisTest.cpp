/// \file
/// User frames: the nearest location outside system headers, and its costs.
#include "test/unit/support/TraceBuilder.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/view/UserFrame.h"

#include <gtest/gtest.h>

#include <map>

using namespace instantrace;
using namespace instantrace::test;

namespace {

const uint64_t BeginFrontend = beginOf(EventKind::Frontend);
const uint64_t BeginFile = beginOf(EventKind::FileInclusion);
const uint64_t Begin = beginOf(EventKind::TemplateInstantiation);
const uint64_t BeginRequested = requestedOf(EventKind::TemplateInstantiation);

/// Records name locations by what they are in placedTrace(): the n-th new one
/// is number n, so each trace begins by introducing all five.
Trace placed(std::initializer_list<uint64_t> Records) {
  TraceBuilder B = placedTrace();
  auto *Batch = B.packet()->mutable_events();
  Batch->set_first_entity(1);
  Batch->set_first_location(6);
  Batch->mutable_record()->Add(Records.begin(), Records.end());
  return read(B.bytes());
}
/// How a record refers to location \p Number.
uint64_t at(uint64_t Number) { return 6 - Number + 1; }

uint32_t frame(const Trace &T, uint32_t Interval) {
  LocationId Found = userFrame(T.Sequences[0], {Interval});
  EXPECT_EQ(Found.Value, userFrames(T.Sequences[0])[Interval].Value);
  return Found.Value;
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
  Trace T = placed({Begin, 0, 0, at(4), Begin, 1, 0, at(1)});
  EXPECT_EQ(frame(T, 0), 4u);
  EXPECT_EQ(frame(T, 1), 1u);
}

TEST(UserFrame, SystemHeadersAndPlacelessIntervalsAreSkipped) {
  Trace T = placed({Begin, 0, 0, at(1), //
                    Begin, 1, 0, at(2), //
                    Begin, 1, 0, 0,     //
                    Begin, 1, 0, at(3)});
  EXPECT_EQ(frame(T, 1), 1u);
  EXPECT_EQ(frame(T, 2), 1u);
  EXPECT_EQ(frame(T, 3), 1u);
}

TEST(UserFrame, NoneWhereAllIsSystemOrUnknown) {
  Trace T = placed({BeginFrontend, 0, 0, 0, //
                    Begin, 1, 0, at(2),     //
                    Begin, 1, 0, at(5)});
  EXPECT_EQ(frame(T, 0), 0u);
  EXPECT_EQ(frame(T, 1), 0u);
  EXPECT_EQ(frame(T, 2), 0u);
}

// A late body stands at the end of the file, but somebody asked for it.
TEST(UserFrame, LateBodyHasThatOfItsRequester) {
  Trace T = placed({BeginFrontend,  0, 0, 0,        //
                    Begin,          1, 0, at(1),    //
                    Begin,          1, 0, at(2),    //
                    endWith(0),     1,              //
                    endWith(0),     1,              //
                    BeginRequested, 1, 0, at(3), 1, // by interval 2
                    Begin,          1, 0, at(3)});
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
  Trace T = placed({BeginFrontend, 0,   0, 0,     //
                    BeginFile,     1,   0, at(1), // a system header, of line 9
                    Begin,         2,   0, at(3), //
                    endWith(0),    4,             //
                    endWith(0),    8,             //
                    Begin,         16,  0, at(4), //
                    Begin,         32,  0, at(2), //
                    endWith(0),    64,            //
                    endWith(0),    128,           //
                    Begin,         256, 0, at(2), //
                    endWith(0),    512,           //
                    endWith(0),    1024});
  std::map<std::string, uint64_t> SelfNs = selfByLine(T);
  EXPECT_EQ(SelfNs["a.cpp:9"], 2u + 4 + 8);
  EXPECT_EQ(SelfNs["m.h:4"], 32u + 64 + 128);
  EXPECT_EQ(SelfNs["(no user frame)"], 512u);
  EXPECT_EQ(SelfNs["(frontend)"], 1u + 16 + 256 + 1024);
}

// One line, whatever the columns, sequences and dictionaries.
TEST(UserFrame, LinesOfTwoTracesAreOneRow) {
  TraceBuilder A = placedTrace();
  A.events({Begin, 0, 0, 1, endWith(0), 5});
  TraceBuilder B(2);
  B.names({"vec", "a.cpp"});
  addInclusions(B, 1, {{2, 0, 0, false}});
  addLocations(B, 1, {{2, 9}, {2, 10}});
  B.events({Begin, 0, 0, 1, endWith(0), 7, Begin, 0, 0, 1, endWith(0), 3});
  Trace T = read(A.bytes());
  readTrace(B.bytes(), "y.itrace", T);
  std::map<std::string, uint64_t> SelfNs = selfByLine(T);
  EXPECT_EQ(SelfNs["a.cpp:9"], 12u);
  EXPECT_EQ(SelfNs["a.cpp:10"], 3u);
}

} // namespace
