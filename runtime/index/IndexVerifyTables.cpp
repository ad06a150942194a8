/// \file
/// InstantiationIndex::verify(): the rules of the tables of traces.
#include "runtime/format/EventKind.h"
#include "runtime/index/IndexTables.h"
#include "runtime/index/IndexVerify.h"
#include "runtime/strings/StringComponents.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

using namespace instantrace;
using namespace instantrace::index;

namespace {

class TablesVerifier {
public:
  TablesVerifier(const InstantiationIndex &Of, const IndexBytes &Bytes,
                 const std::vector<uint64_t> &Entries)
      : Of(Of), Bytes(Bytes), Entries(Entries), Hits(Of.entityCount()) {}

  bool run() {
    if (!Of.hasTables())
      return true;
    if (!slices())
      return false;
    for (uint32_t Compile = 0; Compile != Of.compileCount(); ++Compile) {
      for (size_t I = 0; I != TableLimit; ++I)
        if (!Of.tableRows(Compile, static_cast<Table>(I), Rows[I]) ||
            !strings(Compile, static_cast<Table>(I)))
          return false;
      if (!names(Compile) || !records(Compile) || !elided(Compile))
        return false;
      addHits();
    }
    return hits();
  }

private:
  bool fault(const char *Rule, uint32_t Compile, const std::string &Found,
             const std::string &Expected) const {
    return Bytes.fault(std::string(Rule) + ", section TABL, compile " +
                           std::to_string(Compile),
                       Found, Expected);
  }

  /// They share out the section.
  bool slices() const {
    uint64_t Count = uint64_t(Of.compileCount()) * TableLimit;
    if (Bytes.rowCount(Section::TableSlices) != Count)
      return fault("table-count", 0,
                   std::to_string(Bytes.rowCount(Section::TableSlices)) +
                       " tables",
                   std::to_string(Count));
    const auto *Row = Bytes.rows<TableSliceRow>(Section::TableSlices, 0, Count);
    if (!Row)
      return false;
    std::vector<std::pair<uint64_t, uint64_t>> Sorted;
    for (uint64_t I = 0; I != Count; ++I)
      Sorted.emplace_back(Row[I].Offset, Row[I].SizeBytes);
    std::sort(Sorted.begin(), Sorted.end());
    uint64_t End = 0;
    for (auto [Offset, Size] : Sorted) {
      if (Offset != End || Size > Bytes.rowCount(Section::Tables) - End)
        return fault("table-slices", 0,
                     std::to_string(Size) + " bytes at " +
                         std::to_string(Offset),
                     "a slice of the section, at " + std::to_string(End));
      End += Size;
    }
    return End == Bytes.rowCount(Section::Tables) ||
           fault("table-slices", 0, std::to_string(End) + " bytes",
                 std::to_string(Bytes.rowCount(Section::Tables)));
  }

  bool strings(uint32_t Compile, Table In) const {
    const TableRows &R = Rows[static_cast<size_t>(In)];
    auto Columns = TableKinds[static_cast<size_t>(In)].Columns;
    for (size_t I = 0; I != R.size(); ++I)
      if (Columns[I % Columns.size()].What == Holds::String && R[I] != 0 &&
          !std::binary_search(Entries.begin(), Entries.end(), R[I] - 1))
        return fault("table-string", Compile, std::to_string(R[I] - 1),
                     "the begin of an entry");
    return true;
  }

  /// The parts of a name are names before it.
  bool names(uint32_t Compile) const {
    std::unordered_set<uint64_t> Before;
    const TableRows &Names = rows(Table::Names);
    for (size_t I = 0; I != Names.size(); I += columnCount(Table::Names)) {
      std::string Entry;
      if (Names[I] == 0 || Names[I + 1] != 0)
        continue;
      if (!Of.stringEntry(Names[I] - 1, Entry))
        return false;
      Entry += static_cast<char>(EntryTerminator);
      ComponentReader Reader(Entry.data());
      for (StringComponent Part; Reader.next(Part);)
        if (Part.Ref.kind() == StringIdKind::Regular &&
            !Before.contains(Part.Ref.Value - StringId::FirstRegular))
          return fault("table-names", Compile,
                       "a part of string " + std::to_string(Names[I] - 1) +
                           " that is no name before it",
                       "one");
      Before.insert(Names[I] - 1);
    }
    return true;
  }

  /// Rows of a table that begin with their record, met record after record.
  struct RecordCursor {
    const TableRows &Rows;
    size_t Columns, At = 0;
    bool next(uint64_t Record) {
      bool IsHere = At != Rows.size() && Rows[At] == Record;
      At += IsHere ? Columns : 0;
      return IsHere;
    }
  };
  RecordCursor recordRows(Table In) const {
    return {rows(In), columnCount(In)};
  }
  /// When all records were met.
  bool areAscending(const char *Rule, uint32_t Compile,
                    const RecordCursor &Of) const {
    return Of.At == Of.Rows.size() ||
           fault(Rule, Compile, "rows of records in another order",
                 "ascending ones");
  }

  /// A record with an entity or a location has one in its compile.
  bool records(uint32_t Compile) const {
    InstantiationIndex::Compile C;
    if (!Of.compile(Compile, C))
      return false;
    std::vector<bool> HasEntity(Of.entityCount()), HasPlace(Of.locationCount());
    const TableRows &Entities = rows(Table::Entities);
    for (size_t I = columnCount(Table::Entities); I <= Entities.size();
         I += columnCount(Table::Entities))
      HasEntity[Entities[I - 1]] = true;
    for (uint64_t Place : rows(Table::Places))
      if (Place != 0)
        HasPlace[Place - 1] = true;
    if (rows(Table::Places).size() * columnCount(Table::Locations) !=
        rows(Table::Locations).size())
      return fault("table-places", Compile,
                   std::to_string(rows(Table::Places).size()) + " places",
                   "one for each location");
    RecordCursor OwnEntities = recordRows(Table::RecordEntities),
                 OwnPlaces = recordRows(Table::RecordLocations);
    for (uint32_t Id = C.FirstRecord; Id != C.EndRecord; ++Id) {
      InstantiationIndex::Shape R;
      if (!Of.shape(Id, R))
        return false;
      uint64_t No = Id - C.FirstRecord;
      bool HasOwn = OwnEntities.next(No);
      bool HasOwnPlace = OwnPlaces.next(No);
      if ((R.Entity != InstantiationIndex::None && !HasOwn &&
           !HasEntity[R.Entity]) ||
          (R.Location != InstantiationIndex::None && !HasOwnPlace &&
           !HasPlace[R.Location]))
        return fault("table-record", Compile,
                     "no row of record " + std::to_string(Id),
                     "its entity and its location in the tables");
    }
    return areAscending("table-record", Compile, OwnEntities) &&
           areAscending("table-record", Compile, OwnPlaces);
  }

  /// A record that has ended is marked if it has a row, and no other.
  bool elided(uint32_t Compile) const {
    InstantiationIndex::Compile C;
    if (!Of.compile(Compile, C))
      return false;
    RecordCursor Leaves = recordRows(Table::Elided);
    for (uint32_t Id = C.FirstRecord; Id != C.EndRecord; ++Id) {
      const RecordRows Row = Bytes.records(Id, 1);
      if (!Row)
        return false;
      bool HasRow = Leaves.next(Id - C.FirstRecord);
      uint8_t Flags = Row[0].Flags;
      if (!(Flags & RecordOpen) && HasRow != bool(Flags & RecordElided))
        return fault("table-elided", Compile,
                     (HasRow ? "a row of record " : "no row of record ") +
                         std::to_string(Id),
                     "one of each record that is marked");
    }
    return areAscending("table-elided", Compile, Leaves);
  }

  /// Uses again, counted or one by one.
  void addHits() {
    const TableRows &Entities = rows(Table::Entities);
    auto Add = [&](uint64_t Entity, uint64_t Count) {
      constexpr size_t Columns = columnCount(Table::Entities);
      if (Entity != 0 && Entity <= Entities.size() / Columns)
        Hits[Entities[Entity * Columns - 1]] += Count;
    };
    const TableRows &Counted = rows(Table::Memoized);
    for (size_t I = 0; I != Counted.size(); I += columnCount(Table::Memoized))
      Add(Counted[I], Counted[I + 1]);
    constexpr size_t Columns = columnCount(Table::Instants);
    const TableRows &Instants = rows(Table::Instants);
    for (size_t I = 0; I != Instants.size(); I += Columns)
      if (Instants[I + Columns - 1] ==
          static_cast<uint64_t>(EventKind::Memoization))
        Add(Instants[I + 1], 1);
  }

  bool hits() const {
    const RuleChecks Check(Bytes);
    std::vector<uint64_t> OfSets(Bytes.rowCount(Section::TemplateSets));
    for (size_t I = 0; I != Hits.size(); ++I) {
      uint32_t Set = None;
      if (!Check.setOf(I, Set))
        return false;
      if (Set != None)
        OfSets[Set] += Hits[I];
    }
    auto Compare = [&](Section Costs, const std::vector<uint64_t> &Sums) {
      for (size_t I = 0; I != Sums.size(); ++I)
        if (!Check.isEqual("cost-memoized", Costs, I,
                           Check.row<CostRow>(Costs, I).Memoized, Sums[I]))
          return false;
      return true;
    };
    return Compare(Section::EntityCosts, Hits) &&
           Compare(Section::TemplateSetCosts, OfSets);
  }

  const TableRows &rows(Table In) const {
    return Rows[static_cast<size_t>(In)];
  }

  const InstantiationIndex &Of;
  const IndexBytes &Bytes;
  const std::vector<uint64_t> &Entries;
  std::vector<uint64_t> Hits; ///< by entity, of the compiles so far
  CompileTables Rows;
};

} // namespace

bool instantrace::index::verifyTables(const InstantiationIndex &Of,
                                      const IndexBytes &Bytes,
                                      const std::vector<uint64_t> &Entries) {
  return TablesVerifier(Of, Bytes, Entries).run();
}
