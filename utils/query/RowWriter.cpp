#include "utils/query/RowWriter.h"

#include "utils/render/CleanText.h"
#include "utils/render/CsvText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NameElision.h"
#include "utils/render/TextTable.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace instantrace;

namespace {

std::string_view textOf(sqlite3_stmt &S, int Column) {
  auto *Bytes = static_cast<const char *>(sqlite3_column_blob(&S, Column));
  return {Bytes ? Bytes : "",
          static_cast<size_t>(sqlite3_column_bytes(&S, Column))};
}

/// Numbers as SQLite writes them, blobs as what text they are.
std::string cellText(sqlite3_stmt &S, int Column) {
  if (sqlite3_column_type(&S, Column) == SQLITE_BLOB)
    return cleanText(textOf(S, Column));
  auto *Text = reinterpret_cast<const char *>(sqlite3_column_text(&S, Column));
  if (!Text)
    return {};
  return cleanText(
      {Text, static_cast<size_t>(sqlite3_column_bytes(&S, Column))});
}

class CsvWriter final : public RowWriter {
public:
  CsvWriter(sqlite3_stmt &S, Output &Out) : S(S), Out(Out) {
    for (int I = 0; I != sqlite3_column_count(&S); ++I) {
      Out.append(I == 0 ? "" : ",");
      appendCsv(Out.buffer(), cleanText(sqlite3_column_name(&S, I)));
    }
    Out.append("\n");
  }
  void row() override {
    for (int I = 0; I != sqlite3_column_count(&S); ++I) {
      Out.append(I == 0 ? "" : ",");
      int Type = sqlite3_column_type(&S, I);
      if (Type == SQLITE_INTEGER || Type == SQLITE_FLOAT)
        Out.append(cellText(S, I)); // a minus is no formula there
      else
        appendCsv(Out.buffer(), cellText(S, I));
    }
    Out.append("\n");
  }
  void finish() override {}

private:
  sqlite3_stmt &S;
  Output &Out;
};

class JsonWriter final : public RowWriter {
public:
  JsonWriter(sqlite3_stmt &S, Output &Out) : S(S), Out(Out) {
    for (int I = 0; I != sqlite3_column_count(&S); ++I)
      appendJsonString(Keys.emplace_back(), sqlite3_column_name(&S, I));
  }
  void row() override {
    Out.append(IsFirst ? "[\n" : ",\n");
    IsFirst = false;
    for (size_t I = 0; I != Keys.size(); ++I) {
      Out.append(I == 0 ? "{" : ",");
      Out.append(Keys[I]);
      Out.append(":");
      value(static_cast<int>(I));
    }
    Out.append("}");
  }
  void finish() override { Out.append(IsFirst ? "[]\n" : "\n]\n"); }

private:
  void value(int Column) {
    switch (sqlite3_column_type(&S, Column)) {
    case SQLITE_NULL:
      return Out.append("null");
    case SQLITE_INTEGER:
      return Out.append(std::to_string(sqlite3_column_int64(&S, Column)));
    case SQLITE_FLOAT: {
      std::string Text = cellText(S, Column);
      // JSON has no infinity, which SQLite writes as Inf.
      return Out.append(Text.find_first_of("Ii") == std::string::npos ? Text
                                                                      : "null");
    }
    default:
      appendJsonString(Out.buffer(), textOf(S, Column));
    }
  }

  sqlite3_stmt &S;
  Output &Out;
  std::vector<std::string> Keys;
  bool IsFirst = true;
};

/// Columns are as wide as the first rows need; wider cells of later ones push
/// what is behind them.
class TextWriter final : public RowWriter {
public:
  TextWriter(sqlite3_stmt &S, Output &Out) : S(S), Out(Out) {
    std::vector<std::string> Names;
    for (int I = 0; I != sqlite3_column_count(&S); ++I) {
      Names.push_back(cleanText(sqlite3_column_name(&S, I)));
      IsNumber.push_back(true);
      Widths.push_back(0);
    }
    Kept.push_back(std::move(Names));
  }

  void row() override {
    std::vector<std::string> Cells;
    for (int I = 0; I != sqlite3_column_count(&S); ++I) {
      int Type = sqlite3_column_type(&S, I);
      bool HasText = Type == SQLITE_TEXT || Type == SQLITE_BLOB;
      if (!IsSettled && HasText)
        IsNumber[static_cast<size_t>(I)] = false;
      Cells.push_back(cellText(S, I));
    }
    if (IsSettled)
      return line(Cells);
    Kept.push_back(std::move(Cells));
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

  sqlite3_stmt &S;
  Output &Out;
  TextStyles Styles{standardOutputTerminal()};
  std::vector<std::vector<std::string>> Kept;
  std::vector<size_t> Widths;
  std::vector<bool> IsNumber;
  bool IsSettled = false;
};

} // namespace

std::unique_ptr<RowWriter> instantrace::makeRowWriter(RowFormat Format,
                                                      sqlite3_stmt &Statement,
                                                      Output &Out) {
  switch (Format) {
  case RowFormat::Csv:
    return std::make_unique<CsvWriter>(Statement, Out);
  case RowFormat::Json:
    return std::make_unique<JsonWriter>(Statement, Out);
  case RowFormat::Text:
    break;
  }
  return std::make_unique<TextWriter>(Statement, Out);
}
