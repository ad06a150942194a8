/// \file
/// The JSON of speedscope: a profile per compile, events that open and close.
///
/// Flow:   walkExport -> [writeSpeedscope]
/// Source: speedscope's file-format-spec.ts; every open must be closed, and
///         times must not go back
///
/// Frames are numbered and come after the events that use them, so that nothing
/// is kept in memory but the frames.
#include "utils/export/ExportJob.h"
#include "utils/render/JsonText.h"

#include <fmt/format.h>

using namespace instantrace;

namespace {

class SpeedscopeSequence {
public:
  SpeedscopeSequence(ExportOutput &Out, const Sequence &S, ExportFrames &Frames)
      : Out(Out), S(S), Frames(Frames) {}

  void begin(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    Open.push_back(Frames.frameFor(I));
    event('O', Open.back(), I.BeginNs);
  }
  void end(IntervalId Id) {
    event('C', Open.back(), S.Intervals[Id.Value].EndNs);
    Open.pop_back();
  }
  void fold(const Fold &F) {
    uint32_t Frame = Frames.fixed(FoldedFrame);
    event('O', Frame, F.BeginNs);
    event('C', Frame, F.BeginNs + F.DurationNs);
  }
  void instant(const Instant &) {} // the format has none

private:
  void event(char Type, uint32_t Frame, uint64_t AtNs) {
    Out.format("{}{{\"type\":\"{}\",\"frame\":{},\"at\":{}}}",
               IsFirst ? "\n" : ",\n", Type, Frame, AtNs);
    IsFirst = false;
  }

  ExportOutput &Out;
  const Sequence &S;
  ExportFrames &Frames;
  std::vector<uint32_t> Open;
  bool IsFirst = true;
};

void writeFrames(ExportOutput &Out, const ExportFrames &Frames) {
  Out.append("\"shared\":{\"frames\":[");
  for (uint32_t Index = 0; Index != Frames.size(); ++Index) {
    const ExportFrame &Frame = Frames[Index];
    Out.append(Index == 0 ? "\n" : ",\n");
    JsonObject Object(Out.buffer());
    Object.text("name", Frame.Name);
    if (Frame.File == 0)
      continue;
    Object.text("file", Frames.fileName(Frame.File));
    Object.number("line", Frame.LineNo);
  }
  Out.append("]}");
}

} // namespace

static void writeSpeedscope(ExportOutput &Out, const ExportJob &Job) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameAndKind);
  Out.append("{\"$schema\":\"https://www.speedscope.app/"
             "file-format-schema.json\",\n"
             "\"exporter\":\"instantrace " INSTANTRACE_VERSION
             "\",\n\"profiles\":[");
  for (size_t Index = 0; Index != Job.T.Sequences.size(); ++Index) {
    const Sequence &S = Job.T.Sequences[Index];
    Frames.enterSequence(Index);
    Out.append(Index == 0 ? "\n" : ",\n");
    {
      JsonObject Profile(Out.buffer());
      Profile.text("type", "evented");
      Profile.text("name", inputText(Job.T, S));
      Profile.text("unit", "nanoseconds");
      Profile.number("startValue", 0);
      Profile.number("endValue", S.LastTimeNs);
      Profile.name("events");
      Out.append("[");
      walkExport(S, Index, Job.Plan, SpeedscopeSequence(Out, S, Frames));
      Out.append("]");
    }
  }
  Out.append("],\n");
  writeFrames(Out, Frames);
  std::string Name = Job.T.Sequences.empty()
                         ? std::string()
                         : inputText(Job.T, Job.T.Sequences.front());
  if (Job.T.Sequences.size() > 1)
    Name += fmt::format(" and {} more", Job.T.Sequences.size() - 1);
  for (const std::string &Line : missingFrom(Job))
    Name += "; " + Line;
  Out.append(",\n\"name\":");
  appendJsonString(Out.buffer(), Name);
  Out.append("}\n");
}

const ExportFormat instantrace::SpeedscopeFormat = {
    .Name = "speedscope",
    .Description = "speedscope.app: timeline, left heavy, sandwich",
    .Defaults = {.MaxDepth = 1000, .MaxEvents = 1000000},
    .Write = toFile<writeSpeedscope>,
};
