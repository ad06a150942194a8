#include "utils/lsp/LspText.h"

#include "utils/render/BudgetText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"

#include <cmath>
#include <utility>

using namespace instantrace;

namespace {

std::string pathCode(const std::string &Path) {
  return markdownCode(shownPath(Path));
}

std::string workTable(const LineWork &Work, const std::string &Unit) {
  if (Work.Largest.empty())
    return {};
  std::string Text = "\n| what it asks for in " + pathCode(Unit) +
                     " | time | syntax tree |\n|---|--:|--:|\n";
  auto addRow = [&Text](const std::string &Name, const LineRow &Row) {
    Text += "| " + Name + " | " + timeText(Row.InclusiveNs) + " | " +
            (Row.AstBytes == 0 ? "" : sizeText(Row.AstBytes)) + " |\n";
  };
  for (const LineRow &Row : Work.Largest)
    addRow(markdownCode(Row.Name) + (Row.IsItself ? " itself" : "") +
               (Row.Count > 1 ? " × " + groupedText(Row.Count) : ""),
           Row);
  if (Work.Others.Count != 0)
    addRow("and " + counted(Work.Others.Count, "other"), Work.Others);
  return Text;
}

} // namespace

std::string instantrace::costLabel(const EditorLine &Line, bool IsStale) {
  std::string Text = IsStale ? "stale: " : "";
  Text += timeText(Line.shownNs());
  if (Line.Units > 1)
    Text += " in " + counted(Line.Units, "unit");
  const double Share = Line.UnitsNs == 0
                           ? 0
                           : 100 * static_cast<double>(Line.shownNs()) /
                                 static_cast<double>(Line.UnitsNs);
  if (const long Percent = std::lround(Share))
    Text += ", " + std::to_string(Percent) + " %";
  return Text;
}

std::string instantrace::costMarkdown(const EditorLine &Line,
                                      const LineWork &Work,
                                      const SessionCosts &Costs,
                                      const std::string &SessionPath,
                                      bool IsStale) {
  std::string Text = "**" + costLabel(Line, false) + "** of compile time";
  if (IsStale)
    Text += "\n\nStale: the file is newer than its compile, or is not on the "
            "disk, so this may be the cost of another line.";
  Text += "\n\n| part | time | of its units |\n|---|--:|--:|\n";
  const std::pair<const char *, uint64_t> Parts[] = {
      {"caused: all that comes from the line", Line.CausedNs},
      {"inclusive: what the line asks for, and all inside", Line.InclusiveNs},
      {"self: what the line asks for, by itself", Line.SelfNs},
      {"backend: LLVM, for functions that the line asks for", Line.BackendNs}};
  for (auto [Name, Ns] : Parts)
    if (Ns != 0)
      Text += std::string("| ") + Name + " | " + timeText(Ns) + " | " +
              percentText(Ns, Line.UnitsNs) + " % |\n";
  if (Line.Units > 1) {
    Text += "\n| unit | time |\n|---|--:|\n";
    for (const LineUnit &Unit : Line.Costliest)
      if (Unit.Ns != 0)
        Text += "| " + pathCode(Costs.Units[Unit.Index].Source) + " | " +
                timeText(Unit.Ns) + " |\n";
    if (Line.Units > Line.Costliest.size())
      Text += "| and " + counted(Line.Units - Line.Costliest.size(), "other") +
              " | |\n";
  }
  Text += workTable(Work, Costs.Units[Line.Costliest[0].Index].Source);
  Text += "\nSession " + pathCode(SessionPath);
  if (!Costs.Problems.empty())
    Text += ": not all of it can be read, see the editor's log";
  return Text;
}
