#include "utils/lsp/LspText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"

#include <cmath>

using namespace instantrace;

namespace {

std::string shareText(uint64_t PartNs, uint64_t WholeNs) {
  return percentText(PartNs, WholeNs) + " %";
}

std::string tableRow(const std::string &Name, uint64_t Ns, uint64_t WholeNs) {
  return "| " + Name + " | " + timeText(Ns) + " | " + shareText(Ns, WholeNs) +
         " |\n";
}

/// A path as code, which ends neither that nor a cell.
std::string codeText(const std::string &Path) {
  std::string Text;
  for (char C : printableText(shownPath(Path)))
    Text.push_back(C == '`' || C == '|' ? '?' : C);
  return "`" + Text + "`";
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
                                      const SessionCosts &Costs,
                                      const std::string &SessionPath,
                                      bool IsStale) {
  std::string Text = "**" + costLabel(Line, false) + "** of compile time";
  if (IsStale)
    Text += "\n\nStale: the file is newer than its compile, or is not on the "
            "disk, so this may be the cost of another line.";
  Text += "\n\n| part | time | of its units |\n|---|--:|--:|\n";
  if (Line.CausedNs != 0)
    Text += tableRow("caused: all that comes from the line", Line.CausedNs,
                     Line.UnitsNs);
  if (Line.InclusiveNs != 0)
    Text += tableRow("inclusive: what the line asks for, and all inside",
                     Line.InclusiveNs, Line.UnitsNs);
  if (Line.SelfNs != 0)
    Text += tableRow("self: what the line asks for, by itself", Line.SelfNs,
                     Line.UnitsNs);
  if (Line.BackendNs != 0)
    Text += tableRow("backend: LLVM, for functions that the line asks for",
                     Line.BackendNs, Line.UnitsNs);
  if (Line.Units > 1) {
    Text += "\n| unit | time |\n|---|--:|\n";
    for (const LineUnit &Unit : Line.Costliest)
      if (Unit.Ns != 0)
        Text += "| " + codeText(Costs.Units[Unit.Index]) + " | " +
                timeText(Unit.Ns) + " |\n";
    if (Line.Units > Line.Costliest.size())
      Text += "| and " + counted(Line.Units - Line.Costliest.size(), "other") +
              " | |\n";
  }
  return Text + "\nSession " + codeText(SessionPath);
}
