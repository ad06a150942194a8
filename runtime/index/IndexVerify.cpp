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
  for (size_t I = 0; I != Bytes.header().SectionCount; ++I) {
    auto Of = static_cast<Section>(I);
    if (!Bytes.rows<char>(Of, 0, Bytes.table(Of).SizeBytes))
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
  return Check.isEqual("row-count", Section::EntityCosts, 0,
                       Check.count(Section::EntityCosts),
                       Check.count(Section::Entities)) &&
         Check.isEqual("row-count", Section::EntitiesByHash, 0,
                       Check.count(Section::EntitiesByHash),
                       Check.count(Section::Entities)) &&
         Check.isEqual("row-count", Section::TemplateSetCosts, 0,
                       Check.count(Section::TemplateSetCosts),
                       Check.count(Section::TemplateSets)) &&
         Check.isEqual("row-count", Section::RangeBegins, 0,
                       Check.count(Section::RangeBegins),
                       Check.Bytes.hasRangeBegins()
                           ? (Ranges + BitsPerWord - 1) / BitsPerWord
                           : Ranges) &&
         Check.isEqual("row-count", Section::SelfSums, 0,
                       Check.count(Section::SelfSums), Records + 1) &&
         Check.isEqual("row-count", Section::SelfBases, 0,
                       Check.count(Section::SelfBases), Bases(Records + 1)) &&
         Check.isEqual("row-count", Section::MemorySums, 0, Memory,
                       Memory == 0 ? 0 : Records + 1) &&
         Check.isEqual("row-count", Section::MemoryBases, 0,
                       Check.count(Section::MemoryBases), Bases(Memory));
}

/// Lines that something is in, of characters that can be shown.
bool hasWholeRules(const RuleChecks &Check) {
  if (!Check.Bytes.has(Section::Rules))
    return true;
  char Before = '\n';
  for (uint64_t At = 0; At != Check.count(Section::Rules); ++At) {
    char C = Check.row<char>(Section::Rules, At);
    bool IsControl = (C >= 0 && C < ' ' && C != '\n') || C == 0x7f;
    if (IsControl || (C == '\n' && Before == '\n'))
      return Check.fault("rule-text", Section::Rules, At,
                         "an empty line or a control "
                         "character",
                         "lines of text");
    Before = C;
  }
  return Before == '\n' ||
         Check.fault("rule-text", Section::Rules, 0, "no end of the last line",
                     "whole lines");
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
         hasWholeRules(Check) && verifySummary(*this, Bytes, Entries) &&
         verifyTables(*this, Bytes, Entries) && Bytes.isWhole();
}
