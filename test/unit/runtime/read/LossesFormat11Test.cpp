/// \file
/// What is missing from a trace is said in one line, and only what is missing.
#include "test/unit/support/SampleTraces.h"
#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

#include <csignal>

using namespace instantrace;
using namespace instantrace::test;

namespace {

std::string losses(const TraceBuilder &B) {
  std::string Text;
  for (const std::string &Line : read(B.bytes()).losses())
    Text += Line + "\n";
  return Text;
}

proto::Footer &footerOf(TraceBuilder &B) {
  return *B.Trace.mutable_packet(B.Trace.packet_size() - 1)->mutable_footer();
}

TEST(LossesFormat11, InterruptedCompileSaysAllThatIsMissing) {
  EXPECT_EQ(losses(interruptedTrace()),
            "x.itrace: sequence 1: incomplete: the compiler was interrupted by "
            "signal 11 (SIGSEGV) after 1.234 s; 3 intervals were still open; "
            "1 entity has no name yet; 2 fragments and 4 events were dropped "
            "while recording\n");
}

TEST(LossesFormat11, PartsThatDoNotApplyAreLeftOut) {
  TraceBuilder B;
  B.footer(0, 60000000001);
  footerOf(B).set_exit_state(proto::EXIT_STATE_INTERRUPTED);
  EXPECT_EQ(losses(B), "x.itrace: sequence 1: incomplete: the compiler was "
                       "interrupted after 60.000 s\n");
  footerOf(B).set_signal(999);
  footerOf(B).set_events_dropped(1);
  EXPECT_EQ(losses(B),
            "x.itrace: sequence 1: incomplete: the compiler was interrupted by "
            "signal 999 after 60.000 s; 1 event was dropped while recording\n");
}

TEST(LossesFormat11, DroppedEventsAreShownWithAnyFooter) {
  TraceBuilder B;
  B.footer(0, 5);
  EXPECT_EQ(losses(B), "");
  footerOf(B).set_events_dropped(7);
  EXPECT_EQ(losses(B),
            "x.itrace: sequence 1: 7 events were dropped while recording\n");
  footerOf(B).set_fragments_dropped(1);
  EXPECT_EQ(losses(B), "x.itrace: sequence 1: 1 fragment and 7 events were "
                       "dropped while recording\n");
  footerOf(B).set_events_dropped(0);
  EXPECT_EQ(losses(B),
            "x.itrace: sequence 1: 1 fragment was dropped while recording\n");
}

TEST(LossesFormat11, WithoutAFooterOpenIntervalsAreCounted) {
  TraceBuilder B;
  B.begin(EventKind::Frontend, 0);
  EXPECT_EQ(losses(B), "x.itrace: sequence 1: found no footer, so the compile "
                       "did not end or its last events are missing; 1 interval "
                       "was still open\n");
}

// Ids 1 to 4 are used: 1 has a name, 2 an entry without its name, 3 and 4 none.
TEST(LossesFormat11, EntitiesWithoutNameAreCountedOnce) {
  TraceBuilder B;
  B.names({"one"}).entities({{1, 1}, {2, 2}});
  B.begin(EventKind::TemplateInstantiation, 0, "one")
      .begin(EventKind::TemplateInstantiation, 0, EntityId{2})
      .begin(EventKind::TemplateInstantiation, 0, EntityId{3})
      .begin(EventKind::TemplateInstantiation, 0, EntityId{3})
      .instant(EventKind::Memoization, 0, EntityId{3});
  auto *Hits = B.packet()->mutable_memoized_hits();
  for (uint32_t Id : {1, 4, 4}) {
    Hits->add_entity(Id);
    Hits->add_hits(1);
  }
  EXPECT_EQ(read(B.bytes()).Sequences[0].missingNames().None, 3u);
}

TEST(LossesFormat11, SignalsHaveTheirNames) {
  EXPECT_EQ(signalText(SIGKILL), "signal 9 (SIGKILL)");
  EXPECT_EQ(signalText(SIGABRT), "signal 6 (SIGABRT)");
  EXPECT_EQ(signalText(0), "signal 0");
  EXPECT_EQ(signalText(4000000000u), "signal 4000000000");
  EXPECT_EQ(signalText(CrashSignal), "a crash");
}

} // namespace
