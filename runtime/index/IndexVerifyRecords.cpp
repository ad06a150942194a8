/// \file
/// InstantiationIndex::verify(): records, compile after compile, and what is
/// summed over them.
#include "runtime/format/EventKind.h"
#include "runtime/index/IndexVerify.h"
#include "runtime/index/IndexVerifyRanges.h"

#include <algorithm>
#include <vector>

using namespace instantrace;
using namespace instantrace::index;

namespace {

class RecordVerifier : RuleChecks {
public:
  RecordVerifier(const InstantiationIndex &Of, const IndexBytes &Bytes,
                 const std::vector<uint64_t> &Entries)
      : RuleChecks(Bytes), Of(Of), Entries(Entries), Ranges(Bytes) {}

  bool run() { return compiles() && costs(); }

private:
  struct OpenRecord {
    uint32_t Id;
    RecordRow Row;
    uint64_t EndRange;
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

  bool compiles();
  bool compile(uint64_t No);
  bool records(uint64_t No, const CompileRow &C, uint64_t EndRecord,
               uint64_t EndRange);
  bool isRecord(uint32_t Id, const RecordRow &Row) const;
  bool endInnermost(uint32_t At, uint64_t EndRange, uint64_t LastNs);
  bool costs();

  const InstantiationIndex &Of;
  const std::vector<uint64_t> &Entries;
  RangeVerifier Ranges;
  std::vector<OpenRecord> Open;
  uint64_t NextRequester = 0;
  uint64_t EndedRecords = 0; ///< those of the compiles so far
  std::vector<Tally> EntityTallies, SetTallies;
};

bool RecordVerifier::compiles() {
  EntityTallies.assign(count(Section::Entities), {});
  SetTallies.assign(count(Section::TemplateSets), {});
  for (uint64_t No = 0; No != count(Section::Compiles); ++No)
    if (!compile(No))
      return false;
  // Where there is no compile, there is no record either.
  return isEqual("compile-slices", Section::Records, 0, EndedRecords,
                 count(Section::Records)) &&
         Ranges.finish() &&
         isEqual("requester", Section::Requesters, 0, NextRequester,
                 count(Section::Requesters));
}

bool RecordVerifier::compile(uint64_t No) {
  auto C = row<CompileRow>(Section::Compiles, No);
  bool IsLast = No + 1 == count(Section::Compiles);
  auto Next =
      IsLast ? CompileRow{} : row<CompileRow>(Section::Compiles, No + 1);
  uint64_t EndRecord = IsLast ? count(Section::Records) : Next.FirstRecord;
  uint64_t EndRange = IsLast ? count(Section::RangeStarts) : Next.FirstRange;
  if (No == 0 &&
      !isEqual("compile-slices", Section::Compiles, No, C.FirstRecord, 0))
    return false;
  if (!isString(Entries, Section::Compiles, No, C.File, false) ||
      !isString(Entries, Section::Compiles, No, C.Input, false) ||
      !isEqual("compile-slices", Section::Compiles, No, C.FirstRange,
               Ranges.nextRange()) ||
      !isEqual("compile-slices", Section::Compiles, No, C.FirstBlock,
               Ranges.nextBlock()) ||
      !isAtMost("compile-flags", Section::Compiles, No, C.Flags,
                CompileFlagLimit - 1) ||
      !isAtMost("compile-slices", Section::Compiles, No, C.FirstRecord,
                EndRecord) ||
      !isAtMost("compile-slices", Section::Compiles, No, EndRecord,
                count(Section::Records)) ||
      !isAtMost("compile-slices", Section::Compiles, No, EndRange,
                count(Section::RangeStarts)))
    return false;
  Ranges.beginCompile();
  EndedRecords = EndRecord;
  return records(No, C, EndRecord, EndRange) &&
         isEqual("compile-slices", Section::Compiles, No, Ranges.nextRange(),
                 EndRange) &&
         (C.FirstRecord == EndRecord ||
          isAtMost("compile-end", Section::Compiles, No, Ranges.timeNs(),
                   C.EndNs));
}

bool RecordVerifier::isRecord(uint32_t Id, const RecordRow &Row) const {
  constexpr Section Of = Section::Records;
  uint32_t Parent = Open.empty() ? None : Open.back().Id;
  return isIn("record-entity", Of, Id, Row.Entity, Section::Entities) &&
         isIn("record-location", Of, Id, Row.Location, Section::Locations) &&
         // A later version may have more kinds, as in traces.
         (isEventKind(Row.Kind) || Row.Kind >= EventKindLimit ||
          fault("record-kind", Of, Id, std::to_string(Row.Kind),
                "a kind of event")) &&
         isEqual("record-parent", Of, Id, Row.Parent, Parent) &&
         isEqual("record-depth", Of, Id, Row.Depth,
                 std::min<uint64_t>(Open.size(), DeepestDepth)) &&
         isAtMost("record-flags", Of, Id, Row.Flags, RecordFlagLimit - 1) &&
         isAtMost("record-subtree", Of, Id, Id + uint64_t(1), Row.SubtreeEnd) &&
         (Open.empty() || isAtMost("record-subtree", Of, Id, Row.SubtreeEnd,
                                   Open.back().Row.SubtreeEnd));
}

/// \p LastNs: the last event of its compile.
bool RecordVerifier::endInnermost(uint32_t At, uint64_t EndRange,
                                  uint64_t LastNs) {
  OpenRecord Ended = Open.back();
  Open.pop_back();
  const RecordRow &Row = Ended.Row;
  if (!isEqual("record-subtree", Section::Records, Ended.Id, Row.SubtreeEnd,
               At) ||
      !Ranges.enter({Ended.EndRange, Row.Parent, At, false}, EndRange))
    return false;
  const bool IsOpen = (Row.Flags & RecordOpen) != 0;
  if (IsOpen && !Open.empty() && !(Open.back().Row.Flags & RecordOpen))
    return fault("record-open", Section::Records, Ended.Id,
                 "one that never ended in one that did",
                 "all around it without an end");
  if (IsOpen && !isEqual("record-open", Section::Records, Ended.Id,
                         Ranges.timeNs(), LastNs))
    return false;
  uint64_t LastedNs = Ranges.timeNs() - Ended.BeginNs;
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
  uint32_t Set = None;
  if (!setOf(Row.Entity, Set))
    return false;
  if (Set != None)
    SetTallies[Set].add(Ended, SelfNs, InclusiveNs, OwnBytes);
  return true;
}

void RecordVerifier::Tally::add(const OpenRecord &Ended, uint64_t SelfNs,
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

bool RecordVerifier::records(uint64_t No, const CompileRow &C,
                             uint64_t EndRecord, uint64_t EndRange) {
  uint64_t OpenCount = 0;
  for (uint64_t At = C.FirstRecord; At != EndRecord; ++At) {
    auto Id = static_cast<uint32_t>(At);
    const RecordRows Rows = Bytes.records(Id, 1);
    if (!Rows)
      return false;
    const RecordRow Row = Rows[0];
    while (!Open.empty() && Open.back().Row.SubtreeEnd <= Id)
      if (!endInnermost(Id, EndRange, C.EndNs))
        return false;
    if (!isRecord(Id, Row))
      return false;
    const RecordRows::Ranges In = Rows.ranges(0, Id, Row, Open.size());
    if (!Ranges.enter({In.Begin, Id, Id, true}, EndRange))
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
      uint32_t Set = None;
      if (!setOf(Row.Entity, Set))
        return false;
      for (Tally *T : {&EntityTallies[Row.Entity],
                       Set == None ? nullptr : &SetTallies[Set]})
        if (T && T->Outermost == None)
          T->Outermost = Id;
    }
    Open.push_back({Id, Row, In.End, Ranges.timeNs(), 0, 0});
  }
  while (!Open.empty())
    if (!endInnermost(static_cast<uint32_t>(EndRecord), EndRange, C.EndNs))
      return false;
  return Ranges.endCompile() &&
         isEqual("open-count", Section::Compiles, No, C.OpenCount, OpenCount);
}

/// And the sums over all records.
bool RecordVerifier::costs() {
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

} // namespace

bool instantrace::index::verifyRecords(const InstantiationIndex &Of,
                                       const IndexBytes &Bytes,
                                       const std::vector<uint64_t> &Entries) {
  return RecordVerifier(Of, Bytes, Entries).run();
}
