/// \file
/// compareHooks: what it says about two traces, and which it refuses.
#include "test/unit/support/HookTraces.h"
#include "utils/bench/hooks/ComparisonText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;
using testing::HasSubstr;

namespace {

std::string compare(const SequenceBuilder &C, const SequenceBuilder &O) {
  Trace Callback = C.trace("c.itrace"), Observer = O.trace("o.itrace");
  Result<std::string> Text = compareHooks(Callback, Observer);
  return Text ? *Text : "error: " + Text.error().Message;
}

// The observer misses a tenth of f, and does work of its own while g is
// instantiated, which is no difference.
TEST(HookComparisonTest, SharesAreOfTheCallbacksTime) {
  SequenceBuilder C, O;
  C.leaf(0, 100, C.entity("f<1>", "f<$>"));
  C.leaf(200, 350, C.entity("g<1>", "g<$>"));
  O.leaf(10, 100, O.entity("f<1>", "f<$>"));
  O.begin(EventKind::TemplateInstantiation, 200, O.entity("g<1>", "g<$>"));
  O.begin(EventKind::Profiling, 210);
  O.end(260).end(350);
  std::string Json = compare(C, O);
  EXPECT_THAT(
      Json, HasSubstr(R"("sets":2,"inclusive":{"callback_ns":200,)"
                      R"("observer_ns":190,"difference":0.050000,)"
                      R"("bias":-0.050000,"instantiations":{"callback_ns":200,)"
                      R"("observer_ns":190,"difference":0.050000,)"
                      R"("bias":-0.050000},"top_20":{"compared":2,)"
                      R"("share":1.000000,"violations":0})"));
  EXPECT_THAT(Json, HasSubstr(R"("specializations":{"callback":2,"observer":2,)"
                              R"("timed":2,"counted":0,"share":1.000000,)"));
  EXPECT_THAT(Json, HasSubstr(R"("worst":[{"name":"f<$>",)"));
}

TEST(HookComparisonTest, OtherProcessIsRefused) {
  SequenceBuilder C, O;
  C.S.Session->Input = O.S.Session->Input = "a.cpp";
  O.S.Session->Pid = 2;
  EXPECT_EQ(compare(C, O), "error: o.itrace: process 2, 'a.cpp'; expected the "
                           "compile of c.itrace: process 1, 'a.cpp'");
}

TEST(HookComparisonTest, OtherInputIsRefused) {
  SequenceBuilder C, O;
  O.S.Session->Input = "b.cpp";
  EXPECT_THAT(compare(C, O), HasSubstr("error: o.itrace: process 1, 'b.cpp'"));
}

TEST(HookComparisonTest, IncompleteTraceIsRefused) {
  SequenceBuilder C, O;
  O.S.Footer.reset();
  EXPECT_EQ(compare(C, O), "error: o.itrace: no footer; expected the trace of "
                           "a whole compile");
  C.S.Session.reset();
  EXPECT_EQ(compare(C, O), "error: c.itrace: no session; expected the trace of "
                           "a whole compile");
}

TEST(HookComparisonTest, TraceWithoutLeavesIsRefused) {
  SequenceBuilder C, O;
  C.S.Session->GranularityNs = 1000;
  EXPECT_EQ(compare(C, O),
            "error: c.itrace: granularity 1000 ns; expected 0, as a leaf that "
            "is left out has no template set");
}

TEST(HookComparisonTest, TraceWithLossesIsRefused) {
  SequenceBuilder C, O;
  O.S.Footer->EventsDropped = 3;
  EXPECT_EQ(compare(C, O),
            "error: o.itrace: 3 events were dropped; expected none");
}

TEST(HookComparisonTest, SeveralCompilesAreRefused) {
  SequenceBuilder B;
  Trace First = B.trace("one"), Second = B.trace("two");
  Second.Sequences.push_back(B.S);
  Result<std::string> Text = compareHooks(First, Second);
  ASSERT_FALSE(Text);
  EXPECT_EQ(Text.error().Message, "two: 2 compiles; expected one");
}

} // namespace
