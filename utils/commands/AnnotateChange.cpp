#include "utils/commands/AnnotateChange.h"

#include "utils/analysis/advice/AdviceFinder.h"
#include "utils/analysis/advice/Rebuilds.h"
#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/costs/LineCosts.h"
#include "utils/analysis/view/SinkGroup.h"
#include "utils/cli/QuestionTraces.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/RebuildReading.h"
#include "utils/commands/UnifiedDiff.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/DiffText.h"
#include "utils/render/NumberText.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

using namespace instantrace;

namespace {

/// What one trace adds.
class ChangedPart final : public NotedStream {
public:
  ChangedPart(const std::vector<WantedFile> &Wanted, const TraceFilter &Filter,
              const AdviceFinder &Finder)
      : Lines(T, Wanted, Filter), Files(Finder, T) {
    Sinks.add(Lines);
    Sinks.add(Files);
  }

  TraceSink &events() override { return Sinks; }
  void finish() override {
    Notes.add(T, Observed);
    Sketches = sketchesOf(T);
    Trace Identity = identityOf(T);
    Read = Files.take(T);
    T = std::move(Identity);
  }
  std::vector<std::vector<FileCosts>> takeCosts() {
    return std::move(Lines.Compiles);
  }

  std::vector<CompileSketch> Sketches;
  AdviceFinder::TracePart Read;

private:
  LineSink Lines;
  AdviceSink Files;
  SinkGroup Sinks;
};

/// One of the two, and what its compiles spend on files of the change.
class ChangedBuild {
public:
  /// The number of a file that has to be read; NoIndex: there is nothing to
  /// look for.
  size_t want(const std::string &Path, const std::vector<LineRange> &Places) {
    if (Path.empty() || Places.empty())
      return NoIndex;
    // A diff has paths from its root on, which may be the end of other paths.
    std::error_code Ignored;
    Wanted.push_back(
        {Path, std::filesystem::absolute(Path, Ignored).lexically_normal(),
         Places});
    return Wanted.size() - 1;
  }
  Result<void> read(const std::vector<std::string> &Paths, TraceFilter Filter);
  /// Of those compiles alone; none: no compile has anything in the file, or it
  /// cannot be told which of several files it is.
  void keep(const std::vector<uint32_t> &Compiles);
  std::optional<FileCosts> costsOf(size_t Number, bool &IsKnown) const;
  /// Files whose path ends so, with all ways to spell it; empty: there is none,
  /// or it cannot be told which of several it is.
  std::vector<FileNumber> filesNamed(const std::string &Name) const;
  /// What is compiled again, of those that keep() kept.
  RebuildCost touch(const std::vector<FileNumber> &Files) const;
  HeaderFacts &headers() { return *Finder.headers(); }

  Trace Compiles;
  std::vector<CompileSketch> Sketches;

private:
  std::vector<WantedFile> Wanted;
  std::vector<std::vector<FileCosts>> Costs; // by compile
  std::vector<FileCosts> Sums;               // by number
  const Result<TraceFilter> All = TraceFilter::make({});
  const AdviceSpec Spec = readingSpec({});
  AdviceFinder Finder{*All, Spec};
  std::optional<Rebuilds> Made; // null: there is no compile
  CompileSet IsKept;
};

Result<void> ChangedBuild::read(const std::vector<std::string> &Paths,
                                TraceFilter Filter) {
  QuestionTraces Traces(Paths);
  INSTANTRACE_TRY(Traces.find(Filter));
  INSTANTRACE_TRY(Traces.stream(
      [&] { return std::make_unique<ChangedPart>(Wanted, Filter, Finder); },
      [this](ChangedPart &Part) -> Result<void> {
        std::ranges::move(Part.T.Sequences,
                          std::back_inserter(Compiles.Sequences));
        std::ranges::move(Part.Sketches, std::back_inserter(Sketches));
        std::ranges::move(Part.takeCosts(), std::back_inserter(Costs));
        Finder.add(std::move(Part.Read));
        return {};
      }));
  Finder.endFirst();
  if (headers().compileCount() != 0)
    Made.emplace(headers());
  return {};
}

void ChangedBuild::keep(const std::vector<uint32_t> &Kept) {
  IsKept.resize(headers().compileCount());
  for (uint32_t Compile : Kept)
    IsKept[Compile] = true;
  Sums.resize(Wanted.size());
  for (uint32_t Compile : Kept)
    for (size_t Number = 0; Number != Sums.size(); ++Number)
      Sums[Number].add(Costs[Compile][Number]);
}

std::vector<FileNumber>
ChangedBuild::filesNamed(const std::string &Name) const {
  std::vector<FileNumber> Found;
  if (!Made)
    return Found;
  const HeaderFacts &H = Made->headers();
  for (FileNumber File = 0; !Name.empty() && File != H.fileCount(); ++File)
    if (("/" + H.fullPath(File)).ends_with("/" + Name)) {
      if (!Found.empty() && H.fullPath(Found[0]) != H.fullPath(File))
        return {};
      Found.push_back(File);
    }
  return Found;
}

RebuildCost ChangedBuild::touch(const std::vector<FileNumber> &Files) const {
  if (!Made)
    return {};
  CompileSet Built = Made->readers(Files);
  for (size_t Compile = 0; Compile != Built.size(); ++Compile)
    Built[Compile] = Built[Compile] && IsKept[Compile];
  return Made->cost(Built);
}

std::optional<FileCosts> ChangedBuild::costsOf(size_t Number,
                                               bool &IsKnown) const {
  if (Number == NoIndex)
    return std::nullopt;
  const FileCosts &Costs = Sums[Number];
  IsKnown |= !Costs.Paths.empty();
  if (Costs.Paths.size() > 1)
    printWarning(
        Wanted[Number].Path + ": found " +
        counted(Costs.Paths.size(), "file of that name", "files of that name") +
        " in the traces, expected one; it has no annotations");
  if (Costs.Paths.size() != 1)
    return std::nullopt;
  return Costs;
}

/// What has to be read of a file of the change.
struct FileToRead {
  const ChangedFile &File;
  size_t New, Old;
  /// Of `diff a.cpp.orig a.cpp`, the older build knows the name of both.
  size_t OldByNewName = NoIndex;
};

std::vector<FileToRead> wantFiles(const std::vector<ChangedFile> &Files,
                                  ChangedBuild &Old, ChangedBuild &New) {
  std::vector<FileToRead> All;
  for (const ChangedFile &File : Files) {
    std::vector<LineRange> OldPlaces, NewPlaces;
    for (const ChangedLines &Run : File.Runs) {
      if (Run.OldCount != 0)
        OldPlaces.push_back({Run.OldLine, Run.OldCount});
      if (Run.NewCount != 0)
        NewPlaces.push_back({Run.NewLine, Run.NewCount});
    }
    FileToRead &Read =
        All.emplace_back(FileToRead{File, New.want(File.NewPath, NewPlaces),
                                    Old.want(File.OldPath, OldPlaces)});
    if (!File.OldPath.empty() && File.OldPath != File.NewPath)
      Read.OldByNewName = Old.want(File.NewPath, OldPlaces);
  }
  return All;
}

RequestedWork workAt(const std::optional<FileCosts> &Costs, uint32_t Line) {
  if (!Costs)
    return {};
  auto Found = Costs->Lines.find(Line);
  if (Found == Costs->Lines.end())
    return {};
  return {Found->second.InclusiveCount, Found->second.InclusiveNs};
}

std::string someName(const ChangedFile &File) {
  return File.NewPath.empty() ? File.OldPath : File.NewPath;
}

/// Of all places that lines were put into, in the order of the diff. \p IsKnown
/// becomes whether a compile has anything in a file of the change, or nothing
/// is to be looked for.
std::vector<LineGrowth> growthOf(const std::vector<FileToRead> &Files,
                                 const ChangedBuild &Old,
                                 const ChangedBuild &New, bool &IsKnown) {
  std::vector<LineGrowth> All;
  IsKnown = false;
  for (const FileToRead &Read : Files) {
    const ChangedFile &File = Read.File;
    auto HasNew = [](const ChangedLines &Run) { return Run.NewCount != 0; };
    if (std::ranges::none_of(File.Runs, HasNew)) { // none could have grown
      IsKnown = true;
      continue;
    }
    std::optional<FileCosts> After = New.costsOf(Read.New, IsKnown);
    if (!After)
      continue;
    bool WasKnown = false;
    std::optional<FileCosts> Before = Old.costsOf(Read.Old, WasKnown);
    if (!WasKnown)
      Before = Old.costsOf(Read.OldByNewName, WasKnown);
    if (WasKnown && !Before) // one of several, as the warning says
      continue;
    for (const ChangedLines &Run : File.Runs)
      if (HasNew(Run))
        All.push_back(LineGrowth{
            File.NewPath, LineRange{Run.NewLine, Run.NewCount},
            Run.OldCount != 0 ? workAt(Before, Run.OldLine) : RequestedWork(),
            workAt(After, Run.NewLine)});
  }
  return All;
}

/// What the change adds to the rebuilds of others: files of the project that it
/// has more compiles read by a new #include; and what it makes them compile, if
/// that is more than one unit.
std::vector<RebuildGrowth> rebuildsOf(const std::vector<ChangedFile> &Files,
                                      ChangedBuild &Old, ChangedBuild &New) {
  std::vector<RebuildGrowth> All;
  HeaderFacts &H = New.headers();
  std::vector<FileNumber> Changed;
  std::optional<RebuildGrowth> Most;
  for (const ChangedFile &File : Files) {
    auto IsIn = [&File](uint32_t LineNo) {
      return std::ranges::any_of(File.Runs, [LineNo](const ChangedLines &Run) {
        return LineNo >= Run.NewLine && LineNo < Run.NewLine + Run.NewCount;
      });
    };
    const std::vector<FileNumber> Spelled = New.filesNamed(File.NewPath);
    if (Spelled.empty() || File.Runs.empty())
      continue;
    Changed.insert(Changed.end(), Spelled.begin(), Spelled.end());
    const RebuildCost Touch = New.touch(Spelled);
    const uint32_t First = std::max(File.Runs.front().NewLine, 1u);
    if (!Most || Touch.Units > Most->New.Units)
      Most = {File.NewPath, {First, 1}, {}, {}, Touch};
    const std::string Full = H.fullPath(Spelled.front());
    const std::string Root = Full.substr(
        0, Full.size() - std::min(Full.size(), File.NewPath.size()));
    for (FileNumber Includer : Spelled)
      for (FileNumber Included :
           H.includes(Includer, HeaderFacts::Ways::Recorded)) {
        const uint32_t LineNo = H.includeLine(Includer, Included);
        const std::string Path = H.fullPath(Included);
        if (H.isSystem(Included) || !IsIn(LineNo) || !Path.starts_with(Root))
          continue;
        const std::string Name = Path.substr(Root.size());
        const RebuildCost Before = Old.touch(Old.filesNamed(Name)),
                          After = New.touch(New.filesNamed(Name));
        if (After.Units > Before.Units && After.Units > 1)
          All.push_back({File.NewPath, {LineNo, 1}, Name, Before, After});
      }
  }
  if (Most && Most->New.Units > 1) {
    Most->New = New.touch(Changed);
    All.push_back(std::move(*Most));
  }
  return All;
}

} // namespace

Result<int> instantrace::annotateChange(const ChangeToAnnotate &Change,
                                        const TraceFilter &Filter) {
  INSTANTRACE_TRY_ASSIGN(std::string Text, readBytes(Change.Diff));
  INSTANTRACE_TRY_ASSIGN(std::vector<ChangedFile> Files,
                         parseUnifiedDiff(Text, inputName(Change.Diff)));
  ChangedBuild Old, New;
  std::vector<FileToRead> ToRead = wantFiles(Files, Old, New);
  INSTANTRACE_TRY(Old.read(Change.Old, Filter));
  INSTANTRACE_TRY(New.read(Change.New, Filter));
  INSTANTRACE_TRY_ASSIGN(CompileMatch Match,
                         matchBuilds(Old.Compiles, Change.Old.front(),
                                     New.Compiles, Change.New.front(),
                                     Old.Sketches, New.Sketches));
  for (const std::string &Renamed :
       renamedTexts(Match, Old.Compiles, New.Compiles))
    printNote(Renamed);
  std::vector<uint32_t> OldKept = Match.oldCompiles(),
                        NewKept = Match.newCompiles();
  takePrerequisites(Old.Compiles, OldKept, Match.OnlyOld);
  takePrerequisites(New.Compiles, NewKept, Match.OnlyNew);
  Old.keep(OldKept);
  New.keep(NewKept);
  bool IsKnown = false;
  std::vector<LineGrowth> Grown = growthOf(ToRead, Old, New, IsKnown);
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
  writeChangeAnnotations(Out, Change.For, Grown, rebuildsOf(Files, Old, New));
  return Out.finish();
}
