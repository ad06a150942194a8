/// \file
/// Decodes locations, their details, and inclusions.
///
/// A packet is taken whole or not at all, so that one that is refused leaves
/// nothing behind in the tables and the indexes beside them.
#include "runtime/format/FieldTag.h"
#include "runtime/read/TableColumns.h"
#include "runtime/read/TableDecoder.h"

using namespace instantrace;
using protozero::pbf_reader;

namespace {

struct Detail {
  uint32_t Element = 0;
  LocationDetail Is;
};

Detail decodeDetail(pbf_reader Body) {
  Detail D;
  while (Body.next()) {
    switch (Body.tag_and_type()) {
    case varint(1):
      D.Element = Body.get_uint32();
      break;
    case varint(2):
      D.Is.In.Value = Body.get_uint32();
      break;
    case varint(3):
      D.Is.Macro.Value = Body.get_uint32();
      break;
    case varint(4):
      D.Is.SpellingFile.Value = Body.get_uint32();
      break;
    case varint(5):
      D.Is.SpellingLineNo = Body.get_uint32();
      break;
    case varint(6):
      D.Is.SpellingColumnNo = Body.get_uint32();
      break;
    case varint(7):
      D.Is.ExpansionEndLineNo = Body.get_uint32();
      break;
    case varint(8):
      D.Is.ExpansionEndColumnNo = Body.get_uint32();
      break;
    case varint(9):
      D.Is.PhysicalFile.Value = Body.get_uint32();
      break;
    case varint(10):
      D.Is.PhysicalLineNo = Body.get_uint32();
      break;
    default:
      Body.skip();
    }
  }
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
  uint32_t FirstId = 0;
  std::vector<uint32_t> Files, Columns;
  std::vector<int32_t> LineDeltas;
  std::vector<Detail> Details;
  while (Body.next()) {
    switch (Body.tag_and_type()) {
    case varint(1):
      FirstId = Body.get_uint32();
      break;
    case lengthDelimited(2):
      append(Body.get_packed_uint32(), Files);
      break;
    case lengthDelimited(3):
      append(Body.get_packed_sint32(), LineDeltas);
      break;
    case lengthDelimited(4):
      append(Body.get_packed_uint32(), Columns);
      break;
    case lengthDelimited(5):
      Details.push_back(decodeDetail(Body.get_message()));
      break;
    default:
      Body.skip();
    }
  }
  size_t Before = Into.Rows.size();
  if (!isContiguous(FirstId, Before, Issues) ||
      !isEvenTable({{"file", Files.size()},
                    {"line", LineDeltas.size()},
                    {"column", Columns.size()}},
                   Issues) ||
      !areInOrder(Details, Files.size(), Issues))
    return;
  uint32_t LineNo = 0;
  for (size_t I = 0; I != Files.size(); ++I) {
    if (!addDelta(LineNo, LineDeltas[I], "line", Issues))
      return Into.Rows.resize(Before);
    Into.Rows.push_back({{Files[I]}, LineNo, Columns[I]});
  }
  for (Detail &D : Details) {
    D.Is.Number = static_cast<uint32_t>(Before + D.Element + 1);
    Into.Details.push_back(D.Is);
  }
}

void instantrace::decodeInclusions(pbf_reader Body, Sequence &Into,
                                   IssueSink &Issues) {
  uint32_t FirstId = 0;
  std::vector<uint32_t> Paths, From, Lines, Columns;
  std::vector<bool> AreSystem;
  while (Body.next()) {
    switch (Body.tag_and_type()) {
    case varint(1):
      FirstId = Body.get_uint32();
      break;
    case lengthDelimited(2):
      append(Body.get_packed_uint32(), Paths);
      break;
    case lengthDelimited(3):
      append(Body.get_packed_uint32(), From);
      break;
    case lengthDelimited(4):
      append(Body.get_packed_uint32(), Lines);
      break;
    case lengthDelimited(5):
      append(Body.get_packed_uint32(), Columns);
      break;
    case lengthDelimited(6):
      append(Body.get_packed_bool(), AreSystem);
      break;
    default:
      Body.skip();
    }
  }
  size_t Before = Into.Inclusions.size();
  if (!isContiguous(FirstId, Before, Issues) ||
      !isEvenTable({{"path", Paths.size()},
                    {"included_from", From.size()},
                    {"line", Lines.size()},
                    {"column", Columns.size()},
                    {"is_system", AreSystem.size()}},
                   Issues))
    return;
  for (size_t I = 0; I != Paths.size(); ++I) {
    size_t Id = Before + I + 1;
    if (From[I] < Id)
      continue;
    return Issues.fatal("inclusion-order",
                        "inclusion " + std::to_string(Id) + " included_from " +
                            std::to_string(From[I]),
                        "an earlier one");
  }
  for (size_t I = 0; I != Paths.size(); ++I) {
    Into.Inclusions.push_back(
        {{Paths[I]}, {From[I]}, Lines[I], Columns[I], AreSystem[I]});
    Into.FirstInclusions.try_emplace(
        Paths[I], InclusionId{static_cast<uint32_t>(Before + I + 1)});
  }
}
