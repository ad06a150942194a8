#include "utils/query/RowWriter.h"

#include "utils/render/CleanText.h"
#include "utils/render/CsvText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NameElision.h"
#include "utils/render/TextTable.h"

#include <algorithm>
#include <cmath>
#include <sqlite3.h>
#include <utility>

using namespace instantrace;

namespace {

/// As SQLite writes it.
std::string realText(double Real) {
  char Text[64];
  return std::isnan(Real)
             ? std::string()
             : sqlite3_snprintf(sizeof(Text), Text, "%!.15g", Real);
}

std::string cellText(const RowCell &Cell) {
  if (const auto *Text = std::get_if<std::string>(&Cell))
    return cleanText(*Text);
  if (const auto *Whole = std::get_if<int64_t>(&Cell))
    return std::to_string(*Whole);
  const auto *Real = std::get_if<double>(&Cell);
  return Real ? realText(*Real) : std::string();
}

class CsvWriter final : public RowWriter {
public:
  CsvWriter(const std::vector<std::string> &Columns, Output &Out) : Out(Out) {
    row({Columns.begin(), Columns.end()});
  }
  void row(const std::vector<RowCell> &Cells) override {
    for (size_t I = 0; I != Cells.size(); ++I) {
      Out.append(I == 0 ? "" : ",");
      if (std::holds_alternative<std::string>(Cells[I]))
        appendCsv(Out.buffer(), cellText(Cells[I]));
      else
        Out.append(cellText(Cells[I])); // a minus is no formula there
    }
    Out.append("\n");
  }

private:
  Output &Out;
};

class JsonWriter final : public RowWriter {
public:
  JsonWriter(const std::vector<std::string> &Columns, Output &Out) : Out(Out) {
    for (const std::string &Column : Columns)
      appendJsonString(Keys.emplace_back(), Column);
  }
  void row(const std::vector<RowCell> &Cells) override {
    Out.append(std::exchange(IsFirst, false) ? "[\n" : ",\n");
    for (size_t I = 0; I != Keys.size(); ++I) {
      Out.append((I == 0 ? "{" : ",") + Keys[I] + ":");
      value(Cells[I]);
    }
    Out.append("}");
  }
  void finish() override { Out.append(IsFirst ? "[]" : "\n]"); }

private:
  void value(const RowCell &Cell) {
    if (const auto *Text = std::get_if<std::string>(&Cell))
      return appendJsonString(Out.buffer(), *Text);
    const auto *Real = std::get_if<double>(&Cell);
    bool IsNumber =
        Real ? std::isfinite(*Real) : std::holds_alternative<int64_t>(Cell);
    Out.append(IsNumber ? cellText(Cell) : "null");
  }

  Output &Out;
  std::vector<std::string> Keys;
  bool IsFirst = true;
};

/// Columns are as wide as the first rows need; wider cells of later ones push
/// what is behind them.
class TextWriter final : public RowWriter {
public:
  TextWriter(const std::vector<std::string> &Columns, Output &Out)
      : Out(Out), Kept(1), Widths(Columns.size()),
        IsNumber(Columns.size(), true) {
    for (const std::string &Column : Columns)
      Kept.front().push_back(cleanText(Column));
  }

  void row(const std::vector<RowCell> &Cells) override {
    std::vector<std::string> Texts;
    for (size_t I = 0; I != Cells.size(); ++I) {
      if (!IsSettled && std::holds_alternative<std::string>(Cells[I]))
        IsNumber[I] = false;
      Texts.push_back(cellText(Cells[I]));
    }
    if (IsSettled)
      return line(Texts);
    Kept.push_back(std::move(Texts));
    if (Kept.size() == KeptRows)
      settle();
  }

  void finish() override { settle(); }

private:
  static constexpr size_t KeptRows = 1000;

  void settle() {
    IsSettled = true;
    for (const std::vector<std::string> &Cells : Kept)
      for (size_t I = 0; I != Cells.size(); ++I)
        Widths[I] = std::max(Widths[I], columnsOf(Cells[I]));
    for (const std::vector<std::string> &Cells : Kept)
      line(Cells, &Cells == &Kept.front());
    Kept.clear();
  }

  void line(const std::vector<std::string> &Cells, bool IsHead = false) {
    std::string Line;
    for (size_t I = 0; I != Cells.size(); ++I) {
      size_t Columns = columnsOf(Cells[I]);
      std::string Space(Columns < Widths[I] ? Widths[I] - Columns : 0, ' ');
      Line += (I == 0 ? "" : "  ");
      Line += IsNumber[I] ? Space + Cells[I] : Cells[I] + Space;
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    if (IsHead)
      Line = std::string(Styles.Bold).append(Line).append(Styles.Plain);
    Out.append(Line + "\n");
  }

  Output &Out;
  TextStyles Styles{standardOutputTerminal()};
  std::vector<std::vector<std::string>> Kept;
  std::vector<size_t> Widths;
  std::vector<bool> IsNumber;
  bool IsSettled = false;
};

} // namespace

std::unique_ptr<RowWriter> instantrace::makeRowWriter(
    RowFormat Format, const std::vector<std::string> &Columns, Output &Out) {
  switch (Format) {
  case RowFormat::Csv:
    return std::make_unique<CsvWriter>(Columns, Out);
  case RowFormat::Json:
    return std::make_unique<JsonWriter>(Columns, Out);
  case RowFormat::Text:
    break;
  }
  return std::make_unique<TextWriter>(Columns, Out);
}
