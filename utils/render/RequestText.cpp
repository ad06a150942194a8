#include "utils/render/RequestText.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

std::string leftOutText(const RequestFrame &Frame) {
  return "(" + counted(Frame.LeftOut, "frame") + " left out)";
}

/// "late std::vector<$>::push  vec:70", the place at the end of the columns.
std::string frameText(const Trace &T, const RequestFrame &Frame, bool IsFirst,
                      const NameStyle &Style, size_t Columns) {
  if (Frame.LeftOut != 0)
    return "  " + leftOutText(Frame);
  std::string Text = IsFirst ? "" : "  ";
  if (Frame.IsInclusion)
    Text += "#include ";
  if (Frame.IsLate)
    Text += "late ";
  std::string Place = elideName(shownPath(Frame.Place), Columns / 3);
  size_t Left =
      Columns - std::min(Columns, columnsOf(Text) + columnsOf(Place) + 2);
  Left = std::max<size_t>(Left, 1);
  Text += Frame.IsInclusion
              ? elideName(
                    shownPath(normalPath(Frame.What.text(T, Style, PathBytes))),
                    Left)
              : elidedName(T, Frame.What, Style, Left);
  size_t Used = columnsOf(Text) + columnsOf(Place);
  return Text + std::string(Columns > Used ? Columns - Used : 1, ' ') + Place;
}

} // namespace

namespace {

using ChainLines = std::vector<std::string>;

/// Fewer equal lines are no longer than saying that they are.
constexpr size_t FewestAlike = 3;
/// Chains above that one is compared with: those that are still in sight.
constexpr size_t MostCompared = 16;

/// The lines of a chain, without those that one above has alike: at its begin,
/// or at its end but for the last one, which is the line in the user's code.
ChainLines withoutRepeated(const ChainLines &Chain,
                           const std::vector<ChainLines> &Above) {
  size_t Begin = 0, End = 0;
  for (const ChainLines &Lines : Above) {
    size_t Most = std::min(Lines.size(), Chain.size());
    size_t Same = 0;
    while (Same != Most && Lines[Same] == Chain[Same])
      ++Same;
    Begin = std::max(Begin, Same);
    for (Same = 0; Same != Most && Lines[Lines.size() - 1 - Same] ==
                                       Chain[Chain.size() - 1 - Same];)
      ++Same;
    End = std::max(End, Same);
  }
  // The first line and the last one are shown.
  Begin = std::min(Begin, Chain.size() - 1);
  End = std::min(End, Chain.size() - std::max<size_t>(Begin, 1));
  auto Alike = [](size_t Count) {
    return fmt::format("  ({} as above)", counted(Count, "frame"));
  };
  ChainLines Left = {Chain.front()};
  size_t First = 1, Behind = Chain.size();
  if (Begin > FewestAlike) {
    Left.push_back(Alike(Begin - 1));
    First = Begin;
  }
  if (End > FewestAlike)
    Behind -= End;
  Left.insert(Left.end(), Chain.begin() + static_cast<std::ptrdiff_t>(First),
              Chain.begin() + static_cast<std::ptrdiff_t>(Behind));
  if (End > FewestAlike) {
    Left.push_back(Alike(End - 1));
    Left.push_back(Chain.back());
  }
  return Left;
}

constexpr TextTable::Column WhoAskedColumns[] = {{"optimize", 10},
                                                 {"generate", 10},
                                                 {"bytes", 9, true},
                                                 {"inlined", 9, true}};

} // namespace

void instantrace::writeRequestText(Output &Out, const Trace &T,
                                   const RequestReport &Report,
                                   const std::string &Name, size_t Wanted,
                                   const NameStyle &Style,
                                   const Terminal &Term) {
  size_t Shown = shownRows(Report.Chains.size(), Wanted);
  TextStyles Styles(Term);
  const std::string Head =
      fmt::format("{}: {} of {} in {} of {}, over {}", printableText(Name),
                  timeText(Report.Total.InclusiveNs), clockWords(T.Clock),
                  counted(Report.Total.Count, "interval"),
                  counted(Report.Entities, "entity", "entities"),
                  counted(Report.Chains.size(), "chain"));
  appendLines(Out, Head, Term, Styles.Bold, Styles.Plain);
  Out.append("\n");
  bool HasMemoized = Report.Total.Memoized != 0;
  std::vector<TextTable::Column> Columns = {
      {"inclusive", 10}, {"self", 10}, {"count", 8}};
  if (HasMemoized)
    Columns.push_back({"memoized", 10});
  bool HasBackend = Report.Total.Backend.isThere();
  if (HasBackend)
    for (const TextTable::Column &C : WhoAskedColumns)
      Columns.push_back(C);
  TextTable Table(Out, Term, std::move(Columns));
  Table.head("asked for, and by whom");
  std::vector<ChainLines> Above;
  for (size_t I = 0; I != Shown; ++I) {
    const RequestChain &Chain = Report.Chains[I];
    std::vector<std::string> Cells = {timeText(Chain.InclusiveNs),
                                      timeText(Chain.SelfNs),
                                      groupedText(Chain.Count)};
    if (HasMemoized)
      Cells.push_back(groupedText(Chain.Memoized));
    if (const BackendCost &Cost = Chain.Backend.get(); HasBackend)
      Cells.insert(Cells.end(),
                   {timeText(Cost.OptimizeNs), timeText(Cost.GenerateNs),
                    sizeText(Cost.ObjectBytes), groupedText(Cost.InlinedAway)});
    ChainLines Lines;
    for (const RequestFrame &Frame : Report.frames(Chain))
      Lines.push_back(
          frameText(T, Frame, Lines.empty(), Style, Table.nameColumns()));
    for (const std::string &Line : withoutRepeated(Lines, Above)) {
      Table.row(Cells, Line);
      Cells.clear();
    }
    if (Above.size() == MostCompared)
      Above.erase(Above.begin());
    Above.push_back(std::move(Lines));
  }
  appendRowCount(Out, Shown, Report.Chains.size(), "chain");
  if (HasBackend) {
    const BackendCost &Cost = Report.Total.Backend.get();
    Out.append(fmt::format(
        "behind the frontend: optimizer {}, machine code {}; {} of {} in "
        "objects, {}\n",
        timeText(Cost.OptimizeNs), timeText(Cost.GenerateNs),
        groupedText(Cost.Emitted), counted(Cost.Given, "function"),
        sizeText(Cost.ObjectBytes)));
  }
  if (Report.CountedHits != 0)
    Out.append(fmt::format(
        "used again {}; record with memoization=events to see where\n",
        counted(Report.CountedHits, "time")));
}

void instantrace::writeRequestRecords(Output &Out, RecordFormat Format,
                                      const Trace &T,
                                      const RequestReport &Report,
                                      const std::string &Name, size_t Wanted,
                                      const NameStyle &Style) {
  RecordText Records(Out, Format);
  Records.wholeText("name", Name);
  Records.wholeNumber("entities", Report.Entities);
  Records.wholeNumber("count", Report.Total.Count);
  Records.wholeNumber("definitions", Report.Total.Definitions);
  Records.wholeNumber("memoized", Report.Total.Memoized);
  Records.wholeNumber("counted_hits", Report.CountedHits);
  Records.wholeNumber("self_ns", Report.Total.SelfNs);
  Records.wholeNumber("inclusive_ns", Report.Total.InclusiveNs);
  Records.wholeNumber("chain_count", Report.Chains.size());
  bool HasBackend = Report.Total.Backend.isThere();
  if (HasBackend) {
    const BackendCost &Cost = Report.Total.Backend.get();
    Records.wholeNumber("optimize_ns", Cost.OptimizeNs);
    Records.wholeNumber("generate_ns", Cost.GenerateNs);
    Records.wholeNumber("object_bytes", Cost.ObjectBytes);
    Records.wholeNumber("functions_given", Cost.Given);
    Records.wholeNumber("functions", Cost.Emitted);
    Records.wholeNumber("inlined_away", Cost.InlinedAway);
  }
  for (size_t I = 0, Shown = shownRows(Report.Chains.size(), Wanted);
       I != Shown; ++I) {
    const RequestChain &Chain = Report.Chains[I];
    std::vector<std::string> Frames, Places;
    for (const RequestFrame &Frame : Report.frames(Chain)) {
      if (Frame.LeftOut != 0) {
        Frames.push_back(leftOutText(Frame));
        Places.emplace_back();
        continue;
      }
      Frames.push_back((Frame.IsInclusion ? "#include " : "") +
                       std::string(Frame.IsLate ? "late " : "") +
                       Frame.What.text(T, Style, RecordNameBytes));
      Places.push_back(Frame.Place);
    }
    Records.begin();
    Records.number("inclusive_ns", Chain.InclusiveNs);
    Records.number("self_ns", Chain.SelfNs);
    Records.number("count", Chain.Count);
    Records.number("definitions", Chain.Definitions);
    Records.number("memoized", Chain.Memoized);
    if (const BackendCost &Cost = Chain.Backend.get(); HasBackend) {
      Records.number("optimize_ns", Cost.OptimizeNs);
      Records.number("generate_ns", Cost.GenerateNs);
      Records.number("object_bytes", Cost.ObjectBytes);
      Records.number("functions_given", Cost.Given);
      Records.number("functions", Cost.Emitted);
      Records.number("inlined_away", Cost.InlinedAway);
    }
    Records.list("frames", Frames);
    Records.list("places", Places);
    Records.end();
  }
  Records.finish();
}
