/// \file
/// The rows of the CSV export as JSON Lines: an object per line.
///
/// Flow:   walkRows -> [writeJsonLines]
/// Source: jsonlines.org
#include "utils/export/IntervalRows.h"
#include "utils/render/JsonText.h"

using namespace instantrace;

namespace {

class JsonRows {
public:
  JsonRows(ExportOutput &Out, const ExportJob &Job) : Out(Out), Job(Job) {}

  void sequence(size_t Index) {
    Input = inputText(Job.T, Job.T.Sequences[Index]);
    No = Index + 1;
  }

  void row(const IntervalRow &R) {
    {
      JsonObject Row(Out.buffer());
      Row.number("sequence", No);
      Row.text("input", Input);
      Row.number("id", R.Id);
      Row.number("parent", R.Parent);
      Row.number("requester", R.Requester);
      Row.number("depth", R.Depth);
      Row.text("kind", R.Kind);
      Row.text("name", R.Name);
      Row.text("file", R.File);
      Row.number("line", R.LineNo);
      Row.number("column", R.ColumnNo);
      Row.number("begin_ns", R.BeginNs);
      Row.number("duration_ns", R.DurationNs);
      Row.number("self_ns", R.SelfNs);
      Row.number("ast_bytes", R.AstBytes);
      Row.number("memoized", R.Memoized);
      Row.number("count", R.Count);
      Row.number("elided_count", R.ElidedCount);
      Row.number("elided_ns", R.ElidedNs);
      Row.boolean("definition", R.Definition);
      Row.boolean("unfinished", R.Unfinished);
    }
    Out.append("\n");
  }

private:
  ExportOutput &Out;
  const ExportJob &Job;
  std::string Input;
  size_t No = 0;
};

} // namespace

static void writeJsonLines(ExportOutput &Out, const ExportJob &Job) {
  JsonRows Rows(Out, Job);
  walkRows(Job, Rows);
}

const ExportFormat instantrace::JsonLinesFormat = {
    .Name = "jsonl",
    .Description = "jq, pandas, DuckDB, ClickHouse: an object per interval",
    .Write = toFile<writeJsonLines>,
};
