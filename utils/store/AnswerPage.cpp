#include "utils/store/AnswerPage.h"

#include "runtime/base/Utf8.h"
#include "utils/render/CleanText.h"
#include "utils/store/AnswerText.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

constexpr double Width = 900, Height = 260, Margin = 8, LabelWidth = 420;
constexpr double BarHeight = 18, BarGap = 6;
constexpr size_t MostLabelBytes = 60;

constexpr std::string_view PageHead = R"(<!doctype html>
<!-- made by instantrace -->
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Instantrace</title>
<style>
:root{color-scheme:light dark}
body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em}
h1{font-size:1.3em}h2{font-size:1.05em;margin-top:2em}
table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{padding:.2em .7em;text-align:right;border-bottom:1px solid #8884;white-space:nowrap}
th.t,td.t{text-align:left;white-space:normal;overflow-wrap:anywhere}
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:currentColor}
.mark{fill:#2a78d6}.line{fill:none;stroke:#2a78d6;stroke-width:2}
.step{fill:#d1495b}.axis{stroke:#8886}
</style></head><body>
)";

std::string htmlText(std::string_view Text) {
  std::string Out;
  appendXml(Out, cleanText(Text));
  return Out;
}

/// What of the answer is drawn.
struct Drawing {
  const AnswerTable &Rows;
  size_t Value, Label;
  double Most = 0;

  std::string valueText(size_t Row) const {
    return cellText(Rows.Columns[Value], Rows.Rows[Row][Value]);
  }
  std::string labelText(size_t Row) const {
    return cellText(Rows.Columns[Label], Rows.Rows[Row][Label]);
  }
};

void writeBars(Output &Out, const Drawing &D) {
  double Whole = static_cast<double>(D.Rows.Rows.size()) * (BarHeight + BarGap);
  Out.append(
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", Width, Whole));
  for (size_t I = 0; I != D.Rows.Rows.size(); ++I) {
    double Y = static_cast<double>(I) * (BarHeight + BarGap);
    double Long = D.Most > 0 ? std::max(0.0, realOf(D.Rows.Rows[I][D.Value])) /
                                   D.Most * (Width - LabelWidth - 100)
                             : 0;
    std::string Label = D.labelText(I);
    std::string Shown = Label;
    if (Shown.size() > MostLabelBytes)
      Shown = Shown.substr(0, utf8PrefixBytes(Shown, MostLabelBytes)) + "…";
    Out.append(fmt::format(
        "<g><title>{}: {}</title><text x=\"{}\" y=\"{}\" "
        "text-anchor=\"end\">{}</text><rect class=\"mark\" x=\"{}\" y=\"{}\" "
        "width=\"{:.1f}\" height=\"{}\" rx=\"2\"/><text x=\"{:.1f}\" "
        "y=\"{}\">{}</text></g>\n",
        htmlText(Label), htmlText(D.valueText(I)), LabelWidth - Margin,
        Y + BarHeight - 5, htmlText(Shown), LabelWidth, Y, Long, BarHeight,
        LabelWidth + Long + 5, Y + BarHeight - 5, htmlText(D.valueText(I))));
  }
  Out.append("</svg>\n");
}

/// Builds where a step is, to be marked.
std::vector<int64_t> stepBuilds(const Answer &A) {
  std::vector<int64_t> Builds;
  for (const AnswerTable &Detail : A.Details)
    if (Detail.Title == "steps")
      for (const auto &Row : Detail.Rows)
        if (const auto *Build = std::get_if<int64_t>(&Row[0]))
          Builds.push_back(*Build);
  return Builds;
}

void writeLine(Output &Out, const Drawing &D,
               const std::vector<int64_t> &Steps) {
  constexpr double Top = 24, Bottom = Height - 24;
  size_t Build = D.Rows.column("build");
  size_t Count = D.Rows.Rows.size();
  auto x = [&](size_t I) {
    return Count < 2 ? Width / 2
                     : Margin + static_cast<double>(I) /
                                    static_cast<double>(Count - 1) *
                                    (Width - 2 * Margin);
  };
  // From zero, so that a height is a value.
  auto y = [&](size_t I) {
    double Value = std::max(0.0, realOf(D.Rows.Rows[I][D.Value]));
    return D.Most > 0 ? Bottom - Value / D.Most * (Bottom - Top) : Bottom;
  };
  Out.append(fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n<line "
                         "class=\"axis\" x1=\"0\" x2=\"{}\" y1=\"{}\" "
                         "y2=\"{}\"/>\n<polyline class=\"line\" points=\"",
                         Width, Height, Width, Bottom, Bottom));
  for (size_t I = 0; I != Count; ++I)
    Out.append(fmt::format("{}{:.1f},{:.1f}", I == 0 ? "" : " ", x(I), y(I)));
  Out.append("\"/>\n");
  for (size_t I = 0; I != Count; ++I) {
    const auto *Number = Build == AnswerTable::npos
                             ? nullptr
                             : std::get_if<int64_t>(&D.Rows.Rows[I][Build]);
    bool IsStep =
        Number && std::find(Steps.begin(), Steps.end(), *Number) != Steps.end();
    Out.append(fmt::format(
        "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{} "
        "{}: {}</title></circle>\n",
        IsStep ? "step" : "mark", x(I), y(I), IsStep ? 6 : 4,
        Number ? "#" + std::to_string(*Number) : "", htmlText(D.labelText(I)),
        htmlText(D.valueText(I))));
  }
  Out.append(
      fmt::format("<text x=\"{}\" y=\"14\">{}: 0 to {}</text>\n<text x=\"{}\" "
                  "y=\"{}\">{}</text>\n<text x=\"{}\" y=\"{}\" "
                  "text-anchor=\"end\">{}</text>\n</svg>\n",
                  Margin, htmlText(columnTitle(D.Rows.Columns[D.Value])),
                  htmlText(cellText(D.Rows.Columns[D.Value],
                                    AnswerCell(static_cast<int64_t>(D.Most)))),
                  Margin, Height - 6, htmlText(D.labelText(0)), Width - Margin,
                  Height - 6, htmlText(D.labelText(Count - 1))));
}

void writeDrawing(Output &Out, const Answer &A) {
  Drawing D{A.Rows, A.Rows.column(A.Asked.DrawnColumn),
            A.Rows.column(A.Asked.LabelColumn)};
  if (A.Rows.Rows.empty() || D.Value == AnswerTable::npos ||
      D.Label == AnswerTable::npos)
    return;
  for (const auto &Row : A.Rows.Rows)
    D.Most = std::max(D.Most, realOf(Row[D.Value]));
  if (A.Asked.DrawsLine)
    writeLine(Out, D, stepBuilds(A));
  else
    writeBars(Out, D);
}

void writeTable(Output &Out, const AnswerTable &Table) {
  auto cellClass = [&](size_t Column) {
    return !Table.Rows.empty() &&
                   std::holds_alternative<std::string>(Table.Rows[0][Column])
               ? " class=\"t\""
               : "";
  };
  Out.append("<table><tr>");
  for (size_t I = 0; I != Table.Columns.size(); ++I)
    Out.append(fmt::format("<th{}>{}</th>", cellClass(I),
                           htmlText(columnTitle(Table.Columns[I]))));
  Out.append("</tr>\n");
  for (const auto &Row : Table.Rows) {
    Out.append("<tr>");
    for (size_t I = 0; I != Row.size(); ++I)
      Out.append(fmt::format("<td{}>{}</td>", cellClass(I),
                             htmlText(cellText(Table.Columns[I], Row[I]))));
    Out.append("</tr>\n");
  }
  Out.append("</table>\n");
}

} // namespace

void instantrace::writeAnswerPage(Output &Out, const Answer &A) {
  Out.append(PageHead);
  Out.append("<h1>" + htmlText(A.Asked.Text) + "</h1>\n<p>");
  for (const auto &[Name, Value] : A.Options)
    Out.append("--" + htmlText(Name) + "=" + htmlText(Value) + " ");
  Out.append("</p>\n");
  writeDrawing(Out, A);
  if (A.Rows.Rows.empty())
    Out.append("<p>nothing</p>\n");
  else
    writeTable(Out, A.Rows);
  for (const AnswerTable &Detail : A.Details) {
    Out.append("<h2>" + htmlText(Detail.Title) + "</h2>\n");
    if (Detail.Rows.empty())
      Out.append("<p>none</p>\n");
    else
      writeTable(Out, Detail);
  }
  Out.append("<p>");
  for (const std::string &Line : answerNotes(A))
    Out.append(htmlText(Line) + "<br>\n");
  Out.append("</p></body></html>\n");
}
