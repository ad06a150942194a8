#include "utils/render/TextTable.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/RecordText.h"

#include <algorithm>

using namespace instantrace;

namespace {

constexpr std::string_view Gap = "  ";

} // namespace

std::vector<std::string> instantrace::brokenIntoLines(std::string_view Text,
                                                      size_t Columns,
                                                      size_t MostLines) {
  std::vector<std::string> Lines(1);
  while (!Text.empty()) {
    size_t End = std::min(Text.find(' '), Text.size());
    std::string_view Word = Text.substr(0, End);
    if (!Lines.back().empty() && Lines.size() != MostLines &&
        columnsOf(Lines.back()) + 1 + columnsOf(Word) > Columns)
      Lines.emplace_back();
    Lines.back().append(Lines.back().empty() ? "" : " ").append(Word);
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Lines;
}

void instantrace::appendLines(Output &Out, std::string_view Text,
                              const Terminal &Term, std::string_view Begin,
                              std::string_view End) {
  for (const std::string &Line :
       brokenIntoLines(Text, Term.HasWidth ? Term.Columns : SIZE_MAX))
    Out.append(std::string(Begin).append(Line).append(End).append("\n"));
}

void instantrace::appendRowCount(Output &Out, size_t Shown, size_t All,
                                 std::string_view What) {
  Out.append("\n" + groupedText(Shown) + " of " + counted(All, What) +
             allRowsHint(Shown, All) + "\n");
}

size_t instantrace::columnsLeft(const Terminal &Term, size_t Used) {
  constexpr size_t Fewest = 20;
  return std::max(Fewest, Term.Columns - std::min(Term.Columns, Used));
}

TextStyles::TextStyles(const Terminal &Term) {
  if (!Term.HasColours)
    return;
  Bold = "\x1b[1m";
  Dim = "\x1b[2m";
  Plain = "\x1b[0m";
}

TextTable::TextTable(Output &Out, const Terminal &Term,
                     std::vector<Column> Shown)
    : Out(Out), Term(Term), Columns(std::move(Shown)) {
  constexpr size_t FewestForNames = 20;
  for (size_t I = Columns.size();
       I-- != 0 && numberColumns() + FewestForNames > Term.Columns;)
    if (Columns[I].IsOptional)
      Columns[I].Width = 0;
}

size_t TextTable::numberColumns() const {
  size_t Sum = Gap.size();
  for (const Column &C : Columns)
    Sum += C.Width;
  return Sum;
}

size_t TextTable::nameColumns(size_t Used) const {
  return columnsLeft(Term, numberColumns() + Used);
}

std::string TextTable::numbers(const std::vector<std::string> &Cells) const {
  std::string Text;
  if (Cells.empty())
    Text.append(numberColumns() - Gap.size(), ' ');
  for (size_t I = 0; I != Cells.size(); ++I) {
    if (Columns[I].Width == 0)
      continue;
    size_t Used = columnsOf(Cells[I]);
    Text.append(Columns[I].Width - std::min(Columns[I].Width, Used), ' ');
    Text.append(Cells[I]);
  }
  return Text.append(Gap);
}

void TextTable::head(std::string_view What) {
  std::vector<std::string> Titles;
  for (const Column &C : Columns)
    Titles.emplace_back(C.Title);
  TextStyles Styles(Term);
  Out.append(std::string(Styles.Bold)
                 .append(numbers(Titles))
                 .append(What)
                 .append(Styles.Plain)
                 .append("\n"));
}

void TextTable::addLineBelow(std::string_view Text, size_t MostIndent) {
  std::string Shown = elideName(printableText(Text), Term.Columns);
  size_t Indent = std::min({MostIndent, numberColumns() + Gap.size(),
                            Term.Columns - columnsOf(Shown)});
  TextStyles Styles(Term);
  Out.append(std::string(Indent, ' ')
                 .append(Styles.Dim)
                 .append(Shown)
                 .append(Styles.Plain)
                 .append("\n"));
}

void TextTable::row(const std::vector<std::string> &Cells,
                    std::string_view Name, bool IsDim) {
  TextStyles Styles(Term);
  Out.append(numbers(Cells)
                 .append(IsDim ? Styles.Dim : "")
                 .append(Name)
                 .append(IsDim ? Styles.Plain : "")
                 .append("\n"));
}
