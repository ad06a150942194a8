/// \file
/// A table of everything, one row per interval, fold and instant. A number is 0
/// where there is nothing: no parent, no line.
///
/// Flow:   walkExport -> [writeCsv]
/// Source: RFC 4180, but for the line ends, which are those of text files here
#include "utils/export/ExportJob.h"
#include "utils/render/CsvText.h"

#include <algorithm>
#include <iterator>
#include <vector>

using namespace instantrace;

namespace {

/// The columns that do not follow from where a row is.
struct CsvNumbers {
  uint64_t Id = 0; ///< in its sequence, from 1; 0: a fold or an instant
  uint64_t Requester = 0;
  uint64_t BeginNs = 0, DurationNs = 0, SelfNs = 0;
  uint64_t AstBytes = 0; ///< without the intervals inside
  uint64_t Memoized = 0;
  uint64_t Count = 0; ///< 1; of a fold, the intervals in it; of an instant 0
  ElidedLeaves Elided = {};
  bool Definition = false, Unfinished = false;
};

/// Writes each interval when it ends, so that its self time is known: children
/// come before their parents.
class CsvRows {
public:
  CsvRows(const ExportJob &Job, size_t Index, ExportFrames &Frames,
          ExportOutput &Out)
      : S(Job.T.Sequences[Index]), Frames(Frames), Out(Out) {
    Input = std::to_string(Index + 1) + ",";
    appendCsv(Input, inputText(Job.T, S));
  }

  void begin(IntervalId Id) { Open.push_back({Id, 0}); }

  void end(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    CsvNumbers Row;
    Row.Id = uint64_t(Id.Value) + 1;
    Row.Requester = I.Requester ? uint64_t(I.Requester.Value) + 1 : 0;
    Row.BeginNs = I.BeginNs;
    Row.DurationNs = I.durationNs();
    Row.SelfNs = I.durationNs() - Open.back().InsideNs;
    Row.AstBytes = I.AstBytes;
    Row.Memoized = I.memoized();
    Row.Count = 1;
    Row.Definition = I.Definition;
    Row.Unfinished = I.Open;
    if (I.HasElided) {
      Row.Elided = S.elidedIn(Id);
      Row.Elided.SumNs = std::min(Row.Elided.SumNs, Row.SelfNs);
      Row.SelfNs -= Row.Elided.SumNs;
    }
    Open.pop_back();
    addInside(I.durationNs());
    const ExportFrame &Frame = Frames[Frames.frameFor(I)];
    write(Row, Frame.Kind, Frame.Name, I.Location);
  }

  void fold(const Fold &F) {
    addInside(F.DurationNs);
    CsvNumbers Row;
    Row.BeginNs = F.BeginNs;
    Row.DurationNs = Row.SelfNs = F.DurationNs;
    Row.AstBytes = F.AstBytes;
    Row.Count = F.Intervals;
    write(Row, FoldedFrame, "", {});
  }

  void instant(const Instant &I) {
    CsvNumbers Row;
    Row.BeginNs = I.TimeNs;
    const ExportFrame &Frame = Frames[Frames.frameFor(I)];
    write(Row, Frame.Kind, Frame.Name, I.Location);
  }

private:
  struct OpenInterval {
    IntervalId Id;
    uint64_t InsideNs;
  };

  void addInside(uint64_t Ns) {
    if (!Open.empty())
      Open.back().InsideNs += Ns;
  }

  void write(const CsvNumbers &R, std::string_view Kind, std::string_view Name,
             LocationId Place) {
    std::string &Buffer = Out.buffer();
    fmt::format_to(std::back_inserter(Buffer), "{},{},{},{},{},{},", Input,
                   R.Id, Open.empty() ? 0 : uint64_t(Open.back().Id.Value) + 1,
                   R.Requester, Open.size(), Kind);
    appendCsv(Buffer, Name);
    Buffer.push_back(',');
    const Location *L = S.location(Place);
    appendCsv(Buffer, L ? Frames.fileName(Frames.file(L->File)) : "");
    Out.format(",{},{},{},{},{},{},{},{},{},{},{:d},{:d}\n", L ? L->LineNo : 0,
               L ? L->ColumnNo : 0, R.BeginNs, R.DurationNs, R.SelfNs,
               R.AstBytes, R.Memoized, R.Count, R.Elided.Count, R.Elided.SumNs,
               R.Definition, R.Unfinished);
  }

  const Sequence &S;
  ExportFrames &Frames;
  ExportOutput &Out;
  std::string Input; ///< the first two columns
  std::vector<OpenInterval> Open;
};

} // namespace

static void writeCsv(ExportOutput &Out, const ExportJob &Job) {
  Out.append("sequence,input,id,parent,requester,depth,kind,name,file,line,"
             "column,begin_ns,duration_ns,self_ns,ast_bytes,memoized,count,"
             "elided_count,elided_ns,definition,unfinished\n");
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameOnly);
  for (size_t Index = 0; Index != Job.T.Sequences.size(); ++Index) {
    Frames.enterSequence(Index);
    walkExport(Job.T.Sequences[Index], Index, Job.Plan,
               CsvRows(Job, Index, Frames, Out));
  }
}

const ExportFormat instantrace::CsvFormat = {
    .Name = "csv",
    .Description = "spreadsheets, pandas, DuckDB: a row per interval",
    .Write = toFile<writeCsv>,
};
