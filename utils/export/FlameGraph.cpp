/// \file
/// A flame graph as one SVG file, with zoom and search in it.
///
/// Flow:   walkCosts -> CallTree -> [writeFlameGraph] -> SVG
/// Leaves: what is in the page to click, to FlameGraphScript.h
///
/// Nodes narrower than a third of a pixel become one with their neighbours,
/// which says how many they are; nothing else is left out.
#include "utils/export/ExportJob.h"

#include "utils/export/FlameGraphScript.h"
#include "utils/render/CleanText.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

constexpr double WidthPixels = 1200;
constexpr double RowPixels = 17, HeadPixels = 54, FootPixels = 8;
/// Narrower frames are not drawn alone.
constexpr double NarrowPixels = 1.0 / 3;

struct Rectangle {
  uint32_t Node = 0; // 0: several narrow neighbours
  uint32_t Depth = 0;
  double Left = 0, Width = 0; // parts of the whole
  uint64_t Value = 0;
  uint64_t Neighbours = 0; // nodes, without those inside
};

/// Places nodes by breadth: children begin where their parent does, the largest
/// first, names deciding where equal.
class Layout {
public:
  Layout(const CallTree &Tree, const ExportFrames &Frames, ExportMetric Metric,
         double Narrow)
      : Tree(Tree), Frames(Frames), Values(Tree.inclusive(Metric)),
        Narrow(Narrow), Children(Tree.nodes().size()) {
    for (uint32_t Index = 1; Index != Tree.nodes().size(); ++Index)
      if (Values[Index] != 0)
        Children[Tree.nodes()[Index].Parent].push_back(Index);
    if (Values[0] == 0)
      return;
    Rectangles.push_back({0, 0, 0, 1, Values[0], 0});
    for (size_t I = 0; I != Rectangles.size(); ++I)
      if (I == 0 || Rectangles[I].Node != 0)
        placeInside(Rectangles[I]);
  }

  std::vector<Rectangle> Rectangles; // the first is the whole

private:
  void placeInside(Rectangle Around) { // a copy: the vector grows
    std::vector<uint32_t> &Inside = Children[Around.Node];
    std::sort(Inside.begin(), Inside.end(), [this](uint32_t A, uint32_t B) {
      if (Values[A] != Values[B])
        return Values[A] > Values[B];
      return Frames[Tree.nodes()[A].Frame].Name <
             Frames[Tree.nodes()[B].Frame].Name;
    });
    double Left = Around.Left;
    Rectangle Several{0, Around.Depth + 1, 0, 0, 0, 0};
    for (uint32_t Node : Inside) {
      double Width = double(Values[Node]) / double(Values[0]);
      if (Width >= Narrow) {
        Rectangles.push_back(
            {Node, Around.Depth + 1, Left, Width, Values[Node], 0});
        Left += Width;
        continue;
      }
      Several.Value += Values[Node];
      ++Several.Neighbours;
    }
    Several.Left = Left;
    Several.Width = double(Several.Value) / double(Values[0]);
    if (Several.Width >= Narrow)
      Rectangles.push_back(Several);
    Inside = {};
  }

  const CallTree &Tree;
  const ExportFrames &Frames;
  std::vector<uint64_t> Values;
  double Narrow;
  std::vector<std::vector<uint32_t>> Children;
};

std::string metricValueText(uint64_t Value, ExportMetric Metric) {
  switch (Metric) {
  case ExportMetric::Time:
    return fmt::format("{}.{:03} ms", Value / 1000000, Value / 1000 % 1000);
  case ExportMetric::Count:
    return fmt::format("{} intervals", Value);
  case ExportMetric::Memory:
    return fmt::format("{} bytes", Value);
  }
  return {};
}

/// Warm, by the name's hash, so that a name has one colour in every graph; grey
/// for what is no template work.
std::string colour(const ExportFrame *Frame) {
  if (!Frame || Frame->Kind.empty())
    return "#b8b8b8";
  uint64_t Hash = Dictionary::keyOf(Frame->Name).Hash;
  bool IsWork = Frame->Kind != "FileInclusion" && Frame->Kind != "Frontend" &&
                Frame->Kind != "Parsing" && Frame->Kind != "CodeGeneration" &&
                Frame->Kind != "PendingInstantiations" &&
                Frame->Kind != "Profiling";
  if (!IsWork)
    return fmt::format("hsl(210,25%,{}%)", 72 + Hash % 8);
  return fmt::format("hsl({},80%,{}%)", 15 + Hash % 40, 60 + Hash / 64 % 12);
}

class SvgText {
public:
  SvgText(ExportOutput &Out, const ExportJob &Job, uint32_t Levels)
      : Out(Out), Job(Job), Levels(Levels) {}

  void head(const std::string &Subtitle) {
    double Height = HeadPixels + Levels * RowPixels + FootPixels;
    Out.format(R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- made by instantrace -->
<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" data-width="{0}">
<style>text {{ font: 12px monospace; fill: #222 }} g.f {{ cursor: pointer }} g.f text {{ pointer-events: none }} g.f:hover rect, g.f:focus rect {{ stroke: #222 }} g.hit rect {{ fill: #d060e0 }} .b {{ cursor: pointer; fill: #1a5fb4 }}</style>
<rect width="100%" height="100%" fill="#fdfdf8"/>
<text x="6" y="16" style="font-size:15px">)",
               WidthPixels, Height);
    appendXml(Out.buffer(), title());
    Out.append("</text>\n<text x=\"6\" y=\"32\">");
    appendXml(Out.buffer(), Subtitle);
    Out.format(
        R"(</text>
<text id="search" class="b" x="6" y="48">Search (/)</text>
<text id="reset" class="b" x="106" y="48" style="display:none">Reset zoom (Esc)</text>
<text id="matched" x="246" y="48"/>
)");
  }

  void frame(const Rectangle &R, const ExportFrame *Frame, uint64_t Whole) {
    double X = R.Left * WidthPixels, W = R.Width * WidthPixels;
    uint32_t Row = Levels - 1 - R.Depth;
    double Y = HeadPixels + Row * RowPixels;
    std::string Name = R.Depth == 0 ? std::string("all")
                       : Frame      ? Frame->Name
                               : fmt::format("({} narrow ones)", R.Neighbours);
    Out.format(
        "<g class=\"f\" tabindex=\"0\" data-x=\"{:.9f}\" data-w=\"{:.9f}\" "
        "data-y=\"{}\"><title>",
        R.Left, R.Width, R.Depth);
    appendXml(Out.buffer(), Name);
    Out.format("\n{}, {:.2f} %</title><rect x=\"{:.2f}\" y=\"{}\" "
               "width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/><text x=\"{:.2f}\" "
               "y=\"{}\">",
               metricValueText(R.Value, Job.Metric),
               100 * double(R.Value) / double(Whole), X, Y,
               std::max(W - 0.3, 0.1), RowPixels - 1,
               colour(R.Depth == 0 ? nullptr : Frame), X + 3,
               Y + RowPixels - 5);
    appendXml(Out.buffer(), label(Name, W));
    Out.append("</text></g>\n");
  }

  void end() {
    Out.format("<script><![CDATA[{}]]></script>\n</svg>\n", FlameGraphScript);
  }

private:
  /// What was compiled.
  std::string title() const {
    const std::vector<Sequence> &All = Job.T.Sequences;
    if (All.empty())
      return {};
    std::string First = inputText(Job.T, All.front());
    return All.size() == 1
               ? First
               : fmt::format("{} and {} more", First, All.size() - 1);
  }
  /// What of the name fits, for a picture without its script; whole characters.
  static std::string label(const std::string &Name, double Pixels) {
    auto Room = static_cast<size_t>(std::max(Pixels - 6, 0.0) / 6.6);
    if (Room < 3)
      return {};
    if (Name.size() <= Room)
      return Name;
    size_t End = Room - 1;
    while (End != 0 && (static_cast<unsigned char>(Name[End]) & 0xC0) == 0x80)
      --End;
    return Name.substr(0, End) + "…";
  }

  ExportOutput &Out;
  const ExportJob &Job;
  uint32_t Levels;
};

} // namespace

static void writeFlameGraph(ExportOutput &Out, const ExportJob &Job) {
  ExportFrames Frames = Job.frames(ExportFrames::Says::NameAndKind);
  CallTree Tree;
  walkCosts(Job.T, Job.Plan, Frames, Tree);
  Layout Placed(Tree, Frames, Job.Metric, NarrowPixels / WidthPixels);
  uint32_t Levels = 1;
  for (const Rectangle &R : Placed.Rectangles)
    Levels = std::max(Levels, R.Depth + 1);
  uint64_t Whole =
      Placed.Rectangles.empty() ? 0 : Placed.Rectangles.front().Value;
  std::string Subtitle = metricValueText(Whole, Job.Metric);
  for (const std::string &Line : missingFrom(Job))
    Subtitle += "; " + Line;
  SvgText Svg(Out, Job, Levels);
  Svg.head(Subtitle);
  for (const Rectangle &R : Placed.Rectangles)
    Svg.frame(R, R.Node == 0 ? nullptr : &Frames[Tree.nodes()[R.Node].Frame],
              Whole);
  Svg.end();
}

const ExportFormat instantrace::FlameGraphFormat = {
    .Name = "flamegraph",
    .Description = "any browser: an SVG picture with zoom and search",
    .Defaults = {.MaxDepth = 256}, // more is taller than anybody scrolls
    .HasMetric = true,
    .Write = toFile<writeFlameGraph>,
};
