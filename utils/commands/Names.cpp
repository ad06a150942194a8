/// \file
/// `instantrace names`: how names are stored, how large they are, what they
/// have in common.
///
/// Flow: TraceArguments, events left out -> nameStatistics, groupNames
///       -> NameReportText -> stdout; -> NameTree -> stdout
#include "runtime/strings/DictionaryBatch.h"
#include "utils/analysis/names/NameStatistics.h"
#include "utils/cli/Choices.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NameReportText.h"
#include "utils/render/NameText.h"
#include "utils/render/NameTree.h"
#include "utils/render/NumberText.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <tuple>

using namespace instantrace;

namespace {

struct NamesOptions {
  std::vector<std::string> Inputs;
  std::optional<NameGrouping> Grouping;
  bool Tree = false;
  std::string TreeOf; // --tree=ID; "true" without an id
  bool List = false;
  uint32_t Id = 0;       // of --id or --tree; 0: none
  uint32_t Sequence = 0; // from 1; 0: all
  std::optional<size_t> Rows;
  size_t Levels = 12;
  std::vector<std::string> Match;
  bool SortById = false;
  bool Json = false;
  NameStyle Style;
};

/// Without -n.
constexpr size_t LongestRows = 10, GroupRows = 20, TreeRows = 1;

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

/// Which file and sequence a message is about.
std::string placeOf(const Trace &T, const Sequence &S) {
  return T.Files[S.FileIndex].Name + ": sequence " + std::to_string(S.Id);
}

Result<int> writeEntries(const Trace &T, const NamesOptions &Opts,
                         Output &Out) {
  std::vector<EntityName> Roots;
  if (Opts.Id == 0) {
    Roots = longestNames(T, Opts.Rows.value_or(TreeRows));
    std::stable_sort(Roots.begin(), Roots.end(),
                     [](const EntityName &A, const EntityName &B) {
                       return A.SequenceIndex < B.SequenceIndex;
                     });
  } else if (T.Sequences.size() != 1) {
    return usageError(
        makeError({}, counted(T.Sequences.size(), "sequence"),
                  "one, since each has its own ids; choose with --sequence"));
  } else if (const Sequence &S = T.Sequences.front();
             !S.Names.contains({Opts.Id})) {
    return makeError(placeOf(T, S), "no name " + std::to_string(Opts.Id),
                     S.Names.size() == 0
                         ? "none: it has no names"
                         : "an id from 1 to " + std::to_string(S.Names.size()));
  } else {
    Roots = {{0, {}, {Opts.Id}, 0}};
  }
  if (!Opts.Tree) {
    const Dictionary &Names = T.Sequences.front().Names;
    if (Names.sizeBytes({Opts.Id}) > MaxNameBytes)
      return makeError(placeOf(T, T.Sequences.front()) + ": name " +
                           std::to_string(Opts.Id),
                       "more than " + std::to_string(MaxNameBytes) + " bytes",
                       "at most that many; --tree=" + std::to_string(Opts.Id) +
                           " shows how it is built");
    if (!writeWholeName(Out, Names, {Opts.Id}, MaxNameBytes))
      printWarning(placeOf(T, T.Sequences.front()) + ": name " +
                   std::to_string(Opts.Id) + " is cut after " +
                   std::to_string(MaxNameBytes) + " bytes");
    return Out.finish();
  }
  std::optional<NameTree> Tree;
  uint32_t Entered = UINT32_MAX;
  for (const EntityName &Root : Roots) {
    const Sequence &S = T.Sequences[Root.SequenceIndex];
    if (Entered != Root.SequenceIndex) {
      if (T.Sequences.size() != 1)
        Out.append("sequence " + std::to_string(Root.SequenceIndex + 1) +
                   ":\n");
      Tree.emplace(Out, S.Names, Opts.Levels, standardOutputTerminal().Columns);
    }
    Entered = Root.SequenceIndex;
    Tree->write(Root.Name);
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
  if (Opts.Sequence != 0) {
    if (Opts.Sequence > T.Sequences.size())
      return makeError({}, "no sequence " + std::to_string(Opts.Sequence),
                       "one of 1 to " + std::to_string(T.Sequences.size()));
    T.Sequences = {std::move(T.Sequences[Opts.Sequence - 1])};
  }
  Output Out(stdout);
  if (Opts.Tree || Opts.Id != 0)
    return writeEntries(T, Opts, Out);
  if (Opts.Grouping)
    return writeGroups(T, Opts, Out);
  if (Opts.List)
    return writeList(T, Opts, Filter, Out);
  return writeReport(T, Opts, Out);
}

void addModes(CLI::App &Command, const std::shared_ptr<NamesOptions> &Opts) {
  CLI::Option *O =
      addChoice(Command, "--by", Groupings, Opts->Grouping, "group names by");
  CLI::Option *Tree = Command.add_flag(
      "--tree", Opts->TreeOf,
      "show entries with those they refer to; --tree=ID: entry ID");
  CLI::Option *Id =
      Command.add_option("--id", Opts->Id, "show the whole text of one entry")
          ->check(CLI::PositiveNumber);
  CLI::Option *List =
      Command.add_flag("--list", Opts->List, "list the names, one per line");
  O->excludes(Tree)->excludes(Id)->excludes(List);
  Tree->excludes(List)->excludes(Id);
  Id->excludes(List);
  Command
      .add_option("--depth", Opts->Levels,
                  "levels of a tree; 0 means all (default 12)")
      ->needs(Tree);
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
  Command
      .add_flag("--json", Opts->Json,
                "print one JSON object; with --list, one per name")
      ->excludes(Tree)
      ->excludes(Id);
  Command.callback([Opts, Tree] {
    Opts->Tree = Tree->count() != 0;
    if (!Opts->Tree || Opts->TreeOf == "true")
      return; // no id
    const char *End = Opts->TreeOf.data() + Opts->TreeOf.size();
    auto [Read, Failed] = std::from_chars(Opts->TreeOf.data(), End, Opts->Id);
    if (Failed != std::errc() || Read != End || Opts->Id == 0)
      throw CLI::ValidationError("--tree", "found " + Opts->TreeOf +
                                               ", expected an id, from 1");
  });
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
                      "groups, 1 tree, all of a list)");
  Command
      ->add_option("--sequence", Opts->Sequence,
                   "only this compile of several, counted from 1")
      ->check(CLI::PositiveNumber);
  addColorOption(*Command);
  addNameOptions(*Command, Opts->Style);
  Command->footer(
      R"(A name is stored as a tree: an entry is text and references to earlier entries,
which names share. Sizes of text include default template arguments.
  --tree   {17} stands for entry 17, which is shown below; an entry that was
           shown before is only referred to
  --id     parts that can be left out are in braces
  --by     a class has itself and its members; a namespace has what is directly
           in it or in its classes. A scope is a class if it has template
           arguments or the trace says so, otherwise a namespace

Examples:
  instantrace names a.itrace
  instantrace names --by=class -n 50 --strip-args a.itrace
  instantrace names --tree=17 --depth=3 a.itrace
  instantrace names --list --match '^std::' a.itrace)");
  return runOnTraces(Opts, runNames);
}
