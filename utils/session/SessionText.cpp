#include "utils/session/SessionText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/BuildText.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/render/TextTable.h"
#include "utils/session/ClangStart.h"

#include <algorithm>
#include <cstdio>

using namespace instantrace;

namespace {

constexpr size_t MostSourcesShown = 5;

std::string listOf(const std::vector<std::string> &Sources, uint64_t Count) {
  std::string Text;
  size_t Shown = std::min(Sources.size(), MostSourcesShown);
  for (size_t I = 0; I != Shown; ++I)
    Text += (I == 0 ? ": " : ", ") + printableText(Sources[I]);
  if (Shown != 0 && Count > Shown)
    Text += " and " + groupedText(Count - Shown) + " more";
  return Text;
}

std::vector<std::string> missingLines(const SessionFacts &Facts) {
  std::vector<std::string> Lines;
  if (Facts.Cache.Hits != 0)
    Lines.push_back(groupedText(Facts.Cache.Hits) + " of " +
                    counted(Facts.Cache.Runs, "object") +
                    " came from ccache: no trace" +
                    listOf(Facts.Cache.HitSources, Facts.Cache.Hits) +
                    "; --no-cache compiles them");
  for (const auto &[Name, Use] : Facts.Foreign) {
    if (Name == "sccache" && Facts.ServerCache.Runs != 0) {
      if (Facts.ServerCache.Hits != 0)
        Lines.push_back(groupedText(Facts.ServerCache.Hits) + " of " +
                        counted(Facts.ServerCache.Runs, "object") +
                        " came from sccache: no trace; --no-cache compiles "
                        "them");
      continue;
    }
    if (Name.starts_with(ClangWithout)) {
      Lines.push_back(counted(Use.Count, "compile") + " by " + Name +
                      " without the plugin" + listOf(Use.Sources, Use.Count) +
                      "; " + std::string(remedyFor(Name)));
      continue;
    }
    if (Name == "GCC" && Use.Count != 0)
      Lines.push_back(counted(Use.Count, "compile") +
                      " by GCC, which no plugin of ours can profile" +
                      listOf(Use.Sources, Use.Count));
    if (Name != "GCC" && Use.Count != 0)
      Lines.push_back(counted(Use.Count, "run") + " of " + Name +
                      ": what it compiles elsewhere has no trace");
    if (Use.Others != 0)
      Lines.push_back(
          counted(Use.Others, Use.Count == 0 ? "start" : "more start") +
          " of " + Name + " on this machine, too short to tell whose");
  }
  return Lines;
}

std::string clangList(const std::vector<int> &Clangs) {
  std::string List;
  for (int Major : Clangs)
    List += (List.empty() ? "" : ", ") + std::to_string(Major);
  return List;
}

std::vector<std::string> headLines(const SessionText &Of) {
  const SessionFacts &Facts = Of.Facts;
  const BuildReading &Reading = Of.Reading;
  std::vector<std::string> Lines = {
      "instantrace: " + counted(Reading.Units.size(), "compile") +
      " recorded in " + timeText(Facts.WallNs) +
      (Facts.State == SessionFacts::StateKind::Interrupted ? ", interrupted"
                                                           : "") +
      "; " + sizeText(Reading.SizeBytes) + " in " + printableText(Of.Folder) +
      "/"};
  bool IsClangWithout = std::any_of(
      Facts.Foreign.begin(), Facts.Foreign.end(),
      [](const auto &Use) { return Use.first.starts_with(ClangWithout); });
  for (std::string &Line : missingLines(Facts))
    Lines.push_back("  " + std::move(Line));
  if (Facts.CompiledAgain != 0)
    Lines.push_back("  " + counted(Facts.CompiledAgain, "compile") +
                    " of the same file to the same object as one before: only "
                    "the last trace of each is there");
  if (Of.Recovered != 0)
    Lines.push_back("  " + counted(Of.Recovered, "compile") +
                    " did not end as it should: its trace ends where it was "
                    "stopped");
  if (!Of.TracesToCome.empty())
    Lines.push_back(
        "  " +
        counted(Of.TracesToCome.size(),
                "compile still runs, and writes its trace when it ends",
                "compiles still run, and write their traces when they end") +
        listOf(Of.TracesToCome, Of.TracesToCome.size()));
  else if (Reading.Units.empty() && !IsClangWithout)
    Lines.push_back("  nothing to show: a Clang that compiles C++ with "
                    "templates leaves a trace, of the versions " +
                    clangList(Of.Clangs));
  return Lines;
}

/// What is left of a screen; 0: there is none.
size_t linesLeft(const std::vector<std::string> &Head, size_t Columns) {
  constexpr size_t Others = 5; // empty ones, what is next, and the prompt
  size_t Lines = standardErrorLines();
  if (Lines == 0)
    return 0;
  size_t Used = Others;
  for (const std::string &Line : Head)
    Used += 1 + (Line.empty() ? 0 : (Line.size() - 1) / Columns);
  return Lines > Used ? Lines - Used : 1;
}

} // namespace

Result<int> instantrace::writeSessionText(const SessionText &Of,
                                          const Terminal &Term) {
  const BuildReading &Reading = Of.Reading;
  TextStyles Styles(Term);
  Output Out(stderr);
  std::vector<std::string> Head = headLines(Of);
  for (size_t I = 0; I != Head.size(); ++I)
    Out.append(I == 0 ? "\n" + std::string(Styles.Bold) + Head[I] +
                            std::string(Styles.Plain) + "\n"
                      : Head[I] + "\n");
  if (Reading.Units.empty() || !Of.HasTables)
    return Out.finish();
  Out.append("\n");
  std::vector<BuildUnit> Units;
  for (const SessionUnit &Unit : Reading.Units)
    Units.push_back({Unit.Source, Unit.WallNs});
  writeBuildTables(Out, Reading.Costs, std::move(Units),
                   linesLeft(Head, Term.Columns), Term);
  Out.append("Next: instantrace advise " + printableText(Of.Folder) +
             "\n      or, instead of advise: critical, summary --by=header, "
             "report -o a.html\n");
  return Out.finish();
}
