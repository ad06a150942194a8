#include "utils/render/DiffText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

using namespace instantrace;

namespace {

constexpr size_t MarkdownNameColumns = 100;
constexpr size_t InputsShown = 5;

using NumberText = std::string (*)(uint64_t);

/// "+12", "-3", "" for no change.
std::string changeText(uint64_t Before, uint64_t After, NumberText Text) {
  if (Before == After)
    return {};
  return After > Before ? "+" + Text(After - Before)
                        : "-" + Text(Before - After);
}

/// "~" for one within the noise.
std::string timeChangeText(uint64_t Before, uint64_t After,
                           const Noise &Within) {
  return Within.contains(Before, After) ? "~"
                                        : changeText(Before, After, timeText);
}

double changePercent(uint64_t Before, uint64_t After) {
  return 100 * (static_cast<double>(After) - static_cast<double>(Before)) /
         static_cast<double>(Before);
}

/// " (+5.3 %)".
std::string growthText(uint64_t Before, uint64_t After) {
  if (Before == 0 || Before == After)
    return {};
  return fmt::format(" ({:+.1f} %)", changePercent(Before, After));
}

struct Total {
  const char *What;
  uint64_t Before, After;
  NumberText Text;
  bool IsTime;
};

/// Of both: a build that was not recorded so far has nothing to compare with.
bool hasBackend(const BuildDiff &Diff) {
  return Diff.Old.Costs.HasBackend && Diff.New.Costs.HasBackend;
}

/// First what is the same in every run.
std::vector<Total> totals(const BuildDiff &Diff) {
  // The compile's own is apart.
  auto all = [](const CostRow &) { return true; };
  CostRow Before = sumOfNamedRows(Diff.Old.Costs, all);
  CostRow After = sumOfNamedRows(Diff.New.Costs, all);
  std::vector<Total> Totals = {
      {"count", Before.Count, After.Count, groupedText, false},
      {"memoized", Before.Memoized, After.Memoized, groupedText, false},
      {"AST", Before.AstBytes, After.AstBytes, sizeText, false},
  };
  const BackendCost &Old = Before.backend(), &New = After.backend();
  if (hasBackend(Diff)) {
    Totals.push_back(
        {"bytes", Old.ObjectBytes, New.ObjectBytes, sizeText, false});
    Totals.push_back(
        {"functions", Old.Emitted, New.Emitted, groupedText, false});
    Totals.push_back(
        {"inlined away", Old.InlinedAway, New.InlinedAway, groupedText, false});
  }
  Totals.push_back({"whole time", Diff.Old.Costs.TotalNs,
                    Diff.New.Costs.TotalNs, timeText, true});
  Totals.push_back(
      {"time in these rows", Before.SelfNs, After.SelfNs, timeText, true});
  if (hasBackend(Diff)) {
    Totals.push_back(
        {"in the optimizer", Old.OptimizeNs, New.OptimizeNs, timeText, true});
    Totals.push_back(
        {"in machine code", Old.GenerateNs, New.GenerateNs, timeText, true});
  }
  return Totals;
}

std::string totalChange(const Total &T, const Noise &Within) {
  if (T.IsTime && Within.contains(T.Before, T.After))
    return "within the noise";
  std::string Change = changeText(T.Before, T.After, T.Text);
  return Change.empty() ? "same" : Change + growthText(T.Before, T.After);
}

std::string compilesText(const BuildDiff &Diff) {
  size_t Pairs = Diff.New.Compiles;
  return counted(Pairs, "compile") + " compared";
}

/// What a change of a time may mean, once for all of them.
std::string noiseText(const BuildDiff &Diff) {
  std::string Text =
      fmt::format("{}; ~ is within {:g} % or {} (--noise)", TimesVary,
                  Diff.Within.Percent, timeText(Diff.Within.FloorNs));
  const CostDiff &Rows = Diff.Rows;
  if (Rows.SameWorkOldNs != 0 && Rows.SameWorkNewNs != 0)
    Text += fmt::format(
        "\nwhere counts are equal, times differ by {:+.1f} % in all",
        changePercent(Rows.SameWorkOldNs, Rows.SameWorkNewNs));
  return Text;
}

std::string onlyText(const char *Which, const std::vector<std::string> &Only) {
  std::string Text = fmt::format("{} only in {}: ", Only.size(), Which);
  for (size_t I = 0; I != std::min(Only.size(), InputsShown); ++I) {
    Text.append(I == 0 ? "" : ", ");
    appendPrintable(Text, Only[I]);
  }
  return Only.size() > InputsShown ? Text + ", ..." : Text;
}

std::vector<std::string> unmatchedLines(const BuildDiff &Diff) {
  std::vector<std::string> Lines;
  if (!Diff.Old.Only.empty())
    Lines.push_back(onlyText("OLD", Diff.Old.Only));
  if (!Diff.New.Only.empty())
    Lines.push_back(onlyText("NEW", Diff.New.Only));
  size_t Shown = std::min(Diff.Renamed.size(), InputsShown);
  for (size_t I = 0; I != Shown; ++I)
    Lines.push_back(printableText(Diff.Renamed[I]));
  if (Diff.Renamed.size() > Shown)
    Lines.push_back(counted(Diff.Renamed.size() - Shown, "more renamed file"));
  return Lines;
}

std::string_view status(const CostDiffRow &Row) {
  return Row.hasAppeared()      ? "appeared"
         : Row.hasDisappeared() ? "disappeared"
                                : "changed";
}

/// "+" and "-" in front of what is on one side only.
std::string_view sign(const CostDiffRow &Row) {
  return Row.hasAppeared() ? "+ " : Row.hasDisappeared() ? "- " : "  ";
}

const Trace &traceOf(const CostDiffRow &Row, const BuildDiff &Diff) {
  return *(Row.New ? Diff.New : Diff.Old).Names;
}

std::string closing(const BuildDiff &Diff, size_t Shown) {
  return fmt::format(
      "{} of {} that changed ({} appeared, {} disappeared), {} without "
      "change{}\n",
      groupedText(Shown), counted(Diff.Rows.Rows.size(), "row"),
      groupedText(Diff.Rows.Appeared), groupedText(Diff.Rows.Disappeared),
      groupedText(Diff.Rows.UnchangedRows),
      allRowsHint(Shown, Diff.Rows.Rows.size()));
}

/// Of the key of the order, where no other column is.
struct KeyColumn {
  std::string_view Title;
  NumberText Text;
  size_t width() const { return std::max<size_t>(9, Title.size() + 2); }
};

std::optional<KeyColumn> keyColumn(const BuildDiff &Diff, CostOrder SortedBy) {
  switch (SortedBy) {
  case CostOrder::Self:
  case CostOrder::Inclusive:
  case CostOrder::Count:
  case CostOrder::Name:
    return std::nullopt;
  case CostOrder::Memoized:
    return KeyColumn{"memoized", groupedText};
  case CostOrder::Ast:
    return KeyColumn{"AST", sizeText};
  case CostOrder::Frontend:
    return KeyColumn{"frontend", timeText};
  case CostOrder::Optimize:
    return KeyColumn{"optimize", timeText};
  case CostOrder::Generate:
    return KeyColumn{"generate", timeText};
  case CostOrder::Bytes:
    return hasBackend(Diff) ? std::nullopt
                            : std::optional(KeyColumn{"bytes", sizeText});
  case CostOrder::Functions:
    return KeyColumn{"functions", groupedText};
  case CostOrder::InlinedAway:
    return KeyColumn{"inlined", groupedText};
  }
  return std::nullopt;
}

std::vector<std::string> cells(const CostDiffRow &Row, const BuildDiff &Diff,
                               const DiffTextStyle &Style) {
  CostRow Before = Row.before(), After = Row.after();
  std::vector<std::string> Cells = {
      groupedText(After.Count),
      changeText(Before.Count, After.Count, groupedText),
      timeText(After.SelfNs),
      timeChangeText(Before.SelfNs, After.SelfNs, Diff.Within),
      timeText(After.InclusiveNs),
      timeChangeText(Before.InclusiveNs, After.InclusiveNs, Diff.Within)};
  if (hasBackend(Diff)) {
    Cells.push_back(sizeText(After.backend().ObjectBytes));
    Cells.push_back(changeText(Before.backend().ObjectBytes,
                               After.backend().ObjectBytes, sizeText));
  }
  if (std::optional<KeyColumn> Key = keyColumn(Diff, Style.SortedBy)) {
    uint64_t Was = valueOf(Before, Style.SortedBy);
    uint64_t Is = valueOf(After, Style.SortedBy);
    Cells.push_back(Key->Text(Is));
    Cells.push_back(changeText(Was, Is, Key->Text));
  }
  return Cells;
}

struct BackendField {
  std::string_view OldName, NewName;
  uint64_t BackendCost::*Field;
};
constexpr BackendField BackendFields[] = {
    {"old_optimize_ns", "new_optimize_ns", &BackendCost::OptimizeNs},
    {"old_generate_ns", "new_generate_ns", &BackendCost::GenerateNs},
    {"old_object_bytes", "new_object_bytes", &BackendCost::ObjectBytes},
    {"old_functions", "new_functions", &BackendCost::Emitted},
    {"old_inlined_away", "new_inlined_away", &BackendCost::InlinedAway},
};

} // namespace

std::vector<std::string> instantrace::renamedTexts(const CompileMatch &Match,
                                                   const Trace &Old,
                                                   const Trace &New) {
  std::vector<std::string> Texts;
  for (const RenamedCompile &Of : Match.Renamed)
    Texts.push_back(
        fmt::format("{} is compared with {}, a file of another name",
                    inputPath(New.Sequences[Of.New]),
                    inputPath(Old.Sequences[Of.Old])) +
        (Of.Shared ? fmt::format(": {:.0f} % of their specializations are the "
                                 "same",
                                 100 * *Of.Shared)
                   : std::string()));
  return Texts;
}

void instantrace::writeDiff(Output &Out, const BuildDiff &Diff,
                            const DiffTextStyle &Style, const Terminal &Term) {
  TextStyles Styles(Term);
  Out.append(
      fmt::format("{}{}{}\n", Styles.Bold, compilesText(Diff), Styles.Plain));
  for (const std::string &Line : unmatchedLines(Diff))
    Out.append(Line + "\n");
  Out.append(noiseText(Diff) + "\n\n");
  for (const Total &T : totals(Diff))
    Out.append(fmt::format("{:24}{:>12} -> {:>12}  {}\n", T.What,
                           T.Text(T.Before), T.Text(T.After),
                           totalChange(T, Diff.Within)));
  Out.append("\n");
  std::vector<TextTable::Column> Columns = {{"count", 10},     {"change", 10},
                                            {"self", 10},      {"change", 10},
                                            {"inclusive", 11}, {"change", 10}};
  if (hasBackend(Diff))
    Columns.insert(Columns.end(), {{"bytes", 9}, {"change", 10}});
  if (std::optional<KeyColumn> Key = keyColumn(Diff, Style.SortedBy))
    Columns.insert(Columns.end(), {{Key->Title, Key->width()}, {"change", 10}});
  TextTable Table(Out, Term, std::move(Columns));
  size_t Shown = shownRows(Diff.Rows.Rows.size(), Style.Shown);
  if (Shown != 0)
    Table.head("  " + std::string(Style.What));
  for (size_t I = 0; I != Shown; ++I) {
    const CostDiffRow &Row = Diff.Rows.Rows[I];
    Table.row(cells(Row, Diff, Style),
              std::string(sign(Row)) + elidedName(traceOf(Row, Diff),
                                                  Row.any().Name, Style.Names,
                                                  Table.nameColumns() - 2),
              !Row.any().Name.Fixed.empty());
  }
  Out.append((Shown != 0 ? "\n" : "") + closing(Diff, Shown));
  if (!Diff.Bounds.empty()) {
    Out.append("\n");
    writeBounds(Out, Diff.Bounds, Term);
  }
}

void instantrace::writeDiffMarkdown(Output &Out, const BuildDiff &Diff,
                                    const DiffTextStyle &Style) {
  Out.append("### Template instantiation: " + compilesText(Diff) + "\n\n");
  for (const std::string &Line : unmatchedLines(Diff))
    Out.append("- " + markdownCode(Line) + "\n");
  if (!unmatchedLines(Diff).empty())
    Out.append("\n");
  Out.append(noiseText(Diff) + "\n\n");
  Out.append("| | old | new | change |\n|---|---:|---:|---:|\n");
  for (const Total &T : totals(Diff))
    Out.append(fmt::format("| {} | {} | {} | {} |\n", T.What, T.Text(T.Before),
                           T.Text(T.After), totalChange(T, Diff.Within)));
  size_t Shown = shownRows(Diff.Rows.Rows.size(), Style.Shown);
  std::optional<KeyColumn> Key = keyColumn(Diff, Style.SortedBy);
  if (Shown != 0)
    Out.append(fmt::format("\n| count | change | self | change | inclusive | "
                           "change | {}{}{} |\n"
                           "|---:|---:|---:|---:|---:|---:|{}{}---|\n",
                           hasBackend(Diff) ? "bytes | change | " : "",
                           Key ? fmt::format("{} | change | ", Key->Title) : "",
                           Style.What, hasBackend(Diff) ? "---:|---:|" : "",
                           Key ? "---:|---:|" : ""));
  for (size_t I = 0; I != Shown; ++I) {
    const CostDiffRow &Row = Diff.Rows.Rows[I];
    for (const std::string &Cell : cells(Row, Diff, Style))
      Out.append("| " + Cell + " ");
    std::string Mark(status(Row));
    Out.append("| " +
               markdownCode(elidedName(traceOf(Row, Diff), Row.any().Name,
                                       Style.Names, MarkdownNameColumns)) +
               (Mark == "changed" ? "" : " " + Mark) + " |\n");
  }
  Out.append("\n" + closing(Diff, Shown));
  if (!Diff.Bounds.empty()) {
    Out.append("\n");
    writeBoundsMarkdown(Out, Diff.Bounds);
  }
}

void instantrace::writeDiffRecords(Output &Out, RecordFormat Format,
                                   const BuildDiff &Diff,
                                   const DiffTextStyle &Style) {
  RecordText Records(Out, Format);
  Records.wholeNumber("compiles", Diff.New.Compiles);
  Records.wholeNumber("only_old", Diff.Old.Only.size());
  Records.wholeNumber("only_new", Diff.New.Only.size());
  Records.wholeNumber("renamed", Diff.Renamed.size());
  Records.wholeNumber("old_total_ns", Diff.Old.Costs.TotalNs);
  Records.wholeNumber("new_total_ns", Diff.New.Costs.TotalNs);
  Records.wholeNumber("changed", Diff.Rows.Rows.size());
  Records.wholeNumber("unchanged", Diff.Rows.UnchangedRows);
  Records.wholeNumber("appeared", Diff.Rows.Appeared);
  Records.wholeNumber("disappeared", Diff.Rows.Disappeared);
  Records.wholeNumber("bounds", Diff.Bounds.size());
  Records.wholeNumber("bounds_exceeded",
                      static_cast<uint64_t>(std::count_if(
                          Diff.Bounds.begin(), Diff.Bounds.end(),
                          [](const JudgedBound &B) { return !B.IsKept; })));
  Records.wholeJson("judged_bounds", boundsJson(Diff.Bounds));
  for (size_t I = 0, Shown = shownRows(Diff.Rows.Rows.size(), Style.Shown);
       I != Shown; ++I) {
    const CostDiffRow &Row = Diff.Rows.Rows[I];
    CostRow Before = Row.before(), After = Row.after();
    Records.begin();
    Records.text("name", Row.any().Name.text(traceOf(Row, Diff), Style.Names,
                                             RecordNameBytes));
    Records.text("status", status(Row));
    Records.text("kind", Row.any().Kind);
    Records.number("old_count", Before.Count);
    Records.number("new_count", After.Count);
    Records.number("old_memoized", Before.Memoized);
    Records.number("new_memoized", After.Memoized);
    Records.number("old_self_ns", Before.SelfNs);
    Records.number("new_self_ns", After.SelfNs);
    Records.number("old_inclusive_ns", Before.InclusiveNs);
    Records.number("new_inclusive_ns", After.InclusiveNs);
    Records.number("old_ast_bytes", Before.AstBytes);
    Records.number("new_ast_bytes", After.AstBytes);
    if (hasBackend(Diff))
      for (const BackendField &F : BackendFields) {
        Records.number(F.OldName, Before.backend().*F.Field);
        Records.number(F.NewName, After.backend().*F.Field);
      }
    Records.end();
  }
  Records.finish();
}
