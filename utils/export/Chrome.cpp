/// \file
/// The JSON of chrome://tracing: a process per compile, an event per interval.
///
/// Flow:   walkExport -> [writeChrome]
/// Source: "Trace Event Format" (its authors' document); timestamps are
///         microseconds, here with the nanoseconds behind the point
///
/// Complete events (X) and not pairs of B and E: speedscope pairs these by name
/// and arguments, which would have to be there twice. Of two that begin and end
/// together, the first in the file is outside. An interval that was never ended
/// is a B without E, which viewers show as "did not end".
#include "utils/export/ExportJob.h"
#include "utils/export/RequestFlows.h"
#include "utils/render/JsonText.h"
#include "utils/render/SessionHeader.h"

#include <fmt/format.h>

using namespace instantrace;

namespace {

class ChromeSequence {
public:
  ChromeSequence(ExportOutput &Out, const ExportJob &Job, ExportFrames &Frames,
                 size_t Index, uint64_t StartNs, bool &IsFirst)
      : Out(Out), Job(Job), S(Job.T.Sequences[Index]), Frames(Frames),
        Index(Index), StartNs(StartNs), IsFirst(IsFirst),
        Flows(S, Index, Job.Plan) {}

  void metadata() {
    std::string Name = inputText(Job.T, S);
    if (S.Session)
      Name += fmt::format(" (pid {})", S.Session->Pid);
    meta("process_name", "name", Name);
    meta("thread_name", "name", "frontend");
    if (S.Session && !S.Session->Argv.empty())
      meta("process_labels", "labels", commandText(*S.Session));
  }

  void begin(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    const ExportFrame &Frame = Frames[Frames.frameFor(I)];
    {
      JsonObject Event(line());
      head(Event, I.Open ? "B" : "X", I.BeginNs);
      if (!I.Open)
        time(Event, "dur", I.durationNs());
      Event.text("name", Frame.Name);
      Event.text("cat", Frame.Kind);
      Event.name("args");
      JsonObject Args(Out.buffer());
      place(Args, "at", I.Location);
      if (const Entity *E = S.entity(I.Entity))
        place(Args, "declared", E->DeclaredAt);
      arguments(Args, Id);
    }
    for (const RequestFlows::Flow &F : Flows.flowsFrom(Id))
      flow("s", I.BeginNs, F.Requested);
    if (RequestFlows::hasEnd(S, Index, Job.Plan, Id))
      flow("f", I.BeginNs, Id.Value);
  }

  void end(IntervalId) {} // begin() has said when

  void fold(const Fold &F) {
    JsonObject Event(line());
    head(Event, "X", F.BeginNs);
    time(Event, "dur", F.DurationNs);
    Event.text("name", FoldedFrame);
    Event.text("cat", FoldedFrame);
    Event.name("args");
    JsonObject Args(Out.buffer());
    Args.number("intervals", F.Intervals);
    Args.number("ast_bytes", F.AstBytes);
  }

  void instant(const Instant &I) {
    const ExportFrame &Frame = Frames[Frames.frameFor(I)];
    JsonObject Event(line());
    head(Event, "i", I.TimeNs);
    Event.text("name", Frame.Name);
    Event.text("cat", Frame.Kind);
    Event.text("s", "t");
    Event.name("args");
    JsonObject Args(Out.buffer());
    place(Args, "at", I.Location);
  }

private:
  /// Begins the line of an event.
  std::string &line() {
    Out.lineDone();
    Out.buffer().append(IsFirst ? "\n" : ",\n");
    IsFirst = false;
    return Out.buffer();
  }

  void head(JsonObject &Event, const char *Phase, uint64_t TimeNs) {
    Event.text("ph", Phase);
    Event.number("pid", Index + 1);
    Event.number("tid", 1);
    time(Event, "ts", StartNs + TimeNs);
  }

  void time(JsonObject &Event, const char *Key, uint64_t Ns) {
    Event.name(Key);
    Out.format("{}.{:03}", Ns / 1000, Ns % 1000);
  }

  void meta(const char *What, const char *Key, std::string_view Value) {
    JsonObject Event(line());
    head(Event, "M", 0);
    Event.text("name", What);
    Event.name("args");
    JsonObject Args(Out.buffer());
    Args.text(Key, Value);
  }

  void place(JsonObject &Args, const char *Key, LocationId Id) {
    const Location *L = S.location(Id);
    if (!L)
      return;
    Args.text(Key,
              fmt::format("{}:{}:{}", Frames.fileName(Frames.file(L->File)),
                          L->LineNo, L->ColumnNo));
  }

  void arguments(JsonObject &Args, IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    if (I.AstBytes != 0)
      Args.number("ast_bytes", I.AstBytes);
    if (I.memoized() != 0)
      Args.number("memoized", I.memoized());
    if (I.Definition)
      Args.boolean("definition", true);
    if (I.Open)
      Args.boolean("unfinished", true);
    if (!I.HasElided)
      return;
    ElidedLeaves Leaves = S.elidedIn(Id);
    Args.number("elided_count", Leaves.Count);
    Args.number("elided_ns", Leaves.SumNs);
  }

  /// Numbered by where the arrow ends, which only one does.
  void flow(const char *Phase, uint64_t TimeNs, uint32_t End) {
    JsonObject Event(line());
    head(Event, Phase, TimeNs);
    Event.text("name", "requested");
    Event.text("cat", "request");
    Event.text("id", fmt::format("{}.{}", Index + 1, End));
    if (*Phase == 'f')
      Event.text("bp", "e");
  }

  ExportOutput &Out;
  const ExportJob &Job;
  const Sequence &S;
  ExportFrames &Frames;
  size_t Index;
  uint64_t StartNs;
  bool &IsFirst; // of all sequences
  RequestFlows Flows;
};

} // namespace

static void writeChrome(ExportOutput &Out, const ExportJob &Job) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameOnly);
  std::vector<uint64_t> Starts = startsOf(Job.T);
  Out.append("{\"displayTimeUnit\":\"ns\",\"exporter\":\"instantrace\","
             "\"traceEvents\":[");
  bool IsFirst = true;
  for (size_t Index = 0; Index != Job.T.Sequences.size(); ++Index) {
    Frames.enterSequence(Index);
    ChromeSequence Events(Out, Job, Frames, Index, Starts[Index], IsFirst);
    Events.metadata();
    walkExport(Job.T.Sequences[Index], Index, Job.Plan, Events);
  }
  Out.append("],\n\"otherData\":");
  {
    JsonObject Other(Out.buffer());
    Other.text("exporter", "instantrace " INSTANTRACE_VERSION);
    uint64_t No = 0;
    for (const std::string &Line : missingFrom(Job))
      Other.text("missing" + std::to_string(++No), Line);
  }
  Out.append("}\n");
}

const ExportFormat instantrace::ChromeFormat = {
    .Name = "chrome",
    .Description = "chrome://tracing, Perfetto, speedscope: timeline as JSON",
    .Defaults = {.MaxDepth = PerfettoDepth},
    .ViewerDepth = PerfettoDepth,
    .Write = toFile<writeChrome>,
};
