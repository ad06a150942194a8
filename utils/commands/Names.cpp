/// \file
/// `instantrace names`: how names are stored, how large they are, what they
/// have in common.
///
/// Flow: TraceArguments, events left out -> nameStatistics, groupNames
///       -> NameReportText -> stdout
#include "utils/analysis/names/NameStatistics.h"
#include "utils/cli/Choices.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/NameReportText.h"
#include "utils/render/NameText.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

using namespace instantrace;

namespace {

struct NamesOptions {
  std::vector<std::string> Inputs;
  std::optional<NameGrouping> Grouping;
  bool List = false;
  std::optional<size_t> Rows;
  std::vector<std::string> Match;
  bool SortById = false;
  bool Json = false;
  NameStyle Style;
};

/// Without -n.
constexpr size_t LongestRows = 10, GroupRows = 20;

constexpr Choice<NameGrouping> Groupings[] = {
    {"template", NameGrouping::Template},
    {"class", NameGrouping::Class},
    {"namespace", NameGrouping::Namespace},
};
constexpr Choice<bool> Orders[] = {{"size", false}, {"id", true}}; // by id

Result<int> writeReport(const Trace &T, const NamesOptions &Opts, Output &Out) {
  NameReport Report = nameStatistics(T);
  std::vector<EntityName> Longest =
      longestNames(T, Opts.Rows.value_or(LongestRows));
  if (Opts.Json)
    writeNameReportJson(Out, T, Report, Longest, scriptStyle(Opts.Style));
  else
    writeNameReport(Out, T, Report, Longest, Opts.Style,
                    standardOutputTerminal());
  return Out.finish();
}

Result<int> writeGroups(const Trace &T, const NamesOptions &Opts, Output &Out) {
  std::vector<NameGroupRow> Rows = groupNames(T, *Opts.Grouping);
  size_t Wanted = Opts.Rows.value_or(GroupRows);
  if (Opts.Json)
    writeNameGroupsJson(Out, T, Rows, Wanted, nameOf(Groupings, *Opts.Grouping),
                        scriptStyle(Opts.Style));
  else
    writeNameGroups(Out, T, Rows, Wanted, nameOf(Groupings, *Opts.Grouping),
                    Opts.Style, standardOutputTerminal());
  return Out.finish();
}

Result<int> writeList(const Trace &T, const NamesOptions &Opts,
                      TraceFilter &Filter, Output &Out) {
  std::vector<EntityName> Names = longestNames(T, 0);
  // Patterns are matched sequence by sequence.
  std::sort(Names.begin(), Names.end(),
            [](const EntityName &A, const EntityName &B) {
              return std::tuple(A.SequenceIndex, A.Name.Value) <
                     std::tuple(B.SequenceIndex, B.Name.Value);
            });
  uint32_t Entered = UINT32_MAX;
  Filter.enterTrace(T);
  std::erase_if(Names, [&](const EntityName &Name) {
    if (Entered != Name.SequenceIndex)
      Filter.enterSequence(Name.SequenceIndex);
    Entered = Name.SequenceIndex;
    return !Filter.selectsName(Name.Entity);
  });
  if (!Opts.SortById)
    sortLongest(T, Names);
  size_t Wanted = Opts.Rows.value_or(0);
  if (Wanted != 0 && Wanted < Names.size())
    Names.resize(Wanted);
  for (const EntityName &Name : Names) {
    if (Opts.Json)
      writeNameJson(Out, T, Name, scriptStyle(Opts.Style));
    else
      writeName(Out, T, Name, Opts.Style);
  }
  return Out.finish();
}

/// The names of one trace.
class NamesPart final : public NotedStream {
public:
  TraceSink &events() override { return Ignored; }
  void finish() override { Notes.add(T, Observed); }

private:
  /// Which names a killed compile lost, events say, although nobody keeps them.
  class IgnoredEvents final : public NoEvents {
    bool wantsEvents() const override { return true; }
  };
  IgnoredEvents Ignored;
};

/// Without events.
Result<Trace> readNames(const std::vector<std::string> &Inputs) {
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Inputs));
  Trace All;
  INSTANTRACE_TRY(streamEachTrace(
      Files, [] { return std::make_unique<NamesPart>(); },
      [&All](NamesPart &Part) -> Result<void> {
        All.append(std::move(Part.T));
        return {};
      },
      /*AreFailuresTold=*/false, &Inputs));
  return All;
}

Result<int> runNames(const NamesOptions &Opts) {
  FilterSpec Spec;
  Spec.Match = Opts.Match;
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Spec));
  INSTANTRACE_TRY_ASSIGN(Trace T, readNames(Opts.Inputs));
  Output Out(stdout);
  if (Opts.Grouping)
    return writeGroups(T, Opts, Out);
  if (Opts.List)
    return writeList(T, Opts, Filter, Out);
  return writeReport(T, Opts, Out);
}

void addModes(CLI::App &Command, const std::shared_ptr<NamesOptions> &Opts) {
  CLI::Option *O =
      addChoice(Command, "--by", Groupings, Opts->Grouping, "group names by");
  CLI::Option *List =
      Command.add_flag("--list", Opts->List, "list the names, one per line");
  O->excludes(List);
  Command
      .add_option("--match", Opts->Match,
                  "list only names that match this regular "
                  "expression, or glob:PATTERN; default arguments are part of "
                  "a name; may be repeated, then any may match")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->needs(List);
  addChoice(Command, "--sort", Orders, Opts->SortById,
            "order of the list, longest first by default")
      ->needs(List);
  Command.add_flag("--json", Opts->Json,
                   "print one JSON object; with --list, one per name");
}

} // namespace

CommandRun instantrace::addNames(CLI::App &App) {
  auto Opts = std::make_shared<NamesOptions>();
  CLI::App *Command = App.add_subcommand(
      "names",
      "Show how names are stored, how long they are, and what they share.");
  addTracesOrNewest(*Command, Opts->Inputs);
  addModes(*Command, Opts);
  Command->add_option("-n,--limit", Opts->Rows,
                      "how many to show; 0 means all (default 10 names, 20 "
                      "groups, all of a list)");
  addColorOption(*Command);
  addNameOptions(*Command, Opts->Style);
  Command->footer(
      R"(A name is stored as a tree: an entry is text and references to earlier entries,
which names share. Sizes of text include default template arguments.
  --by     a class has itself and its members; a namespace has what is directly
           in it or in its classes. A scope is a class if it has template
           arguments or the trace says so, otherwise a namespace

Examples:
  instantrace names a.itrace
  instantrace names --by=class -n 50 --strip-args a.itrace
  instantrace names --list --match '^std::' a.itrace)");
  return runOnTraces(Opts, runNames);
}
