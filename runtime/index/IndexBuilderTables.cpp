/// \file
/// The part of IndexBuilder that keeps what a trace says besides its intervals.
///
/// An index has one entity for equal names, and a trace may have several; the
/// same for locations in one line and column, of which each may be in another
/// inclusion. Of a compile, the first is meant where a record has one, and the
/// table of records with another one is short.
#include "runtime/index/IndexBuilder.h"

#include <array>
#include <cstring>
#include <utility>

using namespace instantrace;
using namespace instantrace::index;

namespace {

/// Which of them are the first in the compile that stand for theirs.
std::vector<bool> firsts(const std::vector<uint32_t> &Of, uint32_t Compile,
                         std::vector<uint32_t> &SeenIn) {
  std::vector<bool> IsFirst(Of.size());
  for (size_t I = 0; I != Of.size(); ++I) {
    if (Of[I] >= SeenIn.size())
      SeenIn.resize(Of[I] + size_t(1));
    IsFirst[I] = std::exchange(SeenIn[Of[I]], Compile) != Compile;
  }
  return IsFirst;
}

/// Whether who reads the index cannot know it from the record.
bool isOther(uint32_t Id, const std::vector<bool> &IsFirst) {
  return Id != 0 && (Id > IsFirst.size() || !IsFirst[Id - 1]);
}

} // namespace

void IndexBuilder::findFirstIds(Numbers &Of) {
  auto Compile = static_cast<uint32_t>(Compiles.size());
  Of.IsFirstEntity = firsts(Of.Entities, Compile, EntitySeenIn);
  Of.IsFirstPlace = firsts(Of.Places, Compile, PlaceSeenIn);
}

/// Of a record, as its events have them.
void IndexBuilder::addRecordIds(const Numbers &Of, uint32_t Record,
                                uint32_t Entity, uint32_t Location) {
  if (isOther(Entity, Of.IsFirstEntity))
    RecordEntities.add(std::array<uint64_t, 2>{Record, Entity});
  if (isOther(Location, Of.IsFirstPlace))
    RecordLocations.add(std::array<uint64_t, 2>{Record, Location});
}

void IndexBuilder::addTables(const Tables &T, const std::vector<StringId> &Ids,
                             const std::vector<uint32_t> &EntityOf) {
  const uint64_t Compile = Compiles.size() - 1;
  TableSlices.resize((Compile + 1) * TableLimit);
  for (Table Of :
       {Table::About, Table::Texts, Table::Locations, Table::LocationDetails,
        Table::Declarations, Table::DeclarationDetails, Table::Inclusions,
        Table::WholeNames, Table::Elided, Table::Memoized, Table::Functions})
    addTable(Compile, Of, encodeTable(Of, T.More[static_cast<size_t>(Of)]));
  TableBytes Names(Table::Names);
  for (uint32_t Id = 1; Id <= T.Names->size(); ++Id) {
    Dictionary::EntryView Entry = T.Names->entry({Id});
    uint64_t At = address(Ids[Id]);
    // What is no more than a reference is in the file what that refers to.
    bool IsSame = Entry.MarkedName.size() == 1 && Entry.Markers.size() == 1 &&
                  Entry.Part == NamePart::Text;
    Names.add(std::array<uint64_t, 2>{At == NoString ? 0 : At + 1,
                                      IsSame ? Entry.Markers[0] : 0});
  }
  addTable(Compile, Table::Names, Names.take());
  constexpr size_t Columns = columnCount(Table::Entities);
  const TableRows &Given = T.More[static_cast<size_t>(Table::Entities)];
  TableBytes Entities(Table::Entities);
  for (size_t I = 0; I != Given.size() / Columns; ++I) {
    std::array<uint64_t, Columns> Row;
    std::memcpy(Row.data(), &Given[I * Columns], sizeof(Row));
    Row.back() = EntityOf[I];
    Entities.add(Row);
  }
  addTable(Compile, Table::Entities, Entities.take());
  addTable(Compile, Table::Instants, Instants.take());
  addTable(Compile, Table::RecordHits, RecordHits.take());
  addTable(Compile, Table::Profiling, Profiling.take());
}

void IndexBuilder::setAbout(size_t Back, const TableRows &About) {
  addTable(Compiles.size() - Back, Table::About,
           encodeTable(Table::About, About));
}

/// Those that need a look at each record.
void IndexBuilder::addTablesOfRecords(uint64_t Compile) {
  addTable(Compile, Table::RecordEntities, RecordEntities.take());
  addTable(Compile, Table::RecordLocations, RecordLocations.take());
}

void IndexBuilder::addTable(uint64_t Compile, Table Of,
                            const std::string &Bytes) {
  const uint64_t At = TableText.size();
  if (!TableText.append(Bytes.data(), Bytes.size()))
    return fail(failure());
  TableSlices[Compile * TableLimit + static_cast<size_t>(Of)] = {At,
                                                                 Bytes.size()};
}

/// Locations have their numbers when all are known.
void IndexBuilder::addPlaces() {
  TableBytes Bytes(Table::Places);
  for (uint64_t Compile = 0; Compile != NumbersOf.size(); ++Compile) {
    for (uint32_t Place : NumbersOf[Compile].Places)
      Bytes.add(std::array<uint64_t, 1>{Place + uint64_t(1)});
    addTable(Compile, Table::Places, Bytes.take());
  }
}
