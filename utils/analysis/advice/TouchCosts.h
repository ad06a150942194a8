/// \file
/// What a change of each file costs those who build, and how often it comes.
///
/// Flow:   Rebuilds, the files of the project, commits -> [TouchCosts] ->
///         TouchText -> touch
/// Leaves: which files are the project's, and git, to the command
///
/// A commit makes again what any of its files needs, once. So the rows of a
/// table do not add up to the whole where one commit changes several of them.
#pragma once

#include "utils/analysis/advice/Rebuilds.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// One file may be spelled in several ways, each a file of HeaderFacts.
struct OwnFile {
  std::string Name; ///< below the root of the project
  std::vector<FileNumber> Spelled;
};

struct TouchHistory {
  std::vector<std::vector<std::string>> Commits; ///< names of files
  double Weeks = 1;
};

/// How often, and what all of it costs a week.
struct TouchFrequency {
  uint64_t Commits = 0;
  uint64_t WeekNs = 0, WeekWallNs = 0;
};

struct TouchRow {
  std::string Name;  ///< of a file, or a folder
  RebuildCost Touch; ///< of a folder: of all files in it
  TouchFrequency Often = {};
};

/// What goes from a touch of one file if another one did not include it.
struct SplitRow {
  std::string Includer, Included;
  RebuildCost Saved;
  TouchFrequency Often = {}; ///< Commits are those of the included file
};

enum class TouchOrder { Week, Time, Wall, Commits, Units, Name };
enum class TouchKey { File, Folder };

struct TouchTable {
  std::vector<TouchRow> Rows;
  std::vector<SplitRow> Splits;
  RebuildCost Clean;    ///< all compiles
  TouchFrequency Often; ///< of all commits that change a file of the rows
  uint64_t Commits = 0; ///< with those that change none
  bool HasHistory = false;
  bool HasWall = false;
};

/// Null: no history. Rows are those that a compile reads.
TouchTable touchCosts(const Rebuilds &R, const std::vector<OwnFile> &Files,
                      const TouchHistory *History, TouchKey Key,
                      TouchOrder Order);

/// By how much who builds after each commit compiles less, a week, once
/// \p Changes are made; negative: more.
int64_t weekSavedNs(const Rebuilds &R, const std::vector<OwnFile> &Files,
                    const TouchHistory &History,
                    const std::vector<CompileChange> &Changes);

/// Adds the splits of the first \p Wanted rows, which are of files; most saved
/// first. Only files of the project are includers.
void addSplits(const Rebuilds &R, const std::vector<OwnFile> &Files,
               const TouchHistory *History, size_t Wanted, TouchTable &Table);

} // namespace instantrace
