/// \file
/// What a report keeps and folds, on traces whose numbers are known.
#include "utils/report/ReportModel.h"

#include "test/unit/support/FedReport.h"
#include "test/unit/support/TraceBuilder.h"
#include "utils/report/ReportJson.h"

#include <gtest/gtest.h>

#include <map>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// A has 60 ns, of which B inside has 25 and C inside that 5; D has 10 ns by
/// itself; the frontend 100 in all.
Trace nestedTrace() {
  TraceBuilder B;
  B.names({"A", "B", "C", "D"});
  B.entities({{1, 1}, {2, 2}, {3, 3}, {4, 4}});
  B.begin(EventKind::Frontend, 0)
      .begin(EventKind::TemplateInstantiation, 10, "A")
      .begin(EventKind::TemplateInstantiation, 30, "B")
      .begin(EventKind::TemplateInstantiation, 50, "C")
      .end(55)
      .end(55)
      .end(70)
      .begin(EventKind::TemplateInstantiation, 80, "D")
      .end(90)
      .end(100);
  B.footer(10, 100);
  return read(B.bytes());
}

ReportOptions withoutSource() {
  ReportOptions Opts;
  Opts.HasSource = false;
  return Opts;
}

ReportModel modelOf(const Trace &New, const Trace *Old, Reporter &R,
                    const ReportLimits &Limits) {
  feedReport(R, New, Old);
  return R.model(Limits);
}

/// A model refers to what it was made of.
struct Report {
  Report(const Trace &Made, const ReportLimits &Limits)
      : R(Input, Opts), Model(modelOf(Made, nullptr, R, Limits)) {}

  const ReportInput Input;
  const ReportOptions Opts = withoutSource();
  Reporter R;
  const ReportModel Model;
};

/// By name, self time, with what is folded as "(N)".
std::map<std::string, uint64_t> flameOf(const ReportModel &Model) {
  std::map<std::string, uint64_t> SelfNs;
  for (const FlameNode &Node : Model.Flame)
    SelfNs[Node.Others ? "(" + std::to_string(Node.Others) + ")"
                       : Model.Texts.all()[Node.Name]] += Node.Self.Ns;
  return SelfNs;
}

uint64_t sumOf(const ReportTable &Table) {
  uint64_t Sum = Table.Others.SelfNs;
  for (const ReportRow &Row : Table.Rows)
    Sum += Row.New->SelfNs;
  return Sum;
}

TEST(ReportModel, AllIsThereWhenItFits) {
  Report Made(nestedTrace(), {});
  const ReportModel &Model = Made.Model;
  EXPECT_EQ(Model.New.TotalNs, 100u);
  EXPECT_EQ(Model.FlameOthers, 0u);
  EXPECT_EQ(flameOf(Model),
            (std::map<std::string, uint64_t>{{"", 0}, // the whole
                                             {"a.cpp", 0},
                                             {"Frontend", 30},
                                             {"A", 35},
                                             {"B", 20},
                                             {"C", 5},
                                             {"D", 10}}));
  for (const ReportTable &Table : Model.Tables) {
    EXPECT_EQ(Table.OtherRows, 0u) << Table.Key;
    EXPECT_EQ(sumOf(Table), 100u) << Table.Key;
  }
}

TEST(ReportModel, SmallPathsFoldIntoTheirKeptParent) {
  // Kept: the whole, a.cpp, Frontend, A; B has 40 % of the intervals, more than
  // D; C and D are folded where they are.
  Report Made(nestedTrace(), {.FlameNodes = 5});
  const ReportModel &Model = Made.Model;
  EXPECT_EQ(Model.FlameOthers, 2u);
  ASSERT_EQ(Model.Flame.size(), 7u);
  uint64_t Sum = 0, Count = 0;
  for (uint32_t Index = 0; Index != Model.Flame.size(); ++Index) {
    const FlameNode &Node = Model.Flame[Index];
    EXPECT_TRUE(Index == 0 || Node.Parent < Index);
    Sum += Node.Self.Ns;
    Count += Node.Self.Count;
    if (Node.Others == 0)
      continue;
    const FlameNode &Around = Model.Flame[Node.Parent];
    std::string_view Name = Model.Texts.all()[Around.Name];
    EXPECT_EQ(Node.Others, 1u);
    EXPECT_EQ(Node.Self.Ns, Name == "B" ? 5u : 10u) << Name;
  }
  EXPECT_EQ(Sum, 100u);
  EXPECT_EQ(Count, 5u);
}

TEST(ReportModel, OneNodeIsStillTheWhole) {
  Report Made(nestedTrace(), {.FlameNodes = 1, .Rows = 1});
  const ReportModel &Model = Made.Model;
  ASSERT_EQ(Model.Flame.size(), 2u);
  EXPECT_EQ(Model.Flame[1].Self.Ns, 100u);
  EXPECT_EQ(Model.Flame[1].Others, 6u);
  // What is folded takes no room, its name neither.
  for (const std::string &Text : Model.Texts.all())
    EXPECT_NE(Text, "C");
}

TEST(ReportModel, SmallRowsFoldIntoOneSum) {
  Report Made(nestedTrace(), {.Rows = 2});
  const ReportModel &Model = Made.Model;
  for (const ReportTable &Table : Model.Tables) {
    EXPECT_LE(Table.Rows.size(), 2u) << Table.Key;
    EXPECT_EQ(sumOf(Table), 100u) << Table.Key;
  }
  const ReportTable &Templates = Model.Tables.front();
  EXPECT_EQ(Templates.OtherRows, 3u);
  EXPECT_EQ(Templates.Others.SelfNs, 35u); // B, C, D
  EXPECT_EQ(Templates.Others.Count, 3u);
}

TEST(ReportModel, ChainsHaveTheRowsNumbers) {
  Report Made(nestedTrace(), {});
  const ReportModel &Model = Made.Model;
  for (const ReportRow &Row : Model.Tables.front().Rows) {
    if (!Row.New->Name.Fixed.empty())
      continue;
    ASSERT_EQ(Row.Chains.Chains.size(), 1u);
    const RowChain &Chain = Row.Chains.Chains.front();
    EXPECT_EQ(Chain.SelfNs, Row.New->SelfNs);
    EXPECT_EQ(Chain.InclusiveNs, Row.New->InclusiveNs);
    // From C the way goes over B to A, with nothing outside.
    std::string Way;
    for (uint32_t Index = Chain.Node; Index != 0;
         Index = Model.Frames[Index - 1].Outer)
      Way += Model.Texts.all()[Model.Frames[Index - 1].Name];
    const std::string &Name = Model.Texts.all()[Row.Name];
    EXPECT_EQ(Way, Name == "C" ? "CBA" : Name == "B" ? "BA" : Name);
  }
}

TEST(ReportModel, OldBuildMeetsNewOneInEveryPath) {
  Trace New = nestedTrace(), Old = nestedTrace();
  ReportInput Input;
  Input.HasOld = true;
  ReportOptions Opts = withoutSource();
  Reporter R(Input, Opts);
  ReportModel Model = modelOf(New, &Old, R, {});
  EXPECT_EQ(Model.Flame.size(), 7u);
  for (const FlameNode &Node : Model.Flame)
    EXPECT_EQ(Node.Self.Ns, Node.OldSelf.Ns);
  for (const ReportTable &Table : Model.Tables)
    for (const ReportRow &Row : Table.Rows)
      EXPECT_TRUE(Row.New && Row.Old && Row.IsWithinNoise);
}

// f and g, of which the second is the larger one, with five small ones inside
// f.
TEST(FlameTree, WhatIsTooMuchIsFoldedWhileMerging) {
  std::vector<CallTree::Node> Calls(1);
  std::vector<std::string> Names = {""};
  std::vector<uint32_t> Frames;
  auto Add = [&](uint32_t Parent, const std::string &Name, uint64_t Ns) {
    Calls.push_back(
        {Parent, static_cast<uint32_t>(Frames.size()), 1, {Ns, 0, 1}});
    Frames.push_back(static_cast<uint32_t>(Names.size()));
    Names.push_back(Name);
  };
  Add(0, "f", 10);
  Add(0, "g", 100);
  for (uint32_t I = 0; I != 5; ++I)
    Add(1, "small" + std::to_string(I), 1);
  FlameTree Tree(/*Most=*/6);
  for (int I = 0; I != 3; ++I)
    Tree.add(Calls, Frames, &FlameNode::Self);
  EXPECT_TRUE(Tree.isCut());
  ReportTexts Texts;
  std::map<std::string, uint64_t> Ns;
  uint64_t Others = 0;
  auto TextOf = [&](uint32_t Frame) {
    return FrameText{Texts.index(Names[Frame]), 0};
  };
  for (const FlameNode &Node : Tree.folded(100, TextOf)) {
    Ns[Texts.all()[Node.Name]] += Node.Self.Ns;
    Others += Node.Others;
  }
  EXPECT_EQ(Ns,
            (std::map<std::string, uint64_t>{{"", 15}, {"f", 30}, {"g", 300}}));
  EXPECT_EQ(Others, 15u);
}

// One Clang says which arguments are defaults, so that they are hidden, and
// another one does not.
TEST(MergedFrames, AreFoundByTheKeysOfTheirNames) {
  MergedFrames Merged;
  MergedNames Names;
  std::vector<uint32_t> Numbers;
  for (bool IsDefaultSaid : {true, false}) {
    Trace T;
    Dictionary &D = T.Sequences.emplace_back().Names;
    D.add(", less<int>", {},
          IsDefaultSaid ? NamePart::DefaultArguments : NamePart::Text);
    D.add(std::string("set<int\0>", 9), std::vector<uint32_t>{1});
    Names.enterTrace(T);
    FlameFrame Frame;
    Frame.Kind = eventKindName(EventKind::Parsing);
    Frame.EventOf = EventKind::Parsing;
    Frame.Key = D.key({2});
    Frame.Name = {2};
    Numbers.push_back(Merged.add({Frame}, Names, {}).front());
  }
  EXPECT_EQ(Numbers[0], Numbers[1]);
  EXPECT_EQ(Merged.text(Numbers[0], {}, 100), "set<int>");
}

// Names that are shown alike are one box.
TEST(FlameTree, WhatLooksAlikeIsOneNode) {
  std::vector<CallTree::Node> Calls(1);
  Calls.push_back({0, 0, 1, {1, 0, 1}});
  Calls.push_back({0, 1, 1, {2, 0, 1}});
  Calls.push_back({2, 0, 2, {4, 0, 1}});
  FlameTree Tree;
  Tree.add(Calls, {1, 2}, &FlameNode::Self);
  EXPECT_FALSE(Tree.isCut());
  const std::vector<FlameNode> Nodes =
      Tree.folded(100, [](uint32_t) { return FrameText{7, 0}; });
  ASSERT_EQ(Nodes.size(), 3u);
  EXPECT_EQ(Nodes[1].Self.Ns, 3u);
  EXPECT_EQ(Nodes[2].Self.Ns, 4u);
}

/// One trace, with the chains f and g; g costs more.
TraceChains twoChains(const RowSet &OfF, const RowSet &OfG) {
  TraceChains Chains;
  Chains.Tree.addGroup(RowName::fixed("f"), Dictionary::keyOf("f"));
  Chains.Tree.addGroup(RowName::fixed("g"), Dictionary::keyOf("g"));
  Chains.Sets = {OfF, OfG};
  for (uint32_t Group : {0u, 1u}) {
    uint32_t Node = Chains.Tree.add({ChainTree::None, Group, 0, false, false});
    Chains.Sums.push_back({Group, Node, {0, 1, 0, Group + 1, Group + 1}});
  }
  Chains.Tree.addPlace("a.cpp", 1);
  return Chains;
}

// A row has two chains: the one that costs more is kept each time.
TEST(MergedChains, OfTooManyTheMostExpensiveOnesAreKept) {
  MergedNames Names;
  MergedChains Merged(/*Most=*/1, /*OfRow=*/1);
  const RowSet Row = {{1}, 1};
  Trace None;
  for (uint64_t I = 0; I != 3; ++I) {
    Names.enterTrace(None);
    Merged.add(twoChains(Row, Row), Names);
  }
  Merged.end(Names.trace(), 8);
  EXPECT_TRUE(Merged.isCut());
  const ChainsOfRow &Chosen = Merged.tables()[0].at(1);
  ASSERT_EQ(Chosen.Chains.size(), 1u);
  EXPECT_EQ(Chosen.Chains[0].InclusiveNs, 6u);
  EXPECT_EQ(Merged.tree().frame(Chosen.Chains[0].Node).What.Fixed, "g");
  EXPECT_EQ(Chosen.OtherChains, 3u);
  EXPECT_EQ(Chosen.Others.SelfNs, 3u);
}

// In one table both are in one row, inside another interval of it; in another
// table each has a row of its own.
TEST(MergedChains, EachTableHasItsRows) {
  MergedNames Names;
  MergedChains Merged;
  Trace None;
  Names.enterTrace(None);
  Merged.add(twoChains({{1, 1}, 0b10}, {{1, 2}, 0b10}), Names);
  Merged.end(Names.trace(), 8);
  EXPECT_FALSE(Merged.isCut());
  const ChainsOfRow &Both = Merged.tables()[0].at(1);
  ASSERT_EQ(Both.Chains.size(), 2u);
  EXPECT_EQ(Both.Chains[0].SelfNs, 2u);
  EXPECT_EQ(Both.Chains[0].InclusiveNs, 0u);
  const ChainsOfRow &Alone = Merged.tables()[1].at(2);
  ASSERT_EQ(Alone.Chains.size(), 1u);
  EXPECT_EQ(Alone.Chains[0].InclusiveNs, 2u);
  EXPECT_EQ(Merged.tables()[1].at(1).Chains[0].InclusiveNs, 1u);
}

TEST(ReportModel, DataEndsNoElement) {
  TraceBuilder B;
  B.names({"</script><!--", "A\xe2\x80\xa8"});
  B.entities({{1, 1}, {2, 2}});
  B.begin(EventKind::TemplateInstantiation, 0, "</script><!--")
      .end(5)
      .begin(EventKind::TemplateInstantiation, 5, "A\xe2\x80\xa8")
      .end(10);
  Report Made(read(B.bytes()), {});
  std::string Json = reportJson(Made.Model);
  EXPECT_EQ(Json.find('<'), Json.npos);
  EXPECT_NE(Json.find("\\u003c/script>\\u003c!--"), Json.npos);
  EXPECT_EQ(Json.find("\xe2\x80\xa8"), Json.npos);
}

} // namespace
