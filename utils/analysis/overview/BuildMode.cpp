#include "utils/analysis/overview/BuildMode.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Less is not worth another kind of build.
constexpr uint64_t FewestPercent = 10;

/// In all units but one.
uint64_t repeatedNs(uint64_t Ns, uint64_t Units) {
  return Units < 2 ? 0 : Ns - Ns / Units;
}

std::string percentOf(uint64_t Ns, uint64_t TotalNs) {
  return std::to_string(TotalNs == 0 ? 0 : (100 * Ns + TotalNs / 2) / TotalNs) +
         " %";
}

} // namespace

BuildModeChoice instantrace::chooseBuildMode(const OverviewSums &Sums) {
  BuildModeChoice Choice;
  Choice.TotalNs = Sums.totalNs();
  Choice.CodeNs = Sums.ShareNs[static_cast<size_t>(TimeShareKind::Code)];
  uint64_t InstantiatedNs = 0, LinesNs = 0;
  for (const HeaderSums::File &File : Sums.Headers.files()) {
    const uint64_t Units = File.Readings.Units;
    (File.IsSystem ? Choice.SystemNs : Choice.OwnNs) +=
        repeatedNs(File.OwnNs, Units);
    InstantiatedNs += repeatedNs(File.InstantiatedNs, Units);
  }
  // What a line of a header asks for when its template is used, too.
  for (const auto &[Key, Line] : Sums.Lines)
    LinesNs += repeatedNs(Line.Ns, Line.Units);
  const uint64_t ReadNs = Choice.SystemNs + Choice.OwnNs;
  const uint64_t AllNs = std::max(ReadNs + InstantiatedNs, LinesNs);
  Choice.InstantiatedNs = AllNs - ReadNs;
  if (100 * AllNs < FewestPercent * Choice.TotalNs || AllNs == 0)
    return Choice;
  if (ReadNs < Choice.InstantiatedNs)
    Choice.Mode = BuildMode::Unity;
  else // a header that changes costs all who have it precompiled
    Choice.Mode = Choice.SystemNs < Choice.OwnNs ? BuildMode::Modules
                                                 : BuildMode::PrecompiledHeader;
  return Choice;
}

std::string_view instantrace::buildModeName(BuildMode Mode) {
  switch (Mode) {
  case BuildMode::None:
    return "none";
  case BuildMode::PrecompiledHeader:
    return "precompiled header";
  case BuildMode::Modules:
    return "modules";
  case BuildMode::Unity:
    return "unity build";
  }
  return {};
}

std::string instantrace::buildModeReason(const BuildModeChoice &Choice) {
  auto percent = [&Choice](uint64_t Ns) {
    return percentOf(Ns, Choice.TotalNs);
  };
  return "units parse system headers again for " + percent(Choice.SystemNs) +
         " of the time, headers of the program for " + percent(Choice.OwnNs) +
         ", and instantiate again for " + percent(Choice.InstantiatedNs) +
         "; code generation takes " + percent(Choice.CodeNs);
}

std::string instantrace::buildModePenalties() {
  return "A precompiled header and modules save parsing, a unity build also "
         "what is instantiated and generated again. After a change: a "
         "precompiled header compiles all of its units again when a header in "
         "it changes; modules compile again what imports the changed one, and "
         "wait for its interface; a unity build compiles all sources of a "
         "batch when one of them changes.";
}
