/// \file
/// A profile for callgrind_annotate and KCachegrind.
///
/// Flow:   walkCosts -> CallGraph -> [writeCallgrind]
/// Source: Valgrind manual, "Callgrind Format Specification": names are given
///         once, as `(id) name`, and then by id; the line under `calls=` has
///         the line of the call and its inclusive cost
///
/// A function is a frame, in the file where its entity is declared. What has no
/// file is in `???`, as callgrind has it. A request from another file than that
/// has the line where the requester is declared: with `fi=`, callgrind_annotate
/// would show the requester once per file.
#include "utils/export/CallGraph.h"
#include "utils/export/ExportJob.h"
#include "utils/render/SessionHeader.h"

using namespace instantrace;

namespace {

class CallgrindText {
public:
  CallgrindText(ExportOutput &Out, const ExportFrames &Frames)
      : Out(Out), Frames(Frames), NamedFrames(Frames.size()),
        NamedFiles(Frames.fileCount()) {}

  void function(uint32_t Frame, const ExportCost &Self) {
    file("fl", Frames[Frame].File);
    name("fn", Frame);
    cost(Frames[Frame].LineNo, Self);
  }

  void call(const CallGraph::Edge &E) {
    const ExportFrame &Frame = Frames[E.Caller];
    bool IsInFile = E.Site.File != 0 && E.Site.File == Frame.File;
    file("cfi", Frames[E.Callee].File);
    name("cfn", E.Callee);
    Out.format("calls={} {}\n", E.Calls, Frames[E.Callee].LineNo);
    cost(IsInFile ? E.Site.LineNo : Frame.LineNo, E.Inclusive);
  }

private:
  void file(const char *Key, uint32_t Wanted) {
    // Id 0 has no name, so files are numbered from 1.
    std::string_view Name = Wanted == 0 ? "???" : Frames.fileName(Wanted);
    bool IsKnown = NamedFiles[Wanted];
    NamedFiles[Wanted] = true;
    Out.format("{}=({}){}{}\n", Key, Wanted + 1, IsKnown ? "" : " ",
               IsKnown ? "" : Name);
  }
  void name(const char *Key, uint32_t Frame) {
    bool IsKnown = NamedFrames[Frame];
    NamedFrames[Frame] = true;
    Out.format("{}=({}){}{}\n", Key, Frame + 1, IsKnown ? "" : " ",
               IsKnown ? "" : std::string_view(Frames[Frame].Name));
  }
  void cost(uint32_t LineNo, const ExportCost &Cost) {
    Out.format("{} {} {} {}\n", LineNo, Cost.Ns, Cost.AstBytes, Cost.Count);
  }

  ExportOutput &Out;
  const ExportFrames &Frames;
  std::vector<bool> NamedFrames, NamedFiles;
};

} // namespace

static void writeCallgrind(ExportOutput &Out, const ExportJob &Job) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameAndKind);
  CallGraph Graph;
  walkCosts(Job.T, Job.Plan, Frames, Graph);
  std::vector<CallGraph::Edge> Edges = Graph.takeEdges();
  CallgrindText Text(Out, Frames);
  Out.format("# callgrind format\nversion: 1\n"
             "creator: instantrace " INSTANTRACE_VERSION "\n");
  for (const Sequence &S : Job.T.Sequences)
    if (S.Session)
      Out.format("cmd: {}\n", commandText(*S.Session));
  for (const std::string &Line : missingFrom(Job))
    Out.format("desc: Missing: {}\n", Line);
  Out.format("positions: line\n"
             "event: Ns : nanoseconds\n"
             "event: Ast : bytes of the syntax tree\n"
             "event: Count : intervals\n"
             "events: Ns Ast Count\n");
  ExportCost Total;
  for (const CallGraph::Node &Node : Graph.nodes())
    Total += Node.Self;
  Out.format("summary: {} {} {}\n", Total.Ns, Total.AstBytes, Total.Count);
  auto Edge = Edges.begin();
  for (uint32_t Frame = 0; Frame != Graph.nodes().size(); ++Frame) {
    Out.format("\n");
    Text.function(Frame, Graph.nodes()[Frame].Self);
    for (; Edge != Edges.end() && Edge->Caller == Frame; ++Edge)
      Text.call(*Edge);
  }
  Out.format("\ntotals: {} {} {}\n", Total.Ns, Total.AstBytes, Total.Count);
}

const ExportFormat instantrace::CallgrindFormat = {
    .Name = "callgrind",
    .Description =
        "callgrind_annotate, KCachegrind: cost per name and who asked",
    .Write = toFile<writeCallgrind>,
};
