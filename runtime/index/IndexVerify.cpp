/// \file
/// InstantiationIndex::verify(): each rule of proto/INDEX.md, with memory for
/// what is open and for entities and strings.
#include "runtime/format/EventKind.h"
#include "runtime/index/Index.h"
#include "runtime/index/IndexState.h"
#include "runtime/strings/StringComponents.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

using namespace instantrace;
using namespace instantrace::index;

namespace {

class Verifier {
public:
  Verifier(const InstantiationIndex &Of, const IndexBytes &Bytes)
      : Of(Of), Bytes(Bytes) {}

  bool run() {
    return readAll() && Bytes.isPaddingZero() && strings() && tables() &&
           counts() && compiles() && postings() && hashes() && costs() &&
           rules() && verifySummary(Of, Bytes, Entries) &&
           verifyTables(Of, Bytes, Entries) && Bytes.isWhole();
  }

private:
  struct OpenRecord {
    uint32_t Id;
    RecordRow Row;
    uint64_t BeginNs, ChildrenNs, ProfilingNs;
  };

  /// What the costs of an entity or of a template set have to be.
  struct Tally {
    CostRow Cost = {0, 0, 0, 0, 0, 0, None, 0};
    uint64_t CostliestNs = 0;
    uint32_t Outermost = None; ///< that is open
    void add(const OpenRecord &Ended, uint64_t SelfNs, uint64_t InclusiveNs,
             uint64_t OwnBytes);
  };

  uint64_t count(Section Of) const { return Bytes.rowCount(Of); }
  template <class T> T row(Section Of, uint64_t At) const {
    T Row = {};
    Bytes.row(Of, At, Row); // within its section, as was checked
    return Row;
  }
  bool fault(const char *Rule, Section Of, uint64_t Row,
             const std::string &Found, const std::string &Expected) const {
    return Bytes.fault(std::string(Rule) + ", section " +
                           SectionKinds[static_cast<size_t>(Of)].Tag +
                           ", row " + std::to_string(Row),
                       Found, Expected);
  }
  bool isAtMost(const char *Rule, Section Of, uint64_t Row, uint64_t Found,
                uint64_t Most) const {
    return Found <= Most || fault(Rule, Of, Row, std::to_string(Found),
                                  "at most " + std::to_string(Most));
  }
  bool isEqual(const char *Rule, Section Of, uint64_t Row, uint64_t Found,
               uint64_t Expected) const {
    return Found == Expected || fault(Rule, Of, Row, std::to_string(Found),
                                      std::to_string(Expected));
  }
  /// None, or the number of a row.
  bool isIn(const char *Rule, Section Of, uint64_t Row, uint32_t Found,
            Section To) const {
    return Found == None || Found < count(To) ||
           fault(Rule, Of, Row, std::to_string(Found),
                 "none or one below " + std::to_string(count(To)));
  }

  /// Checks every sum.
  bool readAll() const {
    for (size_t I = 0; I != Bytes.header().SectionCount; ++I) {
      auto Of = static_cast<Section>(I);
      if (!Bytes.rows<char>(Of, 0, Bytes.table(Of).SizeBytes))
        return false;
    }
    return true;
  }

  bool strings();
  bool isString(Section Of, uint64_t Row, uint64_t At, bool MayBeNone) const {
    return (MayBeNone && At == NoString) ||
           std::binary_search(Entries.begin(), Entries.end(), At) ||
           fault("string-reference", Of, Row, std::to_string(At),
                 "the begin of an entry");
  }
  bool tables();
  bool counts();
  bool compiles();
  bool compile(uint64_t No);
  bool records(const CompileRow &C, uint64_t EndRecord, uint64_t EndRange);
  bool isRecord(uint32_t Id, const RecordRow &Row) const;
  bool enterRange(uint32_t Range, uint64_t EndRange, uint32_t Record);
  bool endInnermost(uint32_t At, uint64_t EndRange);
  bool postings();
  bool hashes();
  bool costs();
  bool rules() const;

  const InstantiationIndex &Of;
  const IndexBytes &Bytes;
  std::vector<uint64_t> Entries; ///< of the string data, by address
  std::vector<OpenRecord> Open;
  uint64_t NextBlock = 0;   ///< of ranges
  uint64_t RangeNo = 0;     ///< the next one
  uint64_t RangeNs = 0;     ///< when the last one began
  uint32_t RangeRecord = 0; ///< the innermost in it so far
  bool IsInRange = false;
  uint64_t NextRequester = 0;
  std::vector<Tally> EntityTallies, SetTallies;
};

bool Verifier::strings() {
  constexpr uint64_t HeaderBytes = 6;
  uint64_t Size = count(Section::Strings);
  const auto *Text = Bytes.rows<unsigned char>(Section::Strings, 0, Size);
  if (!Text)
    return false;
  for (uint64_t At = 0; At != Size;) {
    uint64_t Entry = At + HeaderBytes;
    auto Bad = [&](const char *Found, const char *Expected) {
      return fault("string-entry", Section::Strings, At, Found, Expected);
    };
    if (Size - At <= HeaderBytes)
      return Bad("no end", "a whole entry");
    uint64_t Ordinal = Text[At] | Text[At + 1] << 8 | Text[At + 2] << 16 |
                       uint64_t(Text[At + 3]) << 24;
    if (Ordinal != Entries.size() + 1)
      return Bad("another number", "entries in their order");
    uint64_t Next = Entry;
    while (Next < Size && Text[Next] != EntryTerminator) {
      if (Text[Next] != ReferenceTag) {
        ++Next;
        continue;
      }
      if (Size - Next < ReferenceBytes)
        return Bad("no end", "a whole entry");
      StringId Ref = referencedId(Text + Next);
      StringIdKind Kind = Ref.kind();
      bool IsEarlier = Kind == StringIdKind::Regular &&
                       std::binary_search(Entries.begin(), Entries.end(),
                                          Ref.Value - StringId::FirstRegular);
      if (!IsEarlier && Kind != StringIdKind::Byte &&
          !(Kind == StringIdKind::Mark && Next == Entry))
        return Bad("another reference", "one to an earlier entry or a mark");
      Next += ReferenceBytes;
    }
    if (Next >= Size)
      return Bad("no end", "a whole entry");
    Entries.push_back(Entry);
    At = Next + 1;
  }
  return true;
}

bool Verifier::tables() {
  for (uint64_t I = 0; I != count(Section::Files); ++I)
    if (!isString(Section::Files, I, row<FileRow>(Section::Files, I).Path,
                  false))
      return false;
  LocationRow Before = {};
  for (uint64_t I = 0; I != count(Section::Locations); ++I) {
    auto L = row<LocationRow>(Section::Locations, I);
    auto KeyOf = [](const LocationRow &R) {
      return std::tuple(R.File, R.LineNo, R.ColumnNo);
    };
    if (!isIn("location-file", Section::Locations, I, L.File, Section::Files))
      return false;
    if (I != 0 && KeyOf(L) <= KeyOf(Before))
      return fault("location-order", Section::Locations, I,
                   "one that is not behind the row before", "ascending rows");
    Before = L;
  }
  for (uint64_t I = 0; I != count(Section::TemplateSets); ++I)
    if (!isString(Section::TemplateSets, I,
                  row<TemplateSetRow>(Section::TemplateSets, I).Name, false))
      return false;
  for (uint64_t I = 0; I != count(Section::Entities); ++I) {
    auto E = row<EntityRow>(Section::Entities, I);
    if (!isString(Section::Entities, I, E.Name, true) ||
        !isIn("entity-set", Section::Entities, I, E.TemplateSet,
              Section::TemplateSets) ||
        !isIn("entity-location", Section::Entities, I, E.DeclaredAt,
              Section::Locations))
      return false;
    if (E.Reserved[0] != 0 || E.Reserved[1] != 0 || E.Reserved[2] != 0)
      return fault("reserved", Section::Entities, I, "another number", "0");
  }
  return true;
}

/// Sections that go together have as many rows as one another.
bool Verifier::counts() {
  uint64_t Records = count(Section::Records);
  uint64_t Memory = count(Section::MemorySums);
  auto Bases = [](uint64_t Sums) {
    return (Sums + SumsPerBase - 1) / SumsPerBase;
  };
  return isEqual("row-count", Section::EntityCosts, 0,
                 count(Section::EntityCosts), count(Section::Entities)) &&
         isEqual("row-count", Section::EntitiesByHash, 0,
                 count(Section::EntitiesByHash), count(Section::Entities)) &&
         isEqual("row-count", Section::TemplateSetCosts, 0,
                 count(Section::TemplateSetCosts),
                 count(Section::TemplateSets)) &&
         isEqual("row-count", Section::RangeRecords, 0,
                 count(Section::RangeRecords), count(Section::RangeStarts)) &&
         isEqual("row-count", Section::SelfSums, 0, count(Section::SelfSums),
                 Records + 1) &&
         isEqual("row-count", Section::SelfBases, 0, count(Section::SelfBases),
                 Bases(Records + 1)) &&
         isEqual("row-count", Section::MemorySums, 0, Memory,
                 Memory == 0 ? 0 : Records + 1) &&
         isEqual("row-count", Section::MemoryBases, 0,
                 count(Section::MemoryBases), Bases(Memory));
}

bool Verifier::compiles() {
  EntityTallies.assign(count(Section::Entities), {});
  SetTallies.assign(count(Section::TemplateSets), {});
  for (uint64_t No = 0; No != count(Section::Compiles); ++No)
    if (!compile(No))
      return false;
  return isEqual("range-count", Section::RangeStarts, 0, RangeNo,
                 count(Section::RangeStarts)) &&
         isEqual("block-count", Section::RangeBlocks, 0, NextBlock,
                 count(Section::RangeBlocks)) &&
         isEqual("requester", Section::Requesters, 0, NextRequester,
                 count(Section::Requesters));
}

bool Verifier::compile(uint64_t No) {
  auto C = row<CompileRow>(Section::Compiles, No);
  bool IsLast = No + 1 == count(Section::Compiles);
  auto Next =
      IsLast ? CompileRow{} : row<CompileRow>(Section::Compiles, No + 1);
  uint64_t EndRecord = IsLast ? count(Section::Records) : Next.FirstRecord;
  uint64_t EndRange = IsLast ? count(Section::RangeStarts) : Next.FirstRange;
  if (No == 0 &&
      !isEqual("compile-slices", Section::Compiles, No, C.FirstRecord, 0))
    return false;
  if (!isString(Section::Compiles, No, C.File, false) ||
      !isString(Section::Compiles, No, C.Input, false) ||
      !isEqual("compile-slices", Section::Compiles, No, C.FirstRange,
               RangeNo) ||
      !isEqual("compile-slices", Section::Compiles, No, C.FirstBlock,
               NextBlock) ||
      !isAtMost("compile-flags", Section::Compiles, No, C.Flags,
                CompileFlagLimit - 1) ||
      !isAtMost("compile-slices", Section::Compiles, No, C.FirstRecord,
                EndRecord) ||
      !isAtMost("compile-slices", Section::Compiles, No, EndRecord,
                count(Section::Records)) ||
      !isAtMost("compile-slices", Section::Compiles, No, EndRange,
                count(Section::RangeStarts)))
    return false;
  IsInRange = false;
  return records(C, EndRecord, EndRange) &&
         isEqual("compile-slices", Section::Compiles, No, RangeNo, EndRange);
}

bool Verifier::isRecord(uint32_t Id, const RecordRow &Row) const {
  constexpr Section Of = Section::Records;
  uint32_t Parent = Open.empty() ? None : Open.back().Id;
  return isIn("record-entity", Of, Id, Row.Entity, Section::Entities) &&
         isIn("record-location", Of, Id, Row.Location, Section::Locations) &&
         isEqual("record-parent", Of, Id, Row.Parent, Parent) &&
         isEqual("record-depth", Of, Id, Row.Depth,
                 std::min<uint64_t>(Open.size(), DeepestDepth)) &&
         isAtMost("record-flags", Of, Id, Row.Flags, RecordFlagLimit - 1) &&
         isAtMost("record-subtree", Of, Id, Id + uint64_t(1), Row.SubtreeEnd) &&
         (Open.empty() || isAtMost("record-subtree", Of, Id, Row.SubtreeEnd,
                                   Open.back().Row.SubtreeEnd));
}

/// \p Record is the innermost from the begin of \p Range on, which is the last
/// range or the next one.
bool Verifier::enterRange(uint32_t Range, uint64_t EndRange, uint32_t Record) {
  constexpr Section Of = Section::RangeStarts;
  if (IsInRange && Range + uint64_t(1) == RangeNo) {
    RangeRecord = Record;
  } else {
    if (!isEqual("range-order", Of, Range, Range, RangeNo) ||
        !isAtMost("range-order", Of, Range, Range + uint64_t(1), EndRange))
      return false;
    if (IsInRange &&
        !isEqual("range-record", Section::RangeRecords, Range - 1,
                 row<uint32_t>(Section::RangeRecords, Range - 1), RangeRecord))
      return false;
    auto Start = row<uint32_t>(Of, Range);
    RangeBlockRow Block = {0, None, 0};
    if (NextBlock != count(Section::RangeBlocks))
      Block = row<RangeBlockRow>(Section::RangeBlocks, NextBlock);
    if (Block.FirstRange == Range) {
      if (!isEqual("range-base", Of, Range, Start, 0) ||
          !isEqual("reserved", Section::RangeBlocks, NextBlock, Block.Reserved,
                   0))
        return false;
      ++NextBlock;
    } else if (!IsInRange || NextBlock == 0) {
      return fault("range-block", Of, Range, "no block", "a new one");
    } else {
      Block = row<RangeBlockRow>(Section::RangeBlocks, NextBlock - 1);
    }
    if (!isAtMost("range-block", Section::RangeBlocks, NextBlock - 1,
                  Range - Block.FirstRange, RangesPerBlock - 1))
      return false;
    uint64_t TimeNs = Block.BaseNs + Start;
    if (IsInRange && TimeNs <= RangeNs)
      return fault("range-time", Of, Range, std::to_string(TimeNs) + " ns",
                   "more than " + std::to_string(RangeNs) + " ns");
    RangeNs = TimeNs;
    RangeRecord = Record;
    IsInRange = true;
    ++RangeNo;
  }
  return true;
}

bool Verifier::endInnermost(uint32_t At, uint64_t EndRange) {
  OpenRecord Ended = Open.back();
  Open.pop_back();
  const RecordRow &Row = Ended.Row;
  if (!isEqual("record-subtree", Section::Records, Ended.Id, Row.SubtreeEnd,
               At) ||
      !enterRange(Row.EndRange, EndRange, Row.Parent))
    return false;
  uint64_t LastedNs = RangeNs - Ended.BeginNs;
  bool IsProfiling = Row.Kind == static_cast<uint8_t>(EventKind::Profiling);
  if (!Open.empty()) {
    Open.back().ChildrenNs += LastedNs;
    Open.back().ProfilingNs += IsProfiling ? LastedNs : Ended.ProfilingNs;
  }
  uint64_t SelfNs = LastedNs - Ended.ChildrenNs;
  uint64_t InclusiveNs = LastedNs - (IsProfiling ? 0 : Ended.ProfilingNs);
  uint64_t SaidNs = 0, OwnBytes = 0;
  if (!Of.selfNs(Ended.Id, Ended.Id + 1, SaidNs) ||
      !Of.ownBytes(Ended.Id, Ended.Id + 1, OwnBytes) ||
      !isEqual("self-sum", Section::SelfSums, Ended.Id + uint64_t(1), SaidNs,
               SelfNs))
    return false;
  if (Row.Entity == None)
    return true;
  EntityTallies[Row.Entity].add(Ended, SelfNs, InclusiveNs, OwnBytes);
  uint32_t Set = row<EntityRow>(Section::Entities, Row.Entity).TemplateSet;
  if (Set != None)
    SetTallies[Set].add(Ended, SelfNs, InclusiveNs, OwnBytes);
  return true;
}

void Verifier::Tally::add(const OpenRecord &Ended, uint64_t SelfNs,
                          uint64_t InclusiveNs, uint64_t OwnBytes) {
  Cost.SelfNs += SelfNs;
  Cost.AstBytes += OwnBytes;
  ++Cost.Count;
  Cost.Definitions += (Ended.Row.Flags & RecordDefinition) != 0;
  if (Outermost == Ended.Id) {
    Cost.InclusiveNs += InclusiveNs;
    Outermost = None;
  }
  if (Cost.Costliest == None || InclusiveNs > CostliestNs ||
      (InclusiveNs == CostliestNs && Ended.Id < Cost.Costliest)) {
    Cost.Costliest = Ended.Id;
    CostliestNs = InclusiveNs;
  }
}

bool Verifier::records(const CompileRow &C, uint64_t EndRecord,
                       uint64_t EndRange) {
  uint64_t OpenCount = 0;
  for (uint64_t At = C.FirstRecord; At != EndRecord; ++At) {
    auto Id = static_cast<uint32_t>(At);
    auto Row = row<RecordRow>(Section::Records, Id);
    while (!Open.empty() && Open.back().Row.SubtreeEnd <= Id)
      if (!endInnermost(Id, EndRange))
        return false;
    if (!isRecord(Id, Row) || !enterRange(Row.BeginRange, EndRange, Id))
      return false;
    if (Row.Flags & RecordRequested) {
      RequesterRow Requester = {None, None};
      if (NextRequester != count(Section::Requesters))
        Requester = row<RequesterRow>(Section::Requesters, NextRequester++);
      if (Requester.Record != Id || Requester.Requester >= Id ||
          Requester.Requester < C.FirstRecord)
        return fault("requester", Section::Records, Id,
                     std::to_string(Requester.Requester),
                     "an earlier record of the compile");
    }
    OpenCount += (Row.Flags & RecordOpen) != 0;
    if (Row.Entity != None) {
      uint32_t Set = row<EntityRow>(Section::Entities, Row.Entity).TemplateSet;
      for (Tally *T : {&EntityTallies[Row.Entity],
                       Set == None ? nullptr : &SetTallies[Set]})
        if (T && T->Outermost == None)
          T->Outermost = Id;
    }
    Open.push_back({Id, Row, RangeNs, 0, 0});
  }
  while (!Open.empty())
    if (!endInnermost(static_cast<uint32_t>(EndRecord), EndRange))
      return false;
  if (IsInRange &&
      !isEqual("range-record", Section::RangeRecords, RangeNo - 1,
               row<uint32_t>(Section::RangeRecords, RangeNo - 1), RangeRecord))
    return false;
  return isEqual("open-count", Section::Compiles, 0, C.OpenCount, OpenCount);
}

bool Verifier::postings() {
  auto Check = [this](const char *Rule, Section Rows, Section Of, auto FirstOf,
                      auto KeyOf) {
    uint64_t Total = 0;
    for (uint64_t Id = 0; Id != count(Section::Records); ++Id)
      Total += KeyOf(row<RecordRow>(Section::Records, Id)) != None;
    if (!isEqual(Rule, Of, 0, count(Of), Total))
      return false;
    for (uint64_t I = 0; I != count(Rows); ++I) {
      uint64_t Begin = FirstOf(I);
      uint64_t End = I + 1 == count(Rows) ? Total : FirstOf(I + 1);
      if ((I == 0 && Begin != 0) || Begin > End || End > Total)
        return fault(Rule, Rows, I, std::to_string(Begin), "ascending slices");
      uint64_t Least = 0;
      for (uint64_t At = Begin; At != End; ++At) {
        auto Record = row<uint32_t>(Of, At);
        if (Record < Least || Record >= count(Section::Records) ||
            KeyOf(row<RecordRow>(Section::Records, Record)) != I)
          return fault(Rule, Of, At, std::to_string(Record),
                       "an ascending record of row " + std::to_string(I));
        Least = Record + uint64_t(1);
      }
    }
    return true;
  };
  return Check(
             "entity-postings", Section::Entities, Section::EntityPostings,
             [this](uint64_t I) {
               return row<EntityRow>(Section::Entities, I).FirstPosting;
             },
             [](const RecordRow &Row) { return Row.Entity; }) &&
         Check(
             "location-postings", Section::Locations, Section::LocationPostings,
             [this](uint64_t I) {
               return row<LocationRow>(Section::Locations, I).FirstPosting;
             },
             [](const RecordRow &Row) { return Row.Location; });
}

bool Verifier::hashes() {
  std::pair<uint64_t, uint32_t> Before;
  for (uint64_t I = 0; I != count(Section::EntitiesByHash); ++I) {
    auto Id = row<uint32_t>(Section::EntitiesByHash, I);
    if (!isAtMost("hash-order", Section::EntitiesByHash, I, Id,
                  count(Section::Entities) - 1))
      return false;
    std::pair<uint64_t, uint32_t> Key = {
        row<EntityRow>(Section::Entities, Id).Hash, Id};
    if (I != 0 && Key <= Before)
      return fault("hash-order", Section::EntitiesByHash, I,
                   "one that is not behind the row before", "ascending rows");
    Before = Key;
  }
  return true;
}

/// And the sums over all records.
bool Verifier::costs() {
  auto Compare = [this](Section Of, const std::vector<Tally> &Tallies) {
    for (uint64_t I = 0; I != Tallies.size(); ++I) {
      auto Said = row<CostRow>(Of, I);
      const CostRow &Cost = Tallies[I].Cost;
      if (!isEqual("cost-count", Of, I, Said.Count, Cost.Count) ||
          !isEqual("cost-definitions", Of, I, Said.Definitions,
                   Cost.Definitions) ||
          !isEqual("cost-self", Of, I, Said.SelfNs, Cost.SelfNs) ||
          !isEqual("cost-inclusive", Of, I, Said.InclusiveNs,
                   Cost.InclusiveNs) ||
          !isEqual("cost-memory", Of, I, Said.AstBytes, Cost.AstBytes) ||
          !isEqual("cost-costliest", Of, I, Said.Costliest, Cost.Costliest) ||
          !isEqual("reserved", Of, I, Said.Reserved, 0))
        return false;
    }
    return true;
  };
  return Compare(Section::EntityCosts, EntityTallies) &&
         Compare(Section::TemplateSetCosts, SetTallies);
}

/// Lines that something is in, of characters that can be shown.
bool Verifier::rules() const {
  if (!Bytes.has(Section::Rules))
    return true;
  char Before = '\n';
  for (uint64_t At = 0; At != count(Section::Rules); ++At) {
    char C = row<char>(Section::Rules, At);
    bool IsControl = (C >= 0 && C < ' ' && C != '\n') || C == 0x7f;
    if (IsControl || (C == '\n' && Before == '\n'))
      return fault("rule-text", Section::Rules, At,
                   "an empty line or a control "
                   "character",
                   "lines of text");
    Before = C;
  }
  return Before == '\n' || fault("rule-text", Section::Rules, 0,
                                 "no end of the last line", "whole lines");
}

} // namespace

bool InstantiationIndex::verify() const {
  return Verifier(*this, *S->Bytes).run();
}
