/// \file
/// InstantiationIndex: all records of a compile, one after the other.
///
/// What record() searches for (times, requester, sums) is gone through beside
/// the records, and the tree is checked to be one.
#include "runtime/index/Index.h"
#include "runtime/index/IndexState.h"

#include <string>
#include <vector>

using namespace instantrace;
using namespace instantrace::index;

namespace {

/// When each range of a compile begins.
bool rangeTimes(const IndexBytes &Bytes, const CompileRow &C, uint32_t EndBlock,
                uint32_t EndRange, std::vector<uint64_t> &Into) {
  const uint64_t BlockCount = EndBlock - C.FirstBlock;
  const uint64_t Count = EndRange - C.FirstRange;
  const auto *Blocks =
      Bytes.rows<RangeBlockRow>(Section::RangeBlocks, C.FirstBlock, BlockCount);
  const auto *Starts =
      Bytes.rows<uint32_t>(Section::RangeStarts, C.FirstRange, Count);
  if (!Blocks || !Starts)
    return false;
  Into.clear();
  Into.reserve(Count);
  for (uint64_t B = 0; B != BlockCount; ++B) {
    const RangeBlockRow Block = Blocks[B];
    uint64_t End = B + 1 == BlockCount ? EndRange : Blocks[B + 1].FirstRange;
    if (Block.FirstRange != C.FirstRange + Into.size() ||
        End < Block.FirstRange || End > EndRange)
      return Bytes.fault("section RBLK",
                         "a block of the ranges " +
                             std::to_string(Block.FirstRange) + " to " +
                             std::to_string(End),
                         "ascending ones of the compile");
    while (C.FirstRange + Into.size() != End)
      Into.push_back(Block.BaseNs + Starts[Into.size()]);
  }
  return Into.size() == Count ||
         Bytes.fault("section RBLK",
                     "blocks of " + std::to_string(Into.size()) + " ranges",
                     std::to_string(Count));
}

} // namespace

bool InstantiationIndex::eachRecord(
    uint32_t Compile,
    const std::function<bool(uint32_t, const Record &)> &See) const {
  State::Part P;
  std::vector<uint64_t> TimeOf;
  if (!S->part(Compile, P) ||
      !rangeTimes(*S->Bytes, P.Row, P.EndBlock, P.EndRange, TimeOf))
    return false;
  const uint32_t First = P.Row.FirstRecord, End = P.EndRecord;
  const RecordRows Rows = S->Bytes->records(First, End - First);
  if (!Rows)
    return false;
  struct Outer {
    uint32_t Id, SubtreeEnd;
  };
  std::vector<Outer> Open;
  uint64_t SelfBefore = 0, BytesBefore = 0;
  const bool HasBytes = S->Bytes->rowCount(State::Memory.Deltas) != 0;
  if (!S->sum(State::Self, First, SelfBefore) ||
      (HasBytes && !S->sum(State::Memory, First, BytesBefore)))
    return false;
  auto Fault = [this](uint32_t Id, const std::string &Found,
                      const std::string &Expected) {
    return S->Bytes->fault("record " + std::to_string(Id), Found, Expected);
  };
  for (uint32_t Id = First; Id != End; ++Id) {
    const RecordRow Row = Rows[Id - First];
    while (!Open.empty() && Open.back().SubtreeEnd <= Id)
      Open.pop_back();
    uint32_t Parent = Open.empty() ? None : Open.back().Id;
    uint32_t Behind = Open.empty() ? End : Open.back().SubtreeEnd;
    if (Row.Parent != Parent)
      return Fault(Id, "parent " + std::to_string(Row.Parent),
                   std::to_string(Parent));
    if (Row.SubtreeEnd <= Id || Row.SubtreeEnd > Behind)
      return Fault(Id, "a subtree up to " + std::to_string(Row.SubtreeEnd),
                   "one within its parent's");
    const RecordRows::Ranges In = Rows.ranges(Id - First, Id, Row, Open.size());
    uint64_t Begins = In.Begin - P.Row.FirstRange;
    uint64_t Ends = In.End - P.Row.FirstRange;
    if (Begins > Ends || Ends >= TimeOf.size())
      return Fault(Id,
                   "ranges " + std::to_string(In.Begin) + " to " +
                       std::to_string(In.End),
                   "those of the compile");
    Record R = {};
    R.BeginNs = TimeOf[Begins];
    R.EndNs = TimeOf[Ends];
    if (R.EndNs < R.BeginNs)
      return Fault(Id, "an end before its begin", "it behind");
    uint64_t Sum = 0;
    if (!S->sum(State::Self, Id + 1, Sum))
      return false;
    R.SelfNs = Sum - SelfBefore;
    SelfBefore = Sum;
    if (HasBytes) {
      uint64_t All = 0;
      if (!S->sum(State::Memory, Id + 1, Sum) ||
          !S->sum(State::Memory, Row.SubtreeEnd, All))
        return false;
      R.OwnBytes = Sum - BytesBefore;
      R.AllBytes = All - BytesBefore;
      BytesBefore = Sum;
    }
    R.Compile = Compile;
    R.Entity = Row.Entity;
    R.Location = Row.Location;
    R.Parent = Parent;
    R.Requester = None;
    if (Row.Flags & RecordRequested) {
      if (!S->requester(Id, R.Requester))
        return false;
      if (R.Requester < First)
        return Fault(Id, "requester " + std::to_string(R.Requester),
                     "one of its compile");
    }
    R.SubtreeEnd = Row.SubtreeEnd;
    R.Depth = static_cast<uint32_t>(Open.size());
    R.Kind = Row.Kind;
    R.IsOpen = (Row.Flags & RecordOpen) != 0;
    R.IsDefinition = (Row.Flags & RecordDefinition) != 0;
    if (!See(Id, R))
      break;
    Open.push_back({Id, Row.SubtreeEnd});
  }
  return S->Bytes->isWhole();
}
