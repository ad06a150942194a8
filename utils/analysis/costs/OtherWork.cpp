#include "utils/analysis/costs/OtherWork.h"

#include <algorithm>
#include <iterator>

using namespace instantrace;

namespace {

struct Words {
  std::string_view Row, Text;
};

/// What they are called is in RowIndex.cpp, KeyCosts.cpp and TraceFilter.h.
constexpr Words WordsOfRows[] = {
    {"(file inclusion)", "parsing"},
    {"(constant evaluation)", "evaluating constants"},
    {"(frontend)", "compiler start and end"},
    {"(parsing)", "parsing outside files"},
    {"(pending instantiations)", "late bodies"},
    {"(code generation)", "generating code"},
    {"(IR generation)", "making IR"},
    {"(function passes)", "optimizing"},
    {"(module passes)", "optimizing whole modules"},
    {"(machine code)", "making machine code"},
    {"(object writing)", "writing objects"},
    {"(profiling)", "instrumentation overhead"},
    {ElidedName, "too short to record"},
    {FilteredName, "left out by the filters"},
    {"(other)", "other work"},
};

} // namespace

std::string_view instantrace::otherWorkWords(std::string_view Row) {
  const Words *Found =
      std::find_if(std::begin(WordsOfRows), std::end(WordsOfRows),
                   [Row](const Words &Each) { return Each.Row == Row; });
  return Found == std::end(WordsOfRows) ? std::string_view() : Found->Text;
}

std::string instantrace::otherWorkName(std::string_view Row) {
  std::string_view Words = otherWorkWords(Row);
  return Words.empty() ? std::string(Row) : "(" + std::string(Words) + ")";
}

void instantrace::takeOtherWork(CostTable &Table) {
  auto First = std::stable_partition(
      Table.Rows.begin(), Table.Rows.end(), [](const CostRow &Row) {
        return otherWorkWords(Row.Name.Fixed).empty();
      });
  Table.OtherWork.assign(std::make_move_iterator(First),
                         std::make_move_iterator(Table.Rows.end()));
  Table.Rows.erase(First, Table.Rows.end());
}
