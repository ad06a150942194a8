/// \file
/// The debugger on indexes that are damaged, and with commands that are.
#include "utils/replay/Debugger.h"
#include "utils/replay/ReplayText.h"

#include "test/unit/support/IndexSamples.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <random>

using namespace instantrace;
using namespace instantrace::test;

namespace {

SampleCompile compile() {
  SampleCompile C;
  for (uint32_t I = 0; I != 30; ++I) {
    SampleInterval With;
    With.Entity = I % SampleEntities + 1;
    With.Location = I % SampleLocations + 1;
    With.AstBytes = I;
    C.begin(I * 10, With);
    if (I % 3 == 0)
      C.end(I * 10 + 5);
  }
  C.finish();
  return C;
}

/// Every command with arguments that mean something.
const char *const Commands[] = {
    "break A",          "break -end -depth 2",
    "watch memory 10",  "rbreak f",
    "break a.cpp:3",    "break -duration 20",
    "break -time 50",   "tbreak -count 2 if memory > 3",
    "continue",         "step 3",
    "next 4",           "finish",
    "backtrace",        "up",
    "print/a",          "list",
    "info frame",       "reverse-next 3",
    "reverse-continue", "reverse-finish",
    "goto 50%",         "goto record 7",
    "goto 100",         "info entity f",
    "info statistics",  "info compiles",
    "ignore 1 100",     "run",
    "goto end",         "reverse-continue 5",
    "info breakpoints", "advance b::f"};

/// What becomes of it does not matter, but that it ends.
void runAll(const InstantiationIndex &X, ReplayText &Answers) {
  Result<Replay> R = Replay::make(X);
  if (!R)
    return;
  Debugger D(*R, Answers, {});
  for (const char *Command : Commands) {
    Result<void> Done = D.execute(Command);
    EXPECT_TRUE(Done || !Done.error().Message.empty()) << Command;
  }
}

// What was passed on the way to where it fails has not been passed.
TEST(ReplayHostile, AMotionThatFailsCountsNothing) {
  SampleCompile C;
  C.begin(0);
  for (uint32_t I = 1; I != 11; ++I) {
    C.begin(I * 10);
    C.end(I * 10 + 5);
  }
  C.end(200);
  std::string Bytes = indexBytes({C});
  // Record 4 says that it is inside one behind it.
  constexpr uint32_t Damaged = 4, Behind = 9;
  uint64_t Rows = 0;
  for (size_t No = 0; No != index::SectionLimit; ++No) {
    index::SectionRow Row;
    std::memcpy(&Row, Bytes.data() + sizeof(index::Header) + No * sizeof(Row),
                sizeof(Row));
    if (std::string(Row.Tag, sizeof(Row.Tag)) == "RECS")
      Rows = Row.Offset;
  }
  ASSERT_NE(Rows, 0u);
  std::memcpy(Bytes.data() + Rows + Damaged * sizeof(index::RecordRow) +
                  offsetof(index::RecordRow, Parent),
              &Behind, sizeof(Behind));
  makeSumsFit(Bytes);
  InstantiationIndex X;
  std::string Why;
  ASSERT_TRUE(InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why)) << Why;
  Result<Replay> R = Replay::make(X);
  ASSERT_TRUE(R);
  StopSpec Spec;
  Spec.Depth = 1;
  Result<uint32_t> Number = R->addBreakpoint(Spec, false, false);
  ASSERT_TRUE(Number);
  // It is found as long as there is no need to look behind it.
  Result<Stop> First = R->run(Direction::Forward);
  ASSERT_TRUE(First);
  ASSERT_EQ(First->Why, Stop::Reason::Breakpoint);
  ASSERT_EQ(R->position(), 2u);
  R->goTo(0);
  Breakpoint &B = *R->breakpoint(*Number);
  B.Ignore = 100;
  ASSERT_EQ(B.Hits, 1u);
  EXPECT_FALSE(R->run(Direction::Forward));
  EXPECT_EQ(B.Hits, 1u);
  EXPECT_EQ(B.Ignore, 100u);
  EXPECT_EQ(R->position(), 0u);
}

TEST(ReplayHostile, ADamagedIndexGivesErrorsOrAnswers) {
  FILE *Nowhere = std::fopen("/dev/null", "w");
  ASSERT_NE(Nowhere, nullptr);
  ReplayText Text(Nowhere);
  const std::string Good = indexBytes({compile(), compile()});
  std::mt19937 Random(7);
  for (int I = 0; I != 3000; ++I) {
    std::string Bytes = Good;
    for (uint32_t Flips = 1 + Random() % 3; Flips != 0; --Flips)
      Bytes[Random() % Bytes.size()] ^= static_cast<char>(1 << Random() % 8);
    makeSumsFit(Bytes);
    InstantiationIndex X;
    std::string Why;
    if (InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why))
      runAll(X, Text);
  }
  std::fclose(Nowhere);
}

TEST(ReplayHostile, RandomLinesGiveErrorsOrAnswers) {
  FILE *Nowhere = std::fopen("/dev/null", "w");
  ASSERT_NE(Nowhere, nullptr);
  const std::string Good = indexBytes({compile()});
  InstantiationIndex X;
  std::string Why;
  ASSERT_TRUE(InstantiationIndex::fromBytes(Good, "x.itx", X, Why)) << Why;
  Result<Replay> R = Replay::make(X);
  ASSERT_TRUE(R);
  ReplayText Text(Nowhere);
  Debugger D(*R, Text, {});
  std::mt19937 Random(8);
  for (int I = 0; I != 20000; ++I) {
    std::string Line = Commands[Random() % std::size(Commands)];
    for (uint32_t Changes = Random() % 4; Changes != 0; --Changes) {
      size_t Index = Random() % (Line.size() + 1);
      if (Random() % 2)
        Line.insert(Index, 1, static_cast<char>(Random() % 255 + 1));
      else if (Index != Line.size())
        Line.erase(Index, 1);
    }
    // Those that would read or keep more and more.
    if (Line.starts_with("so") || Line.starts_with("disp"))
      continue;
    D.execute(Line).operator bool();
    if (R->breakpoints().size() > 20)
      R->breakpoints().clear();
  }
  EXPECT_LE(R->position(), R->timeline().end());
  std::fclose(Nowhere);
}

TEST(ReplayHostile, AnEmptyIndexHasNothingToShow) {
  InstantiationIndex X;
  std::string Why, Bytes = indexBytes({});
  ASSERT_TRUE(InstantiationIndex::fromBytes(Bytes, "x.itx", X, Why)) << Why;
  FILE *Nowhere = std::fopen("/dev/null", "w");
  ASSERT_NE(Nowhere, nullptr);
  ReplayText Text(Nowhere);
  runAll(X, Text);
  std::fclose(Nowhere);
}

} // namespace
