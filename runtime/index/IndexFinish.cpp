/// \file
/// The second half of IndexBuilder: what is known only of all records.
#include "runtime/base/Hash.h"
#include "runtime/index/IndexBuilder.h"
#include "runtime/index/IndexFile.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

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
  for (uint64_t Id = 0; Id != Records.size(); ++Id)
    if (uint32_t &At = Records[Id].Location; At != None)
      At = NewOf[At];
  addPlaces(NewOf);
}

namespace {

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

void IndexBuilder::addCosts() {
  // Behind the subtree of the outermost record of each.
  std::vector<uint32_t> EntityUntil(Entities.size()),
      SetUntil(TemplateSets.size());
  Bytes AstOf{AstBytes};
  for (uint32_t Id = 0; Id != recordCount(); ++Id) {
    const RecordRow &Row = Records[Id];
    if (Row.Entity == None)
      continue;
    auto Add = [&](CostRow &Cost, uint32_t &Until) {
      Cost.SelfNs += Times[Id].SelfNs;
      Cost.AstBytes += AstOf[Id];
      ++Cost.Count;
      Cost.Definitions += (Row.Flags & RecordDefinition) != 0;
      if (Id >= Until) {
        Cost.InclusiveNs += Times[Id].InclusiveNs;
        Until = Row.SubtreeEnd;
      }
      if (Cost.Costliest == None ||
          Times[Id].InclusiveNs > Times[Cost.Costliest].InclusiveNs)
        Cost.Costliest = Id;
    };
    Add(EntityCosts[Row.Entity], EntityUntil[Row.Entity]);
    if (uint32_t Set = Entities[Row.Entity].TemplateSet; Set != None)
      Add(TemplateSetCosts[Set], SetUntil[Set]);
  }
}

void IndexBuilder::makePostings() {
  for (uint64_t Id = 0; Id != Records.size(); ++Id) {
    const RecordRow &Row = Records[Id];
    if (Row.Entity != None)
      ++Entities[Row.Entity].FirstPosting;
    if (Row.Location != None)
      ++Locations[Row.Location].FirstPosting;
  }
  if (!EntityPostings.resize(beginsOf(Entities)) ||
      !LocationPostings.resize(beginsOf(Locations)))
    return;
  std::vector<uint32_t> NextOfEntity, NextOfLocation;
  for (const EntityRow &E : Entities)
    NextOfEntity.push_back(E.FirstPosting);
  for (const LocationRow &L : Locations)
    NextOfLocation.push_back(L.FirstPosting);
  for (uint32_t Id = 0; Id != recordCount(); ++Id) {
    const RecordRow &Row = Records[Id];
    if (Row.Entity != None)
      EntityPostings[NextOfEntity[Row.Entity]++] = Id;
    if (Row.Location != None)
      LocationPostings[NextOfLocation[Row.Location]++] = Id;
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

void IndexBuilder::makeSums() {
  uint64_t SelfNs = 0, Memory = 0;
  Bytes AstOf{AstBytes};
  bool HasMemory = !AstBytes.empty();
  for (uint64_t Id = 0;; ++Id) {
    SelfSums.add(Id, SelfNs);
    if (HasMemory)
      MemorySums.add(Id, Memory);
    if (Id == Records.size())
      break;
    SelfNs += Times[Id].SelfNs;
    Memory += AstOf[Id];
  }
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
    addCosts();
    makePostings();
    makeSums();
    sortHashes();
    fail(failure());
  }
  if (!Fault.empty())
    return Error{Fault};
  IndexFile File(Descriptor);
  auto Add = [&File](const auto &Rows) {
    File.add(Rows.data(), Rows.size() * sizeof(Rows.data()[0]));
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
  Add(RangeRecords);
  Add(EntityPostings);
  Add(LocationPostings);
  for (const Sums *S : {&SelfSums, &MemorySums}) {
    Add(S->Bases);
    Add(S->Deltas);
    Add(S->Wide);
  }
  Add(Strings.heap());
  Add(Summary);
  Add(TableSlices);
  Add(TableText);
  return File.write(Of.TraceBytes, Of.TraceHash);
}
