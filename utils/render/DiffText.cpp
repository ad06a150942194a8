#include "utils/render/DiffText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/CostText.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

constexpr size_t MarkdownNameColumns = 100;
constexpr size_t InputsShown = 5;

/// "+12", "-3", "" for no change.
std::string changeText(uint64_t Before, uint64_t After, CostUnit Unit) {
  if (Before == After)
    return {};
  return After > Before ? "+" + costNumberText(Unit, After - Before)
                        : "-" + costNumberText(Unit, Before - After);
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
  CostUnit Unit;
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
  std::vector<Total> Totals;
  auto Add = [&](const char *What, CostOrder Number) {
    Totals.push_back({What, valueOf(Before, Number), valueOf(After, Number),
                      costColumn(Number)->Unit});
  };
  Add("count", CostOrder::Count);
  Add("memoized", CostOrder::Memoized);
  Add("AST", CostOrder::Ast);
  if (hasBackend(Diff)) {
    Add("bytes", CostOrder::Bytes);
    Add("functions", CostOrder::Functions);
    Add("inlined away", CostOrder::InlinedAway);
  }
  Totals.push_back({"whole time", Diff.Old.Costs.compileNs(),
                    Diff.New.Costs.compileNs(), CostUnit::Time});
  Add("time in these rows", CostOrder::Self);
  if (hasBackend(Diff)) {
    Add("in the optimizer", CostOrder::Optimize);
    Add("in machine code", CostOrder::Generate);
  }
  return Totals;
}

std::string totalChange(const Total &T, const Noise &Within) {
  if (T.Unit == CostUnit::Time && Within.contains(T.Before, T.After))
    return "within the noise";
  std::string Change = changeText(T.Before, T.After, T.Unit);
  return Change.empty() ? "same" : Change + growthText(T.Before, T.After);
}

std::string compilesText(const BuildDiff &Diff) {
  std::string_view Old = clockWords(Diff.Old.Names->Clock);
  std::string_view New = clockWords(Diff.New.Names->Clock);
  return counted(Diff.New.Compiles, "compile") + " compared, in " +
         (Old == New ? std::string(New)
                     : fmt::format("{} against {}", Old, New));
}

const Trace &traceOf(const CostDiffRow &Row, const BuildDiff &Diff) {
  return *(Row.New ? Diff.New : Diff.Old).Names;
}

std::vector<std::string> namesOf(const BuildDiff &Diff, size_t Shown,
                                 const NameStyle &Style, size_t Columns) {
  std::vector<NameInTrace> Names;
  for (size_t I = 0; I != Shown; ++I) {
    const CostDiffRow &Row = Diff.Rows.Rows[I];
    Names.emplace_back(&traceOf(Row, Diff), Row.any().Name);
  }
  return distinctNames(Names, Style, Columns);
}

/// The template or file that grew most: in time, or in count where no time did
/// beyond the noise; null: none grew.
const CostDiffRow *grownMost(const CostDiff &Rows, const Noise &Within,
                             CostOrder Order) {
  const CostDiffRow *Most = nullptr;
  auto GrowthOf = [Order](const CostDiffRow &Row) {
    return Row.after(Order) - std::min(Row.before(Order), Row.after(Order));
  };
  for (const CostDiffRow &Row : Rows.Rows)
    if (Row.any().Name.Fixed.empty() &&
        GrowthOf(Row) > (Most ? GrowthOf(*Most) : 0) &&
        (costColumn(Order)->Unit != CostUnit::Time ||
         !Within.contains(Row, Order)))
      Most = &Row;
  return Most;
}

/// "3 instantiations more".
std::string countChange(uint64_t Before, uint64_t After) {
  return After < Before ? counted(Before - After, "instantiation") + " fewer"
                        : counted(After - Before, "instantiation") + " more";
}

/// "std::map<$> (+40.0 ms)".
std::string grownText(const CostDiff &Rows, const BuildDiff &Diff,
                      const NameStyle &Style, bool IsMarkdown) {
  constexpr size_t NameColumns = 50;
  for (CostOrder Order : {CostOrder::Self, CostOrder::Count})
    if (const CostDiffRow *Row = grownMost(Rows, Diff.Within, Order)) {
      const std::string Name =
          elidedName(traceOf(*Row, Diff), Row->any().Name, Style, NameColumns);
      return fmt::format(
          "{} ({})", IsMarkdown ? markdownCode(Name) : Name,
          Order == CostOrder::Self
              ? changeText(Row->before(Order), Row->after(Order),
                           CostUnit::Time)
              : countChange(Row->before(Order), Row->after(Order)));
    }
  return {};
}

/// Whether the work changed, by how much, what grew most and where.
std::string verdict(const BuildDiff &Diff, const NameStyle &Style,
                    bool IsMarkdown) {
  auto All = [](const CostRow &) { return true; };
  uint64_t OldNs = Diff.Old.Costs.compileNs(),
           NewNs = Diff.New.Costs.compileNs();
  const bool IsNoise = Diff.Within.contains(OldNs, NewNs);
  std::string Time = IsNoise
                         ? std::string("the time is the same within the noise")
                         : fmt::format("the time changed by {}{}",
                                       changeText(OldNs, NewNs, CostUnit::Time),
                                       growthText(OldNs, NewNs));
  for (auto [Build, Name] : {std::pair(&Diff.Old, "OLD"), {&Diff.New, "NEW"}})
    if (!Build->Only.empty() && Diff.Files)
      Time += fmt::format("; {} only in {} took {}",
                          counted(Build->Only.size(), "compile"), Name,
                          timeText(Build->OnlyNs));
  if (Diff.Rows.HasSameWork)
    return "No change in work: every count is the same, and " + Time + ".";
  uint64_t Before = sumOfNamedRows(Diff.Old.Costs, All).Count;
  uint64_t After = sumOfNamedRows(Diff.New.Costs, All).Count;
  std::string Text = "Work changed: ";
  Text += Before == After
              ? "as many instantiations as before"
              : countChange(Before, After) + growthText(Before, After);
  Text += ", and " + Time + ". ";
  std::string Grown = grownText(Diff.Rows, Diff, Style, IsMarkdown);
  if (Grown.empty())
    return Text + "No row grew.";
  std::string Where =
      Diff.Files ? grownText(*Diff.Files, Diff, Style, IsMarkdown) : "";
  return Text + "Most grew: " + Grown + (Where.empty() ? "" : ", in " + Where) +
         ".";
}

/// What a change of a time may mean, once for all of them.
std::string noiseText(const BuildDiff &Diff) {
  std::string Floor = timeText(Diff.Within.FloorNs);
  std::string Text =
      Diff.Within.Spreads
          ? fmt::format("{}; ~ is within what {} recordings of OLD differ by, "
                        "or {}",
                        TimesVary, Diff.Within.Spreads->recordings(), Floor)
          : fmt::format("{}; ~ is within {:g} % or {} (--noise)", TimesVary,
                        Diff.Within.Percent, Floor);
  const CostDiff &Rows = Diff.Rows;
  if (Rows.SameWorkOldNs != 0 && Rows.SameWorkNewNs != 0)
    Text += fmt::format(
        "\nwhere counts are equal, times differ by {:+.1f} % in all",
        changePercent(Rows.SameWorkOldNs, Rows.SameWorkNewNs));
  return Text;
}

std::string inputsText(const std::vector<std::string> &Inputs) {
  std::string Text;
  for (size_t I = 0; I != std::min(Inputs.size(), InputsShown); ++I) {
    Text.append(I == 0 ? "" : ", ");
    Text.append(shownPath(Inputs[I]));
  }
  return Inputs.size() > InputsShown ? Text + ", ..." : Text;
}

std::vector<std::string> unmatchedLines(const BuildDiff &Diff) {
  std::vector<std::string> Lines;
  for (auto [Build, Name] : {std::pair(&Diff.Old, "OLD"), {&Diff.New, "NEW"}}) {
    const auto &Prerequisites = Build->Prerequisites;
    if (!Prerequisites.empty())
      Lines.push_back(fmt::format(
          "{} more in {}, counted too, since the others use what {}: {}",
          Prerequisites.size(), Name,
          Prerequisites.size() == 1 ? "it makes" : "they make",
          inputsText(Prerequisites)));
    if (!Build->Only.empty())
      Lines.push_back(fmt::format(
          "{} only in {}{}: {}", Build->Only.size(), Name,
          Build == &Diff.Old ? " (gone, or not compiled this time)" : "",
          inputsText(Build->Only)));
  }
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

std::string closing(const BuildDiff &Diff, size_t Shown) {
  std::string TimesOnly;
  if (Diff.Rows.TimesOnly != 0)
    TimesOnly = fmt::format("{} took another time for the same work "
                            "(--sort=self shows them)\n",
                            counted(Diff.Rows.TimesOnly, "row"));
  if (Diff.Rows.Rows.empty() && !TimesOnly.empty())
    return TimesOnly;
  return TimesOnly +
         fmt::format(
             "{} of {} that changed ({} appeared, {} disappeared), {} without "
             "change{}\n",
             groupedText(Shown), counted(Diff.Rows.Rows.size(), "row"),
             groupedText(Diff.Rows.Appeared),
             groupedText(Diff.Rows.Disappeared),
             groupedText(Diff.Rows.UnchangedRows),
             allRowsHint(Shown, Diff.Rows.Rows.size()));
}

/// What a table has of each build, with that of the order, in so many columns.
std::vector<const CostColumn *> diffColumns(const BuildDiff &Diff,
                                            CostOrder SortedBy,
                                            size_t Within = SIZE_MAX) {
  constexpr size_t ChangeColumns = 10, NameColumns = 22;
  std::vector<const CostColumn *> Columns = {costColumn(CostOrder::Count),
                                             costColumn(CostOrder::Self),
                                             costColumn(CostOrder::Inclusive)};
  if (hasBackend(Diff))
    Columns.push_back(costColumn(CostOrder::Bytes));
  const CostColumn *Key = costColumn(SortedBy);
  if (Key && std::find(Columns.begin(), Columns.end(), Key) == Columns.end())
    Columns.push_back(Key);
  size_t Used = NameColumns;
  for (const CostColumn *C : Columns)
    Used += C->Width + ChangeColumns;
  if (Used > Within && SortedBy != CostOrder::Inclusive)
    std::erase(Columns, costColumn(CostOrder::Inclusive));
  return Columns;
}

std::vector<std::string> cells(const CostDiffRow &Row, const BuildDiff &Diff,
                               const std::vector<const CostColumn *> &Columns) {
  std::vector<std::string> Cells;
  for (const CostColumn *C : Columns) {
    uint64_t Before = Row.before(C->Order), After = Row.after(C->Order);
    Cells.push_back(costNumberText(C->Unit, After));
    Cells.push_back(C->isTime() && Diff.Within.contains(Row, C->Order)
                        ? "~"
                        : changeText(Before, After, C->Unit));
  }
  return Cells;
}

bool hasKinds(const BuildDiff &Diff) {
  return Diff.Kinds && !Diff.Kinds->Rows.empty();
}

std::vector<std::string> kindCells(const CostDiffRow &Row,
                                   const BuildDiff &Diff) {
  constexpr CostUnit Unit = CostUnit::Time;
  const uint64_t Before = Row.before(CostOrder::Self),
                 After = Row.after(CostOrder::Self);
  return {costNumberText(Unit, Before), costNumberText(Unit, After),
          Diff.Within.contains(Row, CostOrder::Self)
              ? "~"
              : changeText(Before, After, Unit),
          groupedText(Row.after(CostOrder::Count)),
          changeText(Row.before(CostOrder::Count), Row.after(CostOrder::Count),
                     CostUnit::Count)};
}

std::string kindName(const CostDiffRow &Row, const BuildDiff &Diff) {
  constexpr size_t KindBytes = 64;
  return Row.any().Name.text(traceOf(Row, Diff), {}, KindBytes);
}

} // namespace

std::vector<std::string> instantrace::renamedTexts(const CompileMatch &Match,
                                                   const Trace &Old,
                                                   const Trace &New) {
  std::vector<std::string> Texts;
  for (const RenamedCompile &Compile : Match.Renamed)
    Texts.push_back(
        fmt::format("{} is compared with {}, a file of another name",
                    shownPath(inputPath(New.Sequences[Compile.New])),
                    shownPath(inputPath(Old.Sequences[Compile.Old]))) +
        (Compile.Shared
             ? fmt::format(": {:.0f} % of their specializations are the "
                           "same",
                           100 * *Compile.Shared)
             : std::string()));
  return Texts;
}

void instantrace::writeDiff(Output &Out, const BuildDiff &Diff,
                            const DiffTextStyle &Style, const Terminal &Term) {
  TextStyles Styles(Term);
  for (const std::string &Line : brokenIntoLines(
           verdict(Diff, Style.Names, /*IsMarkdown=*/false), Term.Columns))
    Out.append(fmt::format("{}{}{}\n", Styles.Bold, Line, Styles.Plain));
  Out.append("\n" + compilesText(Diff) + "\n");
  if (!Diff.Compilers.empty())
    appendLines(Out, "compilers differ: " + Diff.Compilers, Term);
  for (const std::string &Line : unmatchedLines(Diff))
    appendLines(Out, Line, Term);
  Out.append(noiseText(Diff) + "\n\n");
  for (const Total &T : totals(Diff))
    Out.append(fmt::format(
        "{:24}{:>12} -> {:>12}  {}\n", T.What, costNumberText(T.Unit, T.Before),
        costNumberText(T.Unit, T.After), totalChange(T, Diff.Within)));
  Out.append("\n");
  if (hasKinds(Diff)) {
    TextTable Kinds(Out, Term,
                    {{"old", 10},
                     {"new", 10},
                     {"change", 10},
                     {"count", 11},
                     {"change", 10}});
    Kinds.head("  kind of work, self time");
    for (const CostDiffRow &Row : Diff.Kinds->Rows)
      Kinds.row(kindCells(Row, Diff),
                std::string(sign(Row)) + kindName(Row, Diff));
    Out.append("\n");
  }
  const std::vector<const CostColumn *> Columns =
      diffColumns(Diff, Style.SortedBy, Term.Columns);
  std::vector<TextTable::Column> Titles;
  for (const CostColumn *C : Columns)
    Titles.insert(Titles.end(), {{C->Title, C->Width}, {"change", 10}});
  TextTable Table(Out, Term, std::move(Titles));
  size_t Shown = shownRows(Diff.Rows.Rows.size(), Style.Shown);
  if (Shown != 0)
    Table.head("  " + std::string(Style.What));
  const std::vector<std::string> Names =
      namesOf(Diff, Shown, Style.Names, Table.nameColumns() - 2);
  for (size_t I = 0; I != Shown; ++I) {
    const CostDiffRow &Row = Diff.Rows.Rows[I];
    Table.row(cells(Row, Diff, Columns), std::string(sign(Row)) + Names[I],
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
  Out.append("### Template instantiation: " + compilesText(Diff) + "\n\n" +
             verdict(Diff, Style.Names, /*IsMarkdown=*/true) + "\n\n");
  for (const std::string &Line : unmatchedLines(Diff))
    Out.append("- " + markdownCode(Line) + "\n");
  if (!unmatchedLines(Diff).empty())
    Out.append("\n");
  Out.append(noiseText(Diff) + "\n\n");
  Out.append("| | old | new | change |\n|---|---:|---:|---:|\n");
  for (const Total &T : totals(Diff))
    Out.append(fmt::format(
        "| {} | {} | {} | {} |\n", T.What, costNumberText(T.Unit, T.Before),
        costNumberText(T.Unit, T.After), totalChange(T, Diff.Within)));
  if (uint64_t Old = Diff.Old.Costs.PeakRssBytes,
      New = Diff.New.Costs.PeakRssBytes;
      Old != 0 && New != 0)
    Out.append(
        fmt::format("| peak memory of the largest compile | {} | {} | {} |\n",
                    sizeText(Old), sizeText(New),
                    totalChange({"", Old, New, CostUnit::Bytes}, Diff.Within)));
  if (hasKinds(Diff)) {
    Out.append("\nCompilers differ: " + Diff.Compilers +
               "\n\n| old | new | change | count | change | kind of work, self "
               "time |\n|---:|---:|---:|---:|---:|---|\n");
    for (const CostDiffRow &Row : Diff.Kinds->Rows) {
      for (const std::string &Cell : kindCells(Row, Diff))
        Out.append("| " + Cell + " ");
      Out.append("| " + markdownCode(kindName(Row, Diff)) + " |\n");
    }
  }
  size_t Shown = shownRows(Diff.Rows.Rows.size(), Style.Shown);
  const std::vector<const CostColumn *> Columns =
      diffColumns(Diff, Style.SortedBy);
  if (Shown != 0) {
    std::string Heads = "\n|", Rule = "\n|";
    for (const CostColumn *C : Columns) {
      Heads += fmt::format(" {} | change |", C->Title);
      Rule += "---:|---:|";
    }
    Out.append(fmt::format("{} {} |{}---|\n", Heads, Style.What, Rule));
  }
  const std::vector<std::string> Names =
      namesOf(Diff, Shown, Style.Names, MarkdownNameColumns);
  for (size_t I = 0; I != Shown; ++I) {
    const CostDiffRow &Row = Diff.Rows.Rows[I];
    for (const std::string &Cell : cells(Row, Diff, Columns))
      Out.append("| " + Cell + " ");
    std::string Mark(status(Row));
    Out.append("| " + markdownCode(Names[I]) +
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
  Records.wholeNumber("prerequisites_old", Diff.Old.Prerequisites.size());
  Records.wholeNumber("prerequisites_new", Diff.New.Prerequisites.size());
  Records.wholeNumber("old_total_ns", Diff.Old.Costs.compileNs());
  Records.wholeNumber("new_total_ns", Diff.New.Costs.compileNs());
  Records.wholeNumber("changed", Diff.Rows.Rows.size());
  Records.wholeNumber("unchanged", Diff.Rows.UnchangedRows);
  Records.wholeNumber("appeared", Diff.Rows.Appeared);
  Records.wholeNumber("disappeared", Diff.Rows.Disappeared);
  Records.wholeText("compilers", Diff.Compilers);
  Records.wholeNumber("bounds", Diff.Bounds.size());
  Records.wholeNumber("bounds_exceeded",
                      static_cast<uint64_t>(std::count_if(
                          Diff.Bounds.begin(), Diff.Bounds.end(),
                          [](const JudgedBound &B) { return !B.IsKept; })));
  Records.wholeJson("judged_bounds", boundsJson(Diff.Bounds));
  for (size_t I = 0, Shown = shownRows(Diff.Rows.Rows.size(), Style.Shown);
       I != Shown; ++I) {
    const CostDiffRow &Row = Diff.Rows.Rows[I];
    Records.begin();
    Records.text("name", Row.any().Name.text(traceOf(Row, Diff), Style.Names,
                                             RecordNameBytes));
    Records.text("status", status(Row));
    Records.text("kind", Row.any().Kind);
    for (const CostColumn &C : CostColumns)
      if (!C.IsBackend || hasBackend(Diff)) {
        Records.number(C.OldJson, Row.before(C.Order));
        Records.number(C.NewJson, Row.after(C.Order));
      }
    Records.end();
  }
  Records.finish();
}
