/// \file
/// `instantrace duplicates`: what unit after unit instantiates again.
///
/// Flow: TraceArguments, TraceFilter -> CompileCostSink -> unitCosts ->
///       RepeatedCosts -> TextTable | RecordText -> stdout
#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/costs/RepeatedCosts.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/TextTable.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

struct RepeatedOptions {
  std::vector<std::string> Inputs;
  FilterSpec Filter;
  OutputOptions Output;
};

std::string_view kindWord(EntityKind Kind) {
  switch (Kind) {
  case EntityKind::Class:
    return "class";
  case EntityKind::Function:
    return "function";
  case EntityKind::Variable:
    return "variable";
  default:
    return "other";
  }
}

/// The next of the first \p Shown rows that it is inside of; NoIndex: none.
uint32_t shownAround(const std::vector<RepeatedRow> &Rows, size_t Row,
                     size_t Shown) {
  uint32_t Outer = Rows[Row].Outer;
  for (size_t Steps = 0; Outer != NoIndex && Outer >= Shown; ++Steps)
    Outer = Steps == Rows.size() ? NoIndex : Rows[Outer].Outer;
  return Outer == Row ? NoIndex : Outer;
}

void writeText(Output &Out, const RepeatedCosts &Costs,
               const std::vector<RepeatedRow> &Rows,
               const RepeatedOptions &Opts) {
  Terminal Term = standardOutputTerminal();
  Out.append(counted(Rows.size(), "specialization") +
             " in two units or more, of " +
             counted(Costs.compiles(), "compile") + " of " +
             timeText(Costs.totalNs()) + " of " +
             std::string(clockWords(Costs.names().Clock)) + "\n\n");
  TextTable Table(
      Out, Term,
      {{"in all", 10}, {"%", 6}, {"saved", 10}, {"units", 7}, {"what", 10}});
  Table.head("specialization; cheapest in");
  size_t Shown = shownRows(Rows.size(), Opts.Output.Rows);
  const std::vector<std::string> Names = distinctNames(
      Costs.names(), Rows, Shown,
      [](const RepeatedRow &Row) { return Row.Name; }, Opts.Output.style(),
      Table.nameColumns());
  for (size_t I = 0; I != Shown; ++I) {
    const RepeatedRow &Row = Rows[I];
    Table.row({timeText(Row.InclusiveNs),
               percentText(Row.InclusiveNs, Costs.totalNs()),
               timeText(Row.savedNs()), groupedText(Row.Units),
               std::string(kindWord(Row.Kind))},
              Names[I]);
    Table.addLineBelow(timeText(Row.LeastNs) + " in " +
                       shownPath(Costs.unit(Row.Home)));
    if (uint32_t Outer = shownAround(Rows, I, Shown); Outer != NoIndex)
      Table.addLineBelow("inside " + Names[Outer]);
  }
  appendRowCount(Out, Shown, Rows.size(), "specialization");
}

void writeRecords(Output &Out, RecordFormat Format, const RepeatedCosts &Costs,
                  const std::vector<RepeatedRow> &Rows,
                  const RepeatedOptions &Opts) {
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", Costs.totalNs());
  Records.wholeNumber("compiles", Costs.compiles());
  Records.wholeNumber("repeated_count", Rows.size());
  for (size_t I = 0; I != shownRows(Rows.size(), Opts.Output.Rows); ++I) {
    const RepeatedRow &Row = Rows[I];
    Records.begin();
    Records.text("name", Row.Name.text(Costs.names(), Opts.Output.style(),
                                       RecordNameBytes));
    Records.text("what", kindWord(Row.Kind));
    Records.number("units", Row.Units);
    Records.number("inclusive_ns", Row.InclusiveNs);
    Records.number("saved_ns", Row.savedNs());
    Records.number("least_ns", Row.LeastNs);
    Records.text("home", Costs.unit(Row.Home));
    Records.text("inside", Row.Outer == NoIndex
                               ? std::string()
                               : Rows[Row.Outer].Name.text(Costs.names(),
                                                           Opts.Output.style(),
                                                           RecordNameBytes));
    Records.end();
  }
  Records.finish();
}

/// What one trace adds.
class RepeatedPart final : public NotedStream {
public:
  RepeatedPart(const TraceFilter &Filter, const LearnedScopes *Scopes)
      : Events(T, Keys, Filter, Scopes, &Nesting) {}

  TraceSink &events() override { return Events; }
  void finish() override {
    Notes.add(T, Observed);
    for (uint32_t I = 0; I != T.Sequences.size(); ++I)
      Units.push_back(
          unitCosts(T, I, Events.Compiles[I].front(), Nesting.Compiles[I]));
    Events.Compiles.clear();
    Nesting.Compiles.clear();
    T = takeNames(std::move(T));
  }

  std::vector<UnitCosts> Units;

private:
  static constexpr CostKey Keys[] = {CostKey::Specialization};
  InstantiationNesting Nesting;
  CompileCostSink Events;
};

Result<int> runRepeated(const RepeatedOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Opts.Inputs));
  InputRounds Rounds;
  std::optional<LearnedScopes> Scopes =
      scopesOfAll(Files, Opts.Inputs, Rounds, Filter.needsAllNames());
  RepeatedCosts Costs;
  INSTANTRACE_TRY(streamEachTrace(
      Files,
      [&] {
        return std::make_unique<RepeatedPart>(Filter,
                                              Scopes ? &*Scopes : nullptr);
      },
      [&](const RepeatedPart &Part) -> Result<void> {
        Costs.enterTrace(Part.T);
        for (const UnitCosts &Unit : Part.Units)
          Costs.add(Unit);
        return {};
      },
      /*AreFailuresTold=*/true, nullptr, &Rounds));
  if (Costs.compiles() == 0)
    return noCompile();
  std::vector<RepeatedRow> Rows = Costs.take(Opts.Output.Rows);
  Output Out(stdout);
  if (Opts.Output.Records)
    writeRecords(Out, *Opts.Output.Records, Costs, Rows, Opts);
  else
    writeText(Out, Costs, Rows, Opts);
  return Out.finish();
}

} // namespace

CommandRun instantrace::addDuplicates(CLI::App &App) {
  auto Opts = std::make_shared<RepeatedOptions>();
  CLI::App *Command = App.add_subcommand(
      "duplicates", "Show which specializations unit after unit makes again.");
  addTracesOrNewest(*Command, Opts->Inputs);
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "specializations");
  Command->footer(
      R"(Columns:
  in all  inclusive time over all units
  saved   if only the unit below made it, where it costs least: an upper limit
  units   in how many it is instantiated
  what    class, function or variable

A function's or variable's body can be made in one unit for all, by `extern
template`; a class is made wherever it is used, unless its header is
precompiled. What is instantiated inside another row says so: it is in the time
of that row, so savings do not add up. What has an unnamed namespace in its name
is left out, since each unit has its own.
`instantrace advise` says what is worth doing.

Examples:
  instantrace duplicates session/
  instantrace duplicates --no-system --match='^mine::' session/
  instantrace duplicates --csv -n 0 session/ > duplicates.csv)");
  return runOnTraces(Opts, runRepeated);
}
