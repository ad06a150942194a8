/// \file
/// A table of everything, one row per interval, fold and instant.
///
/// Flow:   walkRows -> [writeCsv]
/// Source: RFC 4180, but for the line ends, which are those of text files here
#include "utils/export/IntervalRows.h"
#include "utils/render/CsvText.h"

#include <fmt/format.h>

#include <iterator>

using namespace instantrace;

namespace {

class CsvRows {
public:
  CsvRows(ExportOutput &Out, const ExportJob &Job) : Out(Out), Job(Job) {}

  void sequence(size_t Index) {
    Input.clear();
    appendCsv(Input, inputText(Job.T, Job.T.Sequences[Index]));
    No = Index + 1;
  }

  void row(const IntervalRow &R) {
    std::string &Buffer = Out.buffer();
    fmt::format_to(std::back_inserter(Buffer), "{},{},{},{},{},{},{},", No,
                   Input, R.Id, R.Parent, R.Requester, R.Depth, R.Kind);
    appendCsv(Buffer, R.Name);
    Buffer.push_back(',');
    appendCsv(Buffer, R.File);
    fmt::format_to(std::back_inserter(Buffer),
                   ",{},{},{},{},{},{},{},{},{},{},{:d},{:d}\n", R.LineNo,
                   R.ColumnNo, R.BeginNs, R.DurationNs, R.SelfNs, R.AstBytes,
                   R.Memoized, R.Count, R.ElidedCount, R.ElidedNs, R.Definition,
                   R.Unfinished);
    Out.lineDone();
  }

private:
  ExportOutput &Out;
  const ExportJob &Job;
  std::string Input; // quoted
  size_t No = 0;
};

} // namespace

static void writeCsv(ExportOutput &Out, const ExportJob &Job) {
  Out.append("sequence,input,id,parent,requester,depth,kind,name,file,line,"
             "column,begin_ns,duration_ns,self_ns,ast_bytes,memoized,count,"
             "elided_count,elided_ns,definition,unfinished\n");
  CsvRows Rows(Out, Job);
  walkRows(Job, Rows);
}

const ExportFormat instantrace::CsvFormat = {
    .Name = "csv",
    .Description = "spreadsheets, pandas, DuckDB: a row per interval",
    .Write = toFile<writeCsv>,
};
