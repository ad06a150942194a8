#include "utils/session/SessionText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
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
          counted(Use.Others, Name + " process", Name + " processes") +
          (Use.Others == 1
               ? " ran meanwhile; if it was part of the build, it is not "
                 "included"
               : " ran meanwhile; if they were part of the build, they are not "
                 "included"));
  }
  return Lines;
}

std::string clangList(const std::vector<int> &Clangs) {
  std::string List;
  for (int Major : Clangs)
    List += (List.empty() ? "" : ", ") + std::to_string(Major);
  return List;
}

std::vector<std::string> headLines(const SessionText &Text) {
  const SessionFacts &Facts = Text.Facts;
  const BuildReading &Reading = Text.Reading;
  std::vector<std::string> Lines;
  if (Reading.Units.empty())
    Lines.push_back("0 compiles recorded in " + timeText(Facts.WallNs) +
                    "; session.json is in " + printableText(Text.Folder) + "/");
  if (Facts.State == SessionFacts::StateKind::Interrupted)
    Lines.push_back(
        "the build was interrupted; what it had not compiled yet is "
        "not included");
  bool IsClangWithout = std::any_of(
      Facts.Foreign.begin(), Facts.Foreign.end(),
      [](const auto &Use) { return Use.first.starts_with(ClangWithout); });
  for (std::string &Line : missingLines(Facts))
    Lines.push_back(std::move(Line));
  if (Facts.CompiledAgain != 0)
    Lines.push_back(counted(Facts.CompiledAgain, "compile") +
                    " of the same file to the same object as one before: only "
                    "the last trace of each is there");
  if (!Text.TracesToCome.empty())
    Lines.push_back(
        counted(Text.TracesToCome.size(),
                "compile still runs, and writes its trace when it ends",
                "compiles still run, and write their traces when they end") +
        listOf(Text.TracesToCome, Text.TracesToCome.size()));
  else if (Reading.Units.empty() && !IsClangWithout)
    Lines.push_back("nothing to show: a Clang that compiles C++ with "
                    "templates leaves a trace, of the versions " +
                    clangList(Text.Clangs));
  return Lines;
}

} // namespace

Result<int> instantrace::writeSessionText(const SessionText &Text) {
  Output Out(stderr);
  for (const std::string &Line : headLines(Text))
    Out.append("instantrace: " + Line + "\n");
  return Out.finish();
}
