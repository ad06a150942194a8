#include "utils/export/ExportJob.h"

#include "utils/render/CleanText.h"
#include "utils/render/NumberText.h"

#include <algorithm>

#include <fmt/format.h>

using namespace instantrace;

std::span<const ExportFormat> instantrace::exportFormats() {
  static const ExportFormat Formats[] = {
#define EXPORT_FORMAT(Name) Name##Format,
#include "utils/export/ExportFormats.def"
  };
  return Formats;
}

std::string instantrace::removalText(const RemovedEvents &Removed,
                                     const ExportLimits &Limits) {
  if (!Removed)
    return {};
  std::string Text;
  if (Removed.Intervals != 0)
    Text = fmt::format(
        "{} ({}) {} folded", counted(Removed.Intervals, "interval"),
        timeText(Removed.Ns), Removed.Intervals == 1 ? "is" : "are");
  if (Removed.Instants != 0)
    Text += fmt::format("{}{} {} left out", Text.empty() ? "" : ", ",
                        counted(Removed.Instants, "instant"),
                        Removed.Instants == 1 ? "is" : "are");
  std::string Key;
  auto Add = [&Key](const char *Option, uint64_t Value, const char *Unit) {
    if (Value != 0)
      Key += fmt::format("{}{}={}{}", Key.empty() ? ": " : " ", Option, Value,
                         Unit);
  };
  Add("--min-time", Limits.MinNs, "ns");
  Add("--max-depth", Limits.MaxDepth, "");
  Add("--max-events", Limits.MaxEvents, "");
  if (Limits.HasFilter)
    Key += Key.empty() ? ": the filter" : " and the filter";
  return Text + Key;
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
