#include "utils/render/AnnotationText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/SarifText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace instantrace;

namespace {

bool isThere(const BackendCost &Cost) {
  return Cost.Given != 0 || Cost.timeNs() != 0;
}

uint64_t weightOf(const LineCost &Cost) {
  return std::max({Cost.CausedNs, Cost.InclusiveNs, Cost.Requested.timeNs(),
                   Cost.Own.timeNs()});
}

/// The lines to show the cost of.
std::set<uint32_t> chosenLines(const FileCosts &Costs, size_t Costliest) {
  std::vector<std::pair<uint32_t, const LineCost *>> Sorted;
  for (const auto &[Line, Cost] : Costs.Lines)
    Sorted.emplace_back(Line, &Cost);
  std::stable_sort(Sorted.begin(), Sorted.end(),
                   [](const auto &A, const auto &B) {
                     return weightOf(*A.second) > weightOf(*B.second);
                   });
  if (Costliest != 0 && Costliest < Sorted.size())
    Sorted.resize(Costliest);
  std::set<uint32_t> Chosen;
  for (const auto &[Line, Cost] : Sorted)
    Chosen.insert(Line);
  return Chosen;
}

bool isNear(const std::set<uint32_t> &Chosen, uint32_t Line, size_t Context) {
  auto After = Chosen.lower_bound(Line);
  if (After != Chosen.end() && *After - Line <= Context)
    return true;
  return After != Chosen.begin() && Line - *std::prev(After) <= Context;
}

std::string printable(const std::string &Line) {
  constexpr size_t TabColumns = 8, MostColumns = 1000;
  std::string Text;
  for (char C : Line.substr(0, MostColumns)) {
    if (C == '\t')
      Text.append(TabColumns - Text.size() % TabColumns, ' ');
    else
      appendPrintable(Text, std::string_view(&C, 1));
  }
  return Text;
}

} // namespace

void instantrace::writeAnnotationText(Output &Out, const FileCosts &Costs,
                                      const std::vector<std::string> &Lines,
                                      const AnnotationSpec &Spec,
                                      const Terminal &Term) {
  TextStyles Styles(Term);
  Out.append(fmt::format(
      "{}{}: {} caused, {} inclusive, of {} of {}{}\n\n", Styles.Bold,
      shownPath(Costs.Paths.front()), timeText(Costs.Total.CausedNs),
      timeText(Costs.Total.InclusiveNs), timeText(Costs.TotalNs),
      clockWords(Spec.Clock), Styles.Plain));
  std::vector<TextTable::Column> Columns = {
      {"caused", 10}, {"inclusive", 11}, {"count", 9}};
  if (Costs.HasBackend)
    Columns.insert(
        Columns.end(),
        {{"backend", 10}, {"bytes", 9}, {"own", 10, true}, {"bytes", 9, true}});
  Columns.push_back({"line", 8});
  TextTable Table(Out, Term, std::move(Columns));
  Table.head("source");
  std::set<uint32_t> Chosen = chosenLines(Costs, Spec.Costliest);
  bool IsGap = false;
  for (uint32_t Line = 1; Line <= Lines.size(); ++Line) {
    if (!Spec.IsWhole && !isNear(Chosen, Line, Spec.Context)) {
      IsGap = true;
      continue;
    }
    if (std::exchange(IsGap, false))
      Table.row({}, "...", true);
    std::vector<std::string> Cells(Costs.HasBackend ? 7 : 3);
    if (Chosen.contains(Line)) {
      const LineCost &Cost = Costs.Lines.at(Line);
      Cells = {Cost.CausedNs != 0 ? timeText(Cost.CausedNs) : "",
               Cost.Count != 0 ? timeText(Cost.InclusiveNs) : "",
               Cost.Count != 0 ? groupedText(Cost.Count) : ""};
      if (Costs.HasBackend)
        for (const BackendCost *Part : {&Cost.Requested, &Cost.Own}) {
          Cells.push_back(isThere(*Part) ? timeText(Part->timeNs()) : "");
          Cells.push_back(isThere(*Part) ? sizeText(Part->ObjectBytes) : "");
        }
    }
    Cells.push_back(std::to_string(Line));
    std::string Text = printable(Lines[Line - 1]);
    Table.row(Cells, Term.HasWidth ? cutText(Text, Table.nameColumns()) : Text,
              !Chosen.contains(Line));
  }
  if (IsGap)
    Table.row({}, "...", true);
}

void instantrace::writeAnnotationRecords(Output &Out, RecordFormat Format,
                                         const FileCosts &Costs,
                                         const std::vector<std::string> &Lines,
                                         const AnnotationSpec &Spec) {
  RecordText Records(Out, Format);
  Records.wholeText("file", Costs.Paths.front());
  Records.wholeNumber("total_ns", Costs.TotalNs);
  Records.wholeNumber("caused_ns", Costs.Total.CausedNs);
  Records.wholeNumber("inclusive_ns", Costs.Total.InclusiveNs);
  for (uint32_t Line : chosenLines(Costs, Spec.Costliest)) {
    const LineCost &Cost = Costs.Lines.at(Line);
    Records.begin();
    Records.number("line", Line);
    Records.number("caused_ns", Cost.CausedNs);
    Records.number("inclusive_ns", Cost.InclusiveNs);
    Records.number("self_ns", Cost.SelfNs);
    Records.number("count", Cost.Count);
    Records.number("memoized", Cost.Memoized);
    if (Costs.HasBackend) {
      Records.number("backend_ns", Cost.Requested.timeNs());
      Records.number("object_bytes", Cost.Requested.ObjectBytes);
      Records.number("own_backend_ns", Cost.Own.timeNs());
      Records.number("own_object_bytes", Cost.Own.ObjectBytes);
    }
    Records.text("source", Line <= Lines.size() ? Lines[Line - 1] : "");
    Records.end();
  }
  Records.finish();
}

void instantrace::writeAnnotationSarif(Output &Out, const FileCosts &Costs,
                                       const AnnotationSpec &Spec) {
  std::vector<SarifResult> Results;
  for (uint32_t Line : chosenLines(Costs, Spec.Costliest)) {
    const LineCost &Cost = Costs.Lines.at(Line);
    const uint64_t Ns = std::max(Cost.CausedNs, Cost.InclusiveNs);
    if (Ns == 0 || 100 * double(Ns) < Spec.MinPercent * double(Costs.TotalNs))
      continue;
    Results.push_back(
        {"line-cost",
         fmt::format(
             "This line takes {} of {} to compile, {} % of all that was "
             "recorded: {} with all that they lead to.",
             timeText(Ns), clockWords(Spec.Clock),
             percentText(Ns, Costs.TotalNs), counted(Cost.Count, "request")),
         Costs.Paths.front(), Line});
  }
  writeSarif(Out, project(), Costs.WorkingDirectory, "annotate",
             {{"line-cost", "What a line of the source costs to compile.",
               "docs/use/analyses.md"}},
             Results);
}
