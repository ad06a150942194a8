/// \file
/// From leftovers to a trace: nothing is lost, nothing comes twice, whenever
/// the compile was killed.
#include "test/unit/support/LeftoverFolder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

class RecoveryTest : public LeftoverFolder {};

std::string problemsOf(const RecoveredTrace &Trace) {
  std::string Text;
  for (const std::string &Problem : Trace.Problems)
    Text += Problem + "\n";
  return Text;
}

/// Replaces bytes of \p Into by those of \p Source.
void take(std::string &Into, const std::string &Source, size_t Offset,
          size_t SizeBytes) {
  Into.replace(Offset, SizeBytes, Source, Offset, SizeBytes);
}

TEST_F(RecoveryTest, KilledAfterEveryEvent) {
  LeftoverBuilder B(finalPath());
  B.start();
  for (unsigned I = 0; I != 1500; ++I) {
    if (I % 5 == 4)
      B.end();
    else
      B.beginNew();
    if (I % 64 == 63)
      B.writeNames();
    if (I > 40 && I % 7 != 0)
      continue;
    RecoveredTrace Trace = recovered(B.image(), B.partial());
    ASSERT_EQ(issuesOf(Trace), "") << I;
    ASSERT_EQ(Trace.Content.EventCount, I + 1);
    ASSERT_EQ(Trace.Content.OpenCount, B.State.Depth);
    ASSERT_EQ(Trace.FragmentsDropped, 0u) << I;
    ASSERT_EQ(problemsOf(Trace), "") << I;
    ASSERT_EQ(Trace.Content.Entities.size(), B.Named);
  }
  EXPECT_GE(B.Buffer.source().drains(), 3u);
}

TEST_F(RecoveryTest, KilledBeforeTheFirstEvent) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.Buffer.live().Signal = 9;
  RecoveredTrace Trace = recovered(B.image(), "");
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_EQ(problemsOf(Trace), "");
  EXPECT_EQ(Trace.Content.EventCount, 0u);
  ASSERT_TRUE(Trace.Content.Session);
  EXPECT_EQ(Trace.Content.Session->Input, "a.cpp");
  instantrace::Trace T;
  readTrace(Trace.Bytes, "a.itrace", T);
  EXPECT_TRUE(T.Sequences.at(0).Footer->isInterrupted());
  EXPECT_EQ(T.Sequences.at(0).Footer->Signal, 9u);
}

// The steps of a drain as runtime/shm/BufferHeader.h numbers them: killed after
// any of them, each event is there once.
TEST_F(RecoveryTest, KilledBetweenTheStepsOfADrain) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.compile(20);
  for (unsigned Round = 0; Round != 3; ++Round) {
    B.compile(30);
    B.writeNames();
    B.Buffer.drain(); // so that both drain records are in use in turn
    B.compile(30);
    B.writeNames();
    const std::string Before = B.image(), PartialBefore = B.partial();
    B.Buffer.drain();
    const std::string After = B.image(), PartialAfter = B.partial();
    ASSERT_GT(PartialAfter.size(), PartialBefore.size());
    const size_t Live = offsetof(BufferHeader, Live);
    const size_t Records = Live + offsetof(LiveState, Drained);
    const size_t Index = Live + offsetof(LiveState, DrainIndex);
    std::string Step2 = Before;
    take(Step2, After, Records, sizeof(LiveState::Drained));
    std::string HalfOfStep2 = Before;
    uint32_t Old = static_cast<uint8_t>(Before[Index]);
    take(HalfOfStep2, After, Records + (1 - Old) * sizeof(DrainRecord), 8);
    std::string Step3 = Step2;
    take(Step3, After, Index, 4);
    const std::pair<std::string, std::string> Kills[] = {
        {Before, PartialBefore},
        // step 1, half and whole
        {Before, PartialAfter.substr(
                     0, (PartialBefore.size() + PartialAfter.size()) / 2)},
        {Before, PartialAfter},
        {HalfOfStep2, PartialAfter},
        {Step2, PartialAfter},
        {Step3, PartialAfter},
        {After, PartialAfter},
    };
    for (const auto &[Image, Partial] : Kills) {
      RecoveredTrace Trace = recovered(Image, Partial);
      EXPECT_EQ(issuesOf(Trace), "");
      EXPECT_EQ(problemsOf(Trace), "");
      EXPECT_EQ(Trace.Content.EventCount, B.Events);
      EXPECT_EQ(Trace.Content.Entities.size(), B.Named);
      EXPECT_EQ(Trace.FragmentsDropped, 0u);
    }
  }
}

TEST_F(RecoveryTest, AFooterCountsWhenAllEventsCameThrough) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.beginNew();
  B.end();
  B.writeNames();
  B.writeFooter();
  RecoveredTrace Trace = recovered(B.image(), B.partial());
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_EQ(problemsOf(Trace), "");
  ASSERT_TRUE(Trace.Content.Footer);
  EXPECT_FALSE(Trace.Content.Footer->isInterrupted());
  // The last event is not there.
  std::string Image = B.image();
  size_t Pages = Image.size() - size_t(4) * 4096;
  ASSERT_EQ(Image[Pages + sizeof(PageHeader)], 32 + 4 + 2);
  Image[Pages + sizeof(PageHeader)] = 32 + 4;
  Trace = recovered(Image, B.partial());
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_EQ(problemsOf(Trace), "the footer is left out: found 2 events in it, "
                               "expected 1\n");
}

TEST_F(RecoveryTest, AGapIsSaidAndWhatDoesNotFitIsLeftOut) {
  LeftoverBuilder B(finalPath());
  B.start();
  for (unsigned I = 0; I != 600; ++I)
    B.beginNew();
  BufferSnapshot S = snapshotOf(B.image());
  ASSERT_GE(S.Chunks.size(), 4u);
  S.Chunks.erase(S.Chunks.begin() + 1);
  RecoveredTrace Trace = recoverTrace(S, "");
  addInterruptedFooter(Trace);
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_EQ(problemsOf(Trace).substr(0, problemsOf(Trace).find(": found 1")),
            "writer 1: found chunk 3, expected 2; what was between is lost\n"
            "writer 1, chunk 3, packet 1: left out: batch-interval");
  EXPECT_LT(Trace.Content.EventCount, 200u);
  EXPECT_GT(Trace.Content.EventCount, 10u);
}

TEST_F(RecoveryTest, AMissingOrShortPartialTraceIsSaid) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.compile(3000);
  std::string Partial = B.partial();
  ASSERT_GT(Partial.size(), 1000u);
  BufferSnapshot S = snapshotOf(B.image());
  RecoveredTrace Trace = recovered(B.image(), "");
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_EQ(Trace.Content.EventCount, 0u);
  EXPECT_EQ(Trace.Problems.at(0), "partial trace: found 0 bytes, expected " +
                                      std::to_string(S.PartialFileBytes));
  Partial.resize(Partial.size() / 2);
  Trace = recovered(B.image(), Partial);
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_GT(Trace.Content.EventCount, 0u);
  EXPECT_LT(Trace.Content.EventCount, B.Events);
}

TEST_F(RecoveryTest, APartialTraceAloneIsReadToItsLastWholePacket) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.compile(400);
  std::string Partial = B.partial();
  RecoveredTrace Trace =
      recoverTrace(std::string_view(Partial).substr(0, Partial.size() - 3));
  addInterruptedFooter(Trace);
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_GT(Trace.Content.EventCount, 0u);
  ASSERT_EQ(Trace.Problems.size(), 1u);
  EXPECT_NE(Trace.Problems[0].find("; what precedes it is used"),
            std::string::npos);
  EXPECT_TRUE(recoverTrace("no trace").Bytes.empty());
  EXPECT_TRUE(recoverTrace("").Bytes.empty());
}

void startWithThreeNamed(LeftoverBuilder &B) {
  B.start();
  for (unsigned I = 0; I != 3; ++I)
    B.beginNew();
  B.writeNames();
}

TEST_F(RecoveryTest, EntitiesWithoutTheirNamesHaveShortOnes) {
  LeftoverBuilder B(finalPath());
  startWithThreeNamed(B);
  for (unsigned I = 0; I != 2; ++I)
    B.beginNew();
  B.beginNew(EventKind::FileInclusion);
  B.Buffer.noteNewestEntity(1, "named meanwhile");
  B.Buffer.noteNewestEntity(4, "four<>");
  B.Buffer.noteNewestEntity(6, "six.h");
  B.Buffer.noteNewestEntity(7, "in no event");
  B.Buffer.noteNewestEntity(UINT32_MAX, "in no event");
  RecoveredTrace Trace = recoverTrace(snapshotOf(B.image()), "");
  addInterruptedFooter(Trace);
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_EQ(problemsOf(Trace), "");
  instantrace::Trace Read;
  readTrace(Trace.Bytes, "x.itrace", Read);
  for (const Sequence &S : {Trace.Content, Read.Sequences.at(0)}) {
    EXPECT_EQ(S.FirstShortName, 4u);
    ASSERT_EQ(S.Entities.size(), 6u);
    EXPECT_EQ(S.Names.text(S.Entities[3].Name, 100), "four<>");
    EXPECT_EQ(S.Names.text(S.Entities[3].TemplateSet, 100), "four<$>");
    EXPECT_FALSE(S.isNameLost({4}));
    EXPECT_TRUE(S.isNameLost({5}));
    EXPECT_EQ(S.Names.text(S.Entities[5].Name, 100), "six.h");
    EXPECT_EQ(S.Entities[5].Kind, EntityKind::File);
    EXPECT_EQ(S.missingNames().None, 1u);
    EXPECT_EQ(S.missingNames().Short, 2u);
  }
}

TEST_F(RecoveryTest, ShortNamesHaveTheirTemplate) {
  const std::pair<const char *, const char *> Cases[] = {
      {"Box<int>", "Box<$>"},
      {"Box<3>::get<\xe2\x80\xa6>", "Box<$>::get<$>"},
      {"Box<A<\xe2\x80\xa6>, 1>::value", "Box<$>::value"},
      {"value", "value"},
      {"operator<", "operator<"},
      {"operator<<\xe2\x80\xa6>", "operator<<$>"},
      {"Box<int>::operator->", "Box<$>::operator->"},
      {"Box<int>::operator>><\xe2\x80\xa6>", "Box<$>::operator>><$>"},
      {"a_name_that_is_cut_in_its_arguments<int", nullptr},
      {"wrong>", nullptr},
  };
  LeftoverBuilder B(finalPath());
  B.start();
  uint32_t Id = 0;
  for (const auto &[Short, Template] : Cases) {
    B.beginNew();
    B.Buffer.noteNewestEntity(++Id, Short);
  }
  B.beginNew(EventKind::FileInclusion);
  B.Buffer.noteNewestEntity(++Id, "a<b>.h");
  RecoveredTrace Trace = recoverTrace(snapshotOf(B.image()), "");
  const Sequence &S = Trace.Content;
  ASSERT_EQ(S.Entities.size(), Id);
  for (uint32_t I = 0; I != std::size(Cases); ++I)
    EXPECT_EQ(S.Names.text(S.Entities[I].TemplateSet, 100),
              Cases[I].second ? Cases[I].second : Cases[I].first);
  EXPECT_EQ(S.Names.text(S.Entities[Id - 1].TemplateSet, 100), "a<b>.h");
}

// Their numbers in the dictionary would be those of the names that were lost.
TEST_F(RecoveryTest, ShortNamesAreNotTakenForLostOnes) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.beginNew();
  EntityRow Row;
  Row.Name = Row.TemplateSet = {1};
  B.Writer.writeEntities(1, {Row});
  B.beginNew();
  B.Buffer.noteNewestEntity(2, "two");
  RecoveredTrace Trace = recoverTrace(snapshotOf(B.image()), "");
  EXPECT_TRUE(Trace.Content.isNameLost({1}));
  EXPECT_TRUE(Trace.Content.isNameLost({2}));
}

TEST_F(RecoveryTest, EntitiesThatWereNamedEarlyHaveTheirWholeNames) {
  LeftoverBuilder B(finalPath());
  startWithThreeNamed(B);
  for (unsigned I = 0; I != 3; ++I)
    B.beginNew();
  EntityRow Row;
  Row.Name = Row.TemplateSet = {1};
  Row.Kind = EntityKind::Class;
  B.Buffer.noteNewestEntity(4, "four<\xe2\x80\xa6>");
  B.Buffer.noteNewestEntity(5, "five");
  B.Buffer.noteWholeName(5, Row);
  B.Buffer.noteNewestEntity(6, "six");
  Row.Name = {1000}; // the dictionary has none
  B.Buffer.noteWholeName(6, Row);
  RecoveredTrace Trace = recoverTrace(snapshotOf(B.image()), "");
  addInterruptedFooter(Trace);
  EXPECT_EQ(issuesOf(Trace), "");
  EXPECT_EQ(problemsOf(Trace), "");
  instantrace::Trace Read;
  readTrace(Trace.Bytes, "x.itrace", Read);
  for (const Sequence &S : {Trace.Content, Read.Sequences.at(0)}) {
    EXPECT_EQ(S.FirstShortName, 4u);
    EXPECT_EQ(S.WholeNames, std::vector<uint32_t>{5});
    ASSERT_EQ(S.Entities.size(), 6u);
    EXPECT_EQ(S.Entities[4].Name.Value, 1u);
    EXPECT_EQ(S.Entities[4].Kind, EntityKind::Class);
    EXPECT_EQ(S.Names.text(S.Entities[5].Name, 100), "six");
    EXPECT_EQ(S.missingNames().Short, 2u);
  }
}

// A record that was cut over several chunks is whole again, or dropped and
// counted, wherever the compile was killed.
TEST_F(RecoveryTest, FragmentsAreJoinedOrCounted) {
  TraceBufferOptions Large; // so that nothing is drained
  Large.SizeBytes = size_t(64) * 1024;
  LeftoverBuilder B(finalPath(), Large);
  B.start();
  for (unsigned I = 0; I != 600; ++I)
    B.beginNew();
  B.writeNames(); // far more than one chunk
  BufferSnapshot S = snapshotOf(B.image());
  size_t Fragments = 0;
  for (const SnapshotChunk &C : S.Chunks)
    Fragments += C.Content.WriterId == 2;
  ASSERT_GE(Fragments, 2u);
  EXPECT_EQ(recoverTrace(S, "").Content.Entities.size(), 600u);
  for (size_t Last = Fragments; Last-- != 0;) {
    S.Chunks.pop_back();
    ASSERT_TRUE(S.Chunks.empty() || S.Chunks.back().Content.WriterId == 2 ||
                Last == 0);
    RecoveredTrace Trace = recoverTrace(S, "");
    addInterruptedFooter(Trace);
    EXPECT_EQ(issuesOf(Trace), "");
    EXPECT_EQ(problemsOf(Trace), "");
    EXPECT_EQ(Trace.Content.EventCount, 600u);
    EXPECT_LE(Trace.FragmentsDropped, 1u);
  }
}

} // namespace
