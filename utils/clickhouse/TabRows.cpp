#include "utils/clickhouse/TabRows.h"

#include <algorithm>
#include <charconv>

using namespace instantrace;

namespace {

/// One line without its end; nothing when it has none.
std::optional<std::string_view> takeLine(std::string_view &Rest) {
  size_t End = Rest.find('\n');
  if (End == Rest.npos)
    return std::nullopt;
  std::string_view Line = Rest.substr(0, End);
  Rest.remove_prefix(End + 1);
  return Line;
}

char meant(char Escaped) {
  switch (Escaped) {
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case '0':
    return '\0';
  default:
    return Escaped; // a quote, a backslash
  }
}

std::optional<std::string> fieldText(std::string_view Field) {
  if (Field == "\\N")
    return std::nullopt;
  std::string Text;
  Text.reserve(Field.size());
  for (size_t I = 0; I < Field.size(); ++I)
    Text +=
        Field[I] == '\\' && I + 1 < Field.size() ? meant(Field[++I]) : Field[I];
  return Text;
}

size_t countFields(std::string_view Line) {
  return static_cast<size_t>(std::count(Line.begin(), Line.end(), '\t')) + 1;
}

std::vector<std::optional<std::string>> fieldsOf(std::string_view Line) {
  std::vector<std::optional<std::string>> Cells;
  while (true) {
    size_t Tab = Line.find('\t');
    Cells.push_back(fieldText(Line.substr(0, Tab)));
    if (Tab == Line.npos)
      return Cells;
    Line.remove_prefix(Tab + 1);
  }
}

TabRows::CellKind kindOfType(std::string_view Type) {
  for (bool IsInner = true; IsInner;) {
    IsInner = false;
    for (std::string_view Around : {"Nullable(", "LowCardinality("})
      if (Type.starts_with(Around)) {
        Type.remove_prefix(Around.size());
        IsInner = true;
      }
  }
  if (Type.starts_with("Int") || Type.starts_with("UInt") ||
      Type.starts_with("Bool"))
    return TabRows::CellKind::Whole;
  return Type.starts_with("Float") ? TabRows::CellKind::Real
                                   : TabRows::CellKind::Text;
}

Error noAnswer(const std::string &Found) {
  return makeError("", Found, "an answer of ClickHouse");
}

} // namespace

Result<TabRows> TabRows::read(std::string_view Reply) {
  TabRows Rows;
  Rows.Rest = Reply;
  if (Reply.empty())
    return Rows;
  std::optional<std::string_view> Names = takeLine(Rows.Rest);
  std::optional<std::string_view> Types =
      Names ? takeLine(Rows.Rest) : std::nullopt;
  if (!Types)
    return noAnswer("no two lines");
  const size_t NameCount = countFields(*Names), TypeCount = countFields(*Types);
  if (NameCount != TypeCount)
    return noAnswer(std::to_string(NameCount) + " names and " +
                    std::to_string(TypeCount) + " types");
  if (NameCount > MostColumns)
    return makeError("", std::to_string(NameCount) + " columns",
                     "at most " + std::to_string(MostColumns));
  for (std::optional<std::string> &Name : fieldsOf(*Names))
    Rows.Columns.push_back(Name ? std::move(*Name) : "NULL");
  for (const std::optional<std::string> &Type : fieldsOf(*Types))
    Rows.Kinds.push_back(kindOfType(Type ? *Type : ""));
  return Rows;
}

Result<void> TabRows::checkSize(size_t MostCells) const {
  const auto Lines =
      static_cast<size_t>(std::count(Rest.begin(), Rest.end(), '\n'));
  const size_t Cells = Lines * Columns.size();
  if (Cells <= MostCells)
    return {};
  return makeError("", "an answer of " + std::to_string(Cells) + " cells",
                   "at most " + std::to_string(MostCells) +
                       "; ask for fewer rows or columns");
}

Result<bool> TabRows::next(Row &Cells) {
  if (Rest.empty())
    return false;
  std::optional<std::string_view> Line = takeLine(Rest);
  if (!Line)
    return noAnswer("a line without an end");
  if (const size_t Count = countFields(*Line); Count != Columns.size())
    return noAnswer("a row of " + std::to_string(Count) + " cells under " +
                    std::to_string(Columns.size()));
  Cells = fieldsOf(*Line);
  return true;
}

uint64_t TabRows::wholeNumber(const std::optional<std::string> &Cell) {
  uint64_t Value = 0;
  if (Cell)
    std::from_chars(Cell->data(), Cell->data() + Cell->size(), Value);
  return Value;
}
