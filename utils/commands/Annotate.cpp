/// \file
/// `instantrace annotate`: a source file with what its lines cost.
///
/// Flow: TraceArguments, TraceFilter -> LineSink -> AnnotationText -> stdout
///       --format -> AnnotateChange
#include "utils/analysis/costs/LineCosts.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/cli/Choices.h"
#include "utils/cli/FilterOptions.h"
#include "utils/cli/NewestTraceArgument.h"
#include "utils/cli/OutputOptions.h"
#include "utils/cli/QuestionTraces.h"
#include "utils/cli/SourceRootOption.h"
#include "utils/cli/TraceArguments.h"
#include "utils/commands/AnnotateChange.h"
#include "utils/commands/Commands.h"
#include "utils/open/Leftovers.h"
#include "utils/open/SourceRoots.h"
#include "utils/open/TraceInputs.h"
#include "utils/render/AnnotationText.h"
#include "utils/render/Diagnostics.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

using namespace instantrace;

namespace {

constexpr Choice<ReviewService> ReviewServices[] = {
    {"github", ReviewService::GitHub},
    {"gitlab", ReviewService::GitLab},
    {"markdown", ReviewService::Markdown},
};

struct AnnotateOptions {
  std::vector<std::string> Arguments; // the last one is the file
  std::string Source;
  std::vector<std::string> MoreRoots;
  AnnotationSpec Spec;
  FilterSpec Filter;
  OutputOptions Output;
  bool IsSarif = false;
  std::optional<ReviewService> For;
  ChangeToAnnotate Change; // with For alone
};

/// The text of \p Path, which the trace names, or the command line.
Result<std::string> sourceText(const std::string &Path, bool IsNamedByTrace,
                               const SourceRoots &Roots) {
  std::string Problem;
  if (!IsNamedByTrace) {
    Result<std::string> Text = readBytes(Path);
    if (Text)
      return Text;
    Problem = Text.error().Message;
  } else if (FileDescriptor File = Roots.open(Path)) {
    if (std::string Place = Roots.placesOf(Path).front();
        !std::filesystem::exists(Path))
      printNote(Path + " is not here; read " + Place +
                ", whose path ends alike");
    return readSource(File);
  } else if (errno == EXDEV) {
    return Error{Path + ": " + std::string(OutsideSourceRoots) +
                 ", --source=FILE names a file"};
  } else {
    Problem = Path + ": " + sourceProblem(errno);
    std::vector<std::string> Places = Roots.placesOf(Path);
    for (const std::string &Place : Places)
      Problem += (&Place == &Places.front() ? ": " : ", ") + Place;
  }
  return Error{Problem +
               "; expected the source as it was compiled, or --source=FILE"};
}

/// \p Word as a shell completes it; empty: no such file.
std::string pathInCurrentFolder(const std::string &Word) {
  std::error_code Failed;
  const std::filesystem::path Path = std::filesystem::absolute(Word, Failed);
  return !Failed && std::filesystem::exists(Path, Failed)
             ? normalPath(Path.string())
             : std::string();
}

/// What one trace adds.
class AnnotatedPart final : public NotedStream {
public:
  AnnotatedPart(const WantedFile &Wanted, const TraceFilter &Filter)
      : Lines(T, {Wanted}, Filter) {}

  TraceSink &events() override { return Lines; }
  void finish() override {
    Notes.add(T, Observed);
    Folders = CompileFolders(T);
    for (const std::vector<FileCosts> &Compile : Lines.Compiles)
      Costs.add(Compile.front());
    T = {};
  }

  CompileFolders Folders;
  FileCosts Costs;

private:
  LineSink Lines;
};

Result<int> runChange(const AnnotateOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  ChangeToAnnotate Change = Opts.Change;
  Change.New = Opts.Arguments;
  Change.For = *Opts.For;
  Change.Most = Opts.Output.Rows;
  return annotateChange(Change, Filter);
}

Result<int> runAnnotate(const AnnotateOptions &Opts) {
  if (Opts.For)
    return runChange(Opts);
  std::vector<std::string> Inputs = Opts.Arguments;
  INSTANTRACE_TRY_ASSIGN(std::string Last,
                         takeLastWord(Inputs, "a source file"));
  INSTANTRACE_TRY_ASSIGN(TraceFilter Filter, usableFilter(Opts.Filter));
  QuestionTraces Traces(Inputs);
  INSTANTRACE_TRY(Traces.find(Filter));
  // As other commands show it.
  const std::string Wanted = Last.starts_with("../") && !project().Base.empty()
                                 ? normalPath(project().Base + "/" + Last)
                                 : Last;
  const std::string Preferred = pathInCurrentFolder(Last);
  CompileFolders Folders;
  FileCosts Costs;
  INSTANTRACE_TRY_ASSIGN(TraceNotes Notes,
                         Traces.stream(
                             [&] {
                               return std::make_unique<AnnotatedPart>(
                                   WantedFile{Wanted, Preferred}, Filter);
                             },
                             [&](AnnotatedPart &Part) -> Result<void> {
                               Folders.add(std::move(Part.Folders));
                               Costs.add(Part.Costs);
                               return {};
                             }));
  if (Costs.Paths.empty())
    return makeError({}, "no event in a file '" + Wanted + "'",
                     "one that `instantrace summary --by=file` shows");
  if (Costs.Paths.size() > 1) {
    std::string Choice = "one of ";
    for (const std::string &Path : Costs.Paths)
      Choice += (&Path == &Costs.Paths.front() ? "" : ", ") + Path;
    return makeError(
        {}, std::to_string(Costs.Paths.size()) + " files '" + Wanted + "'",
        Choice);
  }
  if (Costs.areAlike())
    printNote("no event in " + Wanted + "; shown is " + Costs.Paths.front() +
              ", whose path has most of the end in common");
  AnnotationSpec Spec = Opts.Spec;
  Spec.Costliest = Opts.Output.Rows;
  Spec.Clock = Notes.clock();
  if (Opts.IsSarif) {
    Output Out(stdout);
    writeAnnotationSarif(Out, Costs, Spec);
    return Out.finish();
  }
  std::string Source = Opts.Source;
  bool IsNamedByTrace = Source.empty();
  if (IsNamedByTrace)
    Source = Costs.Paths.front().starts_with('/')
                 ? Costs.Paths.front()
                 : Costs.WorkingDirectory + "/" + Costs.Paths.front();
  INSTANTRACE_TRY_ASSIGN(
      std::string Text,
      sourceText(Source, IsNamedByTrace, SourceRoots(Folders, Opts.MoreRoots)));
  const auto Read = sourceLines(Text);
  const std::vector<std::string> Lines(Read.begin(), Read.end());
  if (!Costs.Lines.empty() && Costs.Lines.rbegin()->first > Lines.size())
    printWarning(Source + ": found " + counted(Lines.size(), "line") +
                 ", expected at least " +
                 std::to_string(Costs.Lines.rbegin()->first) +
                 "; it has changed since it was compiled");
  return Opts.Output.print(writeAnnotationText, writeAnnotationRecords, Costs,
                           Lines, Spec);
}

} // namespace

CommandRun instantrace::addAnnotate(CLI::App &App) {
  auto Opts = std::make_shared<AnnotateOptions>();
  Opts->Output.Rows = 0;
  CLI::App *Command = App.add_subcommand(
      "annotate", "Show a source file with what each of its lines costs.");
  Command
      ->add_option("trace", Opts->Arguments,
                   "traces, as for the other commands; then the source file, "
                   "given by its path or the end of it")
      ->type_name("[TRACE...] FILE")
      ->required()
      ->expected(1, 1 << 20);
  Command->add_option(
      "--source", Opts->Source,
      "read the source from this file instead of where the compiler read it");
  addSourceRootOption(*Command, Opts->MoreRoots);
  Command->add_option("--context", Opts->Spec.Context,
                      "lines to show around each that has a cost (default 3)");
  Command->add_flag("--whole", Opts->Spec.IsWhole, "show all lines");
  CLI::Option *Format = addChoice(
      *Command, "--format", ReviewServices, Opts->For,
      "instead of a file, print what grew for the review of a change, in the "
      "words of a service, or as Markdown");
  CLI::Option *Against =
      Command
          ->add_option("--against", Opts->Change.Old,
                       "with --format: traces of the build before the change")
          ->allow_extra_args(false)
          ->needs(Format);
  CLI::Option *Changes =
      Command
          ->add_option("--changes", Opts->Change.Diff,
                       "with --format: the change, as git diff -U0 prints it; "
                       "- is the standard input")
          ->needs(Format);
  Format->needs(Against)->needs(Changes);
  Command
      ->add_option("--growth", Opts->Change.LeastGrowth,
                   "with --format: by how many intervals the lines of a place "
                   "have to grow (default 100)")
      ->needs(Format);
  addFilterOptions(*Command, Opts->Filter);
  addOutputOptions(*Command, Opts->Output, "of the costliest lines");
  CLI::Option *Sarif = addSarifOption(*Command, Opts->IsSarif);
  Command
      ->add_option("--min-share", Opts->Spec.MinPercent,
                   "with --sarif: only lines that take at least this share of "
                   "the total time, in percent (default 1)")
      ->check(CLI::Range(0.0, 100.0))
      ->needs(Sarif);
  for (const char *Other : {"--source", "--context", "--whole"})
    Sarif->excludes(Command->get_option(Other));
  for (const char *Other : {"--source", "--context", "--whole", "--json",
                            "--csv", "--source-root", "--sarif"})
    Format->excludes(Command->get_option(Other));
  Command->footer(
      R"(Columns:
  caused     time of everything that comes from the line: what it requests,
             and what that requests in system headers, with late bodies.
             Empty in a system header
  inclusive  time of what the line requests, with everything inside
  count      intervals that it requests
Where a trace has what LLVM did for functions:
  backend, bytes
             time in the optimizer and in machine code, and bytes in the object,
             of functions that were instantiated because the line requested them
  own, bytes the same of functions that the line declares, whoever requested
  them
An #include has the time of the file. The costliest lines are those with the
most time in either column.

With --format there is no FILE: each place of the change whose new lines ask
for more intervals than those that they replaced, with everything inside, is
one annotation on them, largest growth first. Counts decide, since times vary.
Further ones, as notices, say what the change adds to rebuilds: files that more
compiles read by a new #include, and what all of it makes others compile again.
The exit code is 0 whatever grew; diff --fail-on and budget are for what must
not.

Examples:
  instantrace annotate a.itrace a.cpp
  instantrace annotate -n 10 --context=0 build/ src/list.h
  instantrace annotate --json a.itrace bits/stl_vector.h
  instantrace annotate --sarif --min-share=5 build/ src/list.h > costs.sarif
  git diff -U0 main | instantrace annotate --format=github --changes=- \
    --against=base/build branch/build)");
  return [Opts] { return runAnnotate(*Opts); };
}
