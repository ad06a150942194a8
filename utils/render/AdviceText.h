/// \file
/// Suggestions as text for people or as records for scripts.
///
/// Flow:   AdviceReport -> [AdviceText] -> stdout
#pragma once

#include "utils/analysis/overview/BuildMode.h"
#include "utils/render/AdviceSentence.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

namespace instantrace {

struct AdviceTextStyle {
  size_t Wanted = 10; ///< suggestions; 0: all
  NameStyle Names;
  double MinPercent = 1; ///< that a suggestion had to save
  bool HasAll = false;   ///< all evidence, lines to write, and doubts
  ShownPath Shown = [](const std::string &Path) { return Path; };
  std::string LargestCost; ///< "a.cpp:2, 28 %", for where nothing is found
  BuildModeChoice Build;
};

/// "on 6 of 17 units: 24.0 % ± 2.0, compiles; not linked, tests not run". Was
/// tried; \p TotalNs is of the build.
std::string trialText(const Suggestion &S, uint64_t TotalNs);
/// "estimated 24.0 %, by 2 trials of this kind here rather 31.0 %"; empty:
/// there was none.
std::string correctionText(const Suggestion &S, uint64_t TotalNs);

void writeAdviceText(Output &Out, const Trace &T, const AdviceReport &Report,
                     const AdviceTextStyle &Style, const Terminal &Term);
/// The first \p Wanted suggestions (0: all).
void writeAdviceRecords(Output &Out, RecordFormat Format, const Trace &T,
                        const AdviceReport &Report,
                        const BuildModeChoice &Build, size_t Wanted,
                        const NameStyle &Style);
/// SARIF (SarifText.h), likewise. What has no place is at \p SourceOf the
/// suggestion, a path, which may be empty.
void writeAdviceSarif(
    Output &Out, const Trace &T, const AdviceReport &Report, size_t Wanted,
    const ProjectFolders &Project, const std::string &WorkingDirectory,
    const std::function<std::string(const Suggestion &)> &SourceOf);

} // namespace instantrace
