#include "runtime/index/Index.h"

#include "runtime/index/IndexState.h"
#include "runtime/index/SortedRows.h"

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
                              std::string &Why, const std::string &Name) {
  std::unique_ptr<IndexBytes> Bytes =
      IndexBytes::map(Path, Name.empty() ? Path : Name, Why);
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

bool InstantiationIndex::State::part(uint32_t Compile, Part &Into) const {
  if (!Bytes->row(Section::Compiles, Compile, Into.Row))
    return false;
  if (Compile + uint64_t(1) < Bytes->rowCount(Section::Compiles)) {
    CompileRow Next;
    if (!Bytes->row(Section::Compiles, Compile + uint64_t(1), Next))
      return false;
    Into.EndRecord = Next.FirstRecord;
    Into.EndBlock = Next.FirstBlock;
    Into.EndFolder = Next.FirstFolder;
  } else {
    Into.EndRecord = count(Section::Records);
    Into.EndBlock = count(Section::RangeBlocks);
    Into.EndFolder = count(Section::Folders);
  }
  if (Into.Row.FirstRecord > Into.EndRecord ||
      Into.Row.FirstBlock > Into.EndBlock ||
      Into.Row.FirstFolder > Into.EndFolder ||
      Into.Row.OpenCount > Into.EndRecord - Into.Row.FirstRecord)
    return Bytes->fault("section COMP, row " + std::to_string(Compile),
                        "slices that end before they begin",
                        "ascending compiles");
  return true;
}

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
  return Bytes->isWhole();
}

bool InstantiationIndex::compile(uint32_t Id, Compile &Into) const {
  State::Part P;
  if (!S->part(Id, P))
    return false;
  Into = {{},
          {},
          {},
          P.Row.Sequence,
          P.Row.RealtimeNs,
          P.Row.EndNs,
          P.Row.FirstRecord,
          P.EndRecord,
          P.Row.OpenCount,
          (P.Row.Flags & CompileIncomplete) != 0};
  if (!S->string(P.Row.File, {}, State::LongestPath, Into.Trace) ||
      !S->string(P.Row.Input, {}, State::LongestPath, Into.Input) ||
      !S->string(P.Row.WorkingDirectory, {}, State::LongestPath,
                 Into.WorkingDirectory))
    return false;
  Into.Trace = traceName(Into.Trace);
  return true;
}

bool InstantiationIndex::folders(uint32_t Id,
                                 std::vector<std::string> &Into) const {
  Into.clear();
  State::Part P;
  if (!S->part(Id, P))
    return false;
  for (uint32_t Index = P.Row.FirstFolder; Index != P.EndFolder; ++Index) {
    FolderRow Row;
    if (!S->Bytes->row(Section::Folders, Index, Row) ||
        !S->string(Row.Path, {}, State::LongestPath, Into.emplace_back()))
      return Into.clear(), false;
  }
  return true;
}

bool InstantiationIndex::State::outward(uint32_t Id, uint32_t Outer,
                                        const char *What) const {
  return Outer == None || Outer < Id ||
         Bytes->fault("record " + std::to_string(Id),
                      std::string(What) + " " + std::to_string(Outer),
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
  return Bytes->isWhole();
}

/// Of the self times or memory of that many records.
bool InstantiationIndex::State::sum(const SumSections &Sec, uint32_t Records,
                                    uint64_t &Into) const {
  uint32_t Delta = 0;
  if (!Bytes->row(Sec.Deltas, Records, Delta))
    return false;
  if (Delta != None)
    return Bytes->row(Sec.Bases, Records / SumsPerBase, Into) &&
           (Into += Delta, true);
  uint64_t Count = Bytes->rowCount(Sec.Wide);
  const auto *Rows = Bytes->rows<WideSumRow>(Sec.Wide, 0, Count);
  if (!Rows)
    return false;
  uint64_t Behind = countUpTo(Rows, Count, Records,
                              [](const auto &Row) { return Row.Record; });
  WideSumRow Row = {0, None, 0};
  if (Behind != 0)
    Row = Rows[Behind - 1];
  Into = Row.Sum;
  if (Row.Record != Records)
    return Bytes->fault("prefix sum " + std::to_string(Records), "no row",
                        "a wide one");
  return Bytes->isWhole();
}

bool InstantiationIndex::State::difference(const SumSections &Sec,
                                           uint32_t Begin, uint32_t End,
                                           uint64_t &Into) const {
  Into = 0;
  uint32_t Count = this->count(Section::Records);
  if (Begin > End || End > Count)
    return Bytes->fault("records " + std::to_string(Begin) + " to " +
                            std::to_string(End),
                        "no slice", "one of " + std::to_string(Count));
  if (Bytes->rowCount(Sec.Deltas) == 0)
    return Bytes->isWhole(); // not recorded
  uint64_t First = 0, Target = 0;
  if (!sum(Sec, Begin, First) || !sum(Sec, End, Target))
    return false;
  Into = Target - First;
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
  return Bytes->isWhole();
}

bool InstantiationIndex::shape(uint32_t Id, Shape &Into) const {
  RecordRow Row;
  return S->Bytes->row(Section::Records, Id, Row) && S->shapeOf(Id, Row, Into);
}

/// Also where the row has no room for it.
bool InstantiationIndex::State::depthOf(uint32_t Id, const RecordRow &Row,
                                        uint32_t &Into) const {
  Into = Row.Depth;
  uint32_t Index = Row.Parent;
  if (Row.Depth != DeepestDepth || !outward(Id, Index, "parent"))
    return Row.Depth != DeepestDepth;
  for (; Index != None; ++Into) {
    RecordRow Is;
    if (!Bytes->row(Section::Records, Index, Is))
      return false;
    if (Is.Depth != DeepestDepth) {
      Into = Into - DeepestDepth + Is.Depth + 1;
      break;
    }
    if (!outward(Index, Is.Parent, "parent"))
      return false;
    Index = Is.Parent;
  }
  return true;
}

bool InstantiationIndex::record(uint32_t Id, Record &Into) const {
  RecordRow Row;
  Shape Lengths;
  if (!S->Bytes->row(Section::Records, Id, Row) ||
      !S->shapeOf(Id, Row, Lengths))
    return false;
  Into = {};
  Into.Entity = Lengths.Entity;
  Into.Location = Lengths.Location;
  Into.Parent = Lengths.Parent;
  Into.Requester = None;
  Into.SubtreeEnd = Lengths.SubtreeEnd;
  Into.Kind = Lengths.Kind;
  Into.IsOpen = Lengths.IsOpen;
  Into.IsDefinition = Lengths.IsDefinition;
  if (!S->depthOf(Id, Row, Into.Depth))
    return false;
  return S->compileOf(Id, Into.Compile) &&
         (!(Row.Flags & RecordRequested) || S->requester(Id, Into.Requester)) &&
         S->rangeTime(beginRange(Id, Into.Depth), Into.BeginNs) &&
         S->rangeTime(endRange(Row.SubtreeEnd, Into.Depth), Into.EndNs) &&
         selfNs(Id, Id + 1, Into.SelfNs) &&
         ownBytes(Id, Id + 1, Into.OwnBytes) &&
         ownBytes(Id, Row.SubtreeEnd, Into.AllBytes);
}

bool InstantiationIndex::recordAt(uint32_t Compile, uint64_t TimeNs,
                                  uint32_t &Into) const {
  Into = None;
  State::Part P;
  State::Latest L;
  return S->part(Compile, P) && S->latestAt(P, TimeNs, L) &&
         S->Parents->outward(L.Record, L.Ended, Into);
}

bool InstantiationIndex::stackAt(uint32_t Compile, uint64_t TimeNs,
                                 std::vector<uint32_t> &Into) const {
  Into.clear();
  State::Part P;
  State::Latest L;
  if (!S->part(Compile, P) || !S->latestAt(P, TimeNs, L))
    return false;
  S->Parents->fetch(L.Record);
  uint32_t Index = None;
  if (!S->Parents->outward(L.Record, L.Ended, Index) ||
      !S->Parents->append(Index, Into))
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
  uint32_t Index = P.Row.FirstRecord + static_cast<uint32_t>(Low);
  if (!record(Index, R))
    return false;
  uint64_t Ends = Event - (Low * 2 - std::min<uint64_t>(R.Depth, Low));
  TimeNs = R.BeginNs;
  for (; Ends != 0 && Index != None; --Ends) {
    if (!record(Index, R))
      return false;
    TimeNs = R.EndNs;
    Index = R.Parent;
  }
  while (Index != None) {
    Into.push_back(Index);
    RecordRow Row;
    if (!S->Bytes->row(Section::Records, Index, Row) ||
        !S->outward(Index, Row.Parent, "parent"))
      return Into.clear(), false;
    Index = Row.Parent;
  }
  return S->Bytes->isWhole();
}
