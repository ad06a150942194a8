/// \file
/// InstantiationTree: nodes merge, move, fold, and still add up.
#include "utils/analysis/chains/InstantiationTree.h"

#include "test/unit/support/TraceBuilder.h"
#include "utils/open/TraceStreams.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// f<int> twice, with g<int> in it (10 and 20 ns), then the body of g<char>,
/// for which f<int> had asked: 100 ns.
Trace smallTrace() {
  TraceBuilder B;
  B.names({"f<int>", "f<$>", "g<int>", "g<char>", "g<$>"});
  B.entities({{1, 2}, {3, 5}, {4, 5}});
  B.begin(EventKind::Frontend, 0)
      .begin(EventKind::TemplateInstantiation, 0, "f<int>")
      .begin(EventKind::TemplateInstantiation, 1, "g<int>")
      .end(11, WithDefinition)
      .end(12)
      .begin(EventKind::TemplateInstantiation, 12, "f<int>")
      .begin(EventKind::TemplateInstantiation, 14, "g<int>")
      .end(34)
      .end(38, WithDefinition)
      .begin(EventKind::PendingInstantiations, 38)
      .beginLate(EventKind::TemplateInstantiation, 38, "g<char>", "f<int>")
      .end(138, WithDefinition)
      .end(138)
      .end(141);
  return read(B.bytes());
}

/// Names are those of the trace.
InstantiationTree tree(Trace &T, const TreeSpec &Spec,
                       const FilterSpec &Focus = {},
                       const FilterSpec &Rest = {}) {
  TreeSink Sink(T, Spec, *TraceFilter::make(Focus), *TraceFilter::make(Rest));
  feedAll(T, Sink);
  InstantiationTree Tree = Sink.take();
  std::vector<RowName> Own = Tree.Names;
  MergedNames Names;
  Names.enterTrace(T);
  MergedTree Merged;
  Merged.add(std::move(Tree), Names);
  Tree = Merged.take();
  Tree.Names = std::move(Own);
  return Tree;
}

/// One line per node: depth, name, count, self, inclusive.
std::string text(const Trace &T, const InstantiationTree &Tree,
                 const FoldSpec &Spec = {}) {
  std::string Text;
  uint64_t Ns = Tree.FilteredNs;
  for (const TreeLine &Line : foldTree(T, Tree, Spec)) {
    Text += std::string(Line.Depth, '-');
    if (Line.Node == TreeNode::None) {
      Text += "(folded) " + std::to_string(Line.Count) + " " +
              std::to_string(Line.Ns) + "\n";
      Ns += Line.Ns;
      continue;
    }
    const TreeNode &Node = Tree.Nodes[Line.Node];
    Text += Tree.Names[Node.Group].text(T, {}, 100) + " " +
            std::to_string(Node.Count) + " " + std::to_string(Node.SelfNs) +
            " " + std::to_string(Node.InclusiveNs) + "\n";
    Ns += Node.SelfNs;
  }
  EXPECT_EQ(Ns, Tree.TotalNs);
  return Text;
}

TEST(InstantiationTreeTest, EqualThingsUnderOneParentAreOneNode) {
  Trace T = smallTrace();
  EXPECT_EQ(text(T, tree(T, {})), "(frontend) 1 3 141\n"
                                  "-(pending instantiations) 1 0 100\n"
                                  "--g<char> 1 100 100\n"
                                  "-f<int> 2 8 38\n"
                                  "--g<int> 2 30 30\n");
}

TEST(InstantiationTreeTest, LateBodiesMayBeBelowWhoAsked) {
  Trace T = smallTrace();
  EXPECT_EQ(text(T, tree(T, {EntityLevel::Template, true})),
            "(frontend) 1 3 141\n"
            "-f<$> 2 8 138\n"
            "--g<$> 3 130 130\n"
            "-(pending instantiations) 1 0 0\n");
}

TEST(InstantiationTreeTest, MatchSaysWhereItBegins) {
  Trace T = smallTrace();
  FilterSpec Focus;
  Focus.Match = {"^f"};
  EXPECT_EQ(text(T, tree(T, {}, Focus)), "f<int> 2 8 38\n"
                                         "-g<int> 2 30 30\n");
}

TEST(InstantiationTreeTest, WhatIsLeftOutGivesItsChildrenToItsParent) {
  Trace T = smallTrace();
  FilterSpec Rest;
  Rest.Exclude = {"^f"};
  EXPECT_EQ(text(T, tree(T, {}, {}, Rest)),
            "(frontend) 1 3 133\n"
            "-(pending instantiations) 1 0 100\n"
            "--g<char> 1 100 100\n"
            "-g<int> 2 30 30\n");
}

TEST(InstantiationTreeTest, WhatIsFoldedIsCounted) {
  Trace T = smallTrace();
  InstantiationTree Tree = tree(T, {});
  EXPECT_EQ(text(T, Tree, {.MinTimeNs = 38}),
            "(frontend) 1 3 141\n"
            "-(pending instantiations) 1 0 100\n"
            "--g<char> 1 100 100\n"
            "-f<int> 2 8 38\n"
            "--(folded) 2 30\n");
  EXPECT_EQ(text(T, Tree, {.MaxDepth = 2}),
            "(frontend) 1 3 141\n"
            "-(pending instantiations) 1 0 100\n"
            "--(folded) 1 100\n"
            "-f<int> 2 8 38\n"
            "--(folded) 2 30\n");
  EXPECT_EQ(text(T, Tree, {.MaxNodes = 2}),
            "(frontend) 1 3 141\n"
            "-(pending instantiations) 1 0 100\n"
            "--(folded) 1 100\n"
            "-(folded) 4 38\n");
  EXPECT_EQ(text(T, Tree, {.MinTimeNs = 1000}), "(folded) 7 141\n");
}

// Three traces have the same tree of five nodes, and two nodes are kept each
// time: sums are those of all, and the costliest nodes are there.
TEST(InstantiationTreeTest, WhatIsTooMuchIsFoldedWhileMerging) {
  MergedNames Names;
  MergedTree Merged(/*Most=*/4);
  for (int I = 0; I != 3; ++I) {
    Trace T = smallTrace();
    TreeSink Sink(T, {}, *TraceFilter::make({}), *TraceFilter::make({}));
    feedAll(T, Sink);
    Names.enterTrace(T);
    Merged.add(Sink.take(), Names);
  }
  InstantiationTree Tree = Merged.take();
  EXPECT_TRUE(Tree.IsCut);
  EXPECT_EQ(text(Names.trace(), Tree), "(frontend) 3 9 423\n"
                                       "-(folded) 18 414\n");
}

TEST(InstantiationTreeTest, DepthNeedsNoStack) {
  constexpr int Depth = 200000;
  TraceBuilder B;
  B.names({"f<int>", "f<$>"}).entities({{1, 2}});
  for (int I = 0; I != Depth; ++I)
    B.begin(EventKind::TemplateInstantiation, I + 1, "f<int>");
  for (int I = 0; I != Depth; ++I)
    B.end(Depth);
  Trace T = read(B.bytes());
  ASSERT_EQ(T.Sequences[0].Intervals.size(), size_t(Depth));
  EXPECT_EQ(foldTree(T, tree(T, {}), {}).size(), size_t(Depth));
}

} // namespace
