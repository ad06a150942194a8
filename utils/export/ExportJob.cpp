#include "utils/export/ExportJob.h"

#include "utils/export/ExportText.h"
#include "utils/render/NumberText.h"

#include <algorithm>

#include <fmt/format.h>

using namespace instantrace;

namespace {

constexpr size_t CommandLimitBytes = 1 << 14;

template <void (*Write)(ExportOutput &, const ExportJob &)>
Result<int> toFile(const ExportJob &Job, const std::string &Path) {
  ExportOutput Out(Path);
  Write(Out, Job);
  return Out.finish();
}

/// Of more than 512 slices inside one another, Perfetto ends the wrong ones.
/// The last one is for what is folded.
constexpr uint64_t PerfettoDepth = 511;

constexpr ExportFormat Formats[] = {
    {"callgrind",
     "callgrind_annotate, KCachegrind: cost per name and who asked",
     {},
     false,
     0,
     toFile<writeCallgrind>},
    {"chrome",
     "chrome://tracing, Perfetto, speedscope: timeline as JSON",
     {0, PerfettoDepth, 0},
     false,
     PerfettoDepth,
     toFile<writeChrome>},
    {"csv",
     "spreadsheets, pandas, DuckDB: a row per interval",
     {},
     false,
     0,
     toFile<writeCsv>},
    {"dot",
     "Graphviz: a graph of who asked for what",
     {0, 0, 500},
     false,
     0,
     toFile<writeDot>},
    {"folded",
     "FlameGraph, inferno, speedscope: stacks with a number",
     {0, 128, 100000},
     true,
     0,
     toFile<writeFolded>},
    {"graphml",
     "yEd, Gephi, NetworkX: the same graph with all numbers",
     {},
     false,
     0,
     toFile<writeGraphMl>},
    {"perfetto",
     "ui.perfetto.dev and its trace processor: timeline, SQL",
     {0, PerfettoDepth, 0},
     false,
     PerfettoDepth,
     toFile<writePerfetto>},
    {"speedscope",
     "speedscope.app: timeline, left heavy, sandwich",
     {0, 1000, 1000000},
     false,
     0,
     toFile<writeSpeedscope>},
    {"sqlite",
     "the sqlite3 shell, DBeaver, Datasette: the tables of `query`",
     {},
     false,
     0,
     writeSqlite},
    {"templight",
     "templight-convert, Templar: template work of one compile",
     {},
     false,
     0,
     writeTemplight},
    {"xml", "any XML parser: a flat list", {}, false, 0, toFile<writeXml>},
    {"yaml",
     "what reads clang -templight-dump: begins and ends, in order",
     {},
     false,
     0,
     toFile<writeYaml>},
};

} // namespace

std::span<const ExportFormat> instantrace::exportFormats() { return Formats; }

std::string instantrace::removalText(const RemovedEvents &Removed,
                                     const ExportLimits &Limits) {
  if (!Removed)
    return {};
  std::string Text;
  if (Removed.Intervals != 0)
    Text = fmt::format("{} interval{} ({}) {} folded",
                       groupedText(Removed.Intervals),
                       Removed.Intervals == 1 ? "" : "s", timeText(Removed.Ns),
                       Removed.Intervals == 1 ? "is" : "are");
  if (Removed.Instants != 0)
    Text += fmt::format("{}{} instant{} {} left out", Text.empty() ? "" : ", ",
                        groupedText(Removed.Instants),
                        Removed.Instants == 1 ? "" : "s",
                        Removed.Instants == 1 ? "is" : "are");
  std::string By;
  auto Add = [&By](const char *Option, uint64_t Value, const char *Unit) {
    if (Value != 0)
      By += fmt::format("{}{}={}{}", By.empty() ? ": " : " ", Option, Value,
                        Unit);
  };
  Add("--min-time", Limits.MinNs, "ns");
  Add("--max-depth", Limits.MaxDepth, "");
  Add("--max-events", Limits.MaxEvents, "");
  if (Limits.HasFilter)
    By += By.empty() ? ": the filter" : " and the filter";
  return Text + By;
}

std::vector<std::string> instantrace::missingFrom(const ExportJob &Job) {
  std::vector<std::string> Lines;
  for (const std::string &Loss : Job.T.losses())
    Lines.push_back(cleanText(Loss));
  std::string Removed = removalText(Job.Plan.removed(), Job.Limits);
  if (!Removed.empty())
    Lines.push_back(std::move(Removed));
  return Lines;
}

std::vector<uint64_t> instantrace::startsOf(const Trace &T) {
  std::vector<uint64_t> Starts;
  for (const Sequence &S : T.Sequences) {
    if (!S.Session || S.Session->RealtimeNs == 0)
      return std::vector<uint64_t>(T.Sequences.size());
    Starts.push_back(S.Session->RealtimeNs);
  }
  if (Starts.empty())
    return Starts;
  uint64_t First = *std::min_element(Starts.begin(), Starts.end());
  for (uint64_t &Start : Starts)
    Start -= First;
  return Starts;
}

std::string instantrace::commandText(const TraceSession &Session) {
  std::string Command;
  for (const std::string &Argument : Session.Argv) {
    if (Command.size() > CommandLimitBytes)
      break;
    Command.append(Command.empty() ? "" : " ")
        .append(std::string_view(Argument).substr(0, CommandLimitBytes));
  }
  return cleanText(Command);
}
