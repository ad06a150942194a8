/// \file
/// The second half of IndexBuilder: what is known only of all records.
#include "runtime/base/Hash.h"
#include "runtime/index/IndexBuilder.h"
#include "runtime/index/IndexFile.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

using namespace instantrace;
using namespace instantrace::index;

/// A line's postings are then one slice.
void IndexBuilder::sortLocations() {
  std::vector<uint32_t> Order(Locations.size()), NewOf(Locations.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [this](uint32_t A, uint32_t B) {
    const LocationRow &L = Locations[A], &R = Locations[B];
    return std::tie(L.File, L.LineNo, L.ColumnNo) <
           std::tie(R.File, R.LineNo, R.ColumnNo);
  });
  std::vector<LocationRow> Sorted;
  Sorted.reserve(Order.size());
  for (uint32_t Old : Order) {
    NewOf[Old] = static_cast<uint32_t>(Sorted.size());
    Sorted.push_back(Locations[Old]);
  }
  Locations = std::move(Sorted);
  for (EntityRow &E : Entities)
    if (E.DeclaredAt != None)
      E.DeclaredAt = NewOf[E.DeclaredAt];
  for (Numbers &Of : NumbersOf)
    for (uint32_t &Place : Of.Places)
      Place = NewOf[Place];
  addPlaces();
}

namespace {

/// Rows are let go after so many.
constexpr uint32_t RowsBetween = 1 << 14;

struct Bytes {
  const SpillColumn<uint64_t> &Column;
  uint64_t operator[](uint64_t At) const {
    return At < Column.size() ? Column[At] : 0;
  }
};

/// Turns counts into where each begins; returns the sum.
template <class Rows> uint32_t beginsOf(Rows &R) {
  uint32_t Sum = 0;
  for (auto &Row : R)
    Row.FirstPosting = std::exchange(Sum, Sum + Row.FirstPosting);
  return Sum;
}

} // namespace

/// Gives each the numbers of what it refers to, and adds up all that there is
/// to be added up.
void IndexBuilder::completeRecords() {
  struct Tally {
    uint32_t Until = 0; ///< behind the subtree of the outermost record
    uint64_t CostliestNs = 0;
  };
  std::vector<Tally> OfEntity(Entities.size()), OfSet(TemplateSets.size());
  Bytes AstOf{AstBytes};
  const bool HasMemory = !AstBytes.empty();
  uint64_t SelfNs = 0, Memory = 0;
  auto Add = [&](uint32_t Id, const RecordRow &Row, const RecordTimes &Time,
                 uint64_t Ast, CostRow &Cost, Tally &Of) {
    Cost.SelfNs += Time.SelfNs;
    Cost.AstBytes += Ast;
    ++Cost.Count;
    Cost.Definitions += (Row.Flags & RecordDefinition) != 0;
    if (Id >= Of.Until) {
      Cost.InclusiveNs += Time.InclusiveNs;
      Of.Until = Row.SubtreeEnd;
    }
    if (Cost.Costliest == None || Time.InclusiveNs > Of.CostliestNs) {
      Cost.Costliest = Id;
      Of.CostliestNs = Time.InclusiveNs;
    }
  };
  Records.startAgain();
  uint32_t Id = 0;
  for (size_t No = 0; No != Compiles.size(); ++No) {
    const Numbers &Of = NumbersOf[No];
    const uint32_t End = No + 1 == Compiles.size()
                             ? recordCount()
                             : Compiles[No + 1].FirstRecord;
    for (; Id != End; ++Id) {
      RecordRow &Row = Records[Id];
      const RecordTimes Time = Times[Id];
      const uint64_t Ast = AstOf[Id];
      addRecordIds(Of, Id - Compiles[No].FirstRecord, Row.Entity, Row.Location);
      Row.Entity = Of.entity(Row.Entity);
      Row.Location = Of.place(Row.Location);
      SelfSums.add(Id, SelfNs);
      SelfNs += Time.SelfNs;
      if (HasMemory)
        MemorySums.add(Id, Memory);
      Memory += Ast;
      if (Row.Location != None)
        ++Locations[Row.Location].FirstPosting;
      if (Row.Entity != None) {
        EntityRow &Entity = Entities[Row.Entity];
        ++Entity.FirstPosting;
        Add(Id, Row, Time, Ast, EntityCosts[Row.Entity], OfEntity[Row.Entity]);
        if (uint32_t Set = Entity.TemplateSet; Set != None)
          Add(Id, Row, Time, Ast, TemplateSetCosts[Set], OfSet[Set]);
      }
      if (Id % RowsBetween == 0) {
        Records.letGo(Id);
        Times.letGo(Id);
        AstBytes.letGo(Id);
      }
    }
    addTablesOfRecords(No);
  }
  SelfSums.add(Id, SelfNs);
  if (HasMemory)
    MemorySums.add(Id, Memory);
}

/// Those of a few million at a time, since they are not filled in their order.
void IndexBuilder::makePostings() {
  const uint32_t OfEntities = beginsOf(Entities);
  const uint32_t OfLocations = beginsOf(Locations);
  if (!EntityPostings.resize(OfEntities) ||
      !LocationPostings.resize(OfLocations))
    return;
  for (uint64_t Begin = 0; Begin < recordCount(); Begin += PostingsAtOnce) {
    const uint64_t End = Begin + PostingsAtOnce;
    auto Put = [&](SpillColumn<uint32_t> &Into, uint32_t &Next, uint32_t Id) {
      if (Next >= Begin && Next < End)
        Into[Next] = Id;
      ++Next;
    };
    std::vector<uint32_t> NextOfEntity, NextOfLocation;
    for (const EntityRow &E : Entities)
      NextOfEntity.push_back(E.FirstPosting);
    for (const LocationRow &L : Locations)
      NextOfLocation.push_back(L.FirstPosting);
    Records.startAgain();
    for (uint32_t Id = 0; Id != recordCount(); ++Id) {
      const RecordRow &Row = Records[Id];
      if (Row.Entity != None)
        Put(EntityPostings, NextOfEntity[Row.Entity], Id);
      if (Row.Location != None)
        Put(LocationPostings, NextOfLocation[Row.Location], Id);
      if (Id % RowsBetween == 0)
        Records.letGo(Id);
    }
    EntityPostings.letGo(std::min<uint64_t>(End, OfEntities));
    LocationPostings.letGo(std::min<uint64_t>(End, OfLocations));
  }
}

/// \p At is the number of records that \p Sum is of.
void IndexBuilder::Sums::add(uint64_t At, uint64_t Sum) {
  if (At % SumsPerBase == 0)
    Bases.push(Sum);
  if (Bases.empty())
    return; // no room
  uint64_t Delta = Sum - Bases.back();
  if (Delta >= None)
    Wide.push({Sum, static_cast<uint32_t>(At), 0});
  Deltas.push(Delta >= None ? None : static_cast<uint32_t>(Delta));
}

void IndexBuilder::sortHashes() {
  EntitiesByHash.resize(Entities.size());
  std::iota(EntitiesByHash.begin(), EntitiesByHash.end(), 0);
  std::sort(EntitiesByHash.begin(), EntitiesByHash.end(),
            [this](uint32_t A, uint32_t B) {
              return std::tie(Entities[A].Hash, A) <
                     std::tie(Entities[B].Hash, B);
            });
}

Result<void> IndexBuilder::finish(const IndexIdentity &Of, int Descriptor) {
  if (Fault.empty()) {
    sortLocations();
    completeRecords();
    makePostings();
    sortHashes();
    fail(failure());
  }
  if (!Fault.empty())
    return Error{Fault};
  IndexFile File(Descriptor);
  auto Add = [&File](auto &Rows) {
    const auto *First = std::as_const(Rows).data();
    constexpr size_t RowBytes = sizeof(*First);
    if constexpr (requires { Rows.startAgain(); }) {
      Rows.startAgain();
      File.add(First, Rows.size() * RowBytes,
               [&Rows](uint64_t Done) { Rows.letGo(Done / RowBytes); });
    } else {
      File.add(First, Rows.size() * RowBytes);
    }
  };
  // In the order of Sections.def.
  Add(Compiles);
  Add(Files);
  Add(Locations);
  Add(Entities);
  Add(EntityCosts);
  Add(EntitiesByHash);
  Add(TemplateSets);
  Add(TemplateSetCosts);
  Add(Records);
  Add(Requesters);
  Add(RangeBlocks);
  Add(RangeStarts);
  Add(RangeBegins);
  Add(EntityPostings);
  Add(LocationPostings);
  for (Sums *S : {&SelfSums, &MemorySums}) {
    Add(S->Bases);
    Add(S->Deltas);
    Add(S->Wide);
  }
  File.add(Strings.heap().data(), Strings.heap().size());
  Add(Summary);
  Add(TableSlices);
  Add(TableText);
  Add(Rules);
  return File.write(Of.TraceBytes, Of.TraceHash);
}
