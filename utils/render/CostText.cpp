#include "utils/render/CostText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

std::string headline(const Trace &T, const CostTable &Table) {
  std::string Inputs = T.Files.size() == 1 ? T.Files.front().Name
                                           : counted(T.Files.size(), "trace");
  std::string Printable;
  appendPrintable(Printable, Inputs);
  return fmt::format("{}: {} in {}{}", Printable, timeText(Table.TotalNs),
                     counted(T.Sequences.size(), "compile"),
                     T.losses().empty() ? "" : ", incomplete");
}

void writeClosing(Output &Out, const CostTable &Table, size_t Shown) {
  uint64_t ShownNs = 0;
  for (size_t I = 0; I != Shown; ++I)
    ShownNs += Table.Rows[I].SelfNs;
  Out.append(fmt::format("{} of {}, {} % of the time{}\n", groupedText(Shown),
                         counted(Table.Rows.size(), "row"),
                         percentText(ShownNs, Table.TotalNs),
                         allRowsHint(Shown, Table.Rows.size())));
  if (Table.ElidedCount)
    Out.append(fmt::format("{} below the granularity, summed in (elided): {}\n",
                           counted(Table.ElidedCount, "leaf", "leaves"),
                           timeText(Table.ElidedNs)));
  if (Table.DroppedCount)
    Out.append(counted(Table.DroppedCount, "event") +
               " dropped while recording\n");
}

} // namespace

void instantrace::writeCostTable(Output &Out, const Trace &T,
                                 const CostTable &Costs, size_t Wanted,
                                 const CostTableStyle &Style,
                                 const Terminal &Term) {
  size_t Shown = shownRows(Costs.Rows.size(), Wanted);
  TextStyles Styles(Term);
  Out.append(
      fmt::format("{}{}{}\n\n", Styles.Bold, headline(T, Costs), Styles.Plain));
  std::vector<TextTable::Column> Columns = {{"self", 10},      {"%", 7},
                                            {"inclusive", 11}, {"count", 10},
                                            {"memoized", 12},  {"AST", 10}};
  bool HasElided = Costs.ElidedCount != 0;
  if (HasElided)
    Columns.push_back({"elided", 10});
  TextTable Table(Out, Term, std::move(Columns));
  Table.head(Style.What);
  for (size_t I = 0; I != Shown; ++I) {
    const CostRow &Row = Costs.Rows[I];
    std::vector<std::string> Cells = {
        timeText(Row.SelfNs),      percentText(Row.SelfNs, Costs.TotalNs),
        timeText(Row.InclusiveNs), groupedText(Row.Count),
        groupedText(Row.Memoized), sizeText(Row.AstBytes)};
    if (HasElided)
      Cells.push_back(groupedText(Row.Elided));
    Table.row(Cells, elidedName(T, Row.Name, Style.Names, Table.nameColumns()),
              !Row.Name.Fixed.empty());
    if (Style.Below)
      for (const std::string &Line : Style.Below(Row))
        Table.addLineBelow(Line);
  }
  Out.append("\n");
  writeClosing(Out, Costs, Shown);
}

void instantrace::writeCostRecords(Output &Out, RecordFormat Format,
                                   const Trace &T, const CostTable &Table,
                                   size_t Wanted, const CostTableStyle &Style,
                                   std::string_view BelowName) {
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", Table.TotalNs);
  Records.wholeBoolean("incomplete", !T.losses().empty());
  Records.wholeNumber("traces", T.Files.size());
  Records.wholeNumber("sequences", T.Sequences.size());
  Records.wholeNumber("row_count", Table.Rows.size());
  Records.wholeNumber("elided_count", Table.ElidedCount);
  Records.wholeNumber("elided_ns", Table.ElidedNs);
  Records.wholeNumber("dropped", Table.DroppedCount);
  for (size_t I = 0, Shown = shownRows(Table.Rows.size(), Wanted); I != Shown;
       ++I) {
    const CostRow &Row = Table.Rows[I];
    Records.begin();
    Records.text("name", Row.Name.text(T, Style.Names, RecordNameBytes));
    Records.text("kind", Row.Kind);
    Records.number("count", Row.Count);
    Records.number("definitions", Row.Definitions);
    Records.number("memoized", Row.Memoized);
    Records.number("self_ns", Row.SelfNs);
    Records.number("inclusive_ns", Row.InclusiveNs);
    Records.number("requested_ns", Row.RequestedNs);
    Records.number("ast_bytes", Row.AstBytes);
    Records.number("elided", Row.Elided);
    if (Style.Below)
      Records.list(BelowName, Style.Below(Row));
    Records.end();
  }
  Records.finish();
}
