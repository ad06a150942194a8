/// \file
/// RequestChains: who asked, over parents and requesters, to the user's line.
#include "utils/analysis/chains/RequestChains.h"

#include "test/unit/support/TraceBuilder.h"
#include "utils/open/TraceStreams.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// Names are those of \p T.
RequestReport why(Trace &T, const std::string &Name,
                  EntityLevel Level = EntityLevel::Template) {
  RequestSink Sink(T, *NameQuery::make(Name), *TraceFilter::make({}), Level);
  feedAll(T, Sink);
  MergedNames Names;
  Names.enterTrace(T);
  MergedRequests Merged;
  Merged.add(Sink.take(), Names);
  T = Names.trace();
  return Merged.take(T);
}

std::string text(const Trace &T, const RequestReport &Report, size_t Chain) {
  std::string Text;
  for (const RequestFrame &Frame : Report.frames(Report.Chains[Chain]))
    Text += (Text.empty() ? "" : " < ") +
            std::string(Frame.IsInclusion ? "#" : "") +
            std::string(Frame.IsLate ? "late " : "") +
            Frame.What.text(T, {}, 100) + " " + Frame.Place;
  return Text;
}

/// a.cpp includes the system header vec. Entities: f<int> (1), g<int> (2),
/// g<char> (3). Locations: a.cpp:5 (1), vec:7 (2), vec:8 (3).
TraceBuilder libraryTrace() {
  TraceBuilder B;
  B.names({"a.cpp", "vec", "f<int>", "f<$>", "g<int>", "g<char>", "g<$>"});
  addInclusions(B, 1, {{1, 0, 0, false}, {2, 1, 1, true}});
  addLocations(B, 1, {{1, 5}, {2, 7}, {2, 8}});
  B.entities({{3, 4}, {5, 7}, {6, 7}});
  return B;
}

TEST(RequestChainsTest, AChainEndsAtTheLineOfTheUser) {
  Trace T = read(
      libraryTrace()
          .begin(EventKind::Frontend, 0)
          .begin(EventKind::TemplateInstantiation, 1, "f<int>", "a.cpp:5:3")
          .begin(EventKind::TemplateInstantiation, 3, "g<int>", "vec:7:3")
          .end(13, WithDefinition)
          .end(16, WithDefinition)
          .begin(EventKind::TemplateInstantiation, 16, "g<int>", "vec:7:3")
          .end(20)
          .end(21)
          .bytes());
  RequestReport Report = why(T, "g<int>");
  ASSERT_EQ(Report.Chains.size(), 2u);
  EXPECT_EQ(text(T, Report, 0), "g<$> vec:7 < f<$> a.cpp:5");
  EXPECT_EQ(Report.Chains[0].InclusiveNs, 10u);
  EXPECT_EQ(Report.Chains[0].Definitions, 1u);
  EXPECT_EQ(text(T, Report, 1), "g<$> vec:7") << "nobody asked";
  EXPECT_EQ(Report.Total.InclusiveNs, 14u);
  EXPECT_EQ(Report.Total.Count, 2u);
  EXPECT_EQ(Report.Entities, 1u);
}

TEST(RequestChainsTest, ALateBodyWasAskedForByItsRequester) {
  Trace T = read(
      libraryTrace()
          .begin(EventKind::Frontend, 0)
          .begin(EventKind::TemplateInstantiation, 1, "f<int>", "a.cpp:5:3")
          .end(4, WithDefinition)
          .begin(EventKind::PendingInstantiations, 4)
          .beginLate(EventKind::TemplateInstantiation, 6, "g<int>", "f<int>",
                     "vec:7:3")
          .end(16, WithDefinition)
          .end(16)
          .end(17)
          .bytes());
  RequestReport Report = why(T, "g<$>");
  ASSERT_EQ(Report.Chains.size(), 1u);
  EXPECT_EQ(text(T, Report, 0), "late g<$> vec:7 < f<$> a.cpp:5");
  EXPECT_EQ(Report.Entities, 2u) << "of which one has events";
}

TEST(RequestChainsTest, ARecursionOfAnyDepthIsOneChain) {
  TraceBuilder B = libraryTrace();
  B.begin(EventKind::TemplateInstantiation, 0, "f<int>", "a.cpp:5:3")
      .begin(EventKind::TemplateInstantiation, 1, "g<int>", "vec:7:3")
      .begin(EventKind::TemplateInstantiation, 2, "g<char>", "vec:8:3")
      .begin(EventKind::TemplateInstantiation, 3, "g<int>", "vec:7:3")
      .end(4)
      .end(5)
      .end(6)
      .end(7);
  Trace T = read(B.bytes());
  RequestReport Report = why(T, "g<$>");
  ASSERT_EQ(Report.Chains.size(), 2u);
  EXPECT_EQ(text(T, Report, 0), "g<$> vec:7 < f<$> a.cpp:5");
  EXPECT_EQ(Report.Chains[0].Count, 2u);
  EXPECT_EQ(Report.Chains[0].InclusiveNs, 5u) << "of the outermost";
  EXPECT_EQ(text(T, Report, 1), "g<$> vec:8 < g<$> vec:7 < f<$> a.cpp:5");
  EXPECT_EQ(Report.Chains[1].InclusiveNs, 0u);
  EXPECT_EQ(Report.Chains[1].SelfNs, 2u);
  EXPECT_EQ(Report.Total.SelfNs, 5u);
  Trace Again = read(B.bytes());
  EXPECT_EQ(why(Again, "g<$>", EntityLevel::Specialization).Chains.size(), 2u);
}

/// f<1>, f<2>, ... within each other, at places of their own.
Trace nestedTrace(uint32_t Depth) {
  TraceBuilder B;
  for (uint32_t I = 1; I <= Depth; ++I)
    B.begin(EventKind::TemplateInstantiation, I, "f<" + std::to_string(I) + ">",
            "vec:" + std::to_string(I) + ":3");
  for (uint32_t I = 1; I <= Depth; ++I)
    B.end(Depth + I);
  return read(B.bytes());
}

TEST(RequestChainsTest, TheMiddleOfALongChainIsLeftOut) {
  Trace T = nestedTrace(MostFrames + 5);
  RequestReport Report = why(T, "f<1029>");
  ASSERT_EQ(Report.Chains.size(), 1u);
  std::vector<RequestFrame> Frames = Report.frames(Report.Chains[0]);
  ASSERT_EQ(Frames.size(), MostFrames + 1);
  EXPECT_EQ(Frames.front().Place, "vec:1029");
  EXPECT_EQ(Frames[MostFrames / 2 - 1].Place, "vec:518");
  EXPECT_EQ(Frames[MostFrames / 2].LeftOut, 5u);
  EXPECT_EQ(Frames[MostFrames / 2 + 1].Place, "vec:512");
  EXPECT_EQ(Frames.back().Place, "vec:1");
  T = nestedTrace(MostFrames + 5);
  Report = why(T, "f<1024>");
  ASSERT_EQ(Report.Chains.size(), 1u);
  Frames = Report.frames(Report.Chains[0]);
  ASSERT_EQ(Frames.size(), MostFrames) << "none is left out";
  for (const RequestFrame &Frame : Frames)
    EXPECT_EQ(Frame.LeftOut, 0u);
}

TEST(RequestChainsTest, WhatAHeaderDoesEndsAtTheInclude) {
  TraceBuilder B = libraryTrace();
  B.entities({}); // defines none
  B.Trace.mutable_packet(B.Trace.packet_size() - 1)->clear_entities();
  B.Trace.mutable_packet()->RemoveLast();
  auto *Entities =
      B.Trace.mutable_packet(B.Trace.packet_size() - 1)->mutable_entities();
  Entities->set_name(0, 2); // vec
  Entities->set_template_set(0, 2);
  Entities->set_kind(0, proto::ENTITY_FILE);
  Entities->set_name(1, 3); // g<int>, as difference
  Entities->set_template_set(1, 5);
  Trace T =
      read(B.begin(EventKind::FileInclusion, 0, "vec", "a.cpp:5:3")
               .begin(EventKind::TemplateInstantiation, 1, "g<int>", "vec:7:3")
               .end(7, WithDefinition)
               .end(8)
               .bytes());
  RequestReport Report = why(T, "g<int>");
  ASSERT_EQ(Report.Chains.size(), 1u);
  EXPECT_EQ(text(T, Report, 0), "g<$> vec:7 < #vec a.cpp:5");
}

TEST(RequestChainsTest, UsesAgainAreCountedWithOrWithoutPlace) {
  TraceBuilder B = libraryTrace();
  B.begin(EventKind::TemplateInstantiation, 0, "f<int>", "a.cpp:5:3")
      .instant(EventKind::Memoization, 1, "g<int>", "vec:7:3")
      .end(6);
  auto *Hits = B.packet()->mutable_memoized_hits();
  Hits->add_entity(2);
  Hits->add_hits(7);
  Trace T = read(B.bytes());
  RequestReport Report = why(T, "g");
  ASSERT_EQ(Report.Chains.size(), 1u);
  EXPECT_EQ(text(T, Report, 0), "g<$> vec:7 < f<$> a.cpp:5");
  EXPECT_EQ(Report.Chains[0].Memoized, 1u);
  EXPECT_EQ(Report.Chains[0].Count, 0u);
  EXPECT_EQ(Report.CountedHits, 7u);
}

TEST(RequestChainsTest, NamesMayBePatternsAndWithoutArguments) {
  auto Entities = [](const std::string &Name) {
    Trace T = read(libraryTrace().bytes());
    return why(T, Name).Entities;
  };
  EXPECT_EQ(Entities("g"), 2u);
  EXPECT_EQ(Entities("g<char>"), 1u);
  EXPECT_EQ(Entities("glob:*<int>"), 2u);
  EXPECT_EQ(Entities("regex:^f"), 1u);
  EXPECT_EQ(Entities("int"), 0u);
  EXPECT_EQ(NameQuery::make("<$")->similar(read(libraryTrace().bytes()), 1),
            std::vector<std::string>{"f<$>"});
  EXPECT_FALSE(NameQuery::make("regex:("));
}

} // namespace
