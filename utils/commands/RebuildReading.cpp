#include "utils/commands/RebuildReading.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/OverviewPart.h"
#include "utils/render/ProjectPath.h"

#include <memory>
#include <utility>

using namespace instantrace;

AdviceSpec instantrace::readingSpec(const SourceReader &Reader) {
  AdviceSpec Spec;
  Spec.Only = {AdviceKind::NarrowInclude};
  Spec.Sources = Reader;
  return Spec;
}

RebuildReading::RebuildReading()
    : Spec(readingSpec(Sources.reader())), Finder(*All, Spec) {}

Result<void> RebuildReading::read(const std::vector<std::string> &Inputs,
                                  const std::vector<std::string> &MoreRoots) {
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Inputs));
  CompileFolders Folders;
  INSTANTRACE_TRY_ASSIGN(TraceNotes Notes,
                         streamEachTrace(
                             Files,
                             [this] {
                               return std::make_unique<OverviewPart>(
                                   Finder,
                                   /*WithOverview=*/false);
                             },
                             [&](OverviewPart &Part) -> Result<void> {
                               Folders.add(std::move(Part.Folders));
                               Finder.add(std::move(Part.Advice));
                               return {};
                             },
                             /*AreFailuresTold=*/true));
  Clock = Notes.clock();
  Sources.findIn(SourceRoots(Folders, MoreRoots));
  Finder.endFirst();
  if (headers().compileCount() == 0)
    return noCompile();
  Made.emplace(headers());
  return {};
}

Result<FileNumber> RebuildReading::fileNamed(const std::string &Name) {
  const std::string Wanted =
      normalPath(Name.starts_with("../") && !project().Base.empty()
                     ? project().Base + "/" + Name // as other commands show it
                     : Name);
  std::vector<FileNumber> Found;
  std::string Choice;
  for (FileNumber File = 0; File != headers().fileCount(); ++File)
    if (const std::string &Path = headers().path(File);
        Path == Wanted || Path.ends_with("/" + Wanted)) {
      Choice += (Found.empty() ? "one of " : ", ") + shownPath(Path);
      Found.push_back(File);
    }
  if (Found.empty())
    return makeError({}, "no file '" + Name + "' that a compile reads",
                     "a path that `instantrace headers` shows, or its end");
  if (Found.size() > 1)
    return makeError({}, std::to_string(Found.size()) + " files '" + Name + "'",
                     Choice);
  return Found.front();
}
