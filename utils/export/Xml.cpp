/// \file
/// Everything as XML: an element per compile, and in it one per interval.
///
/// Flow: walkRows -> [writeXml]
///
/// Elements are not nested as the intervals are: libxml2 refuses more than 256
/// levels. `id` and `parent` say what is inside what.
#include "utils/export/IntervalRows.h"
#include "utils/render/CleanText.h"
#include "utils/render/SessionHeader.h"

using namespace instantrace;

namespace {

class XmlRows {
public:
  XmlRows(ExportOutput &Out, const ExportJob &Job) : Out(Out), Job(Job) {}

  void sequence(size_t Index) {
    finish();
    IsOpen = true;
    const Sequence &S = Job.T.Sequences[Index];
    Out.append("  <compile");
    text("input", inputText(Job.T, S));
    if (S.Session) {
      text("clang", cleanText(S.Session->ClangVersion));
      text("command", commandText(*S.Session));
      number("pid", S.Session->Pid);
      number("realtime_ns", S.Session->RealtimeNs);
    }
    Out.append(">\n");
  }

  void row(const IntervalRow &R) {
    bool IsFold = R.Kind == FoldedFrame;
    Out.append(R.Id != 0 ? "    <interval"
               : IsFold  ? "    <folded"
                         : "    <instant");
    number("id", R.Id);
    number("parent", R.Parent);
    number("requester", R.Requester);
    if (!IsFold) {
      text("kind", R.Kind);
      text("name", R.Name);
    }
    text("file", R.File);
    number("line", R.LineNo);
    number("column", R.ColumnNo);
    always("begin_ns", R.BeginNs);
    if (R.Count != 0) {
      always("duration_ns", R.DurationNs);
      always("self_ns", R.SelfNs);
    }
    if (IsFold)
      always("intervals", R.Count);
    number("ast_bytes", R.AstBytes);
    number("memoized", R.Memoized);
    number("elided_count", R.ElidedCount);
    number("elided_ns", R.ElidedNs);
    number("definition", R.Definition);
    number("unfinished", R.Unfinished);
    Out.append("/>\n");
  }

  void finish() {
    if (IsOpen)
      Out.append("  </compile>\n");
  }

private:
  void text(std::string_view Name, std::string_view Value) {
    if (Value.empty())
      return;
    Out.buffer().append(" ").append(Name).append("=\"");
    appendXml(Out.buffer(), Value);
    Out.buffer().push_back('"');
  }
  void always(std::string_view Name, uint64_t Value) {
    text(Name, std::to_string(Value));
  }
  void number(std::string_view Name, uint64_t Value) {
    if (Value != 0)
      always(Name, Value);
  }

  ExportOutput &Out;
  const ExportJob &Job;
  bool IsOpen = false;
};

} // namespace

static void writeXml(ExportOutput &Out, const ExportJob &Job) {
  Out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<trace exporter=\"instantrace " INSTANTRACE_VERSION "\">\n");
  for (const std::string &Line : missingFrom(Job)) {
    Out.append("  <missing>");
    appendXml(Out.buffer(), Line);
    Out.append("</missing>\n");
  }
  XmlRows Rows(Out, Job);
  walkRows(Job, Rows);
  Rows.finish();
  Out.append("</trace>\n");
}

const ExportFormat instantrace::XmlFormat = {
    .Name = "xml",
    .Description = "any XML parser: a flat list",
    .Write = toFile<writeXml>,
};
