#include "utils/analysis/costs/HeaderTable.h"

#include "utils/analysis/costs/Dominators.h"
#include "utils/analysis/names/TieOrder.h"
#include "utils/analysis/view/PathRules.h"

#include <string_view>
#include <utility>

using namespace instantrace;

namespace {

using FileNumber = HeaderSums::FileNumber;
using Times = std::vector<uint64_t>; // by file

/// Adds to \p AloneNs what goes with each file in one compile. \p NodeOf has
/// room for all files, and is 0 before and after.
void addAlone(const HeaderSums &Sums, const HeaderSums::Compile &In,
              std::vector<uint32_t> &NodeOf, Times &AloneNs) {
  // Node 0 leads to the main files, node I + 1 is the I-th that is read.
  std::vector<uint64_t> Ns{0};
  std::vector<std::vector<uint32_t>> IncludedNodes(In.Read.size() + 1);
  for (const auto &[File, ReadNs] : In.Read) {
    NodeOf[File] = static_cast<uint32_t>(Ns.size());
    Ns.push_back(ReadNs);
  }
  for (FileNumber Main : In.Mains)
    IncludedNodes[0].push_back(NodeOf[Main]);
  for (const auto &[File, ReadNs] : In.Read)
    for (const auto &[Inner, Part] : Sums.files()[File].Includes)
      if (NodeOf[Inner] != 0)
        IncludedNodes[NodeOf[File]].push_back(NodeOf[Inner]);
  DominatorTree Tree = dominators(IncludedNodes);
  for (size_t Index = Tree.Order.size(); Index-- > 1;) {
    uint32_t Node = Tree.Order[Index];
    AloneNs[In.Read[Node - 1].first] += Ns[Node];
    Ns[Tree.Before[Node]] += Ns[Node];
  }
  for (const auto &[File, ReadNs] : In.Read)
    NodeOf[File] = 0;
}

std::vector<HeaderDetail> ranked(std::vector<HeaderDetail> Parts) {
  sortRows(
      Parts,
      [](const HeaderDetail &A, const HeaderDetail &B) {
        return A.Sums.InclusiveNs > B.Sums.InclusiveNs;
      },
      [](const HeaderDetail &Part) {
        return std::pair(Part.Name, Part.LineNo);
      });
  return Parts;
}

uint64_t headerValue(const HeaderRow &Row, HeaderOrder Order) {
  switch (Order) {
  case HeaderOrder::Inclusive:
    return Row.File->InclusiveNs;
  case HeaderOrder::Own:
    return Row.File->OwnNs;
  case HeaderOrder::Alone:
    return Row.AloneNs;
  case HeaderOrder::Instantiates:
    return Row.File->InstantiatedNs;
  case HeaderOrder::Units:
    return Row.File->Readings.Units;
  case HeaderOrder::Name:
    return 0;
  }
  return 0;
}

} // namespace

std::string HeaderDetail::text() const {
  std::string Text(Name);
  return LineNo == 0 ? Text : Text + ":" + std::to_string(LineNo);
}

HeaderTable::HeaderTable(const HeaderSums &Sums, const std::string &Wanted)
    : Sums(Sums) {
  const std::vector<HeaderSums::File> &Files = Sums.files();
  Times AloneNs(Files.size());
  std::vector<uint32_t> NodeOf(Files.size());
  for (const HeaderSums::Compile &In : Sums.compiles())
    addAlone(Sums, In, NodeOf, AloneNs);
  for (FileNumber File = 0; File != Files.size(); ++File)
    if (Files[File].IsSelected &&
        (Wanted.empty() || isWithin(Files[File].Path, Wanted)))
      Rows.push_back({&Files[File], AloneNs[File]});
}

void HeaderTable::sort(HeaderOrder Order, size_t Wanted) {
  sortRows(
      Rows,
      [Order](const HeaderRow &A, const HeaderRow &B) {
        return headerValue(A, Order) > headerValue(B, Order);
      },
      [](const HeaderRow &Row) { return std::string_view(Row.File->Path); },
      Wanted);
}

std::vector<HeaderDetail> HeaderTable::includers(const HeaderRow &Row) const {
  std::vector<HeaderDetail> Parts;
  for (const auto &[Place, Part] : Row.File->Includers)
    Parts.push_back({Sums.files()[Place.first].Path, Place.second, Part});
  return ranked(std::move(Parts));
}

std::vector<HeaderDetail> HeaderTable::includes(const HeaderRow &Row) const {
  std::vector<HeaderDetail> Parts;
  for (const auto &[Inner, Part] : Row.File->Includes)
    Parts.push_back({Sums.files()[Inner].Path, 0, Part});
  return ranked(std::move(Parts));
}

std::vector<HeaderDetail> HeaderTable::templates(const HeaderRow &Row) const {
  std::vector<HeaderDetail> Parts;
  for (const auto &[Key, Part] : Row.File->Templates)
    Parts.push_back({Part.Name, 0, Part.Sums});
  return ranked(std::move(Parts));
}
