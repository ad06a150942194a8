/// \file
/// `instantrace query`: SQL over traces.
///
/// Flow: TraceArguments -> TraceModel -> SQLite -> stdout
///       IndexArguments -> IndexedTrace -> TraceModel -> SQLite -> stdout
#include "utils/query/Query.h"

#include "utils/analysis/index/IndexedTrace.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/IndexArguments.h"
#include "utils/cli/NameOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/Commands.h"
#include "utils/render/Output.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

using namespace instantrace;

namespace {

struct QueryOptions {
  std::vector<std::string> Words; // the traces, and the query behind them
  bool Json = false, Csv = false, Schema = false, IsIndexed = false;
  uint64_t NameLimitBytes = 0; // as is affordable
  NameStyle Names;
};

/// SQLite has several texts of a row's name.
constexpr NameBudget QueriedNames = {1 << 16, 256, 64, true};

/// Intervals and names of an index as a query comes to them.
class IndexedSource : public TraceSource {
public:
  IndexedSource(IndexedTrace &All, uint64_t WantedBytes)
      : All(All), WantedBytes(WantedBytes),
        HasIntervals(All.trace().Sequences.size()),
        HasNames(All.trace().Sequences.size()) {}
  void needIntervals(size_t Index) override {
    if (!std::exchange(HasIntervals[Index], true))
      IsGood &= All.readIntervals(static_cast<uint32_t>(Index));
  }
  void needNames(size_t Index) override {
    if (!std::exchange(HasNames[Index], true))
      IsGood &= All.readNames(static_cast<uint32_t>(Index));
  }
  size_t nameLimitBytes() override {
    for (size_t I = 0; WantedBytes == 0 && I != HasNames.size(); ++I) {
      needIntervals(I);
      needNames(I);
    }
    return instantrace::nameLimitBytes(WantedBytes, All.trace(), QueriedNames);
  }
  bool isGood() const { return IsGood; }

private:
  IndexedTrace &All;
  uint64_t WantedBytes;
  std::vector<char> HasIntervals, HasNames;
  bool IsGood = true;
};

Result<int> answer(const QueryOptions &Opts, TraceModel &Model,
                   const std::string &Sql) {
  Output Out(stdout);
  if (Opts.Schema)
    return writeSchema(Model, Out);
  return runQuery(Model, Sql,
                  Opts.Json  ? RowFormat::Json
                  : Opts.Csv ? RowFormat::Csv
                             : RowFormat::Text,
                  Out);
}

Result<int> answerIndexed(const QueryOptions &Opts,
                          const std::vector<std::string> &Inputs,
                          const std::string &Sql) {
  Result<InstantiationIndex> X =
      readIndexArguments(Inputs, IndexContent::Tables);
  if (!X)
    return X.error();
  Result<IndexedTrace> All = IndexedTrace::of(*X);
  if (!All)
    return All.error();
  for (uint32_t C = 0; C != X->compileCount(); ++C)
    if (!All->readTables(C))
      return All->fault();
  IndexedSource Source(*All, Opts.NameLimitBytes);
  TraceModel Model(All->trace(), Opts.Names, Source);
  Result<int> Answered = answer(Opts, Model, Sql);
  if (Answered && !Source.isGood())
    return All->fault();
  return Answered;
}

Result<int> runQueryCommand(const QueryOptions &Opts) {
  std::vector<std::string> Inputs = Opts.Words;
  std::string Sql;
  if (!Opts.Schema) {
    Result<std::string> Last = takeLastWord(Inputs, "a query");
    if (!Last)
      return Last.error();
    Sql = std::move(*Last);
  } else if (Result<void> Named = nameNewestTrace(Inputs); !Named) {
    return Named.error();
  }
  if (Opts.IsIndexed || areIndexes(Inputs))
    return answerIndexed(Opts, Inputs, Sql);
  Result<Trace> T = readTraceArguments(Inputs);
  if (!T)
    return T.error();
  TraceModel Model(*T, Opts.Names,
                   nameLimitBytes(Opts.NameLimitBytes, *T, QueriedNames),
                   nullptr);
  return answer(Opts, Model, Sql);
}

} // namespace

CommandRun instantrace::addQuery(CLI::App &App) {
  auto Opts = std::make_shared<QueryOptions>();
  CLI::App *Command = App.add_subcommand("query", "Query traces with SQL.");
  Command
      ->add_option("trace query", Opts->Words,
                   "traces, a folder for all *.itrace below it, - for the "
                   "standard input; then one SELECT of SQLite")
      ->type_name("[TRACE...] QUERY");
  CLI::Option *Json =
      Command->add_flag("--json", Opts->Json, "print a JSON array of objects");
  Command->add_flag("--csv", Opts->Csv, "print CSV with a header")
      ->excludes(Json);
  Command->add_flag("--schema", Opts->Schema,
                    "print the tables and views with their columns; the "
                    "arguments are traces only");
  Command
      ->add_option(
          "--max-name", Opts->NameLimitBytes,
          "cut names after this many bytes (default 65536, or "
          "less where names are far larger than the traces); a hash of "
          "the whole name follows")
      ->check(CLI::Range(16, 1 << 30));
  addIndexOption(*Command, Opts->IsIndexed);
  addColorOption(*Command);
  addNameOptions(*Command, Opts->Names);
  Command->footer(
      R"(Tables: sequences, intervals, events, entities, locations, files, names; nothing
is copied, they are read from the trace. Views over them: templates,
instantiations, kinds, lines, requests. A name is expanded for each row that
shows it; with many rows, group by entity and join, as the views do.

With --index, or of an index itself, the answer is the same. Intervals and names
are made of the index when a query comes to them; one that needs neither is
faster, and one over all intervals is not.

Examples:
  instantrace query --schema a.itrace
  instantrace query a.itrace 'SELECT template, self_ns FROM templates
      ORDER BY self_ns DESC LIMIT 10'
  instantrace query --csv build/ 'SELECT input, count(*) FROM intervals
      JOIN sequences USING (sequence) GROUP BY input' > counts.csv)");
  return [Opts] { return runQueryCommand(*Opts); };
}
