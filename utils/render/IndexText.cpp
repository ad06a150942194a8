#include "utils/render/IndexText.h"

#include "runtime/base/PrintableText.h"
#include "runtime/format/EventKind.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

EventKind kindOf(const IndexFrame &F) {
  return static_cast<EventKind>(F.Is.Kind);
}

void frameRow(TextTable &Table, const IndexFrame &F, const std::string &Begin) {
  Table.row({groupedText(F.Id), timeText(F.Is.BeginNs),
             timeText(F.Is.EndNs - F.Is.BeginNs), timeText(F.Is.SelfNs)},
            Begin + indexFrameText(F, Table.nameColumns(Begin.size())),
            !isTemplateWork(kindOf(F)));
  if (!F.RequesterName.empty())
    Table.addLineBelow("  requested by record " + groupedText(F.Is.Requester) +
                       ", " + printableText(F.RequesterName));
}

void number(RecordText &Records, std::string_view Name, uint32_t Id) {
  // None has no number; -1 would be one.
  Records.text(Name, Id == InstantiationIndex::None ? "" : std::to_string(Id));
}

void frameRecord(RecordText &Records, const IndexFrame &F, uint32_t Compile) {
  Records.begin();
  Records.number("compile", Compile + uint64_t(1));
  Records.number("record", F.Id);
  Records.number("begin_ns", F.Is.BeginNs);
  Records.number("end_ns", F.Is.EndNs);
  Records.number("self_ns", F.Is.SelfNs);
  Records.number("ast_bytes", F.Is.OwnBytes);
  Records.number("depth", F.Is.Depth);
  Records.text("kind", eventKindName(kindOf(F)));
  Records.text("name", F.Name);
  Records.text("file", F.File);
  Records.number("line", F.LineNo);
  Records.number("column", F.ColumnNo);
  number(Records, "parent", F.Is.Parent);
  number(Records, "requester", F.Is.Requester);
  Records.number("open", F.Is.IsOpen);
  Records.end();
}

std::vector<TextTable::Column> frameColumns() {
  return {{"record", 10}, {"begin", 10}, {"inclusive", 10}, {"self", 10}};
}

} // namespace

std::string instantrace::indexedName(const std::string &Name) {
  return Name.empty() ? "<unnamed>" : printableText(Name);
}

std::string instantrace::indexFrameText(const IndexFrame &F, size_t Columns) {
  std::string Kind;
  if (kindOf(F) != EventKind::TemplateInstantiation)
    Kind = fmt::format(" [{}]", eventKindName(kindOf(F)));
  std::string Place =
      F.File.empty() ? "" : elideName(printableText(F.place()), Columns / 3);
  size_t Used = columnsOf(Kind) + columnsOf(Place) + 2;
  std::string Text =
      elideName(indexedName(F.Name), Columns > Used ? Columns - Used : 1) +
      Kind;
  if (Place.empty())
    return Text;
  Used = columnsOf(Text) + columnsOf(Place);
  return Text + std::string(Columns > Used ? Columns - Used : 1, ' ') + Place;
}

void instantrace::writeStackText(Output &Out,
                                 const std::vector<IndexStack> &Stacks,
                                 const Terminal &Term) {
  TextStyles Styles(Term);
  size_t Idle = 0;
  for (const IndexStack &Stack : Stacks) {
    if (Stack.Frames.empty() && Stacks.size() != 1) {
      ++Idle;
      continue;
    }
    Out.append(fmt::format("{}{} of compile {}, {}: {}{}\n", Styles.Bold,
                           timeText(Stack.TimeNs), Stack.Compile + uint64_t(1),
                           Stack.Input.empty() ? printableText(Stack.Trace)
                                               : printableText(Stack.Input),
                           Stack.Frames.empty()
                               ? "nothing was going on"
                               : counted(Stack.Frames.size(), "frame") +
                                     ", innermost first",
                           Styles.Plain));
    if (Stack.Frames.empty())
      continue;
    Out.append("\n");
    TextTable Table(Out, Term, frameColumns());
    Table.head("what");
    for (const IndexFrame &F : Stack.Frames)
      frameRow(Table, F, "");
    Out.append("\n");
  }
  if (Idle != 0)
    Out.append(fmt::format("nothing was going on in {}\n",
                           counted(Idle, "other compile")));
}

void instantrace::writeStackRecords(Output &Out, RecordFormat Format,
                                    const std::vector<IndexStack> &Stacks) {
  RecordText Records(Out, Format);
  if (!Stacks.empty())
    Records.wholeNumber("time_ns", Stacks.front().TimeNs);
  for (const IndexStack &Stack : Stacks)
    for (const IndexFrame &F : Stack.Frames)
      frameRecord(Records, F, Stack.Compile);
  Records.finish();
}

namespace {

std::vector<TextTable::Column> costColumns() {
  return {{"inclusive", 10}, {"self", 10}, {"count", 9}, {"first", 10}};
}

std::vector<std::string> costCells(const IndexCostRow &Row) {
  return {timeText(Row.InclusiveNs), timeText(Row.SelfNs),
          groupedText(Row.Count), groupedText(Row.FirstRecord)};
}

void writeCosts(RecordText &Records, const IndexCostRow &Row) {
  Records.number("inclusive_ns", Row.InclusiveNs);
  Records.number("self_ns", Row.SelfNs);
  Records.number("count", Row.Count);
  Records.number("first_record", Row.FirstRecord);
}

} // namespace

void instantrace::writeLineText(Output &Out, const IndexLine &Line,
                                size_t Wanted, const Terminal &Term) {
  TextStyles Styles(Term);
  uint64_t Count = 0;
  for (const IndexLineRow &Row : Line.Rows)
    Count += Row.Count;
  for (const std::string &File : Line.Files)
    Out.append(fmt::format("{}{}:{}{}\n", Styles.Bold, printableText(File),
                           Line.LineNo, Styles.Plain));
  Out.append(counted(Count, "record") + "\n\n");
  TextTable Table(Out, Term, costColumns());
  Table.head("what the line instantiates");
  size_t Shown = shownRows(Line.Rows.size(), Wanted);
  for (size_t I = 0; I != Shown; ++I) {
    const IndexLineRow &Row = Line.Rows[I];
    bool IsPlain = Row.Kind == eventKindName(EventKind::TemplateInstantiation);
    std::string Kind = IsPlain ? "" : " [" + Row.Kind + "]";
    Table.row(costCells(Row),
              elideName(indexedName(Row.Name), Table.nameColumns(Kind.size())) +
                  Kind);
  }
  appendRowCount(Out, Shown, Line.Rows.size());
}

void instantrace::writeLineRecords(Output &Out, RecordFormat Format,
                                   const IndexLine &Line, size_t Wanted) {
  RecordText Records(Out, Format);
  Records.wholeNumber("line", Line.LineNo);
  Records.wholeNumber("row_count", Line.Rows.size());
  for (size_t I = 0; I != shownRows(Line.Rows.size(), Wanted); ++I) {
    const IndexLineRow &Row = Line.Rows[I];
    Records.begin();
    writeCosts(Records, Row);
    Records.text("kind", Row.Kind);
    Records.text("name", Row.Name);
    Records.end();
  }
  Records.finish();
}

void instantrace::writeSubtreeText(Output &Out, const IndexSubtree &Tree,
                                   const Terminal &Term) {
  const IndexFrame &Root = Tree.Root;
  Out.append(
      fmt::format("{} in {}{}\n\n", timeText(Root.Is.EndNs - Root.Is.BeginNs),
                  counted(Tree.RecordCount + 1, "record"),
                  Root.Is.AllBytes == 0
                      ? ""
                      : ", " + sizeText(Root.Is.AllBytes) + " of syntax tree"));
  TextTable Table(Out, Term, frameColumns());
  Table.head("what");
  frameRow(Table, Root, "");
  for (const IndexFrame &F : Tree.Shown)
    frameRow(Table, F,
             std::string(2 * std::min<size_t>(F.Is.Depth - Root.Is.Depth,
                                              DeepestIndent),
                         ' '));
  if (Tree.LeftOut != 0)
    Out.append(fmt::format("\n{} not shown; -n and --max-depth say how many\n",
                           counted(Tree.LeftOut, "record")));
}

void instantrace::writeSubtreeRecords(Output &Out, RecordFormat Format,
                                      const IndexSubtree &Tree) {
  RecordText Records(Out, Format);
  Records.wholeNumber("record_count", Tree.RecordCount + 1);
  Records.wholeNumber("ast_bytes", Tree.Root.Is.AllBytes);
  Records.wholeNumber("left_out", Tree.LeftOut);
  frameRecord(Records, Tree.Root, Tree.Root.Is.Compile);
  for (const IndexFrame &F : Tree.Shown)
    frameRecord(Records, F, F.Is.Compile);
  Records.finish();
}
