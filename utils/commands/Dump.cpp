/// \file
/// `instantrace dump`: every event in the recorded order.
///
/// Flow: TraceInputs -> walkEvents -> TraceFilter -> EventLines -> stdout
///       or, with --inclusions,       -> InclusionTree             -> stdout
#include "utils/analysis/view/AstBytes.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/InputProgress.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/export/TextProto.h"
#include "utils/render/EventLine.h"
#include "utils/render/InclusionTree.h"
#include "utils/render/Output.h"
#include "utils/render/SessionHeader.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <unordered_map>

using namespace instantrace;

namespace {

struct DumpOptions {
  std::vector<std::string> Inputs;
  std::string Format = "text";
  FilterSpec Filter;
  uint64_t NameLimitBytes = 0, PathLimitBytes = 0; // as is affordable
  bool Inclusions = false;
  bool ShowHeader = false;
  bool ShowTimes = false;
  NameStyle Names;
};

/// At the begin of an event and at its end.
constexpr NameBudget DumpedNames = {1 << 16, 128, 64, true};

PathBudget dumpedPaths(const DumpOptions &Opts) {
  return {ShownPathBytes, PlacePathBytes, 64, Opts.Format == "json"};
}

/// How much of a name and of a path is shown.
struct DumpLimits {
  uint64_t NameBytes = 0, PathBytes = 0;
};

class SequenceDump {
public:
  SequenceDump(const Sequence &S, const DumpOptions &Opts,
               const DumpLimits &Limits, TraceFilter &Filter, Output &Out)
      : S(S), Json(Opts.Format == "json"), Filter(Filter), Out(Out),
        Lines(S, Opts.Names, Limits.NameBytes, Limits.PathBytes,
              Opts.ShowTimes),
        AstBytes(inclusiveAstBytes(S)) {}

  void begin(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    if (!Filter.selects(I))
      return;
    EventLine Line = lineOf("begin", I, I.BeginNs);
    ++Depth;
    const Interval *Requester =
        I.Requester ? &S.Intervals[I.Requester.Value] : nullptr;
    if (Json)
      Lines.jsonBegin(Out.buffer(), Line, Requester, I.Open);
    else
      Lines.textBegin(Out.buffer(), Line, Requester, I.Open);
    Out.lineDone();
  }

  void end(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    if (!Filter.selects(I))
      return;
    --Depth;
    EventLine Line = lineOf("end", I, I.EndNs);
    ElidedLeaves Elided = I.HasElided ? S.elidedIn(Id) : ElidedLeaves{};
    EndDetails Details{AstBytes[Id.Value], I.AstBytes,   I.memoized(),
                       Elided.Count,       Elided.SumNs, I.Definition};
    if (Json)
      Lines.jsonEnd(Out.buffer(), Line, Details);
    else
      Lines.textEnd(Out.buffer(), Line, Details);
    Out.lineDone();
  }

  void instant(const Instant &I) {
    if (!Filter.selects(I))
      return;
    EventLine Line{"instant", I.Kind, I.Entity, I.Location, I.TimeNs, Depth};
    if (Json)
      Lines.jsonInstant(Out.buffer(), Line);
    else
      Lines.textInstant(Out.buffer(), Line);
    Out.lineDone();
  }

  /// One line per entity: the packets count since the packet before.
  void counts() {
    std::vector<MemoizedHits> Sums;
    std::unordered_map<uint32_t, size_t> ByEntity;
    for (const MemoizedHits &M : S.Memoized) {
      auto [Entry, IsNew] = ByEntity.try_emplace(M.Entity.Value, Sums.size());
      if (IsNew)
        Sums.push_back(M);
      else
        Sums[Entry->second].Hits += M.Hits;
    }
    for (const MemoizedHits &M : Sums) {
      if (!Filter.selectsHits(M.Entity))
        continue;
      EventLine Line{"count", EventKind::Memoization, M.Entity,
                     {},      S.LastTimeNs,           0};
      if (Json)
        Lines.jsonCount(Out.buffer(), Line, M.Hits);
      else
        Lines.textCount(Out.buffer(), Line, M.Hits);
      Out.lineDone();
    }
  }

  /// What LLVM was given, and what it made of it.
  void functions() {
    for (const Function &F : S.Functions) {
      if (!Filter.selectsFunction(F.Entity, {}))
        continue;
      if (Json)
        Lines.jsonFunction(Out.buffer(), F);
      else
        Lines.textFunction(Out.buffer(), F);
      Out.lineDone();
    }
  }

private:
  EventLine lineOf(const char *Event, const Interval &I,
                   uint64_t TimeNs) const {
    return {Event, I.Kind, I.Entity, I.Location, TimeNs, Depth};
  }

  const Sequence &S;
  bool Json;
  TraceFilter &Filter;
  Output &Out;
  EventLines Lines;
  std::vector<uint64_t> AstBytes;
  uint64_t Depth = 0;
};

Result<int> runDump(const DumpOptions &Opts) {
  if (Opts.Format == "textproto") {
    if (Opts.Inclusions)
      return usageError("--inclusions prints text or json; textproto is always "
                        "the whole file");
    InputProgress Seen;
    Output Out(stdout);
    return dumpTextProto(Opts.Inputs, Out, Seen);
  }
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  INSTANTRACE_TRY_ASSIGN(Trace T, readTraceArguments(Opts.Inputs));
  DumpLimits Limits;
  if (!Opts.Inclusions)
    Limits = {nameLimitBytes(Opts.NameLimitBytes, T, DumpedNames),
              pathLimitBytes(Opts.PathLimitBytes, T, dumpedPaths(Opts))};
  Output Out(stdout);
  Filter.enterTrace(T);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    Filter.enterSequence(Index);
    if (Opts.ShowHeader && Opts.Format == "text")
      Out.append(sessionHeader(T, S));
    if (Opts.Inclusions) {
      if (Opts.Format == "json")
        writeInclusionJson(Out, S);
      else
        writeInclusionTree(Out, S);
      continue;
    }
    SequenceDump Dump(S, Opts, Limits, Filter, Out);
    walkEvents(S, Dump);
    Dump.counts();
    Dump.functions();
  }
  return Out.finish();
}

} // namespace

CommandRun instantrace::addDump(CLI::App &App) {
  auto Opts = std::make_shared<DumpOptions>();
  CLI::App *Command = App.add_subcommand(
      "dump", "Print every event of traces, in the order they were recorded.");
  addTracesOrNewest(*Command, Opts->Inputs);
  Command
      ->add_option("--format", Opts->Format,
                   "text, json (one object per line) or textproto (the file's "
                   "content; assemble turns it back)")
      ->check(CLI::IsMember({"text", "json", "textproto"}));
  CLI::Option *NoPhases =
      Command->add_flag("--no-phases", Opts->Filter.NoPhases,
                        "hide file inclusion and the phases of the compile");
  Command->add_flag("--header", Opts->ShowHeader,
                    "first print what was compiled, by what, and when");
  CLI::Option *Times = Command->add_flag(
      "--times", Opts->ShowTimes, "show nanoseconds since the compile began");
  CLI::Option *Inclusions =
      Command->add_flag("--inclusions", Opts->Inclusions,
                        "instead of events, print the tree of included files");
  Command
      ->add_option("--max-name", Opts->NameLimitBytes,
                   "cut names after this many bytes (default 65536, or "
                   "less where names are far larger than the traces)")
      ->check(CLI::Range(1, 1 << 30));
  Command
      ->add_option("--max-path", Opts->PathLimitBytes,
                   "cut paths before this many bytes at their end (default "
                   "4096, or less where paths are far larger than the traces)")
      ->check(CLI::Range(1, 1 << 30));
  FilterOptions Filter = addFilterOptions(*Command, Opts->Filter);
  for (CLI::Option *OfEvents :
       {NoPhases, Times, Filter.Match, Filter.Exclude, Filter.Kind, Filter.In,
        Filter.MinTime, Filter.NoSystem, Filter.Level})
    Inclusions->excludes(OfEvents);
  addColorOption(*Command);
  addNameOptions(*Command, Opts->Names);
  Command->footer(
      R"(A line of text has: begin, end, instant or count; the kind; the name; and the
point of instantiation as FILE:LINE:COLUMN. In a macro that is the expansion,
with the macro and the place where the token is spelled; under #line, it comes
with the file and line that were read. Indentation and `depth` count the shown
intervals around an event. `count` lines follow the events and tell how often a
finished instantiation was used again. Then `function` lines tell what LLVM was
given and made of it: linkage, instructions of its IR before any pass, machine
instructions and bytes in the object, without those that are 0 or not known; and
how the name that pays was found, if it is not the function itself (enclosing,
or its own name).

Examples:
  instantrace dump --no-phases a.itrace
  instantrace dump --kind TemplateInstantiation --match '^std::' a.itrace
  instantrace dump --format=json a.itrace | jq .name)");
  return runOnTraces(Opts, runDump);
}
