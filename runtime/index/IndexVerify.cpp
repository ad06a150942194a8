/// \file
/// InstantiationIndex::verify(): each rule of proto/INDEX.md, with memory for
/// what is open and for entities and strings.
#include "runtime/index/IndexVerify.h"

#include "runtime/index/IndexState.h"

using namespace instantrace;
using namespace instantrace::index;

namespace {

/// Checks every sum.
bool readsAll(const IndexBytes &Bytes) {
  for (size_t I = 0; I != SectionLimit; ++I) {
    auto Sec = static_cast<Section>(I);
    if (!Bytes.rows<char>(Sec, 0, Bytes.table(Sec).SizeBytes))
      return false;
  }
  return true;
}

/// Sections that go together have as many rows as one another.
bool hasRowCounts(const RuleChecks &Check) {
  uint64_t Records = Check.count(Section::Records);
  uint64_t Memory = Check.count(Section::MemorySums);
  const uint64_t Ranges = Check.count(Section::RangeStarts);
  auto Bases = [](uint64_t Sums) {
    return (Sums + SumsPerBase - 1) / SumsPerBase;
  };
  return Check.isEqual("row-count", Section::EntitiesByHash, 0,
                       Check.count(Section::EntitiesByHash),
                       Check.count(Section::Entities)) &&
         Check.isEqual("row-count", Section::RangeStarts, 0, Ranges,
                       beginRange(Records, 0)) &&
         Check.isEqual("row-count", Section::RangeBegins, 0,
                       Check.count(Section::RangeBegins),
                       (Ranges + BitsPerWord - 1) / BitsPerWord) &&
         Check.isEqual("row-count", Section::SelfSums, 0,
                       Check.count(Section::SelfSums), Records + 1) &&
         Check.isEqual("row-count", Section::SelfBases, 0,
                       Check.count(Section::SelfBases), Bases(Records + 1)) &&
         Check.isEqual("row-count", Section::MemorySums, 0, Memory,
                       Memory == 0 ? 0 : Records + 1) &&
         Check.isEqual("row-count", Section::MemoryBases, 0,
                       Check.count(Section::MemoryBases), Bases(Memory));
}

} // namespace

bool InstantiationIndex::verify() const {
  const IndexBytes &Bytes = *S->Bytes;
  const RuleChecks Check(Bytes);
  std::vector<uint64_t> Entries;
  return readsAll(Bytes) && Bytes.isPaddingZero() &&
         verifyStrings(Bytes, Entries) && verifyNamed(*this, Bytes, Entries) &&
         hasRowCounts(Check) && verifySums(Bytes) &&
         verifyRecords(*this, Bytes, Entries) && verifyPostings(Bytes) &&
         Bytes.isWhole();
}
