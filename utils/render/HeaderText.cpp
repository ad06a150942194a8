#include "utils/render/HeaderText.h"

#include "utils/render/IncludeChainText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

using namespace instantrace;

namespace {

/// Headers that are shown in detail, and lines in a record.
constexpr size_t MostDetailed = 5, MostRecorded = 1000;
constexpr size_t LinesOfChain = 8;

void writeHead(Output &Out, const HeaderTable &Table, const Terminal &Term) {
  appendLines(
      Out,
      fmt::format("{} of {} in {}, of which {} ({} %) in the reading of files",
                  timeText(Table.Sums.totalNs()), clockWords(Table.Clock),
                  counted(Table.Sums.compiles().size(), "compile"),
                  timeText(Table.Sums.readNs()),
                  percentText(Table.Sums.readNs(), Table.Sums.totalNs())),
      Term);
  Out.append("\n");
}

std::vector<TextTable::Column> columns() {
  return {{"inclusive", 10}, {"%", 6},          {"own", 9},
          {"alone", 9},      {"templates", 10}, {"times", 7, true},
          {"units", 6},      {"from", 5, true}};
}

std::vector<std::string> cells(const HeaderTable &Table, const HeaderRow &Row) {
  const HeaderSums::File &F = *Row.File;
  return {timeText(F.InclusiveNs),
          percentText(F.InclusiveNs, Table.Sums.totalNs()),
          timeText(F.OwnNs),
          timeText(Row.AloneNs),
          timeText(F.InstantiatedNs),
          groupedText(F.Readings.Count),
          groupedText(F.Readings.Units),
          groupedText(F.Includers.size())};
}

void writeParts(Output &Out, std::string_view What,
                const std::vector<HeaderDetail> &Parts, size_t Wanted,
                const Terminal &Term) {
  if (Parts.empty())
    return;
  TextTable Lines(Out, Term, {{"inclusive", 10}, {"times", 9}, {"units", 7}});
  Lines.head(What);
  size_t Shown = shownRows(Parts.size(), Wanted);
  uint64_t OtherNs = 0;
  for (size_t I = 0; I != Parts.size(); ++I) {
    const HeaderPartSums &Sums = Parts[I].Sums;
    if (I >= Shown)
      OtherNs += Sums.InclusiveNs;
    else
      Lines.row({timeText(Sums.InclusiveNs), groupedText(Sums.Count),
                 groupedText(Sums.Units)},
                elideName(shownPath(Parts[I].text()), Lines.nameColumns()));
  }
  if (Shown < Parts.size())
    Lines.row({timeText(OtherNs), "", ""},
              "and " + groupedText(Parts.size() - Shown) + " more");
  Out.append("\n");
}

void writeChains(Output &Out, const IncludeChainList &List,
                 const Terminal &Term) {
  if (List.Chains.empty())
    return;
  TextTable Lines(Out, Term, {{"inclusive", 10}, {"times", 9}});
  Lines.head("over these #includes");
  for (const IncludeChain &Chain : List.Chains) {
    std::vector<std::string> Cells{timeText(Chain.InclusiveNs),
                                   groupedText(Chain.Count)};
    for (const std::string &Line :
         includeChainLines(Chain, Lines.nameColumns(), LinesOfChain)) {
      Lines.row(Cells, Line);
      Cells.clear();
    }
  }
  if (List.OtherChains != 0)
    Lines.row({"", ""}, "and over " + counted(List.OtherChains, "other chain"));
  Out.append("\n");
}

std::vector<std::string> partTexts(const std::vector<HeaderDetail> &Parts) {
  std::vector<std::string> Texts;
  for (size_t I = 0; I != std::min(Parts.size(), MostRecorded); ++I)
    Texts.push_back(fmt::format("{}: {} ns, {} x in {}", Parts[I].text(),
                                Parts[I].Sums.InclusiveNs, Parts[I].Sums.Count,
                                counted(Parts[I].Sums.Units, "unit")));
  return Texts;
}

} // namespace

void instantrace::writeHeaderTable(Output &Out, const HeaderTable &Table,
                                   size_t Wanted, const Terminal &Term) {
  writeHead(Out, Table, Term);
  TextTable Lines(Out, Term, columns());
  Lines.head("header");
  size_t Shown = shownRows(Table.Rows.size(), Wanted);
  // What is compiled is no header, and is what they are compared with.
  const HeaderSums &Sums = Table.Sums;
  Lines.row({timeText(Sums.readNs()),
             percentText(Sums.readNs(), Sums.totalNs()),
             timeText(Sums.mainNs()), "", "", "", "", ""},
            Sums.compiles().size() == 1 ? "your file: parsing"
                                        : "your files: parsing");
  const std::vector<std::string> Names = distinctNames(
      Trace(), Table.Rows, Shown,
      [](const HeaderRow &Row) { return RowName::fromText(Row.File->Path); },
      {}, Lines.nameColumns());
  for (size_t I = 0; I != Shown; ++I)
    Lines.row(cells(Table, Table.Rows[I]), Names[I]);
  appendRowCount(Out, Shown, Table.Rows.size(), "header");
}

void instantrace::writeHeaderDetails(Output &Out, const HeaderTable &Table,
                                     IncludeChains &Chains, size_t Wanted,
                                     const Terminal &Term) {
  writeHead(Out, Table, Term);
  for (size_t I = 0; I != std::min(Table.Rows.size(), MostDetailed); ++I) {
    const HeaderRow &Row = Table.Rows[I];
    TextTable Lines(Out, Term, columns());
    Lines.head("header");
    Lines.row(cells(Table, Row),
              elideName(shownPath(Row.File->Path), Lines.nameColumns()));
    Out.append("\n");
    writeParts(Out, "included from", Table.includers(Row), Wanted, Term);
    writeParts(Out, "includes", Table.includes(Row), Wanted, Term);
    writeParts(Out, "instantiates", Table.templates(Row), Wanted, Term);
    writeChains(
        Out, Chains.chainsTo(Row.File->Path, Wanted == 0 ? SIZE_MAX : Wanted),
        Term);
  }
  if (Table.Rows.size() > MostDetailed)
    Out.append("and " +
               counted(Table.Rows.size() - MostDetailed, "further header") +
               " of that name; --json has all\n");
}

void instantrace::writeHeaderRecords(Output &Out, RecordFormat Format,
                                     const HeaderTable &Table,
                                     IncludeChains &Chains, bool IsDetailed,
                                     size_t Wanted) {
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", Table.Sums.totalNs());
  Records.wholeNumber("read_ns", Table.Sums.readNs());
  Records.wholeNumber("main_ns", Table.Sums.mainNs());
  Records.wholeNumber("compiles", Table.Sums.compiles().size());
  Records.wholeNumber("header_count", Table.Rows.size());
  for (size_t I = 0; I != shownRows(Table.Rows.size(), Wanted); ++I) {
    const HeaderRow &Row = Table.Rows[I];
    const HeaderSums::File &F = *Row.File;
    Records.begin();
    Records.text("name", F.Path);
    Records.number("system", F.IsSystem);
    Records.number("inclusive_ns", F.InclusiveNs);
    Records.number("own_ns", F.OwnNs);
    Records.number("included_ns", F.IncludedNs);
    Records.number("alone_ns", Row.AloneNs);
    Records.number("instantiated_ns", F.InstantiatedNs);
    Records.number("times", F.Readings.Count);
    Records.number("units", F.Readings.Units);
    Records.number("includer_count", F.Includers.size());
    Records.list("included_from", partTexts(Table.includers(Row)));
    Records.list("includes", partTexts(Table.includes(Row)));
    if (IsDetailed)
      Records.list("instantiates", partTexts(Table.templates(Row)));
    std::vector<std::string> Texts;
    for (const IncludeChain &Chain :
         Chains.chainsTo(F.Path, MostRecorded).Chains)
      Texts.push_back(fmt::format("{}: {} ns, {} x", includeChainRecord(Chain),
                                  Chain.InclusiveNs, Chain.Count));
    Records.list("chains", Texts);
    Records.end();
  }
  Records.finish();
}
