#include "test/fuzz/TraceUses.h"

#include "runtime/read/TraceReader.h"
#include "test/fuzz/FuzzTargets.h"
#include "test/unit/support/FedAdvice.h"
#include "test/unit/support/FedReport.h"
#include "test/unit/support/ModelCosts.h"
#include "utils/analysis/chains/InstantiationTree.h"
#include "utils/analysis/costs/CheckCosts.h"
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/CostDiff.h"
#include "utils/analysis/costs/LineCosts.h"
#include "utils/analysis/costs/RowMatch.h"
#include "utils/analysis/view/EventWalk.h"
#include "utils/export/ExportJob.h"
#include "utils/export/TextProto.h"
#include "utils/open/TraceStreams.h"
#include "utils/query/Query.h"
#include "utils/render/AdviceText.h"
#include "utils/render/AnnotationText.h"
#include "utils/render/CheckText.h"
#include "utils/render/CostText.h"
#include "utils/render/DiffText.h"
#include "utils/render/HookText.h"
#include "utils/render/InclusionTree.h"
#include "utils/render/NameReportText.h"
#include "utils/render/RecursionText.h"
#include "utils/render/RequestText.h"
#include "utils/render/SessionHeader.h"
#include "utils/render/TreeText.h"
#include "utils/report/ReportJson.h"

#include <fcntl.h>
#include <iterator>
#include <unistd.h>

namespace instantrace::fuzz {

using test::costs;

namespace {

/// Names are cut early: it is what the tool does with long ones that is tried,
/// and not how long it takes to print them.
constexpr size_t NameBytes = 200;
constexpr uint64_t MostOutputBytes = uint64_t(1) << 26;
constexpr size_t Rows = 20;

/// What an exporter writes to the standard output goes nowhere.
class StandardOutputDropped {
public:
  StandardOutputDropped() {
    std::fflush(stdout);
    int Null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    require(Kept >= 0 && Null >= 0);
    dup2(Null, STDOUT_FILENO);
    close(Null);
  }
  ~StandardOutputDropped() {
    std::fflush(stdout);
    dup2(Kept, STDOUT_FILENO);
    close(Kept);
  }

private:
  int Kept = dup(STDOUT_FILENO);
};

NameStyle styleOf(uint8_t Options) {
  NameStyle Style;
  Style.DefaultArguments = Options & 0x80;
  Style.Parameters = Options & 0x40;
  return Style;
}
RecordFormat recordsOf(uint8_t Options) {
  return Options & 0x20 ? RecordFormat::Csv : RecordFormat::Json;
}
bool isForPeople(uint8_t Options) { return Options & 0x10; }

TraceFilter filterOf(uint8_t Options) {
  FilterSpec Spec;
  if (Options & 0x08) {
    Spec.NoSystem = true;
    Spec.Match = {"glob:*B*"};
  }
  return *TraceFilter::make(Spec);
}

CostKey keyOf(uint8_t Options) {
  constexpr size_t Count = std::size(CostKeyNames);
  return CostKeyNames[Options % Count].Key;
}

void summary(const Trace &T, uint8_t Options, Output &Out) {
  TraceFilter Filter = filterOf(Options);
  CostTable Table = costs(T, keyOf(Options), Filter);
  uint64_t SelfNs = 0;
  for (const CostRow &Row : Table.Rows)
    SelfNs += Row.SelfNs;
  require(SelfNs == Table.TotalNs);
  sortCosts(Table, T, CostOrder::Self, Rows);
  CostTableStyle Style{"row", styleOf(Options), CostOrder::Self, {}};
  CostSource Source{T, "fuzzed", T.Files.size(), T.Sequences.size()};
  if (isForPeople(Options))
    writeCostTable(Out, Source, Table, Rows, Style, {});
  else
    writeCostRecords(Out, recordsOf(Options), Source, Table, Rows, Style,
                     "chains");
}

void names(const Trace &T, uint8_t Options, Output &Out) {
  if (Options & 1) {
    auto Grouping = static_cast<NameGrouping>((Options >> 1) % 3);
    std::vector<NameGroupRow> Groups = groupNames(T, Grouping);
    writeNameGroups(Out, T, Groups, Rows, "row", styleOf(Options), {});
    return;
  }
  NameReport Report = nameStatistics(T);
  std::vector<EntityName> Longest = longestNames(T, Rows);
  if (isForPeople(Options))
    writeNameReport(Out, T, Report, Longest, styleOf(Options), {});
  else
    writeNameReportJson(Out, T, Report, Longest, styleOf(Options));
}

void tree(const Trace &T, uint8_t Options, Output &Out) {
  TraceFilter Focus = filterOf(Options), Rest = filterOf(0);
  auto Level = static_cast<EntityLevel>((Options & 7) % 5);
  Trace Fed = T;
  TreeSink Sink(Fed, {Level, bool(Options & 0x20)}, Focus, Rest);
  feedAll(Fed, Sink);
  MergedNames Names;
  Names.enterTrace(Fed);
  MergedTree Merged(Rows);
  Merged.add(Sink.take(), Names);
  InstantiationTree Tree = Merged.take();
  const Trace &Named = Names.trace();
  std::vector<TreeLine> Lines = foldTree(Named, Tree, {10, 0, Rows});
  if (isForPeople(Options))
    writeTreeText(Out, Named, Tree, Lines, styleOf(Options), {});
  else
    writeTreeRecords(Out, recordsOf(Options), Named, Tree, Lines,
                     styleOf(Options));
}

void why(const Trace &T, uint8_t Options, Output &Out) {
  constexpr const char *Queries[] = {"Box", "glob:*", "std::vector<int>"};
  std::string Wanted = Queries[(Options & 7) % std::size(Queries)];
  NameQuery Query = *NameQuery::make(Wanted);
  Trace Fed = T;
  RequestSink Sink(Fed, Query, filterOf(Options), EntityLevel::Specialization);
  feedAll(Fed, Sink);
  MergedNames Names;
  Names.enterTrace(Fed);
  MergedRequests Merged;
  Merged.add(Sink.take(), Names);
  const Trace &Named = Names.trace();
  RequestReport Report = Merged.take(Named);
  if (isForPeople(Options))
    writeRequestText(Out, Named, Report, Wanted, Rows, styleOf(Options), {});
  else
    writeRequestRecords(Out, recordsOf(Options), Named, Report, Wanted, Rows,
                        styleOf(Options));
}

void depth(const Trace &T, uint8_t Options, Output &Out) {
  Trace Fed = T;
  RecursionSink Sink(Fed, filterOf(Options));
  feedAll(Fed, Sink);
  MergedNames Names;
  Names.enterTrace(Fed);
  MergedRecursion Merged;
  Merged.add(Sink.take(), Fed, Names);
  const Trace &Named = Names.trace();
  RecursionReport Report = Merged.take(Named);
  if (isForPeople(Options))
    writeRecursionText(Out, Named, Report, Rows, styleOf(Options), {});
  else
    writeRecursionRecords(Out, recordsOf(Options), Named, Report, Rows,
                          styleOf(Options));
}

void checks(const Trace &T, uint8_t Options, Output &Out) {
  auto Family =
      Options & 1 ? CheckFamily::Constraints : CheckFamily::Candidates;
  Trace Fed = T;
  CheckSink Sink(Fed, Family, filterOf(Options));
  feedAll(Fed, Sink);
  MergedNames Names;
  Names.enterTrace(Fed);
  MergedChecks Merged;
  Merged.add(Sink.take(), Names);
  const Trace &Named = Names.trace();
  CheckCosts Costs = Merged.take(Named);
  if (isForPeople(Options))
    writeCheckText(Out, Named, Costs, Family, Rows, styleOf(Options), {});
  else
    writeCheckRecords(Out, recordsOf(Options), Named, Costs, Family, Rows,
                      styleOf(Options));
}

AdviceTextStyle styleForAdvice(uint8_t Options) {
  AdviceTextStyle Style;
  Style.Wanted = Rows;
  Style.Names = styleOf(Options);
  Style.HasAll = true;
  return Style;
}

void advise(const Trace &T, uint8_t Options, Output &Out) {
  TraceFilter Filter = filterOf(Options);
  const test::Advised Report =
      test::findAdvice(T, Filter, {{}, Options & 1 ? 5.0 : 0.0, {}});
  if (isForPeople(Options))
    writeAdviceText(Out, Report.Names, Report, styleForAdvice(Options), {});
  else
    writeAdviceRecords(Out, recordsOf(Options), Report.Names, Report, {}, Rows,
                       styleOf(Options));
}

void annotate(const Trace &T, uint8_t Options, Output &) {
  Trace Fed = T;
  LineSink Lines(Fed, {WantedFile{Options & 1 ? "a.cpp" : "box.cpp"}},
                 filterOf(Options));
  feedAll(Fed, Lines);
}

void inclusions(const Trace &T, uint8_t Options, Output &Out) {
  for (const Sequence &S : T.Sequences) {
    Out.append(sessionHeader(T, S));
    if (isForPeople(Options))
      writeInclusionTree(Out, S);
    else
      writeInclusionJson(Out, S);
  }
}

/// Compiles of one index are partners then.
void keepOnly(Trace &T, const std::vector<MatchedCompile> &Pairs,
              uint32_t MatchedCompile::*Index) {
  std::vector<Sequence> Kept;
  for (const MatchedCompile &Pair : Pairs)
    Kept.push_back(std::move(T.Sequences[Pair.*Index]));
  T.Sequences = std::move(Kept);
}

/// Against the sample, whose compiles have the names that seeds have.
void diff(const Trace &T, uint8_t Options, Output &Out) {
  TraceFilter Filter = filterOf(Options);
  Trace OldTrace = Options & 1 ? T : sampleTrace();
  Trace NewTrace = Options & 1 ? sampleTrace() : T;
  CompileMatch Match = matchCompiles(OldTrace, NewTrace);
  keepOnly(OldTrace, Match.Pairs, &MatchedCompile::Old);
  keepOnly(NewTrace, Match.Pairs, &MatchedCompile::New);
  CostKey Key = keyOf(static_cast<uint8_t>(Options >> 1));
  const size_t Pairs = Match.Pairs.size();
  ComparedBuild Old{&OldTrace, Pairs, costs(OldTrace, Key, Filter), {}};
  ComparedBuild New{&NewTrace, Pairs, costs(NewTrace, Key, Filter), {}};
  matchRows(Old.Costs, OldTrace, New.Costs, NewTrace,
            {Match.OldRoot, Match.NewRoot});
  std::vector<JudgedBound> Bounds;
  for (CostOrder Order : {CostOrder::Self, CostOrder::Count,
                          CostOrder::Memoized, CostOrder::Ast}) {
    CostDiff Found =
        diffCosts(Old.Costs, OldTrace, New.Costs, NewTrace, Order, {});
    BuildDiff Both{Old, New, Found, {}, Bounds};
    DiffTextStyle Style{"row", styleOf(Options), Rows};
    if (isForPeople(Options))
      writeDiff(Out, Both, Style, {});
    else if (Options & 0x20)
      writeDiffMarkdown(Out, Both, Style);
    else
      writeDiffRecords(Out, RecordFormat::Json, Both, Style);
  }
}

void report(const Trace &T, uint8_t Options, Output &Out) {
  ReportInput Input;
  Input.HasOld = Options & 1;
  ReportOptions Opts;
  Opts.Names = styleOf(Options);
  Opts.NameBytes = NameBytes;
  Opts.HasSource = false;
  Reporter R(Input, Opts);
  test::feedReport(R, T, Input.HasOld ? &T : nullptr);
  std::string Json = reportJson(R.model(
      {.FlameNodes = 100, .Rows = Rows, .Chains = 3, .SourceLines = 0}));
  // Or it would end the element of the page that it is in.
  require(Json.find('<') == std::string::npos);
  Out.append(Json);
}

void exports(const Trace &T, uint8_t Options, Output &) {
  const ExportFormat &Format =
      exportFormats()[(Options & 15) % exportFormats().size()];
  if (std::string_view(Format.Name) == "sqlite")
    return; // which is always a file
  TraceFilter Filter = filterOf(Options);
  ExportLimits Limits = Format.Defaults;
  if (Options & 0x40)
    Limits.MaxEvents = 3;
  ExportPlan Plan(T, Limits, Filter);
  StandardOutputDropped Dropped;
  (void)Format.Write({T, Plan, Limits, styleOf(Options), NameBytes}, "-");
}

void query(const Trace &T, uint8_t Options, Output &Out) {
  constexpr const char *Queries[] = {
      "SELECT * FROM sequences",      "SELECT * FROM intervals",
      "SELECT * FROM events",         "SELECT * FROM entities",
      "SELECT * FROM locations",      "SELECT * FROM files",
      "SELECT * FROM names LIMIT 99", "SELECT * FROM templates",
      "SELECT * FROM instantiations", "SELECT * FROM kinds",
      "SELECT * FROM lines",          "SELECT * FROM requests",
      "SELECT * FROM functions",      "SELECT * FROM backend"};
  TraceModel Model(T, styleOf(Options), NameBytes, nullptr);
  require(bool(runQuery(Model, Queries[(Options & 15) % std::size(Queries)],
                        static_cast<RowFormat>((Options >> 4 & 3) % 3), Out)));
}

constexpr void (*Uses[])(const Trace &, uint8_t, Output &) = {
    summary, names,    tree,       why,  depth,   checks, advise,
    report,  annotate, inclusions, diff, exports, query,
};

} // namespace

void DroppedOutput::write(std::string_view Text) {
  WrittenBytes += Text.size();
  require(WrittenBytes <= MostOutputBytes);
}

void useTrace(const Trace &T, uint8_t Command, uint8_t Options) {
  DroppedOutput Out;
  T.losses();
  hookNote(observedWork(T), T.Sequences.size());
  Uses[Command % std::size(Uses)](T, Options, Out);
  (void)Out.finish();
}

const char *const SampleTraceText = R"text(
packet { file_header { magic: "instantrace" format_major: 1 format_minor: 5 } sequence_id: 3 }
packet { session { tool_version: "0.1.0" clang_version: "clang version 19.1.7" input: "a.cpp"
  working_directory: "/srcs/me" argv: "clang++" argv: "-c" pid: 1 memoization: MEMOIZATION_COUNT } sequence_id: 3 }
packet { dictionary { first_id: 1
  entry { marked_name: "a.cpp" } entry { marked_name: "/usr/include/vec" } entry { marked_name: "m.h" }
  entry { marked_name: "int" } entry { marked_name: "Box" }
  entry { marked_name: "\000<" marker_ids: 5 part: NAME_PART_TEMPLATE_HEAD }
  entry { marked_name: ", \000" marker_ids: 4 part: NAME_PART_DEFAULT_ARGUMENTS }
  entry { marked_name: "\000\000\000>" marker_ids: [6, 4, 7] }
  entry { marked_name: "\000$>" marker_ids: 6 }
  entry { marked_name: "MAKE" } entry { marked_name: "g.y" }
  entry { marked_name: "(\000)" marker_ids: 4 part: NAME_PART_PARAMETERS }
  entry { marked_name: "\000::get\000" marker_ids: [8, 12] }
  entry { marked_name: "\000::get\000" marker_ids: [9, 12] } } sequence_id: 3 }
packet { inclusions { first_id: 1 path: [1, 3, 3, 2, 11] included_from: [0, 1, 1, 1, 0]
  line: [0, 2, 3, 1, 0] column: [0, 10, 10, 0, 0] is_system: [false, false, false, true, false] } sequence_id: 3 }
packet { locations { first_id: 1 file: [1, 2, 3, 11] line: [9, 61, -66, 3] column: [4, 5, 6, 7]
  detail { element: 2 inclusion: 3 macro: 10 spelling_file: 2 spelling_line: 12 spelling_column: 17
           expansion_end_line: 5 expansion_end_column: 8 }
  detail { element: 3 physical_file: 1 physical_line: 100 } } sequence_id: 3 }
packet { entities { first_id: 1 name: [8, 5] template_set: [9, 5] declared_at: [2, 0]
  kind: [ENTITY_CLASS, ENTITY_FUNCTION] } sequence_id: 3 }
packet { events {
  begin { kind: Frontend time_ns: 0 }
    begin { kind: Parsing time_ns: 1 }
      begin { kind: FileInclusion entity: "/usr/include/vec" at: "a.cpp:1:1" time_ns: 2 }
      end { time_ns: 9 ast_bytes: 64 }
      begin { kind: TemplateInstantiation entity_id: 1 location_id: 1 time_ns: 10 }
        begin { kind: TemplateInstantiation entity_id: 1 location_id: 2 time_ns: 12 }
        end { time_ns: 20 ast_bytes: 100 memoized: 2 definition: true }
        begin { kind: ConstraintsCheck entity_id: 1 location_id: 3 time_ns: 21 }
        end { time_ns: 22 }
        begin { kind: Profiling time_ns: 23 }
        end { time_ns: 24 }
      end { time_ns: 35 definition: true }
      instant { kind: Memoization entity_id: 1 location_id: 3 time_ns: 36 }
    end { time_ns: 40 }
    begin { kind: PendingInstantiations time_ns: 40 }
      begin { kind: TemplateInstantiation entity_id: 2 location_id: 4 requester: 3 time_ns: 41 }
      end { time_ns: 91 elided: 3 elided_ns: 6 definition: true }
    end { time_ns: 92 }
    begin { kind: CodeGeneration time_ns: 92 }
      begin { kind: OptimizeModule time_ns: 93 }
      end { time_ns: 94 }
      begin { kind: OptimizeFunction entity_id: 2 time_ns: 94 }
      end { time_ns: 96 }
      begin { kind: MachineCode entity_id: 2 time_ns: 97 }
      end { time_ns: 98 }
    end { time_ns: 99 }
  end { time_ns: 100 }
} sequence_id: 3 }
packet { memoized_hits { entity: [1, 2] hits: [4, 2] } sequence_id: 3 }
packet { functions { first_id: 1 entity: [2, 1] owner: [FUNCTION_OWNER_ITSELF, FUNCTION_OWNER_ENCLOSING]
  name_hash: [8, 9] linkage: [LINKAGE_LINK_ONCE, LINKAGE_INTERNAL] ir_instructions: [20, 30] } sequence_id: 3 }
packet { function_sizes { function: 1 machine_instructions: 5 object_bytes: 17 } sequence_id: 3 }
packet { memory_samples { interval: [3, 5] depth: [1, 2] peak_rss_bytes: [7000000, 9000000] } sequence_id: 3 }
packet { footer { exit_state: EXIT_STATE_SUCCESS end_time_ns: 1000 events_recorded: 27 events_elided: 3
  memoized_hits: 6 backend: "functions" code_bytes: 20 } sequence_id: 3 }
)text";

const Trace &sampleTrace() {
  static const Trace Sample = [] {
    Trace T;
    Result<std::string> Bytes = assembleTrace(SampleTraceText, "sample", false);
    if (Bytes)
      readTrace(*Bytes, "sample", T);
    else
      std::fprintf(stderr, "%s\n", Bytes.error().Message.c_str());
    require(bool(Bytes) && !T.Files.front().damage());
    return T;
  }();
  return Sample;
}

} // namespace instantrace::fuzz
