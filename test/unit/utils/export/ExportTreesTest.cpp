/// \file
/// CallTree, CallGraph and ExportPlan: what exports add up from, computed by
/// hand.
#include "test/unit/support/TraceBuilder.h"
#include "utils/export/CallGraph.h"
#include "utils/export/CallTree.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// Frame 0 is around frame 1, which recurs through frame 2; own times are 1, 2,
/// 4, 8 and 16 ns, bytes ten times as many.
template <class Sink> void recursion(Sink &Out) {
  uint64_t Ns = 1;
  auto Leave = [&] {
    Out.leave({Ns, Ns * 10, 1});
    Ns *= 2;
  };
  Out.enter(0, {});
  Out.enter(1, {1, 5});
  Out.enter(2, {1, 6});
  Out.enter(1, {1, 7});
  Leave(); // the inner 1: 1 ns
  Leave(); // 2: 2 ns
  Leave(); // the outer 1: 4 ns
  Out.enter(2, {1, 8});
  Leave(); // 8 ns
  Leave(); // 0: 16 ns
}

TEST(CallTreeTest, NodesAreWhatIsAroundThem) {
  CallTree Tree;
  recursion(Tree);
  ASSERT_EQ(Tree.nodes().size(), 6u) << "around all, 0, 1, 2, 1 and 2";
  std::vector<uint64_t> Ns = Tree.inclusive(ExportMetric::Time);
  EXPECT_EQ(Ns, (std::vector<uint64_t>{31, 31, 7, 3, 1, 8}));
  EXPECT_EQ(Tree.inclusive(ExportMetric::Memory)[0], 310u);
  EXPECT_EQ(Tree.inclusive(ExportMetric::Count)[0], 5u);
  EXPECT_EQ(Tree.nodes()[4].Depth, 4u);
}

TEST(CallTreeTest, EqualStacksAreOneNode) {
  CallTree Tree;
  for (int I = 0; I != 3; ++I) {
    Tree.enter(7, {});
    Tree.leave({5, 0, 1});
  }
  ASSERT_EQ(Tree.nodes().size(), 2u);
  EXPECT_EQ(Tree.nodes()[1].Self.Ns, 15u);
  EXPECT_EQ(Tree.nodes()[1].Self.Count, 3u);
}

TEST(CallGraphTest, RecursionIsCountedOnce) {
  CallGraph Graph;
  recursion(Graph);
  ASSERT_EQ(Graph.nodes().size(), 3u);
  EXPECT_EQ(Graph.nodes()[0].Inclusive.Ns, 31u);
  EXPECT_EQ(Graph.nodes()[1].Self.Ns, 5u);
  EXPECT_EQ(Graph.nodes()[1].Inclusive.Ns, 7u) << "without the inner one twice";
  EXPECT_EQ(Graph.nodes()[2].Self.Ns, 10u);
  EXPECT_EQ(Graph.nodes()[2].Inclusive.Ns, 11u) << "3 and 8";
}

TEST(CallGraphTest, AnEdgeIsWhoAskedForWhomAndWhere) {
  CallGraph Graph;
  recursion(Graph);
  std::string Text;
  for (const CallGraph::Edge &E : Graph.takeEdges())
    Text += std::to_string(E.Caller) + "->" + std::to_string(E.Callee) + ":" +
            std::to_string(E.Site.LineNo) + " " + std::to_string(E.Calls) +
            " " + std::to_string(E.Inclusive.Ns) + "\n";
  EXPECT_EQ(Text, "0->1:5 1 7\n"
                  "0->2:8 1 8\n"
                  "1->2:6 1 3\n"
                  "2->1:7 1 1\n");
}

/// a [0, 100) has b [10, 90), which has c [20, 30) and d [40, 80); e [100,
/// 105).
Trace planned() {
  TraceBuilder B;
  B.names({"a", "b", "c", "d", "e"});
  B.entities({{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}});
  B.begin(EventKind::TemplateInstantiation, 0, "a")
      .begin(EventKind::TemplateInstantiation, 10, "b")
      .begin(EventKind::TemplateInstantiation, 20, "c")
      .end(30)
      .begin(EventKind::TemplateInstantiation, 40, "d")
      .end(80)
      .end(90)
      .end(100)
      .begin(EventKind::TemplateInstantiation, 100, "e")
      .end(105);
  return read(B.bytes());
}

std::string kept(const Trace &T, const ExportLimits &Limits,
                 const FilterSpec &Spec = {}) {
  TraceFilter Filter = *TraceFilter::make(Spec);
  ExportPlan Plan(T, Limits, Filter);
  std::string Text;
  for (uint32_t I = 0; I != T.Sequences[0].Intervals.size(); ++I)
    if (Plan.keeps(0, IntervalId{I}))
      Text += char('a' + I);
  return Text + " " + std::to_string(Plan.removed().Intervals) + " " +
         std::to_string(Plan.removed().Ns);
}

TEST(ExportPlanTest, LimitsRemoveWholeSubtrees) {
  Trace T = planned();
  EXPECT_EQ(kept(T, {}), "abcde 0 0");
  EXPECT_EQ(kept(T, {.MinNs = 11}), "abd 2 15");
  EXPECT_EQ(kept(T, {.MaxDepth = 1}), "ae 3 80") << "c and d are inside b";
  EXPECT_EQ(kept(T, {.MaxEvents = 3}), "abd 2 15") << "the longest";
  EXPECT_EQ(kept(T, {.MaxDepth = 2, .MaxEvents = 1}), "a 4 85");
}

TEST(ExportPlanTest, AFilterKeepsWhatIsAroundWhatItSelects) {
  Trace T = planned();
  FilterSpec Spec;
  Spec.Match = {"^c$"};
  EXPECT_EQ(kept(T, {.HasFilter = true}, Spec), "abc 2 45");
}

} // namespace
