/// \file
/// What commands that give advice take from each trace, and how they name its
/// files.
///
/// Flow: events -> [OverviewPart] -> Overview.cpp, Advise.cpp
#pragma once

#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/analysis/overview/Overview.h"
#include "utils/analysis/view/SinkGroup.h"
#include "utils/cli/TraceArguments.h"
#include "utils/open/SourceRoots.h"
#include "utils/render/OverviewText.h"
#include "utils/session/RecordedSession.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// What one trace adds.
class OverviewPart final : public NotedStream {
public:
  OverviewPart(const AdviceFinder &Finder, bool WithOverview)
      : Events(Finder, T) {
    if (WithOverview)
      Overview.emplace(T).addTo(Sinks);
    Sinks.add(Events);
  }

  TraceSink &events() override { return Sinks; }
  void finish() override {
    Notes.add(T, Observed);
    if (Overview)
      Sums = Overview->take();
    Folders = CompileFolders(T);
    Advice = Events.take(T);
    Overview.reset();
    T = {};
  }

  OverviewSums Sums;
  CompileFolders Folders;
  AdviceFinder::TracePart Advice;

private:
  SinkGroup Sinks;
  std::optional<OverviewSink> Overview;
  AdviceSink Events;
};

/// If it is one session, and nothing else.
std::optional<RecordedSession>
sessionNamed(const std::vector<std::string> &Inputs);
ProjectFolders projectFolders(const std::optional<RecordedSession> &Session,
                              const OverviewSums &Sums);

} // namespace instantrace
