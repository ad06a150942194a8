#include "utils/analysis/costs/OtherWork.h"

#include <algorithm>
#include <iterator>

using namespace instantrace;

namespace {

struct Hint {
  std::string_view Row, Text;
  std::string_view WithBackend = {}; ///< if that is another
};

/// What they are called is in RowIndex.cpp, KeyCosts.cpp and TraceFilter.h.
/// Short enough for the line of the row on a terminal of 100 columns.
constexpr Hint Hints[] = {
    {"(file inclusion)", "`instantrace headers` says which"},
    {"(frontend)", "once per compile: fewer, larger units"},
    {"(parsing)", "of no known file"},
    {"(pending instantiations)", "the queue alone; its bodies have rows"},
    {"(code generation)", "INSTANTRACE_BACKEND=on says whose",
     "between functions; --by=function has them"},
    {"(IR generation)", "fewer functions: --by=function"},
    {"(function passes)", "of no known function; a lower -O"},
    {"(module passes)", "of the whole module; a lower -O"},
    {"(machine code)", "of no one function; a lower -O"},
    {"(object writing)", "fewer functions, a lower -g"},
    {"(profiling)", "Instantrace's own; not there without it"},
    {"(elided)", "too short to record; granularity=0 has them"},
    {FilteredName, "left out by the filters"},
    {"(other)", "--by=kind says what"},
};

} // namespace

std::string_view instantrace::otherWorkHint(std::string_view Row,
                                            bool HasBackend) {
  const Hint *Found =
      std::find_if(std::begin(Hints), std::end(Hints),
                   [Row](const Hint &Each) { return Each.Row == Row; });
  if (Found == std::end(Hints))
    return {};
  return HasBackend && !Found->WithBackend.empty() ? Found->WithBackend
                                                   : Found->Text;
}

void instantrace::takeOtherWork(CostTable &Table) {
  auto First = std::stable_partition(
      Table.Rows.begin(), Table.Rows.end(), [](const CostRow &Row) {
        return otherWorkHint(Row.Name.Fixed, false).empty();
      });
  Table.OtherWork.assign(std::make_move_iterator(First),
                         std::make_move_iterator(Table.Rows.end()));
  Table.Rows.erase(First, Table.Rows.end());
}
