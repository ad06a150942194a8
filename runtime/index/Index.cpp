#include "runtime/index/Index.h"

#include "runtime/index/IndexState.h"

#include <algorithm>
#include <cstring>

using namespace instantrace;
using namespace instantrace::index;

InstantiationIndex::InstantiationIndex()
    : S(std::make_unique<State>(
          std::make_unique<IndexBytes>(std::string_view(), "no index"))) {}
InstantiationIndex::~InstantiationIndex() = default;
InstantiationIndex::InstantiationIndex(InstantiationIndex &&) noexcept =
    default;
InstantiationIndex &
InstantiationIndex::operator=(InstantiationIndex &&) noexcept = default;

bool InstantiationIndex::hasMagic(std::string_view Begin) {
  return Begin.starts_with(IndexMagic);
}

bool InstantiationIndex::open(const std::string &Path, InstantiationIndex &Into,
                              std::string &Why) {
  std::unique_ptr<IndexBytes> Bytes = IndexBytes::map(Path, Why);
  if (!Bytes)
    return false;
  if (!Bytes->open()) {
    Why = Bytes->fault();
    return false;
  }
  Into.S = std::make_unique<State>(std::move(Bytes));
  return true;
}

bool InstantiationIndex::fromBytes(std::string_view Bytes,
                                   const std::string &Name,
                                   InstantiationIndex &Into, std::string &Why) {
  std::unique_ptr<char[]> Copy;
  if (reinterpret_cast<uintptr_t>(Bytes.data()) % SectionAlignment != 0) {
    Copy = std::make_unique_for_overwrite<char[]>(Bytes.size());
    std::memcpy(Copy.get(), Bytes.data(), Bytes.size());
    Bytes = {Copy.get(), Bytes.size()};
  }
  auto Opened = std::make_unique<IndexBytes>(Bytes, Name);
  if (!Opened->open()) {
    Why = Opened->fault();
    return false;
  }
  auto New = std::make_unique<State>(std::move(Opened));
  New->Copy = std::move(Copy);
  Into.S = std::move(New);
  return true;
}

std::string InstantiationIndex::fault() const { return S->Bytes->fault(); }
std::string_view InstantiationIndex::name() const { return S->Bytes->name(); }
uint64_t InstantiationIndex::traceBytes() const {
  return S->Bytes->header().TraceBytes;
}
uint64_t InstantiationIndex::traceHash() const {
  return S->Bytes->header().TraceHash;
}
uint64_t InstantiationIndex::fileBytes() const {
  return S->Bytes->header().FileBytes;
}
uint32_t InstantiationIndex::compileCount() const {
  return S->count(Section::Compiles);
}
uint32_t InstantiationIndex::recordCount() const {
  return S->count(Section::Records);
}
uint32_t InstantiationIndex::entityCount() const {
  return S->count(Section::Entities);
}
uint32_t InstantiationIndex::templateSetCount() const {
  return S->count(Section::TemplateSets);
}
uint32_t InstantiationIndex::fileCount() const {
  return S->count(Section::Files);
}
uint32_t InstantiationIndex::locationCount() const {
  return S->count(Section::Locations);
}
uint32_t InstantiationIndex::rangeCount() const {
  return S->count(Section::RangeStarts);
}

bool InstantiationIndex::State::part(uint32_t Compile, Part &Into) const {
  if (!Bytes->row(Section::Compiles, Compile, Into.Row))
    return false;
  if (Compile + uint64_t(1) < Bytes->rowCount(Section::Compiles)) {
    CompileRow Next;
    if (!Bytes->row(Section::Compiles, Compile + uint64_t(1), Next))
      return false;
    Into.EndRecord = Next.FirstRecord;
    Into.EndBlock = Next.FirstBlock;
    Into.EndRange = Next.FirstRange;
  } else {
    Into.EndRecord = count(Section::Records);
    Into.EndBlock = count(Section::RangeBlocks);
    Into.EndRange = count(Section::RangeStarts);
  }
  if (Into.Row.FirstRecord > Into.EndRecord ||
      Into.Row.FirstBlock > Into.EndBlock ||
      Into.Row.FirstRange > Into.EndRange ||
      Into.Row.OpenCount > Into.EndRecord - Into.Row.FirstRecord)
    return Bytes->fault("section COMP, row " + std::to_string(Compile),
                        "slices that end before they begin",
                        "ascending compiles");
  return true;
}

namespace {

/// The number of keys that are at most \p Wanted, without a branch that could
/// be predicted wrongly. Both keys that may be next are fetched meanwhile,
/// since in a large file each would be waited for.
template <class Row, class Key>
uint64_t countUpTo(const Row *Rows, uint64_t Count, uint64_t Wanted,
                   Key KeyOf) {
  const Row *At = Rows;
  while (Count > 1) {
    uint64_t Half = Count / 2;
    uint64_t Next = (Count - Half) / 2;
    __builtin_prefetch(At + Next);
    __builtin_prefetch(At + Half + Next);
    At += KeyOf(At[Half - 1]) <= Wanted ? Half : 0;
    Count -= Half;
  }
  auto Before = static_cast<uint64_t>(At - Rows);
  return Before + (Count == 1 && KeyOf(*At) <= Wanted);
}

/// The same, of keys that grow evenly for the most part: begins where the key
/// would be on a straight line, and doubles its steps from there. Keys that do
/// not cost a few looks more than a binary search.
template <class Row, class Key>
uint64_t countNear(const Row *Rows, uint64_t Count, uint64_t Wanted,
                   Key KeyOf) {
  constexpr uint64_t Few = 32;
  if (Count < Few)
    return countUpTo(Rows, Count, Wanted, KeyOf);
  const uint64_t First = KeyOf(Rows[0]), Last = KeyOf(Rows[Count - 1]);
  if (Wanted < First)
    return 0;
  if (Wanted >= Last)
    return Count;
  double Part = double(Wanted - First) / double(Last - First);
  uint64_t Low =
      std::min(static_cast<uint64_t>(Part * double(Count - 1)), Count - 2);
  uint64_t High = Low, Step = 4;
  if (KeyOf(Rows[Low]) <= Wanted) {
    for (High += Step; High < Count && KeyOf(Rows[High]) <= Wanted;
         High += Step *= 2)
      Low = High;
    High = std::min(High, Count);
  } else {
    for (Low -= std::min(Low, Step); Low != 0 && KeyOf(Rows[Low]) > Wanted;
         Low -= std::min(Low, Step *= 2))
      High = Low;
  }
  return Low + countUpTo(Rows + Low, High - Low, Wanted, KeyOf);
}

} // namespace

bool InstantiationIndex::State::compileOf(uint32_t Record,
                                          uint32_t &Into) const {
  uint64_t Count = Bytes->rowCount(Section::Compiles);
  const auto *Rows = Bytes->rows<CompileRow>(Section::Compiles, 0, Count);
  if (!Rows)
    return false;
  uint64_t Behind = countUpTo(Rows, Count, Record,
                              [](const auto &Row) { return Row.FirstRecord; });
  if (Behind == 0)
    return Bytes->fault("section COMP",
                        "no compile of record " + std::to_string(Record),
                        "one for each");
  Into = static_cast<uint32_t>(Behind - 1);
  return true;
}

bool InstantiationIndex::compile(uint32_t Id, Compile &Into) const {
  State::Part P;
  if (!S->part(Id, P))
    return false;
  Into = {{},
          {},
          P.Row.Sequence,
          P.Row.RealtimeNs,
          P.Row.EndNs,
          P.Row.FirstRecord,
          P.EndRecord,
          P.Row.OpenCount,
          (P.Row.Flags & CompileIncomplete) != 0};
  return S->string(P.Row.File, {}, State::LongestPath, Into.Trace) &&
         S->string(P.Row.Input, {}, State::LongestPath, Into.Input);
}

/// The innermost record; None: before the first range.
bool InstantiationIndex::State::recordAt(const Part &Of, uint64_t TimeNs,
                                         uint32_t &Into) const {
  Into = None;
  // All of them, which are few: their sums are not looked at again.
  if (!Bytes->rows<RangeBlockRow>(Section::RangeBlocks, 0,
                                  Bytes->rowCount(Section::RangeBlocks)))
    return false;
  uint64_t Blocks = Of.EndBlock - Of.Row.FirstBlock;
  const auto *Block = Bytes->rows<RangeBlockRow>(Section::RangeBlocks,
                                                 Of.Row.FirstBlock, Blocks);
  if (!Block)
    return false;
  uint64_t Behind = countNear(Block, Blocks, TimeNs,
                              [](const auto &Row) { return Row.BaseNs; });
  if (Behind == 0)
    return true;
  const RangeBlockRow At = Block[Behind - 1];
  uint32_t End = Behind == Blocks ? Of.EndRange : Block[Behind].FirstRange;
  if (At.FirstRange >= End || End > Of.EndRange || TimeNs < At.BaseNs)
    return Bytes->fault("section RBLK",
                        "a block of the ranges " +
                            std::to_string(At.FirstRange) + " to " +
                            std::to_string(End),
                        "ascending ones of the compile");
  const uint32_t Count = End - At.FirstRange;
  const auto *Start =
      Bytes->rows<uint32_t>(Section::RangeStarts, At.FirstRange, Count);
  const auto *Records =
      Bytes->rows<uint32_t>(Section::RangeRecords, At.FirstRange, Count);
  if (!Start || !Records)
    return false;
  // One of these is next, whatever the search finds: it is not waited for then.
  constexpr uint32_t LineRows = 16;
  for (uint32_t I = 0; I < std::min(Count, RangesPerBlock); I += LineRows)
    __builtin_prefetch(Records + I);
  uint64_t Upto = countUpTo(Start, Count, TimeNs - At.BaseNs,
                            [](uint32_t Key) { return Key; });
  if (Upto == 0)
    return Bytes->fault("section RKEY, row " + std::to_string(At.FirstRange),
                        "a start behind its block's", "0");
  const uint32_t Record = Records[Upto - 1];
  if (Record != None && (Record < Of.Row.FirstRecord || Record >= Of.EndRecord))
    return Bytes->fault(
        "section RREC, row " + std::to_string(At.FirstRange + Upto - 1),
        "record " + std::to_string(Record), "one of the compile");
  Into = Record;
  return Bytes->isWhole();
}

bool InstantiationIndex::State::rangeTime(uint32_t Range,
                                          uint64_t &Into) const {
  uint64_t Blocks = Bytes->rowCount(Section::RangeBlocks);
  const auto *Block =
      Bytes->rows<RangeBlockRow>(Section::RangeBlocks, 0, Blocks);
  uint32_t Start = 0;
  if (!Block || !Bytes->row(Section::RangeStarts, Range, Start))
    return false;
  uint64_t Behind = countUpTo(Block, Blocks, Range,
                              [](const auto &Row) { return Row.FirstRange; });
  if (Behind == 0)
    return Bytes->fault("section RBLK",
                        "no block of range " + std::to_string(Range),
                        "one for each");
  Into = Block[Behind - 1].BaseNs + Start;
  return true;
}

bool InstantiationIndex::State::outward(uint32_t Id, uint32_t To,
                                        const char *What) const {
  return To == None || To < Id ||
         Bytes->fault("record " + std::to_string(Id),
                      std::string(What) + " " + std::to_string(To),
                      "an earlier record");
}

bool InstantiationIndex::State::requester(uint32_t Record,
                                          uint32_t &Into) const {
  uint64_t Count = Bytes->rowCount(Section::Requesters);
  const auto *Rows = Bytes->rows<RequesterRow>(Section::Requesters, 0, Count);
  if (!Rows)
    return false;
  uint64_t Behind = countUpTo(Rows, Count, Record,
                              [](const auto &Row) { return Row.Record; });
  RequesterRow Row = {None, None};
  if (Behind != 0)
    Row = Rows[Behind - 1];
  if (Row.Record != Record || Row.Requester >= Record)
    return Bytes->fault("record " + std::to_string(Record),
                        "no requester before it", "one, as its flag says");
  Into = Row.Requester;
  return true;
}

/// Of the self times or memory of that many records.
bool InstantiationIndex::State::sum(const SumSections &Of, uint32_t Records,
                                    uint64_t &Into) const {
  uint32_t Delta = 0;
  if (!Bytes->row(Of.Deltas, Records, Delta))
    return false;
  if (Delta != None)
    return Bytes->row(Of.Bases, Records / SumsPerBase, Into) &&
           (Into += Delta, true);
  uint64_t Count = Bytes->rowCount(Of.Wide);
  const auto *Rows = Bytes->rows<WideSumRow>(Of.Wide, 0, Count);
  if (!Rows)
    return false;
  uint64_t Behind = countUpTo(Rows, Count, Records,
                              [](const auto &Row) { return Row.Record; });
  WideSumRow Row = {0, None, 0};
  if (Behind != 0)
    Row = Rows[Behind - 1];
  Into = Row.Sum;
  return Row.Record == Records ||
         Bytes->fault("prefix sum " + std::to_string(Records), "no row",
                      "a wide one");
}

bool InstantiationIndex::State::difference(const SumSections &Of,
                                           uint32_t Begin, uint32_t End,
                                           uint64_t &Into) const {
  Into = 0;
  uint32_t Count = this->count(Section::Records);
  if (Begin > End || End > Count)
    return Bytes->fault("records " + std::to_string(Begin) + " to " +
                            std::to_string(End),
                        "no slice", "one of " + std::to_string(Count));
  if (Bytes->rowCount(Of.Deltas) == 0)
    return true; // not recorded
  uint64_t From = 0, To = 0;
  if (!sum(Of, Begin, From) || !sum(Of, End, To))
    return false;
  Into = To - From;
  return true;
}

bool InstantiationIndex::selfNs(uint32_t Begin, uint32_t End,
                                uint64_t &Into) const {
  return S->difference(State::Self, Begin, End, Into);
}

bool InstantiationIndex::ownBytes(uint32_t Begin, uint32_t End,
                                  uint64_t &Into) const {
  return S->difference(State::Memory, Begin, End, Into);
}

bool InstantiationIndex::State::shapeOf(uint32_t Id, const RecordRow &Row,
                                        Shape &Into) const {
  Into = {Row.Entity,
          Row.Location,
          Row.Parent,
          Row.SubtreeEnd,
          Row.Depth,
          Row.Kind,
          (Row.Flags & RecordOpen) != 0,
          (Row.Flags & RecordDefinition) != 0};
  if (!outward(Id, Row.Parent, "parent"))
    return false;
  if (Row.SubtreeEnd <= Id || Row.SubtreeEnd > count(Section::Records))
    return Bytes->fault("record " + std::to_string(Id),
                        "a subtree up to " + std::to_string(Row.SubtreeEnd),
                        "records behind it");
  return true;
}

bool InstantiationIndex::shape(uint32_t Id, Shape &Into) const {
  RecordRow Row;
  return S->Bytes->row(Section::Records, Id, Row) && S->shapeOf(Id, Row, Into);
}

bool InstantiationIndex::record(uint32_t Id, Record &Into) const {
  RecordRow Row;
  Shape Of;
  if (!S->Bytes->row(Section::Records, Id, Row) || !S->shapeOf(Id, Row, Of))
    return false;
  Into = {};
  Into.Entity = Of.Entity;
  Into.Location = Of.Location;
  Into.Parent = Of.Parent;
  Into.Requester = None;
  Into.SubtreeEnd = Of.SubtreeEnd;
  Into.Depth = Of.Depth;
  Into.Kind = Of.Kind;
  Into.IsOpen = Of.IsOpen;
  Into.IsDefinition = Of.IsDefinition;
  // What the row has no room for.
  if (Row.Depth == DeepestDepth)
    for (uint32_t At = Row.Parent; At != None; ++Into.Depth) {
      RecordRow Outer;
      if (!S->Bytes->row(Section::Records, At, Outer) ||
          !S->outward(At, Outer.Parent, "parent"))
        return false;
      if (Outer.Depth != DeepestDepth) {
        Into.Depth = Into.Depth - DeepestDepth + Outer.Depth + 1;
        break;
      }
      At = Outer.Parent;
    }
  return S->compileOf(Id, Into.Compile) &&
         (!(Row.Flags & RecordRequested) || S->requester(Id, Into.Requester)) &&
         S->rangeTime(Row.BeginRange, Into.BeginNs) &&
         S->rangeTime(Row.EndRange, Into.EndNs) &&
         selfNs(Id, Id + 1, Into.SelfNs) &&
         ownBytes(Id, Id + 1, Into.OwnBytes) &&
         ownBytes(Id, Row.SubtreeEnd, Into.AllBytes);
}

bool InstantiationIndex::recordAt(uint32_t Compile, uint64_t TimeNs,
                                  uint32_t &Into) const {
  Into = None;
  State::Part P;
  return S->part(Compile, P) && S->recordAt(P, TimeNs, Into);
}

bool InstantiationIndex::stackAt(uint32_t Compile, uint64_t TimeNs,
                                 std::vector<uint32_t> &Into) const {
  Into.clear();
  uint32_t At = None;
  if (!recordAt(Compile, TimeNs, At))
    return false;
  if (!S->Parents->append(At, Into))
    return Into.clear(), false;
  return true;
}

bool InstantiationIndex::stackAfter(uint32_t Compile, uint64_t Event,
                                    std::vector<uint32_t> &Into,
                                    uint64_t &TimeNs) const {
  Into.clear();
  State::Part P;
  if (!S->part(Compile, P))
    return false;
  uint64_t Count = P.EndRecord - P.Row.FirstRecord;
  if (Event >= Count * 2 - P.Row.OpenCount)
    return S->Bytes->fault(
        "compile " + std::to_string(Compile), "event " + std::to_string(Event),
        "one below " + std::to_string(Count * 2 - P.Row.OpenCount));
  // Before a record began, all others before it had begun, and ended but for
  // those around it.
  uint64_t Low = 0, High = Count; // the last one that began is in between
  Record R;
  while (High - Low > 1) {
    uint64_t Middle = Low + (High - Low) / 2;
    if (!record(P.Row.FirstRecord + static_cast<uint32_t>(Middle), R))
      return false;
    (Middle * 2 - std::min<uint64_t>(R.Depth, Middle) <= Event ? Low : High) =
        Middle;
  }
  uint32_t At = P.Row.FirstRecord + static_cast<uint32_t>(Low);
  if (!record(At, R))
    return false;
  uint64_t Ends = Event - (Low * 2 - std::min<uint64_t>(R.Depth, Low));
  TimeNs = R.BeginNs;
  for (; Ends != 0 && At != None; --Ends) {
    if (!record(At, R))
      return false;
    TimeNs = R.EndNs;
    At = R.Parent;
  }
  while (At != None) {
    RecordRow Row;
    Into.push_back(At);
    if (!S->Bytes->row(Section::Records, At, Row) ||
        !S->outward(At, Row.Parent, "parent"))
      return Into.clear(), false;
    At = Row.Parent;
  }
  return S->Bytes->isWhole();
}

bool InstantiationIndex::chain(uint32_t Id, std::vector<uint32_t> &Into) const {
  Into.clear();
  while (Id != None) {
    Into.push_back(Id);
    RecordRow Row;
    if (!S->Bytes->row(Section::Records, Id, Row))
      return Into.clear(), false;
    uint32_t Outer = Row.Parent;
    if (((Row.Flags & RecordRequested) && !S->requester(Id, Outer)) ||
        !S->outward(Id, Outer, "parent"))
      return Into.clear(), false;
    Id = Outer;
  }
  return S->Bytes->isWhole();
}
