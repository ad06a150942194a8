/// \file
/// Findings as code hosts and editors show them beside a line.
///
/// Flow:   AdviceReport, FileCosts -> [SarifText] -> stdout
/// Source: SARIF 2.1.0 (OASIS), and what GitHub asks for beyond it: each result
///         has a place, and each rule a help text
#pragma once

#include "utils/render/Output.h"
#include "utils/render/ProjectPath.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct SarifRule {
  std::string Id;
  std::string About; ///< in one sentence, with its full stop
  std::string Document;
};

struct SarifResult {
  std::string Rule; ///< the Id of one that is given
  std::string Message;
  std::string Path;    ///< empty: it has no place
  uint32_t LineNo = 0; ///< 0: the file as a whole
};

/// Paths below the root of \p Project are relative to it; if it is not known,
/// to where the build was run. A relative path begins in \p WorkingDirectory.
/// \p Analysis tells the results of one command from those of another.
void writeSarif(Output &Out, const ProjectFolders &Project,
                const std::string &WorkingDirectory, std::string_view Analysis,
                const std::vector<SarifRule> &Rules,
                const std::vector<SarifResult> &Results);

/// As SarifResult has it, of `path:line` or a path alone.
void setSarifPlace(SarifResult &Result, const std::string &Place);

} // namespace instantrace
