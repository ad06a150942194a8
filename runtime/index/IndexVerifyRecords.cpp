/// \file
/// InstantiationIndex::verify(): records, compile after compile.
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
  RecordVerifier(const InstantiationIndex &Index, const IndexBytes &Bytes,
                 const std::vector<uint64_t> &Entries)
      : RuleChecks(Bytes), Index(Index), Entries(Entries), Ranges(Bytes) {}

  bool run() { return compiles(); }

private:
  struct OpenRecord {
    uint32_t Id;
    RecordRow Row;
    uint64_t BeginNs, ChildrenNs;
  };

  bool compiles();
  bool compile(uint64_t No);
  bool records(uint64_t No, const CompileRow &C, uint64_t EndRecord);
  bool isRecord(uint32_t Id, const RecordRow &Row) const;
  bool endInnermost(uint32_t Offset, uint64_t LastNs);

  const InstantiationIndex &Index;
  const std::vector<uint64_t> &Entries;
  RangeVerifier Ranges;
  std::vector<OpenRecord> Open;
  uint64_t NextRequester = 0;
  uint64_t EndedRecords = 0; ///< those of the compiles so far
};

bool RecordVerifier::compiles() {
  for (uint64_t No = 0; No != count(Section::Compiles); ++No)
    if (!compile(No))
      return false;
  // Where there is no compile, there is no record and no folder either.
  const uint64_t Folders =
      count(Section::Compiles) == 0 ? 0 : count(Section::Folders);
  return isEqual("compile-slices", Section::Records, 0, EndedRecords,
                 count(Section::Records)) &&
         isEqual("compile-slices", Section::Folders, 0, Folders,
                 count(Section::Folders)) &&
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
  uint64_t EndFolder = IsLast ? count(Section::Folders) : Next.FirstFolder;
  if (No == 0 &&
      (!isEqual("compile-slices", Section::Compiles, No, C.FirstRecord, 0) ||
       !isEqual("compile-slices", Section::Compiles, No, C.FirstFolder, 0)))
    return false;
  if (!isString(Entries, Section::Compiles, No, C.File, false) ||
      !isString(Entries, Section::Compiles, No, C.Input, false) ||
      !isString(Entries, Section::Compiles, No, C.WorkingDirectory, true) ||
      !isEqual("compile-slices", Section::Compiles, No, C.FirstBlock,
               Ranges.nextBlock()) ||
      !isAtMost("compile-flags", Section::Compiles, No, C.Flags,
                CompileFlagLimit - 1) ||
      !isAtMost("compile-slices", Section::Compiles, No, C.FirstRecord,
                EndRecord) ||
      !isAtMost("compile-slices", Section::Compiles, No, EndRecord,
                count(Section::Records)) ||
      !isAtMost("compile-slices", Section::Compiles, No, C.FirstFolder,
                EndFolder) ||
      !isAtMost("compile-slices", Section::Compiles, No, EndFolder,
                count(Section::Folders)))
    return false;
  Ranges.beginCompile();
  EndedRecords = EndRecord;
  return records(No, C, EndRecord) &&
         (C.FirstRecord == EndRecord ||
          isAtMost("compile-end", Section::Compiles, No, Ranges.timeNs(),
                   C.EndNs));
}

bool RecordVerifier::isRecord(uint32_t Id, const RecordRow &Row) const {
  constexpr Section Sec = Section::Records;
  uint32_t Parent = Open.empty() ? None : Open.back().Id;
  return isIn("record-entity", Sec, Id, Row.Entity, Section::Entities) &&
         isIn("record-location", Sec, Id, Row.Location, Section::Locations) &&
         // A later version may have more kinds, as in traces.
         (isEventKind(Row.Kind) || Row.Kind >= EventKindLimit ||
          fault("record-kind", Sec, Id, std::to_string(Row.Kind),
                "a kind of event")) &&
         isEqual("record-parent", Sec, Id, Row.Parent, Parent) &&
         isEqual("record-depth", Sec, Id, Row.Depth,
                 std::min<uint64_t>(Open.size(), DeepestDepth)) &&
         isAtMost("record-flags", Sec, Id, Row.Flags, RecordFlagLimit - 1) &&
         isAtMost("record-subtree", Sec, Id, Id + uint64_t(1),
                  Row.SubtreeEnd) &&
         (Open.empty() || isAtMost("record-subtree", Sec, Id, Row.SubtreeEnd,
                                   Open.back().Row.SubtreeEnd));
}

/// \p LastNs: the last event of its compile.
bool RecordVerifier::endInnermost(uint32_t Offset, uint64_t LastNs) {
  OpenRecord Ended = Open.back();
  Open.pop_back();
  const RecordRow &Row = Ended.Row;
  if (!isEqual("record-subtree", Section::Records, Ended.Id, Row.SubtreeEnd,
               Offset) ||
      !Ranges.enter(/*IsBegin=*/false, Offset))
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
  if (!Open.empty())
    Open.back().ChildrenNs += LastedNs;
  uint64_t SaidNs = 0;
  return Index.selfNs(Ended.Id, Ended.Id + 1, SaidNs) &&
         isEqual("self-sum", Section::SelfSums, Ended.Id + uint64_t(1), SaidNs,
                 LastedNs - Ended.ChildrenNs);
}

bool RecordVerifier::records(uint64_t No, const CompileRow &C,
                             uint64_t EndRecord) {
  uint64_t OpenCount = 0;
  for (uint64_t Index = C.FirstRecord; Index != EndRecord; ++Index) {
    auto Id = static_cast<uint32_t>(Index);
    const RecordRow Row = record(Id);
    while (!Open.empty() && Open.back().Row.SubtreeEnd <= Id)
      if (!endInnermost(Id, C.EndNs))
        return false;
    if (!isRecord(Id, Row))
      return false;
    if (!Ranges.enter(/*IsBegin=*/true, Id))
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
    Open.push_back({Id, Row, Ranges.timeNs(), 0});
  }
  while (!Open.empty())
    if (!endInnermost(static_cast<uint32_t>(EndRecord), C.EndNs))
      return false;
  return isEqual("open-count", Section::Compiles, No, C.OpenCount, OpenCount);
}

} // namespace

bool instantrace::index::verifyRecords(const InstantiationIndex &Index,
                                       const IndexBytes &Bytes,
                                       const std::vector<uint64_t> &Entries) {
  return RecordVerifier(Index, Bytes, Entries).run();
}
