#include "utils/render/TouchText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace instantrace;

namespace {

std::string wallText(const TouchTable &Table, uint64_t Ns) {
  return Table.HasWall ? longTimeText(Ns) : "-";
}

void writeHead(Output &Out, const TouchTable &Table,
               const TouchTextStyle &Style, const Terminal &Term) {
  std::string Text =
      fmt::format("{}, {} of {}", counted(Table.Clean.Units, "compile"),
                  longTimeText(Table.Clean.Ns), clockWords(Style.Clock));
  if (Table.HasWall)
    Text += " in " + longTimeText(Table.Clean.WallNs);
  if (Table.HasHistory)
    Text +=
        fmt::format("; {} since {} ({}), of which {} changed what is compiled",
                    counted(Table.Commits, "commit"), Style.Since,
                    weeksText(Style.Weeks), groupedText(Table.Often.Commits));
  appendLines(Out, Text, Term);
  if (Table.HasHistory && Table.Often.Commits != 0)
    appendLines(Out,
                "who builds after each of them compiles for " +
                    longTimeText(Table.Often.WeekNs) + " a week" +
                    (Table.HasWall ? ", and waits for " +
                                         longTimeText(Table.Often.WeekWallNs)
                                   : ""),
                Term);
  Out.append("\n");
}

std::vector<TextTable::Column> columns(const TouchTable &Table) {
  std::vector<TextTable::Column> Columns{
      {"units", 6}, {"time", 10}, {"wall", 10}};
  if (Table.HasHistory) {
    Columns.push_back({"commits", 9});
    Columns.push_back({"per week", 10});
  }
  return Columns;
}

std::vector<std::string> cells(const TouchTable &Table, const RebuildCost &Cost,
                               const TouchFrequency &Often) {
  std::vector<std::string> Cells{groupedText(Cost.Units), longTimeText(Cost.Ns),
                                 wallText(Table, Cost.WallNs)};
  if (Table.HasHistory) {
    Cells.push_back(groupedText(Often.Commits));
    Cells.push_back(longTimeText(Often.WeekNs));
  }
  return Cells;
}

/// Both names keep their ends.
std::string edgeText(const SplitRow &Split, size_t Columns) {
  constexpr std::string_view Arrow = " -> ";
  const size_t Room = Columns - std::min(Columns, Arrow.size());
  std::string Included =
      elideName(printableText(Split.Included), Room - Room / 2);
  return elideName(printableText(Split.Includer), Room / 2)
      .append(Arrow)
      .append(Included);
}

void writeRow(RecordText &Records, std::string_view Kind,
              const std::string &Name, const std::string &Through,
              const RebuildCost &Cost, const TouchFrequency &Often) {
  Records.begin();
  Records.text("kind", Kind);
  Records.text("name", Name);
  Records.text("through", Through);
  Records.number("units", Cost.Units);
  Records.number("time_ns", Cost.Ns);
  Records.number("wall_ns", Cost.WallNs);
  Records.number("commits", Often.Commits);
  Records.number("week_ns", Often.WeekNs);
  Records.number("week_wall_ns", Often.WeekWallNs);
  Records.end();
}

} // namespace

void instantrace::writeTouch(Output &Out, const TouchTable &Table,
                             const TouchTextStyle &Style,
                             const Terminal &Term) {
  writeHead(Out, Table, Style, Term);
  const bool IsByFile = Style.Key == TouchKey::File;
  TextTable Lines(Out, Term, columns(Table));
  Lines.head(IsByFile ? "file that changes" : "folder, all of which changes");
  const size_t Shown = shownRows(Table.Rows.size(), Style.Wanted);
  for (size_t I = 0; I != Shown; ++I)
    Lines.row(
        cells(Table, Table.Rows[I].Touch, Table.Rows[I].Often),
        elideName(printableText(Table.Rows[I].Name), Lines.nameColumns()));
  Out.append(
      fmt::format("\n{} of {}{}\n", groupedText(Shown),
                  counted(Table.Rows.size(), IsByFile ? "file" : "folder"),
                  allRowsHint(Shown, Table.Rows.size())));
  if (Table.Splits.empty())
    return;
  Out.append("\nLess in a touch, at most, if the first did not include the "
             "second (estimated):\n\n");
  TextTable Splits(Out, Term, columns(Table));
  Splits.head("#include");
  const size_t SplitsShown = shownRows(Table.Splits.size(), Style.Wanted);
  for (size_t I = 0; I != SplitsShown; ++I)
    Splits.row(cells(Table, Table.Splits[I].Saved, Table.Splits[I].Often),
               edgeText(Table.Splits[I], Splits.nameColumns()));
}

void instantrace::writeTouchRecords(Output &Out, RecordFormat Format,
                                    const TouchTable &Table,
                                    const TouchTextStyle &Style) {
  RecordText Records(Out, Format);
  Records.wholeNumber("compiles", Table.Clean.Units);
  Records.wholeNumber("time_ns", Table.Clean.Ns);
  Records.wholeBoolean("has_wall", Table.HasWall);
  Records.wholeNumber("wall_ns", Table.Clean.WallNs);
  Records.wholeBoolean("has_history", Table.HasHistory);
  Records.wholeText("since", Style.Since);
  Records.wholeNumber("week_tenths",
                      static_cast<uint64_t>(std::llround(10 * Style.Weeks)));
  Records.wholeNumber("commits", Table.Commits);
  Records.wholeNumber("commits_that_compile", Table.Often.Commits);
  Records.wholeNumber("week_ns", Table.Often.WeekNs);
  Records.wholeNumber("week_wall_ns", Table.Often.WeekWallNs);
  Records.wholeNumber("row_count", Table.Rows.size());
  for (size_t I = 0; I != shownRows(Table.Rows.size(), Style.Wanted); ++I)
    writeRow(Records, Style.Key == TouchKey::File ? "file" : "folder",
             Table.Rows[I].Name, "", Table.Rows[I].Touch, Table.Rows[I].Often);
  for (size_t I = 0; I != shownRows(Table.Splits.size(), Style.Wanted); ++I)
    writeRow(Records, "split", Table.Splits[I].Included,
             Table.Splits[I].Includer, Table.Splits[I].Saved,
             Table.Splits[I].Often);
  Records.finish();
}
