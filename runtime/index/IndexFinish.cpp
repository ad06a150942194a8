/// \file
/// The second half of IndexBuilder: what is known only of all records.
#include "runtime/index/IndexBuilder.h"

#include <algorithm>
#include <cstring>
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
  for (Numbers &N : NumbersOf)
    for (uint32_t &Place : N.Places)
      Place = NewOf[Place];
}

namespace {

IndexFile::Source sourceOf(const void *Rows) {
  return [Rows](uint64_t Index, size_t SizeBytes, char *Into) {
    std::memcpy(Into, static_cast<const char *>(Rows) + Index, SizeBytes);
    return 0;
  };
}

template <class T> IndexFile::Source sourceOf(SpillColumn<T> &Rows) {
  return [&Rows](uint64_t Index, size_t SizeBytes, char *Into) {
    return Rows.copy(Index, SizeBytes, Into) ? 0 : Rows.error();
  };
}

} // namespace

/// \p Offset is the number of records that \p Sum is of.
void IndexBuilder::Sums::add(uint64_t Offset, uint64_t Sum) {
  if (Offset % SumsPerBase == 0)
    Bases.push(Sum);
  if (Bases.empty())
    return; // no room
  uint64_t Delta = Sum - Bases.back();
  if (Delta >= None)
    Wide.push({Sum, static_cast<uint32_t>(Offset), 0});
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

Result<void> IndexBuilder::finish(const IndexIdentity &Identity,
                                  int Descriptor) {
  auto CheckRoom = [this] {
    if (std::string Full = failure(); !Full.empty())
      fail(Full);
    return Fault.empty();
  };
  // What had no room lacks numbers that the rest relies on.
  if (CheckRoom()) {
    sortLocations();
    completeRecords();
    sortHashes();
  }
  if (!CheckRoom())
    return Error{Fault};
  IndexFile File(Descriptor);
  auto Add = [&File](const auto &Rows) {
    File.add(Rows.size() * sizeof(*Rows.data()), sourceOf(Rows.data()));
  };
  auto Spilled = [&File]<class T>(SpillColumn<T> &Rows) {
    File.add(Rows.size() * sizeof(T), sourceOf(Rows));
  };
  // In the order of Sections.def.
  Add(Compiles);
  Add(Folders);
  Add(Files);
  Add(Locations);
  Add(Entities);
  Add(EntitiesByHash);
  Add(TemplateSets);
  addRecords(File);
  Spilled(Requesters);
  Spilled(RangeBlocks);
  Spilled(RangeStarts);
  Spilled(RangeBegins);
  addPostings(File);
  for (Sums *S : {&SelfSums, &MemorySums}) {
    Spilled(S->Bases);
    Spilled(S->Deltas);
    Spilled(S->Wide);
  }
  Add(Strings.heap());
  return File.write(Identity.TraceBytes, Identity.TraceHash);
}
