/// \file
/// InstantiationIndex: the tables of its traces.
#include "runtime/index/Index.h"
#include "runtime/index/IndexState.h"
#include "runtime/index/IndexTables.h"

using namespace instantrace;
using namespace instantrace::index;

namespace {

std::string placeOf(uint32_t Compile, Table Of) {
  return std::string("section TABL, ") +
         TableKinds[static_cast<size_t>(Of)].Name + " of compile " +
         std::to_string(Compile);
}

} // namespace

bool InstantiationIndex::hasTables() const {
  return S->Bytes->has(Section::Tables);
}

bool InstantiationIndex::tableFault(uint32_t Compile, Table Of,
                                    const std::string &Found,
                                    const std::string &Expected) const {
  return S->Bytes->fault(placeOf(Compile, Of), Found, Expected);
}

bool InstantiationIndex::tableRows(uint32_t Compile, Table Of,
                                   std::vector<uint64_t> &Into) const {
  Into.clear();
  if (!hasTables())
    return S->Bytes->fault("", "an index without the tables of its traces",
                           "one of version 1.3; `instantrace index` makes it "
                           "of the trace");
  State::Part P;
  TableSliceRow Slice;
  if (!S->part(Compile, P) ||
      !S->Bytes->row(Section::TableSlices,
                     uint64_t(Compile) * TableLimit + static_cast<size_t>(Of),
                     Slice))
    return false;
  const auto *Rows =
      S->Bytes->rows<char>(Section::Tables, Slice.Offset, Slice.SizeBytes);
  if (!Rows)
    return false;
  TableLimits Limits;
  Limits.StringBytes = S->Bytes->rowCount(Section::Strings);
  Limits.Records = P.EndRecord - P.Row.FirstRecord;
  Limits.Entities = S->Bytes->rowCount(Section::Entities);
  Limits.Places = S->Bytes->rowCount(Section::Locations);
  TableFault Why;
  if (!decodeTable(Of, {Rows, Slice.SizeBytes}, Limits, Into, Why))
    return tableFault(Compile, Of,
                      Why.Found + " at byte " + std::to_string(Why.AtByte),
                      Why.Expected);
  // Files are numbered as they come, and each has a compile.
  if (Of == Table::About && Into.front() > Compile)
    return tableFault(Compile, Of, "file " + std::to_string(Into.front()),
                      "at most the number of the compile");
  return S->Bytes->isWhole() || (Into.clear(), false);
}
