#include "utils/render/CostText.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/costs/OtherWork.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

using namespace instantrace;

namespace {

std::string headline(const CostSource &Source, const CostTable &Table,
                     const Terminal &Term) {
  const std::string Costs = fmt::format(
      ": {} of {} in {}{}", timeText(Table.compileNs()),
      clockWords(Source.Names.Clock), counted(Source.Sequences, "compile"),
      Source.IsIncomplete ? ", incomplete" : "");
  const std::string Inputs = printableText(Source.Inputs);
  return (Term.HasWidth ? elideName(Inputs, columnsLeft(Term, columnsOf(Costs)))
                        : Inputs) +
         Costs;
}

/// Of no compile without Instantrace, so in no share.
bool isProfiling(const CostRow &Row) {
  return Row.Name.Fixed == "(profiling)" || Row.Name.Fixed == "Profiling";
}

uint64_t sumOfSelfNs(const std::vector<CostRow> &Rows, size_t First) {
  return std::accumulate(Rows.begin(),
                         Rows.begin() + static_cast<std::ptrdiff_t>(First),
                         uint64_t(0), [](uint64_t Sum, const CostRow &Row) {
                           return Sum + (isProfiling(Row) ? 0 : Row.SelfNs);
                         });
}

void writeClosing(Output &Out, const CostTable &Table, std::string_view Key) {
  if (Table.ElidedCount)
    Out.append(fmt::format("{} below the granularity, summed in {}: {}\n",
                           counted(Table.ElidedCount, "leaf", "leaves"),
                           Key == "unit" ? "their units" : "(elided)",
                           timeText(Table.ElidedNs)));
  if (Table.DroppedCount)
    Out.append(counted(Table.DroppedCount, "event") +
               " dropped while recording\n");
}

/// What is behind the counts: uses, and memory.
constexpr unsigned FirstOptionalRank = 10;

/// A column of text: a number, or the share of the whole that it is.
struct TextColumn {
  const CostColumn *Number;
  bool IsShare = false, IsKey = false;

  TextTable::Column title() const {
    return IsShare ? TextTable::Column{"%", 7}
                   : TextTable::Column{Number->Title, Number->Width,
                                       /*IsOptional=*/!IsKey &&
                                           Number->Rank >= FirstOptionalRank};
  }
  std::string cell(const CostRow &Row, const CostTable &Table) const {
    return IsShare && isProfiling(Row) ? "-"
           : IsShare ? percentText(Number->Value(Row), Table.compileNs())
                     : costNumberText(Number->Unit, Number->Value(Row));
  }
};

/// Those that are in text without being asked for, from left to right.
std::vector<const CostColumn *> rankedColumns() {
  std::vector<const CostColumn *> Ranked;
  for (const CostColumn &C : CostColumns)
    if (C.Rank != 0)
      Ranked.push_back(&C);
  std::sort(Ranked.begin(), Ranked.end(),
            [](const CostColumn *A, const CostColumn *B) {
              return A->Rank < B->Rank;
            });
  return Ranked;
}

bool isThere(const CostColumn &C, const CostTable &Costs) {
  return (!C.IsBackend || Costs.HasBackend) &&
         (C.Order != CostOrder::Elided || Costs.ElidedCount != 0);
}

void addColumn(std::vector<TextColumn> &Columns, const CostColumn &C,
               bool IsKey) {
  Columns.push_back({&C, /*IsShare=*/false, IsKey});
  if (C.Order == CostOrder::Self)
    Columns.push_back({&C, /*IsShare=*/true});
}

/// With LLVM's, as many as leave room for a name; the key of the order always.
std::vector<TextColumn> costColumns(const CostTable &Costs, CostOrder SortedBy,
                                    const Terminal &Term) {
  constexpr size_t NameColumns = 22;
  const CostColumn *Key = costColumn(SortedBy);
  size_t Left = Term.Columns - std::min(Term.Columns, NameColumns);
  Left -= std::min(Left, Key ? Key->Width : 0);
  std::vector<TextColumn> Columns;
  bool Fits = true;
  for (const CostColumn *C : rankedColumns()) {
    std::vector<TextColumn> More;
    addColumn(More, *C, C == Key);
    if (C != Key) {
      if (!isThere(*C, Costs))
        continue;
      if (Costs.HasBackend) {
        size_t Width = 0;
        for (const TextColumn &Column : More)
          Width += Column.title().Width;
        Fits &= Width <= Left;
        Left -= Fits ? Width : 0;
      }
      if (!Fits)
        continue;
    }
    Columns.insert(Columns.end(), More.begin(), More.end());
  }
  if (Key && Key->Rank == 0)
    addColumn(Columns, *Key, /*IsKey=*/true);
  return Columns;
}

void writeRowCount(Output &Out, const CostTable &Table, size_t Shown) {
  Out.append(fmt::format(
      "\n{} of {}, {} % of the time{}\n", groupedText(Shown),
      counted(Table.Rows.size(), "row"),
      percentText(sumOfSelfNs(Table.Rows, Shown), Table.compileNs()),
      allRowsHint(Shown, Table.Rows.size())));
}

/// Whether rows have what was parsed as well as what was instantiated.
bool areRowsPlaces(std::string_view Key) {
  constexpr std::array<std::string_view, 6> Places = {
      "directory", "file", "header", "line", "unit", "user-frame"};
  return std::find(Places.begin(), Places.end(), Key) != Places.end();
}

/// What else took time, in a sentence.
void writeOtherWork(Output &Out, const CostTable &Costs, std::string_view Key,
                    const Terminal &Term) {
  const std::vector<CostRow> &Rows = Costs.OtherWork;
  uint64_t SumNs = sumOfSelfNs(Rows, Rows.size());
  if (Costs.ProfilingNs != 0)
    Out.append(fmt::format("instrumentation overhead, in no total: {}\n",
                           timeText(Costs.ProfilingNs)));
  if (SumNs == 0)
    return;
  std::vector<std::string> Parts = {fmt::format(
      "{} % of the time is {}:", percentText(SumNs, Costs.compileNs()),
      areRowsPlaces(Key) ? "in none of these rows" : "not template work")};
  for (const CostRow &Row : Rows)
    if (Row.SelfNs != 0 && !isProfiling(Row))
      Parts.push_back(fmt::format(
          "{} {} ({} %),", otherWorkWords(Row.Name.Fixed), timeText(Row.SelfNs),
          percentText(Row.SelfNs, Costs.compileNs())));
  Parts.back().pop_back();
  std::string Line;
  for (const std::string &Part : Parts) {
    if (!Line.empty() && columnsOf(Line) + 1 + columnsOf(Part) > Term.Columns) {
      Out.append(Line + "\n");
      Line = " ";
    }
    Line += (Line.empty() ? "" : " ") + Part;
  }
  Out.append(Line + "\n");
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

std::string instantrace::costNumberText(CostUnit Unit, uint64_t Value) {
  switch (Unit) {
  case CostUnit::Count:
    break;
  case CostUnit::Time:
    return timeText(Value);
  case CostUnit::Estimate:
    return Value == 0 ? "-" : "~" + timeText(Value);
  case CostUnit::Bytes:
    return sizeText(Value);
  }
  return groupedText(Value);
}

std::string instantrace::inputsText(const std::vector<std::string> &Traces) {
  return Traces.size() == 1 ? Traces.front() : counted(Traces.size(), "trace");
}

void instantrace::writeCostTable(Output &Out, const CostSource &Source,
                                 const CostTable &Costs, size_t Wanted,
                                 const CostTableStyle &Style,
                                 const Terminal &Term) {
  size_t Shown = shownRows(Costs.Rows.size(), Wanted);
  TextStyles Styles(Term);
  Out.append(fmt::format("{}{}{}\n\n", Styles.Bold,
                         headline(Source, Costs, Term), Styles.Plain));
  std::vector<TextColumn> Columns = costColumns(Costs, Style.SortedBy, Term);
  std::vector<TextTable::Column> Titles;
  for (const TextColumn &C : Columns)
    Titles.push_back(C.title());
  TextTable Table(Out, Term, std::move(Titles));
  Table.head(Style.What);
  const std::vector<std::string> Names = distinctNames(
      Source.Names, Costs.Rows, Shown,
      [](const CostRow &Row) { return Row.Name; }, Style.Names,
      Table.nameColumns());
  for (size_t I = 0; I != Shown; ++I) {
    const CostRow &Row = Costs.Rows[I];
    std::vector<std::string> Cells;
    for (const TextColumn &C : Columns)
      Cells.push_back(C.cell(Row, Costs));
    Table.row(Cells, Names[I], !Row.Name.Fixed.empty());
    if (Style.Below)
      for (const std::string &Line : Style.Below(Row))
        Table.addLineBelow(Line, BelowIndent);
  }
  writeRowCount(Out, Costs, Shown);
  writeOtherWork(Out, Costs, Style.What, Term);
  writeClosing(Out, Costs, Style.What);
  if (Costs.HasBackend)
    writeBackendClosing(Out, Costs);
}

void instantrace::writeCostRecords(Output &Out, RecordFormat Format,
                                   const CostSource &Source,
                                   const CostTable &Table, size_t Wanted,
                                   const CostTableStyle &Style,
                                   std::string_view BelowName) {
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", Table.TotalNs);
  Records.wholeBoolean("incomplete", Source.IsIncomplete);
  if (Source.Unprofiled)
    Records.wholeNumber("unprofiled", *Source.Unprofiled);
  Records.wholeNumber("traces", Source.Traces);
  Records.wholeNumber("sequences", Source.Sequences);
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
    Records.text("name",
                 Row.Name.text(Source.Names, Style.Names, RecordNameBytes));
    Records.text("kind", Row.Kind);
    for (const CostColumn &C : CostColumns)
      if (!C.IsBackend || Table.HasBackend)
        Records.number(C.Json, C.Value(Row));
    if (Style.Below)
      Records.list(BelowName, Style.Below(Row));
    Records.end();
  }
  Records.finish();
}
