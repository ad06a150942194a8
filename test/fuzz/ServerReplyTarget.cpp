#include "test/fuzz/FuzzTargets.h"
#include "utils/clickhouse/TabRows.h"

#include <optional>

namespace instantrace::fuzz {

namespace {

/// As a server writes it.
std::string fieldOf(const std::optional<std::string> &Cell) {
  if (!Cell)
    return "\\N";
  std::string Field;
  for (char C : *Cell)
    switch (C) {
    case '\t':
      Field += "\\t";
      break;
    case '\n':
      Field += "\\n";
      break;
    case '\\':
      Field += "\\\\";
      break;
    default:
      Field += C;
    }
  return Field;
}

} // namespace

void fuzzServerReply(const uint8_t *Data, size_t SizeBytes) {
  const std::string Reply(reinterpret_cast<const char *>(Data), SizeBytes);
  Result<TabRows> Rows = TabRows::read(Reply);
  if (!Rows) {
    require(!Rows.error().Message.empty());
    return;
  }
  const size_t Columns = Rows->columns().size();
  require(Columns <= TabRows::MostColumns && Rows->kinds().size() == Columns);
  require(bool(Rows->checkSize(SizeBytes * (Columns + 1))));
  size_t Cells = 0, Most = 0;
  while (!Rows->checkSize(Most))
    ++Most;
  std::vector<std::optional<std::string>> Row;
  while (true) {
    Result<bool> More = Rows->next(Row);
    if (!More || !*More)
      break;
    require(Row.size() == Columns);
    Cells += Row.size();
    // What is read is what was meant.
    std::string Line;
    for (const std::optional<std::string> &Cell : Row)
      Line += (&Cell == Row.data() ? "" : "\t") + fieldOf(Cell);
    std::string Text(Columns == 0 ? 0 : Columns - 1, '\t');
    Text += "\n" + Text + "\n" + Line + "\n";
    Result<TabRows> Again = TabRows::read(Text);
    std::vector<std::optional<std::string>> Same;
    require(Again && *Again->next(Same) && Same == Row);
  }
  require(Cells <= Most);
}

std::vector<std::string> serverReplySeeds() {
  return {"", "a\nString\n",
          "a\tb\\tc\tn\nString\tNullable(Int64)\tFloat64\n"
          "x\\0\\n\\t\\\\\\'\t\\N\t0.5\n\t-3\tnan\n",
          "text\nLowCardinality(Nullable(String))\nreadonly=0\\nx=y\\n\n",
          "Code: 60, e.displayText() = DB::Exception: Table x\n"};
}

} // namespace instantrace::fuzz
