/// \file
/// Begins and ends as Clang's own -templight-dump prints them, and times.
///
/// Flow:   walkExport -> [writeYaml]
/// Source: Clang, clang/lib/Frontend/FrontendActions.cpp, DumpTemplightEntry: a
///         document per event with the keys name, kind, event, orig and poi
///
/// Further keys come after those. Clang prints no phases and no folds; they are
/// events like the others here.
#include "utils/export/ExportJob.h"
#include "utils/render/CleanText.h"

#include <fmt/format.h>

using namespace instantrace;

namespace {

class YamlEvents {
public:
  YamlEvents(ExportOutput &Out, const Sequence &S, ExportFrames &Frames)
      : Out(Out), S(S), Frames(Frames) {}

  void begin(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    event("Begin", I.Kind, Frames.frameFor(I), I.Entity, I.Location, I.BeginNs);
    number("ast_bytes", I.AstBytes);
    number("memoized", I.memoized());
    if (I.HasElided) {
      ElidedLeaves Leaves = S.elidedIn(Id);
      number("elided_count", Leaves.Count);
      number("elided_ns", Leaves.SumNs);
    }
    Out.lineDone();
  }

  void end(IntervalId Id) {
    const Interval &I = S.Intervals[Id.Value];
    event("End", I.Kind, Frames.frameFor(I), I.Entity, I.Location, I.EndNs);
    number("unfinished", I.Open);
    Out.lineDone();
  }

  void fold(const Fold &F) {
    document(FoldedFrame, FoldedFrame, "Begin", {}, {}, F.BeginNs);
    number("intervals", F.Intervals);
    document(FoldedFrame, FoldedFrame, "End", {}, {}, F.BeginNs + F.DurationNs);
    Out.lineDone();
  }

  void instant(const Instant &I) {
    for (const char *Event : {"Begin", "End"})
      event(Event, I.Kind, Frames.frameFor(I), I.Entity, I.Location, I.TimeNs);
    Out.lineDone();
  }

private:
  void event(const char *Event, EventKind Kind, uint32_t Frame, EntityId Entity,
             LocationId Location, uint64_t TimeNs) {
    const instantrace::Entity *E = S.entity(Entity);
    document(Frames[Frame].Name, eventKindName(Kind), Event,
             place(E ? E->DeclaredAt : LocationId{}), place(Location), TimeNs);
  }

  void document(std::string_view Name, std::string_view Kind, const char *Event,
                const std::string &Declared, const std::string &Place,
                uint64_t TimeNs) {
    Out.buffer().append("---\nname:            ");
    appendQuoted(Out.buffer(), Name);
    Out.format("\nkind:            {}\nevent:           {}\n", Kind, Event);
    Out.buffer().append("orig:            ");
    appendQuoted(Out.buffer(), Declared);
    Out.buffer().append("\npoi:             ");
    appendQuoted(Out.buffer(), Place);
    Out.format("\ntime_ns:         {}\n", TimeNs);
  }

  void number(const char *Key, uint64_t Value) {
    if (Value != 0)
      Out.format("{:<16} {}\n", std::string(Key) + ":", Value);
  }

  std::string place(LocationId Id) {
    const Location *L = S.location(Id);
    if (!L)
      return {};
    return fmt::format("{}:{}:{}", Frames.fileName(Frames.file(L->File)),
                       L->LineNo, L->ColumnNo);
  }

  ExportOutput &Out;
  const Sequence &S;
  ExportFrames &Frames;
};

} // namespace

static void writeYaml(ExportOutput &Out, const ExportJob &Job) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameOnly);
  Out.append("# made by instantrace\n");
  for (const std::string &Line : missingFrom(Job))
    Out.append("# missing: " + Line + "\n");
  for (size_t Index = 0; Index != Job.T.Sequences.size(); ++Index) {
    Frames.enterSequence(Index);
    Out.append("# input: " + inputText(Job.T, Job.T.Sequences[Index]) + "\n");
    walkExport(Job.T.Sequences[Index], Index, Job.Plan,
               YamlEvents(Out, Job.T.Sequences[Index], Frames));
  }
}

const ExportFormat instantrace::YamlFormat = {
    .Name = "yaml",
    .Description =
        "what reads clang -templight-dump: begins and ends, in order",
    .Write = toFile<writeYaml>,
};
