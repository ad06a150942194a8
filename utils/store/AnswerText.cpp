#include "utils/store/AnswerText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/CleanText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <algorithm>

#include <fmt/format.h>

using namespace instantrace;

namespace {

/// Of a commit, as git shows it.
constexpr size_t ShownCommit = 12;
/// A name gets what the other columns leave, but no less.
constexpr size_t LeastNameColumns = 30;

bool endsIn(const std::string &Column, std::string_view Unit) {
  return Column.ends_with(Unit) ||
         Column.ends_with(std::string(Unit) + "_change");
}

std::string numberText(const std::string &Column, int64_t Number) {
  if (Column == "begun_ns")
    return utcText(Number / 1'000'000'000, "%Y-%m-%d %H:%M").value_or("");
  if (Column == "build" || Column == "previous")
    return "#" + std::to_string(Number);
  auto Size = Number < 0 ? 0 - static_cast<uint64_t>(Number)
                         : static_cast<uint64_t>(Number);
  std::string Text = endsIn(Column, "_ns")      ? timeText(Size)
                     : endsIn(Column, "_bytes") ? sizeText(Size)
                                                : groupedText(Size);
  return (Number < 0                             ? "-"
          : Column.find("change") != Column.npos ? "+"
                                                 : "") +
         Text;
}

bool isTextColumn(const AnswerTable &Table, size_t Column) {
  return std::any_of(Table.Rows.begin(), Table.Rows.end(),
                     [&](const auto &Row) {
                       return std::holds_alternative<std::string>(Row[Column]);
                     });
}

void writeRows(Output &Out, const AnswerTable &Table, RowFormat Format) {
  std::unique_ptr<RowWriter> Writer = makeRowWriter(Format, Table.Columns, Out);
  for (const std::vector<AnswerCell> &Row : Table.Rows)
    Writer->row(Row);
  Writer->finish();
}

/// A series with what was found in it, as one table: the build that shows a
/// step first has 1 in `step`, with how large that is and the noise.
AnswerTable withSteps(const Answer &A) {
  AnswerTable Table = A.Rows;
  auto Steps = std::find_if(
      A.Details.begin(), A.Details.end(),
      [](const AnswerTable &Detail) { return Detail.Title == "steps"; });
  if (Steps == A.Details.end())
    return Table;
  size_t Build = Table.column("build"), Number = Steps->column("build");
  std::vector<size_t> Shown;
  Table.Columns.emplace_back("step");
  for (size_t I = 0; I != Steps->Columns.size(); ++I)
    if (const std::string &Column = Steps->Columns[I];
        Column.starts_with("change") || Column.starts_with("noise")) {
      Shown.push_back(I);
      Table.Columns.push_back(Column);
    }
  for (std::vector<AnswerCell> &Row : Table.Rows) {
    auto Step = std::find_if(
        Steps->Rows.begin(), Steps->Rows.end(),
        [&](const auto &Each) { return Each[Number] == Row[Build]; });
    bool IsStep = Step != Steps->Rows.end();
    Row.emplace_back(int64_t(IsStep));
    for (size_t I : Shown)
      Row.push_back(IsStep ? (*Step)[I] : AnswerCell());
  }
  return Table;
}

} // namespace

std::string instantrace::cellText(const std::string &Column,
                                  const AnswerCell &Cell) {
  if (const auto *Text = std::get_if<std::string>(&Cell))
    return cleanText(Column == "commit_id" ? Text->substr(0, ShownCommit)
                                           : *Text);
  if (const auto *Number = std::get_if<int64_t>(&Cell))
    return numberText(Column, *Number);
  const auto *Real = std::get_if<double>(&Cell);
  return Real ? fmt::format("{:.3g}", *Real) : "-";
}

std::string instantrace::columnTitle(const std::string &Column) {
  if (Column == "begun_ns")
    return "begun (UTC)";
  if (Column == "commit_id")
    return "commit";
  std::string Title = Column;
  // Cells say which unit of time they are in; bytes of what is said here.
  if (endsIn(Column, "_ns"))
    Title.erase(Title.rfind("_ns"), 3);
  std::replace(Title.begin(), Title.end(), '_', ' ');
  return Title;
}

std::vector<std::string> instantrace::answerNotes(const Answer &A) {
  std::vector<std::string> Lines = {"of " + counted(A.Builds, "build") +
                                    " that the options choose"};
  Lines.insert(Lines.end(), A.Notes.begin(), A.Notes.end());
  for (const std::string &Part : A.Missing)
    Lines.push_back("missing: " + Part);
  return Lines;
}

void instantrace::writeAnswerTable(Output &Out, const AnswerTable &Table,
                                   const Terminal &Term) {
  std::vector<bool> IsText;
  std::vector<size_t> Widths;
  for (size_t I = 0; I != Table.Columns.size(); ++I) {
    IsText.push_back(isTextColumn(Table, I));
    Widths.push_back(columnsOf(columnTitle(Table.Columns[I])));
    for (const auto &Row : Table.Rows)
      Widths[I] =
          std::max(Widths[I], columnsOf(cellText(Table.Columns[I], Row[I])));
  }
  // What is widest and a name gives way.
  size_t All = 0, Widest = 0;
  for (size_t I = 0; I != Widths.size(); ++I) {
    All += Widths[I] + 2;
    if (IsText[I] && (!IsText[Widest] || Widths[I] > Widths[Widest]))
      Widest = I;
  }
  if (All > Term.Columns + 2 && IsText[Widest]) {
    size_t Others = All - Widths[Widest] - 2;
    Widths[Widest] =
        std::min(Widths[Widest],
                 std::max(LeastNameColumns,
                          Term.Columns > Others ? Term.Columns - Others : 0));
  }
  auto line = [&](auto CellOf) {
    std::string Line;
    for (size_t I = 0; I != Widths.size(); ++I) {
      std::string Cell = CellOf(I);
      if (columnsOf(Cell) > Widths[I])
        Cell = elideName(Cell, Widths[I]);
      std::string Space(Widths[I] - std::min(Widths[I], columnsOf(Cell)), ' ');
      Line += (I == 0 ? "" : "  ") + (IsText[I] ? Cell + Space : Space + Cell);
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    return Line;
  };
  TextStyles Styles(Term);
  Out.append(std::string(Styles.Bold) +
             line([&](size_t I) { return columnTitle(Table.Columns[I]); }) +
             std::string(Styles.Plain) + "\n");
  for (const auto &Row : Table.Rows)
    Out.append(
        line([&](size_t I) { return cellText(Table.Columns[I], Row[I]); }) +
        "\n");
}

void instantrace::writeAnswer(Output &Out, const Answer &A,
                              const Terminal &Term) {
  TextStyles Styles(Term);
  Out.append(std::string(Styles.Bold) + A.Asked.Text +
             std::string(Styles.Plain) + "\n\n");
  if (A.Rows.Rows.empty())
    Out.append("nothing\n");
  else
    writeAnswerTable(Out, A.Rows, Term);
  for (const AnswerTable &Detail : A.Details) {
    Out.append("\n" + std::string(Styles.Bold) + Detail.Title +
               std::string(Styles.Plain) + "\n");
    if (Detail.Rows.empty())
      Out.append("none\n");
    else
      writeAnswerTable(Out, Detail, Term);
  }
  Out.append("\n");
  for (const std::string &Line : answerNotes(A))
    Out.append(printableText(Line) + "\n");
}

void instantrace::writeAnswerRows(Output &Out, const AnswerTable &Table,
                                  RecordFormat Format) {
  bool IsJson = Format == RecordFormat::Json;
  writeRows(Out, Table, IsJson ? RowFormat::Json : RowFormat::Csv);
  Out.append(IsJson ? "\n" : "");
}

void instantrace::writeAnswerRecords(Output &Out, const Answer &A,
                                     RecordFormat Format) {
  if (Format == RecordFormat::Csv)
    return writeAnswerRows(Out, withSteps(A), Format);
  {
    JsonAnswer Whole(Out.buffer());
    Whole.text("question", A.Asked.Name);
    Whole.name("options");
    {
      JsonObject Options(Out.buffer());
      for (const auto &[Name, Value] : A.Options)
        Options.text(Name, Value);
    }
    Whole.number("builds", A.Builds);
    Whole.texts("missing", A.Missing);
    Whole.texts("notes", A.Notes);
    Whole.name("rows");
    writeRows(Out, A.Rows, RowFormat::Json);
    Whole.objects("details", A.Details,
                  [&](JsonObject &Object, const AnswerTable &Detail) {
                    Object.text("title", Detail.Title);
                    Object.name("rows");
                    writeRows(Out, Detail, RowFormat::Json);
                  });
  }
  Out.append("\n");
}
