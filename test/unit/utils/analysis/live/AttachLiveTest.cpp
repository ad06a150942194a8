/// \file
/// Looking at a compile again and again: what is decoded bit by bit is what a
/// single look at the same moment gives.
#include "test/unit/support/LeftoverFolder.h"
#include "utils/analysis/live/LiveFrame.h"
#include "utils/render/LiveText.h"
#include "utils/system/Processes.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// Large enough that it is drained only when a test says so.
TraceBufferOptions largeBuffer() {
  TraceBufferOptions Options;
  Options.SizeBytes = size_t(1) << 20;
  return Options;
}

class AttachLiveTest : public LeftoverFolder {};

LiveFrame lookAt(LiveCompile &Compile, const LeftoverBuilder &B, uint64_t NowNs,
                 const std::string &Partial) {
  MemoryBufferImage File(Partial);
  return Compile.look(snapshotOf(B.image()), &File,
                      LiveFrame::StateKind::Running, NowNs,
                      [](const Dictionary &Names, NameId Name) {
                        return Names.text(Name, 1 << 14);
                      });
}

LiveFrame lookAt(LiveCompile &Compile, const LeftoverBuilder &B,
                 uint64_t NowNs) {
  return lookAt(Compile, B, NowNs, B.partial());
}

std::string textOf(const LiveFrame &Frame) {
  std::string Text;
  for (const LiveLevel &Level : Frame.Stack)
    Text += Level.Kind + " " + Level.Name + " " + Level.File + ":" +
            std::to_string(Level.LineNo) + " " + std::to_string(Level.OpenNs) +
            "\n";
  for (const LiveCostRow &Row : Frame.Hottest)
    Text += Row.Name + " " + std::to_string(Row.SelfNs) + " " +
            std::to_string(Row.Specializations) + "\n";
  for (const std::string &Problem : Frame.Problems)
    Text += Problem + "\n";
  return Text;
}

TEST_F(AttachLiveTest, ManyLooksAgreeWithOne) {
  LeftoverBuilder B(finalPath(), largeBuffer());
  B.start();
  LiveCompile Kept;
  B.beginNew(EventKind::Frontend);
  for (unsigned I = 0; I != 3000; ++I) {
    if (I % 7 < 3 || B.State.Depth < 2)
      B.beginNew();
    else if (I % 11 == 0)
      B.beginAgain();
    else
      B.end();
    if (I % 4 == 0)
      B.writeNames();
    if (I % 200 == 99)
      I % 400 == 99 ? B.Buffer.drain() : B.Buffer.drainAll();
    if (I % 13 != 0)
      continue;
    uint64_t NowNs = B.MonotonicNs + B.State.TimeNs + 5;
    LiveFrame Frame = lookAt(Kept, B, NowNs);
    LiveCompile Fresh;
    ASSERT_EQ(Frame.Events, B.Events);
    ASSERT_EQ(Frame.Stack.size(), B.State.Depth);
    ASSERT_EQ(Frame.SinceEventNs, 5u);
    ASSERT_EQ(textOf(Frame), textOf(lookAt(Fresh, B, NowNs))) << I;
    ASSERT_TRUE(Frame.Problems.empty()) << Frame.Problems[0];
  }
  EXPECT_GT(B.partial().size(), 10'000u);
}

// Somebody has cut the partial trace, in the middle of a packet as well: it was
// read again and again.
TEST_F(AttachLiveTest, APartialTraceThatIsTooShortIsSaid) {
  LeftoverBuilder B(finalPath(), largeBuffer());
  B.start();
  B.beginNew(EventKind::Frontend);
  for (unsigned I = 0; I != 50; ++I) {
    B.beginNew();
    B.writeNames();
    B.end();
    B.Buffer.drainAll();
  }
  std::string Whole = B.partial();
  // A prime, so that packets are cut at all places.
  for (size_t Size = 0; Size < Whole.size(); Size += 61) {
    LiveCompile Compile;
    LiveFrame Frame =
        lookAt(Compile, B, B.MonotonicNs + 3'010, Whole.substr(0, Size));
    ASSERT_FALSE(Frame.Problems.empty()) << Size;
    ASSERT_TRUE(Frame.Problems[0].starts_with("partial trace: "))
        << Frame.Problems[0];
  }
}

TEST_F(AttachLiveTest, OpenIntervalsCountAsSelfTime) {
  LeftoverBuilder B(finalPath(), largeBuffer());
  B.start();
  B.beginNew(EventKind::TemplateInstantiation, 100);
  B.beginNew(EventKind::TemplateInstantiation, 100);
  B.writeNames();
  LiveCompile Compile;
  LiveFrame Frame = lookAt(Compile, B, B.MonotonicNs + 1'000);
  ASSERT_EQ(Frame.Hottest.size(), 1u);
  EXPECT_EQ(Frame.Hottest[0].Name, "Box<$>");
  EXPECT_EQ(Frame.Hottest[0].SelfNs, 900u);
  EXPECT_EQ(Frame.Stack.at(0).OpenNs, 900u);
  EXPECT_EQ(Frame.Stack.at(1).OpenNs, 800u);
  EXPECT_EQ(Frame.SinceEventNs, 800u);
}

TEST_F(AttachLiveTest, ABusyCompilerIsSaid) {
  LeftoverBuilder B(finalPath(), largeBuffer());
  B.start();
  B.beginNew();
  B.writeNames();
  LiveCompile Compile;
  LiveFrame Frame = lookAt(Compile, B, B.MonotonicNs + 12'300'000'010);
  Terminal Term{80, false};
  EXPECT_EQ(liveLines(Frame, Term, 0).at(2),
            "last event 12.3 s ago: the compiler is busy inside Box<1>");
}

TEST_F(AttachLiveTest, ADeepStackKeepsItsEndsOnASmallTerminal) {
  LeftoverBuilder B(finalPath(), largeBuffer());
  B.start();
  for (unsigned I = 0; I != 300; ++I) {
    B.beginNew();
    B.writeNames();
  }
  LiveCompile Compile;
  LiveFrame Frame = lookAt(Compile, B, B.MonotonicNs + 3'010);
  Terminal Term{80, false};
  for (size_t Rows : {5, 8, 12, 24, 50}) {
    std::vector<std::string> Lines = liveLines(Frame, Term, Rows);
    EXPECT_LE(Lines.size(), Rows);
    std::string All;
    for (const std::string &Line : Lines)
      All += Line + "\n";
    if (Rows > 5) {
      EXPECT_NE(All.find("Box<300>"), std::string::npos) << All;
    }
    if (Rows > 8) {
      EXPECT_NE(All.find(" more levels ..."), std::string::npos) << All;
    }
  }
}

TEST(AttachProcessesTest, TheNameOfACommandMayHoldAnything) {
  std::string Fields = " S 12 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 777 0";
  auto Stat = parseProcessStat("34 (a) R 9 (b c)" + Fields);
  ASSERT_TRUE(Stat);
  EXPECT_EQ(Stat->Pid, 34u);
  EXPECT_EQ(Stat->ParentPid, 12u);
  EXPECT_EQ(Stat->State, 'S');
  EXPECT_EQ(Stat->StartTicks, 777u);
  EXPECT_FALSE(parseProcessStat(""));
  EXPECT_FALSE(parseProcessStat("34 (a) S 12"));
  EXPECT_FALSE(parseProcessStat("x (a)" + Fields));
  EXPECT_TRUE(processStat(static_cast<uint32_t>(::getpid())));
}

} // namespace
