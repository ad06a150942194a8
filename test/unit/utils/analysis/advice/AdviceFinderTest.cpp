/// \file
/// Advice on compiles that are gone when it is given.
#include "utils/analysis/advice/AdviceFinder.h"

#include "test/unit/support/AdviceBuilder.h"
#include "utils/open/TraceStreams.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// A recursion of so many steps, and the body of Box<int>::fill. In each
/// compile names have other ids.
std::string compile(uint32_t Id, uint32_t Steps) {
  AdviceBuilder B(Id, std::to_string(Id) + ".cpp");
  for (uint32_t I = 0; I != Id; ++I)
    B.entity("Own" + std::to_string(I), "", proto::ENTITY_CLASS);
  B.begin(EventKind::Frontend);
  for (uint32_t I = 0; I != Steps; ++I)
    B.begin(EventKind::TemplateInstantiation,
            B.entity("Sum<" + std::to_string(I) + ">", "Sum<$>",
                     proto::ENTITY_CLASS, "sum.h", 3));
  for (uint32_t I = 0; I != Steps; ++I)
    B.endDefinition(10);
  B.beginLate(B.entity("Box<int>::fill", "Box<$>::fill", proto::ENTITY_FUNCTION,
                       "box.h", 5),
              0);
  B.endDefinition(uint64_t(100) * Id);
  B.end(0);
  return B.bytes();
}

Trace traceOf(uint32_t Id, uint32_t Steps) {
  Trace T = read(compile(Id, Steps));
  T.Files.front().Name = std::to_string(Id) + ".itrace";
  return T;
}

std::string textOf(const AdviceReport &Report, const Trace &Names) {
  std::string Text = std::to_string(Report.TotalNs) + " ns of " +
                     std::to_string(Report.Compiles) + "\n";
  for (const Suggestion &S : Report.Suggestions) {
    Text.append(S.Subject.text(Names, {}, 100)).append(" " + S.Place);
    for (uint64_t Ns : {S.Saves.LeastNs, S.Saves.EstimateNs, S.Saves.MostNs})
      Text += " " + std::to_string(Ns);
    for (const AdviceEvidence &E : S.Evidence)
      Text.append("; ")
          .append(std::to_string(E.Count) + " ")
          .append(E.What)
          .append(" " + E.Name.text(Names, {}, 100));
    Text += "\n";
  }
  return Text;
}

AdviceFinder::TracePart partOf(const AdviceFinder &Finder, Trace T) {
  AdviceSink Sink(Finder, T);
  feedAll(T, Sink);
  return Sink.take(T);
}

class AdviceFinderTest : public testing::Test {
protected:
  AdviceFinderTest() : Filter(*TraceFilter::make({})) { Spec.MinPermille = 0; }

  TraceFilter Filter;
  AdviceSpec Spec;
};

TEST_F(AdviceFinderTest, ItIsThatOfAllCompilesTogether) {
  Trace All = read(compile(1, 3) + compile(2, 20) + compile(3, 17));
  Advised Together = findAdvice(All, Filter, Spec);
  std::string Whole = textOf(Together, Together.Names);
  EXPECT_NE(Whole.find("Sum<$> sum.h:3"), Whole.npos) << Whole;
  EXPECT_NE(Whole.find("Box<int> box.h:5"), Whole.npos) << Whole;
  AdviceFinder Finder(Filter, Spec);
  auto addAll = [&Finder] {
    for (auto [Id, Steps] :
         {std::pair(1, 3), std::pair(2, 20), std::pair(3, 17)})
      Finder.add(partOf(Finder, traceOf(Id, Steps)));
  };
  addAll();
  ASSERT_TRUE(Finder.endFirst());
  addAll();
  AdviceReport Report = Finder.take();
  EXPECT_EQ(textOf(Report, Finder.names()), Whole);
}

TEST_F(AdviceFinderTest, WhatWasNotThereBeforeIsNoneOfThem) {
  AdviceFinder Finder(Filter, Spec);
  Finder.add(partOf(Finder, traceOf(1, 3)));
  ASSERT_TRUE(Finder.endFirst());
  EXPECT_EQ(partOf(Finder, traceOf(1, 3)).Parts.size(), 1u);
  EXPECT_TRUE(partOf(Finder, traceOf(2, 3)).Parts.empty()) << "another file";
}

TEST_F(AdviceFinderTest, WhatNeedsNoSecondReadingGetsNone) {
  Spec.Only = {AdviceKind::EnableIf, AdviceKind::Precompile,
               AdviceKind::SplitHeader};
  AdviceFinder Finder(Filter, Spec);
  Finder.add(partOf(Finder, traceOf(1, 3)));
  EXPECT_FALSE(Finder.endFirst());
}

} // namespace
