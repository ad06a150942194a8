/// \file
/// Decodes locations, their details, and inclusions.
///
/// A packet is taken whole or not at all, so that one that is refused leaves
/// nothing behind in the tables and the indexes beside them.
#include "runtime/read/FieldReader.h"
#include "runtime/read/TableColumns.h"
#include "runtime/read/TableDecoder.h"

using namespace instantrace;
using protozero::pbf_reader;

namespace {

struct Detail {
  uint32_t Element = 0;
  LocationDetail Content;
};

Detail decodeDetail(pbf_reader Body) {
  using Field = schema::LocationDetail;
  Detail D;
  readFields(Body, into(Field::Element, D.Element),
             into(Field::Inclusion, D.Content.In.Value),
             into(Field::Macro, D.Content.Macro.Value),
             into(Field::SpellingFile, D.Content.SpellingFile.Value),
             into(Field::SpellingLine, D.Content.SpellingLineNo),
             into(Field::SpellingColumn, D.Content.SpellingColumnNo),
             into(Field::ExpansionEndLine, D.Content.ExpansionEndLineNo),
             into(Field::ExpansionEndColumn, D.Content.ExpansionEndColumnNo),
             into(Field::PhysicalFile, D.Content.PhysicalFile.Value),
             into(Field::PhysicalLine, D.Content.PhysicalLineNo));
  return D;
}

/// They name rows of the batch, each at most once, in order.
bool areInOrder(const std::vector<Detail> &Details, size_t Rows,
                IssueSink &Issues) {
  uint64_t Next = 0;
  for (const Detail &D : Details) {
    if (D.Element >= Rows) {
      Issues.fatal("detail-range", "element " + std::to_string(D.Element),
                   "less than " + std::to_string(Rows));
      return false;
    }
    if (D.Element < Next) {
      Issues.fatal("detail-order", "element " + std::to_string(D.Element),
                   "at least " + std::to_string(Next));
      return false;
    }
    Next = uint64_t(D.Element) + 1;
  }
  return true;
}

} // namespace

void instantrace::decodeLocations(pbf_reader Body, LocationTable &Into,
                                  IssueSink &Issues) {
  using Field = schema::LocationBatch;
  uint32_t FirstId = 0;
  std::vector<uint32_t> Files, Columns;
  std::vector<int32_t> LineDeltas;
  std::vector<Detail> Details;
  auto AddDetail = [&Details](pbf_reader Message) {
    Details.push_back(decodeDetail(Message));
  };
  readFields(Body, into(Field::FirstId, FirstId), into(Field::File, Files),
             into(Field::Line, LineDeltas), into(Field::Column, Columns),
             into(Field::Detail, AddDetail));
  size_t Before = Into.Rows.size();
  if (!isContiguous(FirstId, Before, Issues) ||
      !isEvenTable({{Field::File.Name, Files.size()},
                    {Field::Line.Name, LineDeltas.size()},
                    {Field::Column.Name, Columns.size()}},
                   Issues) ||
      !areInOrder(Details, Files.size(), Issues))
    return;
  uint32_t LineNo = 0;
  for (size_t I = 0; I != Files.size(); ++I) {
    if (!addDelta(LineNo, LineDeltas[I], Field::Line.Name, Issues))
      return Into.Rows.resize(Before);
    Into.Rows.push_back({{Files[I]}, LineNo, Columns[I]});
  }
  for (Detail &D : Details) {
    D.Content.Number = static_cast<uint32_t>(Before + D.Element + 1);
    Into.Details.push_back(D.Content);
  }
}

void instantrace::decodeInclusions(pbf_reader Body, Sequence &Into,
                                   IssueSink &Issues) {
  using Field = schema::InclusionBatch;
  uint32_t FirstId = 0;
  std::vector<uint32_t> Paths, Includers, Lines, Columns;
  std::vector<bool> AreSystem;
  readFields(Body, into(Field::FirstId, FirstId), into(Field::Path, Paths),
             into(Field::IncludedFrom, Includers), into(Field::Line, Lines),
             into(Field::Column, Columns), into(Field::IsSystem, AreSystem));
  size_t Before = Into.Inclusions.size();
  if (!isContiguous(FirstId, Before, Issues) ||
      !isEvenTable({{Field::Path.Name, Paths.size()},
                    {Field::IncludedFrom.Name, Includers.size()},
                    {Field::Line.Name, Lines.size()},
                    {Field::Column.Name, Columns.size()},
                    {Field::IsSystem.Name, AreSystem.size()}},
                   Issues))
    return;
  for (size_t I = 0; I != Paths.size(); ++I) {
    size_t Id = Before + I + 1;
    if (Includers[I] < Id)
      continue;
    return Issues.fatal("inclusion-order",
                        "inclusion " + std::to_string(Id) + " included_from " +
                            std::to_string(Includers[I]),
                        "an earlier one");
  }
  for (size_t I = 0; I != Paths.size(); ++I) {
    Into.Inclusions.push_back(
        {{Paths[I]}, {Includers[I]}, Lines[I], Columns[I], AreSystem[I]});
    Into.FirstInclusions.try_emplace(
        Paths[I], InclusionId{static_cast<uint32_t>(Before + I + 1)});
  }
}
