#include "utils/render/CostText.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/costs/OtherWork.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>

using namespace instantrace;

namespace {

std::string headline(const CostSource &Of, const CostTable &Table) {
  std::string Printable;
  appendPrintable(Printable, Of.Inputs);
  return fmt::format("{}: {} in {}{}", Printable, timeText(Table.TotalNs),
                     counted(Of.Sequences, "compile"),
                     Of.IsIncomplete ? ", incomplete" : "");
}

uint64_t sumOfSelfNs(const std::vector<CostRow> &Rows, size_t First) {
  return std::accumulate(
      Rows.begin(), Rows.begin() + static_cast<std::ptrdiff_t>(First),
      uint64_t(0),
      [](uint64_t Sum, const CostRow &Row) { return Sum + Row.SelfNs; });
}

void writeClosing(Output &Out, const CostTable &Table) {
  if (Table.ElidedCount)
    Out.append(fmt::format("{} below the granularity, summed in (elided): {}\n",
                           counted(Table.ElidedCount, "leaf", "leaves"),
                           timeText(Table.ElidedNs)));
  if (Table.DroppedCount)
    Out.append(counted(Table.DroppedCount, "event") +
               " dropped while recording\n");
}

/// A column of numbers, and its cell of a row.
struct CostColumn {
  TextTable::Column Title;
  std::string (*Cell)(const CostRow &Row, const CostTable &Of);
  std::optional<CostOrder> Order = std::nullopt; ///< that it is the key of
};

constexpr CostColumn FirstColumns[] = {
    {{"self", 10},
     [](const CostRow &Row, const CostTable &) { return timeText(Row.SelfNs); },
     CostOrder::Self},
    {{"%", 7},
     [](const CostRow &Row, const CostTable &Of) {
       return percentText(Row.SelfNs, Of.TotalNs);
     }},
    {{"inclusive", 11},
     [](const CostRow &Row, const CostTable &) {
       return timeText(Row.InclusiveNs);
     },
     CostOrder::Inclusive},
    {{"count", 10},
     [](const CostRow &Row, const CostTable &) {
       return groupedText(Row.Count);
     },
     CostOrder::Count},
};
/// Of work that is no template's.
constexpr std::span<const CostColumn> OtherColumns(FirstColumns, 3);
constexpr CostColumn BackendColumns[] = {
    {{"frontend", 10},
     [](const CostRow &Row, const CostTable &) {
       return timeText(Row.frontendNs());
     },
     CostOrder::Frontend},
    {{"optimize", 10},
     [](const CostRow &Row, const CostTable &) {
       return timeText(Row.backend().OptimizeNs);
     },
     CostOrder::Optimize},
    {{"generate", 10},
     [](const CostRow &Row, const CostTable &) {
       return timeText(Row.backend().GenerateNs);
     },
     CostOrder::Generate},
    {{"bytes", 9},
     [](const CostRow &Row, const CostTable &) {
       return sizeText(Row.backend().ObjectBytes);
     },
     CostOrder::Bytes},
    {{"functions", 11},
     [](const CostRow &Row, const CostTable &) {
       return groupedText(Row.backend().Emitted);
     },
     CostOrder::Functions},
    {{"inlined", 9},
     [](const CostRow &Row, const CostTable &) {
       return groupedText(Row.backend().InlinedAway);
     },
     CostOrder::InlinedAway},
};
constexpr CostColumn FrontendColumns[] = {
    {{"memoized", 12},
     [](const CostRow &Row, const CostTable &) {
       return groupedText(Row.Memoized);
     },
     CostOrder::Memoized},
    {{"AST", 10},
     [](const CostRow &Row, const CostTable &) {
       return sizeText(Row.AstBytes);
     },
     CostOrder::Ast},
};
constexpr CostColumn EstimateColumns[] = {
    {{"~IR gen", 10},
     [](const CostRow &Row, const CostTable &) {
       return Row.backend().IrGenerationEstimateNs == 0
                  ? std::string("-")
                  : "~" + timeText(Row.backend().IrGenerationEstimateNs);
     }},
};
constexpr CostColumn ElidedColumns[] = {
    {{"elided", 10}, [](const CostRow &Row, const CostTable &) {
       return groupedText(Row.Elided);
     }}};

/// With LLVM's, as many as leave room for a name; the key of the order always.
std::vector<CostColumn> costColumns(const CostTable &Costs, CostOrder SortedBy,
                                    const Terminal &Term) {
  constexpr size_t NameColumns = 22;
  size_t Left = Term.Columns - std::min(Term.Columns, NameColumns);
  auto IsKey = [SortedBy](const CostColumn &C) { return C.Order == SortedBy; };
  const std::span<const CostColumn> All[] = {FirstColumns, BackendColumns,
                                             FrontendColumns, EstimateColumns,
                                             ElidedColumns};
  for (std::span<const CostColumn> Of : All)
    for (const CostColumn &C : Of)
      if (IsKey(C))
        Left -= std::min(Left, C.Title.Width);
  std::vector<CostColumn> Columns;
  bool Fits = true;
  auto Add = [&](std::span<const CostColumn> More, bool AreThere) {
    for (const CostColumn &C : More) {
      if (!IsKey(C) && AreThere && Costs.HasBackend) {
        Fits &= C.Title.Width <= Left;
        Left -= Fits ? C.Title.Width : 0;
      }
      if (IsKey(C) || (AreThere && Fits))
        Columns.push_back(C);
    }
  };
  Add(FirstColumns, true);
  Add(BackendColumns, Costs.HasBackend);
  Add(FrontendColumns, true);
  Add(EstimateColumns, Costs.HasBackend);
  Add(ElidedColumns, Costs.ElidedCount != 0);
  return Columns;
}

void writeRowCount(Output &Out, const CostTable &Table, size_t Shown) {
  Out.append(
      fmt::format("\n{} of {}, {} % of the time{}\n", groupedText(Shown),
                  counted(Table.Rows.size(), "row"),
                  percentText(sumOfSelfNs(Table.Rows, Shown), Table.TotalNs),
                  allRowsHint(Shown, Table.Rows.size())));
}

/// What else took time, and what to do about it.
void writeOtherWork(Output &Out, const CostTable &Costs, const Terminal &Term) {
  const std::vector<CostRow> &Rows = Costs.OtherWork;
  if (Rows.empty())
    return;
  std::vector<TextTable::Column> Titles;
  for (const CostColumn &C : OtherColumns)
    Titles.push_back(C.Title);
  TextTable Table(Out, Term, std::move(Titles));
  Table.rule();
  size_t Widest = 0;
  for (const CostRow &Row : Rows)
    Widest = std::max(Widest, Row.Name.Fixed.size());
  for (const CostRow &Row : Rows) {
    std::vector<std::string> Cells;
    for (const CostColumn &C : OtherColumns)
      Cells.push_back(C.Cell(Row, Costs));
    std::string_view Hint = otherWorkHint(Row.Name.Fixed, Costs.HasBackend);
    std::string Name = fmt::format("{:<{}}  {}", Row.Name.Fixed, Widest, Hint);
    bool Fits = columnsOf(Name) <= Table.nameColumns();
    Table.row(Cells, Fits ? std::string_view(Name) : Row.Name.Fixed, true);
    if (!Fits)
      Table.addLineBelow(Hint);
  }
  uint64_t SumNs = sumOfSelfNs(Rows, Rows.size());
  Out.append(fmt::format("\n{} that {} not template work, {} % of the time\n",
                         counted(Rows.size(), "row"),
                         Rows.size() == 1 ? "is" : "are",
                         percentText(SumNs, Costs.TotalNs)));
}

void writeBackendClosing(Output &Out, const CostTable &Table) {
  BackendCost Sum;
  for (const std::vector<CostRow> *Rows : {&Table.Rows, &Table.OtherWork})
    for (const CostRow &Row : *Rows)
      Sum += Row.backend();
  Out.append(fmt::format("optimizer {}, code generation {}",
                         timeText(Sum.OptimizeNs), timeText(Sum.GenerateNs)));
  if (Sum.Given != 0)
    Out.append(fmt::format(
        "; {} of {} in objects, {}{}", groupedText(Sum.Emitted),
        counted(Sum.Given, "function"), sizeText(Sum.ObjectBytes),
        Table.CodeBytes == 0
            ? std::string()
            : fmt::format(" of {} of code", sizeText(Table.CodeBytes))));
  Out.append("\n");
  if (Table.UnknownEmission != 0)
    Out.append(counted(Table.UnknownEmission, "compile") +
               " without a record of what is in the object: what was inlined "
               "away is not known of " +
               (Table.UnknownEmission == 1 ? "it" : "them") + "\n");
}

} // namespace

std::string instantrace::inputsText(const std::vector<std::string> &Traces) {
  return Traces.size() == 1 ? Traces.front() : counted(Traces.size(), "trace");
}

CostSource CostSource::of(const Trace &T) {
  std::vector<std::string> Traces;
  for (const TraceInput &File : T.Files)
    Traces.push_back(File.Name);
  return {T, inputsText(Traces), T.Files.size(), T.Sequences.size(),
          !T.losses().empty()};
}

void instantrace::writeCostTable(Output &Out, const CostSource &Of,
                                 const CostTable &Costs, size_t Wanted,
                                 const CostTableStyle &Style,
                                 const Terminal &Term) {
  size_t Shown = shownRows(Costs.Rows.size(), Wanted);
  TextStyles Styles(Term);
  Out.append(fmt::format("{}{}{}\n\n", Styles.Bold, headline(Of, Costs),
                         Styles.Plain));
  std::vector<CostColumn> Columns = costColumns(Costs, Style.SortedBy, Term);
  std::vector<TextTable::Column> Titles;
  for (const CostColumn &C : Columns)
    Titles.push_back(C.Title);
  TextTable Table(Out, Term, std::move(Titles));
  Table.head(Style.What);
  for (size_t I = 0; I != Shown; ++I) {
    const CostRow &Row = Costs.Rows[I];
    std::vector<std::string> Cells;
    for (const CostColumn &C : Columns)
      Cells.push_back(C.Cell(Row, Costs));
    Table.row(Cells,
              elidedName(Of.Names, Row.Name, Style.Names, Table.nameColumns()),
              !Row.Name.Fixed.empty());
    if (Style.Below)
      for (const std::string &Line : Style.Below(Row))
        Table.addLineBelow(Line, BelowIndent);
  }
  writeRowCount(Out, Costs, Shown);
  writeOtherWork(Out, Costs, Term);
  writeClosing(Out, Costs);
  if (Costs.HasBackend)
    writeBackendClosing(Out, Costs);
}

void instantrace::writeBackendFields(RecordText &Records, const CostRow &Row) {
  const BackendCost &Of = Row.backend();
  Records.number("frontend_ns", Row.frontendNs());
  Records.number("optimize_ns", Of.OptimizeNs);
  Records.number("generate_ns", Of.GenerateNs);
  Records.number("ir_generation_estimate_ns", Of.IrGenerationEstimateNs);
  Records.number("ir_instructions", Of.IrInstructions);
  Records.number("machine_instructions", Of.MachineInstructions);
  Records.number("object_bytes", Of.ObjectBytes);
  Records.number("functions_given", Of.Given);
  Records.number("functions", Of.Emitted);
  Records.number("inlined_away", Of.InlinedAway);
}

void instantrace::writeCostRecords(Output &Out, RecordFormat Format,
                                   const CostSource &Of, const CostTable &Table,
                                   size_t Wanted, const CostTableStyle &Style,
                                   std::string_view BelowName) {
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", Table.TotalNs);
  Records.wholeBoolean("incomplete", Of.IsIncomplete);
  if (Of.Unprofiled)
    Records.wholeNumber("unprofiled", *Of.Unprofiled);
  Records.wholeNumber("traces", Of.Traces);
  Records.wholeNumber("sequences", Of.Sequences);
  Records.wholeNumber("row_count", Table.Rows.size());
  Records.wholeNumber("elided_count", Table.ElidedCount);
  Records.wholeNumber("elided_ns", Table.ElidedNs);
  Records.wholeNumber("dropped", Table.DroppedCount);
  if (Table.HasBackend) {
    Records.wholeNumber("ir_generation_ns", Table.IrGenerationNs);
    Records.wholeNumber("code_bytes", Table.CodeBytes);
    Records.wholeNumber("unknown_emission", Table.UnknownEmission);
  }
  for (size_t I = 0, Shown = shownRows(Table.Rows.size(), Wanted); I != Shown;
       ++I) {
    const CostRow &Row = Table.Rows[I];
    Records.begin();
    Records.text("name", Row.Name.text(Of.Names, Style.Names, RecordNameBytes));
    Records.text("kind", Row.Kind);
    Records.number("count", Row.Count);
    Records.number("definitions", Row.Definitions);
    Records.number("memoized", Row.Memoized);
    Records.number("self_ns", Row.SelfNs);
    Records.number("inclusive_ns", Row.InclusiveNs);
    Records.number("requested_ns", Row.RequestedNs);
    Records.number("ast_bytes", Row.AstBytes);
    Records.number("elided", Row.Elided);
    if (Table.HasBackend)
      writeBackendFields(Records, Row);
    if (Style.Below)
      Records.list(BelowName, Style.Below(Row));
    Records.end();
  }
  Records.finish();
}
