#include "utils/render/TreeText.h"

#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

/// Deeper nodes are not indented further, and say how deep they are.
constexpr uint32_t DeepestTreeIndent = 24;

/// What a name does not say: that it is no instantiation.
std::string kindSuffix(const TreeNode &Node, const RowName &Name) {
  bool IsFunctionWork =
      eventGroup(Node.Kind) == EventGroup::Backend && Name.Fixed.empty();
  if (!IsFunctionWork && (!isTemplateWork(Node.Kind) ||
                          Node.Kind == EventKind::TemplateInstantiation))
    return {};
  return fmt::format(" [{}]", eventKindName(Node.Kind));
}

} // namespace

void instantrace::writeTreeText(Output &Out, const Trace &T,
                                const InstantiationTree &Tree,
                                const std::vector<TreeLine> &Lines,
                                const NameStyle &Style, const Terminal &Term) {
  TextStyles Styles(Term);
  Out.append(fmt::format("{}{} of {} in {}{}\n\n", Styles.Bold,
                         timeText(Tree.TotalNs), clockWords(T.Clock),
                         counted(Tree.Compiles, "compile"), Styles.Plain));
  TextTable Table(Out, Term,
                  {{"inclusive", 10}, {"%", 7}, {"self", 10}, {"count", 9}});
  Table.head("what");
  // What is deeper leaves names their room.
  constexpr size_t ForNames = 30, FewestForName = 12;
  const size_t Columns = Table.nameColumns();
  const auto Deepest = static_cast<uint32_t>(std::min<size_t>(
      DeepestTreeIndent, (Columns - std::min(Columns, ForNames)) / 2));
  uint64_t FoldedCount = 0, FoldedNs = 0;
  for (const TreeLine &Line : Lines) {
    uint32_t Indent = std::min(Line.Depth, Deepest);
    std::string Begin(size_t(2) * Indent, ' ');
    if (Line.Depth > Deepest)
      Begin += fmt::format("+{} ", Line.Depth - Deepest);
    if (Line.Skipped != 0)
      Begin += fmt::format("({} between) ", Line.Skipped);
    if (Line.Node == TreeNode::None) {
      FoldedCount += Line.Count;
      FoldedNs += Line.Ns;
      continue;
    }
    const TreeNode &Node = Tree.Nodes[Line.Node];
    std::string Kind = kindSuffix(Node, Tree.Names[Node.Group]);
    Table.row(
        {timeText(Node.InclusiveNs),
         percentText(Node.InclusiveNs, Tree.TotalNs), timeText(Node.SelfNs),
         groupedText(Node.Count)},
        Begin +
            elidedName(T, Tree.Names[Node.Group], Style,
                       std::max(FewestForName,
                                Columns - std::min(Columns, Begin.size() +
                                                                Kind.size()))) +
            Kind,
        !isTemplateWork(Node.Kind));
  }
  Out.append("\n");
  if (FoldedCount != 0)
    appendLines(Out,
                fmt::format("not shown: {} below these, {}; -n, --min-time and "
                            "--max-depth show more",
                            counted(FoldedCount, "interval"),
                            timeText(FoldedNs)),
                Term);
  if (Tree.IsCut)
    Out.append("the shortest nodes were folded before all traces were read: "
               "there are more than memory should hold\n");
  if (Tree.FilteredNs != 0)
    Out.append(fmt::format("not selected by the filters: {}\n",
                           timeText(Tree.FilteredNs)));
}

void instantrace::writeTreeRecords(Output &Out, RecordFormat Format,
                                   const Trace &T,
                                   const InstantiationTree &Tree,
                                   const std::vector<TreeLine> &Lines,
                                   const NameStyle &Style) {
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", Tree.TotalNs);
  Records.wholeNumber("filtered_ns", Tree.FilteredNs);
  auto Folded = std::count_if(
      Tree.Nodes.begin(), Tree.Nodes.end(),
      [](const TreeNode &Node) { return Node.Group == TreeNode::None; });
  Records.wholeNumber("node_count",
                      Tree.Nodes.size() - static_cast<uint64_t>(Folded));
  for (const TreeLine &Line : Lines) {
    bool IsFolded = Line.Node == TreeNode::None;
    const TreeNode Node = IsFolded ? TreeNode{} : Tree.Nodes[Line.Node];
    Records.begin();
    Records.number("depth", Line.Depth);
    Records.text("name", IsFolded ? "(folded)"
                                  : Tree.Names[Node.Group].text(
                                        T, Style, RecordNameBytes));
    Records.text("kind", IsFolded ? "" : eventKindName(Node.Kind));
    Records.number("count", IsFolded ? Line.Count : Node.Count);
    Records.number("self_ns", IsFolded ? Line.Ns : Node.SelfNs);
    Records.number("inclusive_ns", IsFolded ? Line.Ns : Node.InclusiveNs);
    Records.number("ast_bytes", Node.AstBytes);
    Records.end();
  }
  Records.finish();
}
