#include "utils/render/AdviceText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/SarifText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

using namespace instantrace;

namespace {

/// Before the text of each line: "    because  ".
constexpr size_t TermColumns = 13;
constexpr size_t FewestAdviceColumns = 40;
constexpr size_t TitleNameColumns = 60;

/// What a suggestion has beside its title, one thing below the other.
class Writer {
public:
  Writer(Output &Out, const Terminal &Term)
      : Out(Out), Styles(Term),
        Columns(std::max(Term.Columns, TermColumns + FewestAdviceColumns) -
                TermColumns) {}

  void title(const std::string &Number, std::string_view Text) {
    std::string Begin = Number;
    for (const std::string &Line :
         brokenIntoLines(Text, Columns + TermColumns - Number.size())) {
      Out.append(
          fmt::format("{}{}{}{}\n", Styles.Bold, Begin, Line, Styles.Plain));
      Begin.assign(Number.size(), ' ');
    }
  }
  void prose(std::string_view Label, std::string_view Text) {
    for (const std::string &Line : brokenIntoLines(Text, Columns)) {
      line(Label, Line);
      Label = {};
    }
  }

  void lines(std::string_view Text) {
    while (!Text.empty()) {
      size_t End = std::min(Text.find('\n'), Text.size());
      line({}, "  " + printableText(Text.substr(0, End)));
      Text.remove_prefix(std::min(End + 1, Text.size()));
    }
  }

  void line(std::string_view Label, std::string_view Text) {
    Out.append(fmt::format("{}    {:<9}{}{}\n", Styles.Dim, Label, Styles.Plain,
                           Text));
  }

  size_t columns() const { return Columns; }

private:
  Output &Out;
  TextStyles Styles;
  size_t Columns;
};

/// "31 steps inside one another, down to lib::f<1> (list.h:3): 1.2 ms".
std::string evidenceText(const Trace &T, const AdviceEvidence &E,
                         const NameStyle &Style, size_t Columns) {
  std::string Text = fmt::format("{} {}", groupedText(E.Count), E.phrase());
  std::string End;
  if (!E.Place.empty())
    End += " (" + elideName(printableText(E.Place), Columns / 3) + ")";
  if (E.Ns)
    End += ": " + timeText(*E.Ns);
  size_t Used = columnsOf(Text) + columnsOf(End) + 1;
  std::string Name =
      elidedName(T, E.Name, Style, Columns > Used + 16 ? Columns - Used : 16);
  return Text + (Name.empty() ? "" : " " + Name) + End;
}

std::string evidenceRecord(const Trace &T, const AdviceEvidence &E,
                           const NameStyle &Style) {
  std::string Text = fmt::format("{} {}", E.Count, E.phrase());
  std::string Name = E.Name.text(T, Style, RecordNameBytes);
  if (!Name.empty())
    Text += " " + Name;
  if (!E.Place.empty())
    Text += " (" + E.Place + ")";
  if (E.Ns)
    Text += fmt::format(": {} ns", *E.Ns);
  return Text;
}

void writeBuildMode(Output &Out, const AdviceTextStyle &Style,
                    const Terminal &Term) {
  if (Style.HasAll)
    appendLines(Out,
                fmt::format("The build as a whole: {}, since {}. {}",
                            buildModeName(Style.Build.Mode),
                            buildModeReason(Style.Build), buildModePenalties()),
                Term);
}

/// "about 1.2 ms (3.4 %), between 1.0 ms and 2.0 ms", which is left out where
/// it says nothing.
std::string savingText(const Saving &Saves, uint64_t TotalNs) {
  const std::string About = timeText(Saves.EstimateNs);
  const std::string Least = timeText(Saves.LeastNs);
  const std::string Most = timeText(Saves.MostNs);
  std::string Text = fmt::format("about {} ({} %)", About,
                                 percentText(Saves.EstimateNs, TotalNs));
  if (Least != About || Most != About)
    Text += fmt::format(", between {} and {}", Least, Most);
  return Text;
}

/// "saves about 1.20 h of compiling for who builds after each commit (61
/// in 11.4 weeks)".
std::string weekText(int64_t Ns, const AdviceReport &Report) {
  return fmt::format("{} about {} of compiling for who builds after each "
                     "commit ({} in {})",
                     Ns < 0 ? "costs" : "saves",
                     longTimeText(static_cast<uint64_t>(std::abs(Ns))),
                     groupedText(Report.Commits), weeksText(Report.Weeks));
}

} // namespace

std::string instantrace::trialText(const Suggestion &S, uint64_t TotalNs) {
  const TrialResult &Tried = *S.Tried;
  if (Tried.Kind == TrialResult::Outcome::NotTried)
    return "not possible: " + printableText(Tried.Reason);
  std::string Text =
      "on " +
      (Tried.Units == Tried.AllUnits ? std::string()
                                     : groupedText(Tried.Units) + " of ") +
      counted(Tried.AllUnits, "unit") + ": ";
  if (Tried.Kind == TrialResult::Outcome::DoesNotBuild)
    return Text +
           (Tried.Linking == DoesNotLink ? "does not link: "
                                         : "does not compile: ") +
           printableText(Tried.Reason);
  const bool IsLoss = Tried.SavedNs < 0;
  Text += fmt::format(
      "{}{} % ± {}, compiles", IsLoss ? "-" : "",
      percentText(static_cast<uint64_t>(std::abs(Tried.SavedNs)), TotalNs),
      percentText(Tried.MarginNs, TotalNs));
  if (Tried.NewWarnings != 0)
    Text += " with " + counted(Tried.NewWarnings, "new warning");
  if (Tried.Kind == TrialResult::Outcome::DidNotPay)
    Text += ", does not pay";
  if (Tried.Linking.starts_with("links"))
    return Text + ", " + printableText(Tried.Linking) + ", tests not run";
  return Text + "; " +
         (Tried.Linking.empty() ? "not linked" : printableText(Tried.Linking)) +
         "; tests not run";
}

std::string instantrace::correctionText(const Suggestion &S, uint64_t TotalNs) {
  if (S.Corrected.Trials == 0)
    return {};
  return fmt::format("estimated {} %, by {} of this kind here rather {} %",
                     percentText(S.Saves.EstimateNs, TotalNs),
                     counted(S.Corrected.Trials, "trial"),
                     percentText(S.Corrected.Ns, TotalNs));
}

void instantrace::writeAdviceText(Output &Out, const Trace &T,
                                  const AdviceReport &Report,
                                  const AdviceTextStyle &Style,
                                  const Terminal &Term) {
  TextStyles Styles(Term);
  Writer Lines(Out, Term);
  size_t Count = Report.Suggestions.size();
  size_t Shown = shownRows(Count, Style.Wanted);
  if (Count == 0) {
    Out.append(fmt::format("No suggestion above {:g} %", Style.MinPercent) +
               (Style.LargestCost.empty()
                    ? ".\n"
                    : "; largest cost: " + Style.LargestCost + ".\n"));
    writeBuildMode(Out, Style, Term);
    return;
  }
  Out.append(fmt::format("{}{} for {} of {} in {}{}\n\n", Styles.Bold,
                         counted(Count, "suggestion"), timeText(Report.TotalNs),
                         clockWords(T.Clock),
                         counted(Report.Compiles, "compile"), Styles.Plain));
  for (size_t I = 0; I != Shown; ++I) {
    const Suggestion &S = Report.Suggestions[I];
    Lines.title(
        fmt::format("{:>2}. ", I + 1),
        adviceSentence(S, T, Style.Names, TitleNameColumns, Style.Shown));
    Lines.prose("saves",
                fmt::format("{} [{}]", savingText(S.Saves, Report.TotalNs),
                            adviceKindName(S.Kind)));
    if (S.WeekNs)
      Lines.prose("weekly", weekText(*S.WeekNs, Report));
    if (S.Tried)
      Lines.prose("tried", trialText(S, Report.TotalNs));
    if (std::string Text = correctionText(S, Report.TotalNs); !Text.empty())
      Lines.prose("trials", Text);
    for (const AdviceEvidence &E : S.Evidence) {
      bool IsFirst = &E == &S.Evidence.front();
      if (IsFirst || Style.HasAll)
        Lines.line(IsFirst ? "because" : "",
                   evidenceText(T, E, Style.Names, Lines.columns()));
    }
    if (Style.HasAll) {
      if (!S.Place.empty())
        Lines.line("at", elideName(printableText(S.Place), Lines.columns()));
      Lines.prose("do", S.Action);
      Lines.lines(S.ShortSnippet.empty() ? S.Snippet : S.ShortSnippet);
      Lines.prose("based on", S.Basis);
      for (std::string_view Doubt : S.Doubts)
        Lines.prose("but", Doubt);
    }
    Out.append("\n");
  }
  if (Style.Wanted == 0 && !Report.Overlapping.empty()) {
    Out.append("Instead of those about the same headers:\n");
    for (const Suggestion &S : Report.Overlapping)
      Lines.title("  - ", adviceSentence(S, T, Style.Names, TitleNameColumns,
                                         Style.Shown) +
                              ": " + savingText(S.Saves, Report.TotalNs));
    Out.append("\n");
  }
  std::string Text =
      fmt::format("{} of {}{}", groupedText(Shown),
                  counted(Count, "suggestion"), allRowsHint(Shown, Count));
  if (Report.Smaller != 0)
    Text +=
        fmt::format("; {} more below --min-share", groupedText(Report.Smaller));
  if (!Report.Overlapping.empty())
    Text += fmt::format("; {} more about the same headers{}",
                        groupedText(Report.Overlapping.size()),
                        Style.Wanted == 0 ? "" : " (-n 0)");
  if (!Style.HasAll)
    Text += "; -v shows evidence and lines to write";
  appendLines(Out, Text, Term);
  if (Shown > 1)
    appendLines(Out,
                "Suggestions of different kinds may save the same work: "
                "the savings do not add up.",
                Term);
  if (Report.Commits != 0)
    appendLines(Out, "Ranked by what a clean build saves; weekly is beside it.",
                Term);
  writeBuildMode(Out, Style, Term);
}

void instantrace::writeAdviceRecords(Output &Out, RecordFormat Format,
                                     const Trace &T, const AdviceReport &Report,
                                     const BuildModeChoice &Build,
                                     size_t Wanted, const NameStyle &Style) {
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", Report.TotalNs);
  Records.wholeNumber("suggestion_count", Report.Suggestions.size());
  Records.wholeNumber("smaller_count", Report.Smaller);
  Records.wholeText("build_mode", buildModeName(Build.Mode));
  Records.wholeText("build_mode_reason",
                    buildModeReason(Build) + ". " + buildModePenalties());
  for (size_t I = 0; I != shownRows(Report.Suggestions.size(), Wanted); ++I) {
    const Suggestion &S = Report.Suggestions[I];
    Records.begin();
    Records.text("kind", adviceKindName(S.Kind));
    Records.text("name", S.Subject.text(T, Style, RecordNameBytes));
    Records.text("place", S.Place);
    Records.number("saving_ns", S.Saves.EstimateNs);
    Records.number("least_ns", S.Saves.LeastNs);
    Records.number("most_ns", S.Saves.MostNs);
    std::vector<std::string> Evidence;
    for (const AdviceEvidence &E : S.Evidence)
      Evidence.push_back(evidenceRecord(T, E, Style));
    Records.list("evidence", Evidence);
    Records.text("action", S.Action);
    Records.text("snippet", S.Snippet);
    Records.text("basis", S.Basis);
    Records.list("doubts", {S.Doubts.begin(), S.Doubts.end()});
    if (Report.Commits != 0) {
      const int64_t Ns = S.WeekNs.value_or(0);
      Records.number("week_saving_ns",
                     static_cast<uint64_t>(std::max<int64_t>(Ns, 0)));
      Records.number("week_cost_ns",
                     static_cast<uint64_t>(std::max<int64_t>(-Ns, 0)));
    }
    if (Report.HasTrials) {
      const TrialResult Tried = S.Tried.value_or(TrialResult());
      Records.text("tried", S.Tried ? trialWord(Tried.Kind) : "");
      Records.text("tried_reason", Tried.Reason);
      Records.text("tried_link", Tried.Linking);
      Records.number("tried_units", Tried.Units);
      Records.number("tried_all_units", Tried.AllUnits);
      Records.number("tried_rounds", Tried.Rounds);
      Records.number("tried_before_ns", Tried.BeforeNs);
      Records.number("tried_after_ns", Tried.AfterNs);
      Records.number("tried_making_ns", Tried.MakingNs);
      Records.number("tried_saving_ns", static_cast<uint64_t>(std::max<int64_t>(
                                            Tried.SavedNs, 0)));
      Records.number("tried_margin_ns", Tried.MarginNs);
      Records.number("tried_new_warnings", Tried.NewWarnings);
      Records.number("trials_of_kind", S.Corrected.Trials);
      Records.number("corrected_ns", S.Corrected.Ns);
    }
    Records.end();
  }
  Records.finish();
}

void instantrace::writeAdviceSarif(
    Output &Out, const Trace &T, const AdviceReport &Report, size_t Wanted,
    const ProjectFolders &Project, const std::string &WorkingDirectory,
    const std::function<std::string(const Suggestion &)> &SourceOf) {
  std::vector<SarifRule> Rules;
  for (AdviceKind Kind : AdviceKinds) {
    std::string About(adviceKindMeaning(Kind));
    About.front() = static_cast<char>(std::toupper(About.front()));
    Rules.push_back(
        {std::string(adviceKindName(Kind)), About + ".", "docs/use/advice.md"});
  }
  // Whoever reads it is in the repository, and not where the build was run.
  const std::string &Top = Project.Root.empty() ? Project.Base : Project.Root;
  auto shown = [&](const std::string &Path) {
    return ProjectFolders{Top, Top}.shown(Path, WorkingDirectory);
  };
  std::vector<SarifResult> Results;
  for (size_t I = 0; I != shownRows(Report.Suggestions.size(), Wanted); ++I) {
    const Suggestion &S = Report.Suggestions[I];
    SarifResult &R = Results.emplace_back();
    R.Rule = adviceKindName(S.Kind);
    R.Message = adviceSentence(S, T, {}, TitleNameColumns, shown) +
                ". Estimate: saves " + savingText(S.Saves, Report.TotalNs) +
                ", of " + timeText(Report.TotalNs) + " in " +
                counted(Report.Compiles, "compile") + ".";
    setSarifPlace(R, S.Place.empty() ? SourceOf(S) : S.Place);
  }
  writeSarif(Out, Project, WorkingDirectory, "advise", Rules, Results);
}
