/// \file
/// `instantrace query`: SQL over traces.
///
/// Flow: TraceArguments -> TraceModel -> SQLite -> stdout
#include "utils/query/Query.h"

#include "utils/cli/ColorOption.h"
#include "utils/cli/FilterOptions.h"
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
  bool Json = false, Csv = false, Schema = false;
  uint64_t NameLimitBytes = 0; // as is affordable
  NameStyle Names;
};

/// SQLite has several texts of a row's name.
constexpr NameBudget QueriedNames = {1 << 16, 256, 64, true};

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

Result<int> runQueryCommand(const QueryOptions &Opts) {
  std::vector<std::string> Inputs = Opts.Words;
  std::string Sql;
  if (!Opts.Schema) {
    INSTANTRACE_TRY_ASSIGN(Sql, takeLastWord(Inputs, "a query"));
  } else {
    INSTANTRACE_TRY(nameNewestTrace(Inputs));
  }
  INSTANTRACE_TRY_ASSIGN(Trace T, readTraceArguments(Inputs));
  TraceModel Model(T, Opts.Names,
                   nameLimitBytes(Opts.NameLimitBytes, T, QueriedNames),
                   nullptr);
  return answer(Opts, Model, Sql);
}

} // namespace

CommandRun instantrace::addQuery(CLI::App &App) {
  auto Opts = std::make_shared<QueryOptions>();
  CLI::App *Command = App.add_subcommand("query", "Query traces with SQL.");
  Command
      ->add_option("query", Opts->Words,
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
  addClockOption(*Command);
  addColorOption(*Command);
  addNameOptions(*Command, Opts->Names);
  Command->footer(
      R"(Tables: sequences, intervals, events, entities, locations, files, names; nothing
is copied, they are read from the trace. Views over them: templates,
instantiations, kinds, lines, requests. A name is expanded for each row that
shows it; with many rows, group by entity and join, as the views do.

Examples:
  instantrace query --schema a.itrace
  instantrace query a.itrace 'SELECT template, self_ns FROM templates
      ORDER BY self_ns DESC LIMIT 10'
  instantrace query --csv build/ 'SELECT input, count(*) FROM intervals
      JOIN sequences USING (sequence) GROUP BY input' > counts.csv)");
  return [Opts] { return runQueryCommand(*Opts); };
}
