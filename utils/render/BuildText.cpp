#include "utils/render/BuildText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

constexpr size_t FewestRows = 2, MostRows = 5;
/// With their heads and the empty lines behind them.
constexpr size_t Tables = 3, LinesOfATable = 2, LinesOfShares = 3;
/// In the line of status.
constexpr size_t UnitColumns = 20, FewestNameColumns = 12;

/// "Time: templates 24.2 %, file inclusion 65.1 %, ...", of 1 % and more.
void writeShares(Output &Out, const CostSums &Costs) {
  constexpr uint64_t FewestPerWhole = 100;
  constexpr size_t MostShares = 8;
  std::string Line =
      "Of the time: templates " +
      percentText(Costs.namedNs(CostKey::Template), Costs.totalNs()) + " %";
  for (const SumRow &Row :
       Costs.costliest(CostKey::Template, MostShares, /*AreFixed=*/true))
    if (Row.SelfNs * FewestPerWhole >= Costs.totalNs())
      Line += ", " + Row.Name + " " + percentText(Row.SelfNs, Costs.totalNs()) +
              " %";
  Out.append(Line + "\n\n");
}

void writeRows(Output &Out, std::string_view What, const CostSums &Costs,
               CostKey By, size_t Rows, const Terminal &Term) {
  // With what LLVM did there is no room for all, in 80 columns for bytes
  // neither.
  constexpr size_t ColumnsWithBytes = 90;
  bool HasBytes = Costs.hasBackend() && Term.Columns >= ColumnsWithBytes;
  std::vector<TextTable::Column> Columns = {{"self", 10}, {"%", 7}};
  if (Costs.hasBackend())
    Columns.insert(Columns.end(),
                   {{"frontend", 10}, {"optimize", 10}, {"generate", 10}});
  else
    Columns.insert(Columns.end(), {{"inclusive", 11}, {"count", 10}});
  if (HasBytes)
    Columns.push_back({"bytes", 9});
  Columns.push_back({"units", 7});
  TextTable Table(Out, Term, Columns);
  Table.head(What);
  for (const SumRow &Row : Costs.costliest(By, Rows)) {
    std::vector<std::string> Cells = {timeText(Row.SelfNs),
                                      percentText(Row.SelfNs, Costs.totalNs())};
    const BackendCost &Backend = Row.Backend.get();
    if (Costs.hasBackend())
      Cells.insert(Cells.end(), {timeText(Row.SelfNs - Backend.timeNs()),
                                 timeText(Backend.OptimizeNs),
                                 timeText(Backend.GenerateNs)});
    else
      Cells.insert(Cells.end(),
                   {timeText(Row.InclusiveNs), groupedText(Row.Count)});
    if (HasBytes)
      Cells.push_back(sizeText(Backend.ObjectBytes));
    Cells.push_back(groupedText(Row.Compiles));
    Table.row(Cells, elideName(printableText(Row.Name), Table.nameColumns()));
  }
  Out.append("\n");
}

} // namespace

std::string instantrace::unitOfTrace(std::string_view Trace) {
  constexpr size_t HashBytes = 13; // "-0123456789ab"
  Trace.remove_prefix(Trace.rfind('/') + 1);
  for (std::string_view Ending : {".zst", ".itrace"})
    if (Trace.ends_with(Ending))
      Trace.remove_suffix(Ending.size());
  if (Trace.size() > HashBytes && Trace[Trace.size() - HashBytes] == '-')
    Trace.remove_suffix(HashBytes);
  return std::string(Trace);
}

std::string instantrace::buildStatusText(const BuildStatus &Status,
                                         size_t Columns) {
  std::string Text =
      fmt::format("instantrace: {} recorded, {} running",
                  counted(Status.Ended, "compile"), Status.Running.size());
  auto Slowest =
      std::max_element(Status.Running.begin(), Status.Running.end(),
                       [](const RunningCompile &A, const RunningCompile &B) {
                         return A.SinceNs < B.SinceNs;
                       });
  if (Slowest != Status.Running.end())
    Text += fmt::format(
        ", longest {} for {}",
        elideName(printableText(unitOfTrace(Slowest->Trace)), UnitColumns),
        timeText(Slowest->SinceNs));
  constexpr std::string_view Costliest = "; costliest so far ";
  size_t Used = columnsOf(Text) + Costliest.size();
  if (!Status.Costliest.empty() && Used + FewestNameColumns <= Columns)
    Text.append(Costliest).append(
        elideName(printableText(Status.Costliest), Columns - Used));
  return columnsOf(Text) <= Columns ? Text : elideName(Text, Columns);
}

void instantrace::writeBuildTables(Output &Out, const CostSums &Costs,
                                   std::vector<BuildUnit> Units, size_t Lines,
                                   const Terminal &Term) {
  constexpr size_t Around = LinesOfShares + Tables * LinesOfATable;
  size_t Room = (Lines - std::min(Lines, Around)) / Tables;
  size_t Rows = Lines == 0 ? MostRows : std::clamp(Room, FewestRows, MostRows);
  writeShares(Out, Costs);
  writeRows(Out, "template", Costs, CostKey::Template, Rows, Term);
  writeRows(Out, "header", Costs, CostKey::Header, Rows, Term);
  std::stable_sort(Units.begin(), Units.end(),
                   [](const BuildUnit &A, const BuildUnit &B) {
                     return A.WallNs > B.WallNs;
                   });
  Units.resize(std::min(Units.size(), Rows));
  TextTable Table(Out, Term, {{"time", 10}, {"%", 7}});
  Table.head("unit");
  for (const BuildUnit &Unit : Units)
    Table.row(
        {timeText(Unit.WallNs), percentText(Unit.WallNs, Costs.totalNs())},
        elideName(printableText(Unit.Source), Table.nameColumns()));
  Out.append("\n");
}
