/// \file
/// Who asked for what, as a graph for yEd, Gephi, NetworkX, igraph.
///
/// Flow:   walkCosts -> CallGraph -> [writeGraphMl]
/// Source: GraphML Primer; attributes are declared as keys before the graph
#include "utils/export/CallGraph.h"
#include "utils/export/ExportJob.h"
#include "utils/render/CleanText.h"

using namespace instantrace;

namespace {

class GraphMlText {
public:
  explicit GraphMlText(ExportOutput &Out) : Out(Out) {}

  void key(const char *Id, const char *For, const char *Type) {
    Out.format("  <key id=\"{0}\" for=\"{1}\" attr.name=\"{0}\" "
               "attr.type=\"{2}\"/>\n",
               Id, For, Type);
  }
  void data(const char *Key, std::string_view Clean) {
    Out.format("<data key=\"{}\">", Key);
    appendXml(Out.buffer(), Clean);
    Out.append("</data>");
  }
  void data(const char *Key, uint64_t Value) {
    data(Key, std::to_string(Value));
  }
  void cost(const ExportCost &Self, const ExportCost &Inclusive) {
    data("count", Self.Count);
    data("self_ns", Self.Ns);
    data("inclusive_ns", Inclusive.Ns);
    data("ast_bytes", Self.AstBytes);
  }

private:
  ExportOutput &Out;
};

} // namespace

static void writeGraphMl(ExportOutput &Out, const ExportJob &Job) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameAndKind);
  CallGraph Graph;
  walkCosts(Job.T, Job.Plan, Frames, Graph);
  GraphMlText Text(Out);
  Out.append(R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- made by instantrace -->
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
)");
  Text.key("missing", "graph", "string");
  Text.key("name", "node", "string");
  Text.key("kind", "node", "string");
  Text.key("file", "all", "string");
  Text.key("line", "all", "long");
  Text.key("count", "all", "long");
  Text.key("self_ns", "node", "long");
  Text.key("inclusive_ns", "all", "long");
  Text.key("ast_bytes", "node", "long");
  Out.append("  <graph id=\"trace\" edgedefault=\"directed\">\n");
  std::string Missing;
  for (const std::string &Line : missingFrom(Job))
    Missing += (Missing.empty() ? "" : "; ") + Line;
  if (!Missing.empty())
    Text.data("missing", Missing);
  for (uint32_t Id = 0; Id != Graph.nodes().size(); ++Id) {
    const ExportFrame &Frame = Frames[Id];
    const CallGraph::Node &Node = Graph.nodes()[Id];
    Out.format("    <node id=\"n{}\">", Id);
    Text.data("name", Frame.Name);
    Text.data("kind", Frame.Kind);
    if (Frame.File != 0) {
      Text.data("file", Frames.fileName(Frame.File));
      Text.data("line", Frame.LineNo);
    }
    Text.cost(Node.Self, Node.Inclusive);
    Out.format("</node>\n");
  }
  for (const CallGraph::Edge &E : Graph.takeEdges()) {
    Out.format("    <edge source=\"n{}\" target=\"n{}\">", E.Caller, E.Callee);
    if (E.Site.File != 0) {
      Text.data("file", Frames.fileName(E.Site.File));
      Text.data("line", E.Site.LineNo);
    }
    Text.data("count", E.Calls);
    Text.data("inclusive_ns", E.Inclusive.Ns);
    Out.format("</edge>\n");
  }
  Out.append("  </graph>\n</graphml>\n");
}

const ExportFormat instantrace::GraphMlFormat = {
    .Name = "graphml",
    .Description = "yEd, Gephi, NetworkX: the same graph with all numbers",
    .Write = toFile<writeGraphMl>,
};
