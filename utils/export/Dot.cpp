/// \file
/// Who asked for what, as a graph for Graphviz.
///
/// Flow:   walkCosts -> CallGraph -> [writeDot]
/// Source: Graphviz, "DOT Language". In a quoted string only `\"` and line
///         ends are special, but labels take `\n`, `\l`, `\N`, so a backslash
///         is doubled
///
/// The darker a node, the larger its part of the time. A name is a line of a
/// picture, so it is cut in its middle, and the whole is the tooltip.
#include "utils/export/CallGraph.h"
#include "utils/export/ExportJob.h"
#include "utils/render/NameElision.h"

#include <fmt/format.h>

#include <iterator>

using namespace instantrace;

namespace {

constexpr size_t LabelColumns = 60;

std::string milliseconds(uint64_t Ns) {
  return fmt::format("{}.{:03} ms", Ns / 1000000, Ns / 1000 % 1000);
}

void appendQuoted(std::string &Out, std::string_view Clean) {
  Out.push_back('"');
  for (char C : Clean) {
    if (C == '"' || C == '\\')
      Out.push_back('\\');
    Out.push_back(C);
  }
  Out.push_back('"');
}

void writeNode(std::string &Out, uint32_t Id, const ExportFrame &Frame,
               const CallGraph::Node &Node, uint64_t WholeNs) {
  fmt::format_to(std::back_inserter(Out), "  n{} [label=", Id);
  std::string Label;
  appendQuoted(Label, elideName(Frame.Name, LabelColumns));
  Label.pop_back(); // the closing quote
  double Part = WholeNs == 0 ? 0 : double(Node.Self.Ns) / double(WholeNs);
  Out += Label;
  fmt::format_to(std::back_inserter(Out),
                 "\\n{}x, self {}, all {}\" fillcolor=\"0.06 {:.3f} 1.0\" "
                 "tooltip=",
                 Node.Self.Count, milliseconds(Node.Self.Ns),
                 milliseconds(Node.Inclusive.Ns), Part);
  appendQuoted(Out, Frame.Name);
  Out += "];\n";
}

} // namespace

static void writeDot(ExportOutput &Out, const ExportJob &Job) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameAndKind);
  CallGraph Graph;
  walkCosts(Job.T, Job.Plan, Frames, Graph);
  Out.append(R"(digraph trace { // made by instantrace
  node [shape=box style=filled fontname="Helvetica"];
)");
  std::string Missing;
  for (const std::string &Line : missingFrom(Job))
    Missing += Line + "  ";
  if (!Missing.empty()) {
    Out.append("  label=");
    appendQuoted(Out.buffer(), Missing);
    Out.append(";\n");
  }
  uint64_t WholeNs = 0;
  for (const CallGraph::Node &Node : Graph.nodes())
    WholeNs += Node.Self.Ns;
  for (uint32_t Id = 0; Id != Graph.nodes().size(); ++Id) {
    writeNode(Out.buffer(), Id, Frames[Id], Graph.nodes()[Id], WholeNs);
    Out.lineDone();
  }
  for (const CallGraph::Edge &E : Graph.takeEdges()) {
    Out.format("  n{} -> n{} [label=\"{}x {}\"", E.Caller, E.Callee, E.Calls,
               milliseconds(E.Inclusive.Ns));
    if (E.Site.File != 0) {
      Out.append(" tooltip=");
      appendQuoted(
          Out.buffer(),
          fmt::format("{}:{}", Frames.fileName(E.Site.File), E.Site.LineNo));
    }
    Out.append("];\n");
  }
  Out.append("}\n");
}

const ExportFormat instantrace::DotFormat = {
    .Name = "dot",
    .Description = "Graphviz: a graph of who asked for what",
    .Defaults = {.MaxEvents = 500},
    .Write = toFile<writeDot>,
};
