#include "utils/render/OverviewText.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/render/AdviceSentence.h"
#include "utils/render/AdviceText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

constexpr size_t ShareBarColumns = 24, LinePlaceColumns = 24,
                 SubjectColumns = 40;
constexpr size_t MostSentenceLines = 3;
constexpr size_t MostLines = 30, LinesOfNext = 3;
/// Behind the text of a line or a suggestion: "   9.10 s   46      5".
constexpr size_t NsColumns = 10, ShareColumns = 5, UnitsColumns = 7;
/// A part that takes so much says what to look at next.
constexpr uint64_t MuchPercent = 30;

struct ShareWords {
  std::string_view Text, Record; ///< for people, and for scripts
};

ShareWords wordsFor(TimeShareKind Kind) {
  switch (Kind) {
  case TimeShareKind::Headers:
    return {"parsing headers", "headers"};
  case TimeShareKind::Templates:
    return {"templates", "templates"};
  case TimeShareKind::OwnFiles:
    return {"your files themselves", "own-files"};
  case TimeShareKind::Constants:
    return {"constant evaluation", "constant-evaluation"};
  case TimeShareKind::Code:
    return {"generating code", "code"};
  case TimeShareKind::Other:
    return {"not attributed", "other"};
  }
  return {};
}

/// "46", or "<1".
std::string wholePercent(uint64_t Ns, uint64_t TotalNs) {
  if (TotalNs == 0)
    return "-";
  double Percent = 100 * static_cast<double>(Ns) / static_cast<double>(TotalNs);
  return Percent < 0.5 ? "<1" : fmt::format("{:.0f}", Percent);
}

std::string padded(std::string Text, size_t Columns) {
  size_t Used = columnsOf(Text);
  return Text.append(Columns - std::min(Columns, Used), ' ');
}

std::string right(const std::string &Text, size_t Columns) {
  size_t Used = columnsOf(Text);
  return std::string(Columns - std::min(Columns, Used), ' ') + Text;
}

/// The last one is cut.
std::vector<std::string> wrapped(std::string_view Text, size_t Columns) {
  std::vector<std::string> Lines =
      brokenIntoLines(Text, Columns, MostSentenceLines);
  for (std::string &Line : Lines)
    Line = cutText(Line, Columns);
  return Lines;
}

/// What keeps Ninja from running more compiles at once than memory bears; empty
/// where its default, two more than processors, does not.
std::string ninjaPool(const OverviewScreen &Screen) {
  const uint64_t Fit = Screen.Sums.parallelUnits(Screen.MemoryBytes);
  if (Fit == 0 || Fit == Screen.Sums.PeaksBytes.size() ||
      Fit >= Screen.Processors + 2)
    return {};
  return fmt::format(
      "-DCMAKE_JOB_POOLS=compile={} -DCMAKE_JOB_POOL_COMPILE=compile", Fit);
}

class ScreenWriter {
public:
  ScreenWriter(Output &Out, const OverviewScreen &Screen, const Terminal &Term)
      : Out(Out), Screen(Screen), Term(Term), Styles(Term),
        TotalNs(Screen.Sums.totalNs()) {}

  void write() {
    writeTotals();
    writeMemory();
    writeShares();
    writeLines();
    writeAdvice();
    writeNext();
  }

private:
  void line(std::string_view Text) {
    Out.append(std::string(Text) + "\n");
    ++LinesWritten;
  }
  void heading(std::string_view Text) {
    line(fmt::format("{}{}{}", Styles.Bold, Text, Styles.Plain));
  }
  void writeTotals();
  void writeMemory();
  void writeShares();
  void writeLines();
  void writeAdvice();
  void writeNext();
  std::string shortened(const std::string &Place) const {
    return elideName(printableText(Place), LinePlaceColumns);
  }

  Output &Out;
  const OverviewScreen &Screen;
  const Terminal &Term;
  TextStyles Styles;
  const uint64_t TotalNs;
  size_t LinesWritten = 1; // `record` leaves one before it
};

void ScreenWriter::writeTotals() {
  const OverviewSums &Sums = Screen.Sums;
  bool IsOne = Sums.Units == 1 && !Sums.Input.empty();
  std::string Line = IsOne ? printableText(Screen.Project.shown(
                                 Sums.Input, Sums.WorkingDirectory))
                           : counted(Sums.Units, "unit");
  Line += (IsOne ? ": " : ", ") + timeText(TotalNs) + " of compile time";
  if (Screen.WallNs)
    Line += " (" + timeText(*Screen.WallNs) + " wall)";
  Line += fmt::format(". {}: {} in {}", IsOne ? "Trace" : "Traces",
                      sizeText(Sums.TraceBytes), printableText(Screen.Inputs));
  for (const std::string &Part : brokenIntoLines(Line, Term.Columns))
    heading(Part);
}

void ScreenWriter::writeMemory() {
  const OverviewSums &Sums = Screen.Sums;
  if (Sums.Largest.PeakBytes == 0)
    return;
  std::string Line = "Peak memory: " + sizeText(Sums.Largest.PeakBytes);
  if (Sums.Units > 1) {
    Line += " for " + shortened(Screen.Project.shown(
                          Sums.Largest.Input, Sums.Largest.WorkingDirectory));
    if (Screen.MemoryBytes != 0) {
      const uint64_t Fit = Sums.parallelUnits(Screen.MemoryBytes);
      Line += fmt::format(
          "; this machine's {} {}", sizeText(Screen.MemoryBytes),
          Fit == 0                        ? "are not enough for it"
          : Fit == Sums.PeaksBytes.size() ? "allow any -j"
                                          : "allow -j" + groupedText(Fit));
    }
  }
  for (const std::string &Part : brokenIntoLines(Line, Term.Columns))
    line(Part);
  if (std::string Pool = ninjaPool(Screen); !Pool.empty())
    line("CMake, Ninja: " + Pool);
}

void ScreenWriter::writeShares() {
  std::vector<TimeShare> Shares = Screen.Sums.timeShares();
  if (Shares.empty())
    return;
  line({});
  heading("Where the time went");
  size_t Widest = 0;
  for (const TimeShare &Share : Shares)
    Widest = std::max(Widest, wordsFor(Share.Kind).Text.size());
  for (const TimeShare &Share : Shares) {
    std::string Bar;
    if (Term.HasColours) {
      size_t Eighths =
          ShareBarColumns * 8 * Share.Ns / std::max<uint64_t>(Shares[0].Ns, 1);
      for (size_t I = 0; I != Eighths / 8; ++I)
        Bar += "\xe2\x96\x88";
      // U+2588 is eight eighths of a column, U+258F is one.
      if (size_t Rest = Eighths % 8)
        Bar += std::string("\xe2\x96") + static_cast<char>(0x90 - Rest);
      Bar = padded(Bar, ShareBarColumns);
    }
    line("  " + padded(std::string(wordsFor(Share.Kind).Text), Widest) +
         (Bar.empty() ? "" : "  " + Bar) +
         right(timeText(Share.Ns), NsColumns) +
         right(std::to_string(Share.Percent), ShareColumns) + " %");
  }
}

void ScreenWriter::writeLines() {
  // A line of less says nothing; one is there in any case.
  std::vector<const ShownUserLine *> Lines;
  for (const ShownUserLine &Line : Screen.Lines)
    if (Lines.empty() || Line.Line.Ns >= TotalNs / 100)
      Lines.push_back(&Line);
  if (Lines.empty())
    return;
  std::vector<std::string> Places;
  size_t Widest = 0;
  for (const ShownUserLine *Line : Lines) {
    std::string Place = shortened(Line->Place);
    if (Line->Line.Others != 0)
      Place = elideName(printableText(Line->Place), LinePlaceColumns - 5) +
              " +" + groupedText(Line->Line.Others);
    Widest = std::max(Widest, columnsOf(Place));
    Places.push_back(std::move(Place));
  }
  const bool HasUnits = Screen.Sums.Units > 1;
  size_t Numbers = NsColumns + ShareColumns + (HasUnits ? UnitsColumns : 0);
  size_t Left = columnsLeft(Term, 4 + Widest + Numbers);
  line({});
  heading(padded("Your most expensive lines", 4 + Widest + Left) +
          right("time", NsColumns) + right("%", ShareColumns) +
          (HasUnits ? right("units", UnitsColumns) : ""));
  for (size_t I = 0; I != Lines.size(); ++I) {
    const UserLine &Line = Lines[I]->Line;
    bool IsHot = 100 * Line.Ns >= 10 * TotalNs;
    line(fmt::format("  {}{}{}  {}{}{}{}", IsHot ? Styles.Bold : "",
                     padded(Places[I], Widest), IsHot ? Styles.Plain : "",
                     padded(cutText(sourceText(*Lines[I]), Left), Left),
                     right(timeText(Line.Ns), NsColumns),
                     right(wholePercent(Line.Ns, TotalNs), ShareColumns),
                     HasUnits ? right(groupedText(Line.Units), UnitsColumns)
                              : ""));
  }
  if (Screen.AllLines > Lines.size())
    line(fmt::format("  {} more: instantrace summary --by=user-frame {}",
                     groupedText(Screen.AllLines - Lines.size()),
                     printableText(Screen.Inputs)));
}

void ScreenWriter::writeAdvice() {
  const std::vector<Suggestion> &All = Screen.Advice.Suggestions;
  if (All.empty()) {
    std::string Text = "No suggestion saves more than 1 %.";
    if (!Screen.Lines.empty()) {
      const ShownUserLine &Line = Screen.Lines.front();
      std::string Source = sourceText(Line);
      Text += " Most expensive line: " + printableText(Line.Place) +
              (Source.empty() ? "" : ", " + Source) + ", " +
              wholePercent(Line.Line.Ns, TotalNs) + " %.";
    }
    line({});
    for (const std::string &Line : wrapped(Text, Term.Columns))
      line(Line);
    return;
  }
  constexpr size_t Indent = 5;
  size_t Numbers = NsColumns + ShareColumns;
  size_t Left = columnsLeft(Term, Indent + Numbers);
  line({});
  heading(padded("What to do (savings are estimates)", Indent + Left) +
          right("saves", NsColumns) + right("%", ShareColumns));
  for (size_t I = 0; I != std::min(All.size(), SuggestionsOnScreen); ++I) {
    std::vector<std::string> Lines = wrapped(
        adviceSentence(All[I], Screen.AdviceNames, Screen.Names, SubjectColumns,
                       [this](const std::string &Path) {
                         return Screen.Project.shown(
                             Path, Screen.Sums.WorkingDirectory);
                       }),
        Left);
    if (I != 0 && LinesWritten + Lines.size() + LinesOfNext > MostLines)
      break;
    for (size_t J = 0; J != Lines.size(); ++J)
      line(J != 0 ? std::string(Indent, ' ') + Lines[J]
                  : fmt::format(
                        "{:>3}. {}{}{}", I + 1, padded(Lines[J], Left),
                        right(timeText(All[I].Saves.EstimateNs), NsColumns),
                        right(wholePercent(All[I].Saves.EstimateNs, TotalNs),
                              ShareColumns)));
  }
}

/// The two that fit best what was found.
void ScreenWriter::writeNext() {
  const std::string In = printableText(Screen.Inputs);
  std::vector<std::pair<std::string, std::string_view>> Next;
  const Suggestions &Advice = Screen.Advice.Suggestions;
  if (std::any_of(Advice.begin(), Advice.end(),
                  [](const Suggestion &S) { return !S.Change.isEmpty(); }))
    Next.push_back({"instantrace advise --try " + In,
                    "compile with each suggestion, and measure"});
  else if (!Advice.empty())
    Next.push_back({"instantrace advise " + In,
                    "evidence, and lines to write, for each suggestion"});
  const uint64_t HeadersNs =
      Screen.Sums.ShareNs[static_cast<size_t>(TimeShareKind::Headers)];
  if (100 * HeadersNs >= MuchPercent * TotalNs && HeadersNs != 0)
    Next.push_back({"instantrace headers " + In,
                    "each header, and by which way it is read"});
  for (const ShownUserLine &Line : Screen.Lines)
    if (Line.Line.Included.empty()) {
      Next.push_back(
          {"instantrace annotate " + In + " " +
               printableText(Line.Place.substr(0, Line.Place.rfind(':'))),
           "each line of the file with its cost"});
      break;
    }
  Next.push_back(
      {"instantrace summary --by=template " + In, "which templates cost most"});
  Next.resize(std::min<size_t>(Next.size(), 2));
  Out.append("\n");
  size_t Widest = 0;
  for (const auto &[Command, Why] : Next)
    Widest = std::max(Widest, columnsOf(Command));
  for (size_t I = 0; I != Next.size(); ++I) {
    const auto &[Command, Why] = Next[I];
    bool Fits = 6 + Widest + 2 + Why.size() <= Term.Columns;
    Out.append(
        (I == 0 ? "Next: " : "      ") +
        (Fits ? padded(Command, Widest) + "  " + std::string(Why) : Command) +
        "\n");
  }
}

} // namespace

std::string instantrace::sourceText(const ShownUserLine &Line) {
  std::string Text;
  for (char C : Line.Source) // no column is worth a tab
    if (!(Text.empty() && (C == ' ' || C == '\t')))
      Text += C == '\t' ? ' ' : C;
  if (!Text.empty())
    return printableText(Text);
  if (Line.Line.Included.empty())
    return {};
  return "(includes " +
         printableText(pathEnd(Line.Line.Included, SubjectColumns)) + ")";
}

void instantrace::writeOverviewText(Output &Out, const OverviewScreen &Screen,
                                    const Terminal &Term) {
  ScreenWriter(Out, Screen, Term).write();
}

void instantrace::writeOverviewRecord(Output &Out,
                                      const OverviewScreen &Screen) {
  std::string &Buffer = Out.buffer();
  auto Shown = [&Screen](const std::string &Path) {
    return Screen.Project.shown(Path, Screen.Sums.WorkingDirectory);
  };
  {
    JsonAnswer Whole(Buffer);
    Whole.number("traces", Screen.Traces);
    Whole.number("units", Screen.Sums.Units);
    Whole.number("total_ns", Screen.Sums.totalNs());
    Whole.number("profiling_ns", Screen.Sums.ProfilingNs);
    if (Screen.WallNs)
      Whole.number("wall_ns", *Screen.WallNs);
    Whole.number("trace_bytes", Screen.Sums.TraceBytes);
    if (Screen.Sums.Largest.PeakBytes != 0) {
      Whole.text("largest_unit", Shown(Screen.Sums.Largest.Input));
      Whole.number("peak_rss_bytes", Screen.Sums.Largest.PeakBytes);
      if (Screen.MemoryBytes != 0)
        Whole.number("parallel_units",
                     Screen.Sums.parallelUnits(Screen.MemoryBytes));
      if (std::string Pool = ninjaPool(Screen); !Pool.empty())
        Whole.text("cmake_options", Pool);
    }
    Whole.boolean("incomplete", Screen.IsIncomplete);
    Whole.objects("unfinished", Screen.Unfinished,
                  [](JsonObject &In, const ExplainedCompile &Each) {
                    appendUnfinished(In, Each.Compile, Each.Context);
                  });
    if (Screen.Unprofiled)
      Whole.number("unprofiled", *Screen.Unprofiled);
    Whole.objects("parts", Screen.Sums.timeShares(),
                  [](JsonObject &In, const TimeShare &Share) {
                    In.text("name", wordsFor(Share.Kind).Record);
                    In.number("ns", Share.Ns);
                    In.number("percent", Share.Percent);
                  });
    Whole.objects("lines", Screen.Lines,
                  [](JsonObject &In, const ShownUserLine &L) {
                    In.text("place", L.Place);
                    In.text("source", L.Source);
                    In.text("includes", L.Line.Included);
                    In.number("other_places", L.Line.Others);
                    In.number("ns", L.Line.Ns);
                    In.number("units", L.Line.Units);
                  });
    Whole.objects("suggestions", Screen.Advice.Suggestions,
                  [&](JsonObject &In, const Suggestion &S) {
                    In.text("kind", adviceKindName(S.Kind));
                    In.text("text",
                            adviceSentence(S, Screen.AdviceNames, Screen.Names,
                                           RecordNameBytes, Shown));
                    In.text("place", Shown(S.Place));
                    In.number("saving_ns", S.Saves.EstimateNs);
                  });
  }
  Buffer += '\n';
  Out.lineDone();
}
