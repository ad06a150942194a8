/// \file
/// Folded stacks: `outer;inner 1234`, a line for each distinct stack.
///
/// Flow:   walkCosts -> CallTree -> [writeFolded]
/// Source: Brendan Gregg's FlameGraph, stackcollapse-*.pl
///
/// A `;` in a name would be a border between frames, so it becomes `:`, as the
/// stackcollapse scripts do it.
#include "utils/export/ExportJob.h"

#include <algorithm>

using namespace instantrace;

namespace {

std::string foldedName(const ExportFrame &Frame) {
  std::string Name = Frame.Name;
  std::replace(Name.begin(), Name.end(), ';', ':');
  return Name;
}

} // namespace

static void writeFolded(ExportOutput &Out, const ExportJob &Job) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameAndKind);
  CallTree Tree;
  walkCosts(Job.T, Job.Plan, Frames, Tree);
  std::vector<std::string> Names;
  for (uint32_t Frame = 0; Frame != Frames.size(); ++Frame)
    Names.push_back(foldedName(Frames[Frame]));
  std::vector<uint32_t> Stack; // from the node outwards
  for (size_t Index = 1; Index != Tree.nodes().size(); ++Index) {
    uint64_t Value = valueOf(Tree.nodes()[Index].Self, Job.Metric);
    if (Value == 0)
      continue;
    Stack.clear();
    for (size_t Node = Index; Node != 0; Node = Tree.nodes()[Node].Parent)
      Stack.push_back(Tree.nodes()[Node].Frame);
    for (size_t Level = Stack.size(); Level-- != 0;)
      Out.buffer().append(Names[Stack[Level]]).push_back(Level ? ';' : ' ');
    Out.buffer().append(std::to_string(Value)).push_back('\n');
    Out.lineDone();
  }
}

const ExportFormat instantrace::FoldedFormat = {
    .Name = "folded",
    .Description = "FlameGraph, inferno, speedscope: stacks with a number",
    .Defaults = {.MaxDepth = 128, .MaxEvents = 100000},
    .HasMetric = true,
    .Write = toFile<writeFolded>,
};
