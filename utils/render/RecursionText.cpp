#include "utils/render/RecursionText.h"

#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

using namespace instantrace;

namespace {

std::string evidence(const RecursionRow &Row) {
  std::string Text = counted(Row.Specializations, "specialization") + " for " +
                     counted(Row.Depth, "step");
  if (Row.isRepeated())
    Text += fmt::format(", and {} in all {}", groupedText(Row.Total),
                        counted(Row.Recursions, "recursion"));
  if (Row.hasGrowingNames())
    Text +=
        fmt::format("; names grow from {} to {}", sizeText(Row.ShortestBytes),
                    sizeText(Row.LongestBytes));
  return Text;
}

} // namespace

void instantrace::writeRecursionText(Output &Out, const Trace &T,
                                     const RecursionReport &Report,
                                     size_t Wanted, const NameStyle &Style,
                                     const Terminal &Term) {
  TextTable Deep(Out, Term, {{"depth", 8}, {"inclusive", 11}});
  Deep.head("deepest chains, outermost and innermost");
  size_t Shown = shownRows(Report.Chains.size(), Wanted);
  size_t Columns = Deep.nameColumns();
  for (size_t I = 0; I != Shown; ++I) {
    const DeepChain &Chain = Report.Chains[I];
    std::string Place = elideName(shownPath(Chain.Place), Columns / 3);
    size_t Left = Columns - columnsOf(Place) - 2;
    Deep.row({groupedText(Chain.Depth), timeText(Chain.InclusiveNs)},
             elidedName(T, Chain.Outermost, Style, Left) + "  " + Place);
    Deep.row({}, "  " + elidedName(T, Chain.Innermost, Style, Columns - 2));
    if (Chain.Frequency > 1)
      Deep.row({},
               fmt::format("  {} of these are ", groupedText(Chain.Frequency)) +
                   elidedName(T, Chain.MostFrequent, Style, Columns - 24),
               true);
  }
  Out.append(fmt::format("{} of {}\n\n", groupedText(Shown),
                         counted(Report.Chains.size(), "chain")));

  TextTable Recur(
      Out, Term,
      {{"depth", 8}, {"total", 9}, {"times", 8}, {"self", 10}, {"growth", 18}});
  Recur.head("recursive templates");
  Shown = shownRows(Report.Recursions.size(), Wanted);
  const std::vector<std::string> Names = distinctNames(
      T, Report.Recursions, Shown,
      [](const RecursionRow &Row) { return Row.Template; }, Style,
      Recur.nameColumns());
  for (size_t I = 0; I != Shown; ++I) {
    const RecursionRow &Row = Report.Recursions[I];
    Recur.row({groupedText(Row.Depth), groupedText(Row.Total),
               groupedText(Row.Recursions), timeText(Row.SelfNs),
               std::string(growthName(Row.growth()))},
              Names[I]);
    Recur.addLineBelow("  " + evidence(Row));
  }
  Out.append(
      fmt::format("{} of {}\n", groupedText(Shown),
                  counted(Report.Recursions.size(), "recursive template")));
}

void instantrace::writeRecursionRecords(Output &Out, RecordFormat Format,
                                        const Trace &T,
                                        const RecursionReport &Report,
                                        size_t Wanted, const NameStyle &Style) {
  RecordText Records(Out, Format);
  Records.wholeNumber("chain_count", Report.Chains.size());
  Records.wholeNumber("recursion_count", Report.Recursions.size());
  for (size_t I = 0; I != shownRows(Report.Chains.size(), Wanted); ++I) {
    const DeepChain &Chain = Report.Chains[I];
    Records.begin();
    Records.text("row", "chain");
    Records.number("depth", Chain.Depth);
    Records.text("name", Chain.Outermost.text(T, Style, RecordNameBytes));
    Records.text("innermost", Chain.Innermost.text(T, Style, RecordNameBytes));
    Records.text("place", Chain.Place);
    Records.number("time_ns", Chain.InclusiveNs);
    Records.text("most_frequent",
                 Chain.MostFrequent.text(T, Style, RecordNameBytes));
    Records.number("frequency", Chain.Frequency);
    Records.text("growth", "");
    Records.number("specializations", 0);
    Records.number("total", 0);
    Records.number("shortest_bytes", 0);
    Records.number("longest_bytes", 0);
    Records.end();
  }
  for (size_t I = 0; I != shownRows(Report.Recursions.size(), Wanted); ++I) {
    const RecursionRow &Row = Report.Recursions[I];
    Records.begin();
    Records.text("row", "recursion");
    Records.number("depth", Row.Depth);
    Records.text("name", Row.Template.text(T, Style, RecordNameBytes));
    Records.text("innermost", Row.Innermost.text(T, Style, RecordNameBytes));
    Records.text("place", "");
    Records.number("time_ns", Row.SelfNs);
    Records.text("most_frequent", "");
    Records.number("frequency", Row.Recursions);
    Records.text("growth", growthName(Row.growth()));
    Records.number("specializations", Row.Specializations);
    Records.number("total", Row.Total);
    Records.number("shortest_bytes", Row.ShortestBytes);
    Records.number("longest_bytes", Row.LongestBytes);
    Records.end();
  }
  Records.finish();
}
