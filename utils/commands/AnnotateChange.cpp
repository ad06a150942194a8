#include "utils/commands/AnnotateChange.h"

#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/LineCosts.h"
#include "utils/cli/TraceArguments.h"
#include "utils/input/TraceInputs.h"
#include "utils/input/UnifiedDiff.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/DiffText.h"
#include "utils/render/NumberText.h"

#include <algorithm>
#include <filesystem>
#include <optional>

using namespace instantrace;

namespace {

/// Costs of places in a file of the change; none: no compile has anything in
/// it, or it cannot be told which of several files it is.
std::optional<FileCosts> costsOf(const Trace &T, const std::string &Path,
                                 const std::vector<LineRange> &Places,
                                 TraceFilter &Filter, bool &IsKnown) {
  if (Path.empty() || Places.empty())
    return std::nullopt;
  FileCosts Costs = lineCosts(T, Path, Filter, Places);
  IsKnown |= !Costs.Paths.empty();
  if (Costs.Paths.size() > 1) {
    // A diff has paths from its root on, which may be the end of other paths.
    std::error_code Ignored;
    std::string Here =
        std::filesystem::absolute(Path, Ignored).lexically_normal();
    if (std::find(Costs.Paths.begin(), Costs.Paths.end(), Here) ==
        Costs.Paths.end()) {
      printWarning(Path + ": found " +
                   counted(Costs.Paths.size(), "file of that name",
                           "files of that name") +
                   " in the traces, expected one; it has no annotations");
      return std::nullopt;
    }
    Costs = lineCosts(T, Here, Filter, Places);
  }
  if (Costs.Paths.empty())
    return std::nullopt;
  return Costs;
}

RequestedWork workAt(const std::optional<FileCosts> &Costs, uint32_t Line) {
  if (!Costs)
    return {};
  auto At = Costs->Lines.find(Line);
  if (At == Costs->Lines.end())
    return {};
  return {At->second.InclusiveCount, At->second.InclusiveNs};
}

std::string someName(const ChangedFile &File) {
  return File.NewPath.empty() ? File.OldPath : File.NewPath;
}

/// Of all places that lines were put into, in the order of the diff. \p IsKnown
/// becomes whether a compile has anything in a file of the change, or nothing
/// is to be looked for.
std::vector<LineGrowth> growthOf(const std::vector<ChangedFile> &Files,
                                 const Trace &Old, const Trace &New,
                                 TraceFilter &Filter, bool &IsKnown) {
  std::vector<LineGrowth> All;
  IsKnown = false;
  for (const ChangedFile &File : Files) {
    std::vector<LineRange> OldPlaces, NewPlaces;
    for (const ChangedLines &Run : File.Runs) {
      if (Run.OldCount != 0)
        OldPlaces.push_back({Run.OldLine, Run.OldCount});
      if (Run.NewCount != 0)
        NewPlaces.push_back({Run.NewLine, Run.NewCount});
    }
    if (NewPlaces.empty()) { // nothing that could have grown
      IsKnown = true;
      continue;
    }
    std::optional<FileCosts> After =
        costsOf(New, File.NewPath, NewPlaces, Filter, IsKnown);
    if (!After)
      continue;
    bool WasKnown = false;
    std::optional<FileCosts> Before =
        costsOf(Old, File.OldPath, OldPlaces, Filter, WasKnown);
    // Of `diff a.cpp.orig a.cpp`, the older build knows the name of both.
    if (!WasKnown && !File.OldPath.empty() && File.OldPath != File.NewPath)
      Before = costsOf(Old, File.NewPath, OldPlaces, Filter, WasKnown);
    if (WasKnown && !Before) // one of several, as the warning says
      continue;
    for (const ChangedLines &Run : File.Runs)
      if (Run.NewCount != 0)
        All.push_back(LineGrowth{
            File.NewPath, LineRange{Run.NewLine, Run.NewCount},
            Run.OldCount != 0 ? workAt(Before, Run.OldLine) : RequestedWork(),
            workAt(After, Run.NewLine)});
  }
  return All;
}

} // namespace

Result<int> instantrace::annotateChange(const ChangeToAnnotate &Change,
                                        TraceFilter &Filter) {
  INSTANTRACE_TRY_ASSIGN(std::string Text, readBytes(Change.Diff));
  INSTANTRACE_TRY_ASSIGN(std::vector<ChangedFile> Files,
                         parseUnifiedDiff(Text, inputName(Change.Diff)));
  INSTANTRACE_TRY_ASSIGN(Trace Old, readTraceArguments(Change.Old));
  INSTANTRACE_TRY_ASSIGN(Trace New, readTraceArguments(Change.New));
  INSTANTRACE_TRY_ASSIGN(CompileMatch Match,
                         matchBuilds(Old, Change.Old.front(), New,
                                     Change.New.front(), sketchesOf(Old),
                                     sketchesOf(New)));
  for (const std::string &Renamed : renamedTexts(Match, Old, New))
    printNote(Renamed);
  keepPairs(Old, New, Match);
  bool IsKnown = false;
  std::vector<LineGrowth> Grown = growthOf(Files, Old, New, Filter, IsKnown);
  if (!IsKnown && !Files.empty())
    printNote(inputName(Change.Diff) + ": no compile has an event at a place " +
              "that it changes, such as in " + someName(Files.front()) +
              "; paths are those below the folder that git has, behind a/ and "
              "b/");
  std::erase_if(Grown, [&Change](const LineGrowth &G) {
    return G.grownBy() == 0 || G.grownBy() < Change.LeastGrowth;
  });
  std::stable_sort(Grown.begin(), Grown.end(),
                   [](const LineGrowth &A, const LineGrowth &B) {
                     return A.grownBy() > B.grownBy();
                   });
  if (size_t Left = Grown.size(); Change.Most != 0 && Change.Most < Left) {
    printNote(counted(Left - Change.Most, "more place") +
              " of the change grew by as much as --growth says");
    Grown.resize(Change.Most);
  }
  if (!Grown.empty())
    printNote(std::string(TimesVary) + ", and decide what is annotated");
  Output Out(stdout);
  writeChangeAnnotations(Out, Change.For, Grown);
  return Out.finish();
}
