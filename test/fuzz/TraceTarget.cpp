#include "runtime/base/Varint.h"
#include "runtime/format/Schema.h"
#include "runtime/read/SequenceReader.h"
#include "runtime/read/TraceReader.h"
#include "runtime/read/TraceScan.h"
#include "test/fuzz/FuzzTargets.h"
#include "test/fuzz/TraceUses.h"
#include "test/unit/support/ModelCosts.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/export/TextProto.h"

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include <algorithm>
#include <iterator>

namespace instantrace::fuzz {

using test::costs;

namespace {

/// With the checksum that each whole packet should have, so that what is behind
/// the first changed one is read as well.
void mendChecksums(std::string &Bytes) {
  const char *Cursor = Bytes.data(), *End = Cursor + Bytes.size();
  while (Cursor != End) {
    ++Cursor; // the tag
    uint64_t Size = 0;
    try {
      Size = protozero::decode_varint(&Cursor, End);
    } catch (const protozero::exception &) {
      return;
    }
    if (Size < ChecksumFieldBytes || Size > static_cast<uint64_t>(End - Cursor))
      return;
    size_t Index = static_cast<size_t>(Cursor - Bytes.data());
    size_t Rest = Size - ChecksumFieldBytes;
    uint32_t Sum = packetChecksum(std::string_view(Bytes).substr(Index, Rest));
    Bytes[Index + Rest] = static_cast<char>(schema::Packet::Checksum.tag());
    for (size_t I = 0; I != 4; ++I)
      Bytes[Index + Rest + 1 + I] = static_cast<char>(Sum >> (8 * I));
    Cursor += Size;
  }
}

/// What the model promises, whatever was read.
void checkModel(const Trace &T) {
  require(T.Files.size() == 1);
  for (const TraceIssue &Issue : T.Files.front().Issues)
    require(!Issue.Invariant.empty() && !Issue.Found.empty() &&
            !Issue.Expected.empty() && !Issue.message("x").empty());
  for (const Sequence &S : T.Sequences) {
    uint64_t OpenCount = 0, LastBeginNs = 0;
    for (size_t I = 0; I != S.Intervals.size(); ++I) {
      const Interval &Found = S.Intervals[I];
      require(!Found.Parent || Found.Parent.Value < I);
      require(!Found.Requester || Found.Requester.Value < I);
      require(Found.BeginNs <= Found.EndNs && Found.EndNs <= S.LastTimeNs);
      require(LastBeginNs <= Found.BeginNs);
      LastBeginNs = Found.BeginNs;
      OpenCount += Found.Open;
    }
    require(OpenCount == S.OpenCount);
    require(S.EventCount ==
            2 * S.Intervals.size() - OpenCount + S.Instants.size());
    for (const Instant &I : S.Instants)
      require(I.BegunBefore <= S.Intervals.size() &&
              (!I.Parent || I.Parent.Value < I.BegunBefore));
    for (const ElidedLeaves &E : S.Elided)
      require(E.Inside.Value < S.Intervals.size());
    for (const Entity &E : S.Entities)
      require(!E.Name || E.Name.Value <= S.Names.size() || !S.Footer ||
              S.Footer->isInterrupted() || !T.Files.front().Issues.empty());
  }
}

/// The other way to read: packet by packet, and refusing what is not in its
/// place. Where nothing is refused, both read the same.
void readStrictly(std::string_view Bytes, const Trace &Loose) {
  PacketFraming Framing(Bytes);
  std::optional<SequenceReader> Reader;
  bool IsWhole = Loose.Sequences.size() == 1;
  while (std::optional<std::string_view> Packet = Framing.next()) {
    if (!Reader)
      Reader.emplace(Loose.Sequences.empty() ? 1 : Loose.Sequences[0].Id);
    std::string Why;
    size_t Before = Reader->sequence().Intervals.size();
    SequenceReader::EventState State = Reader->eventState();
    bool IsAdded = Reader->add(*Packet, Why);
    require(IsAdded || !Why.empty());
    IsWhole = IsWhole && IsAdded;
    // As one does who meets a chunk that is still being written.
    if (packetBody(*Packet) == PacketBody::Events && Framing.packetNo() % 2) {
      Reader->restore(State);
      require(Reader->sequence().Intervals.size() == Before);
      require(Reader->add(*Packet, Why) == IsAdded);
    }
  }
  if (!Reader)
    return;
  Sequence S = std::move(*Reader).finish();
  if (!IsWhole || Framing.issue())
    return;
  const Sequence &Other = Loose.Sequences.front();
  require(Loose.Files.front().damage() == nullptr);
  require(S.EventCount == Other.EventCount && S.OpenCount == Other.OpenCount &&
          S.LastTimeNs == Other.LastTimeNs &&
          S.Names.size() == Other.Names.size() &&
          S.Entities.size() == Other.Entities.size() &&
          S.Inclusions.size() == Other.Inclusions.size() &&
          S.Locations.Rows.size() == Other.Locations.Rows.size());
}

/// Requires of each event that the model has it.
class SameEvents : public TraceSink, EventSink {
public:
  explicit SameEvents(const Trace &Model) : Model(Model) {}

  EventSink &beginSequence(uint32_t Index) override {
    require(Index < Model.Sequences.size());
    S = &Model.Sequences[Index];
    BeginCount = Ended = Instants = 0;
    return *this;
  }
  void endSequence(Sequence &Other) override {
    require(BeginCount == S->Intervals.size() && Ended == BeginCount &&
            Instants == S->Instants.size());
    require(Other.EventCount == S->EventCount &&
            Other.OpenCount == S->OpenCount &&
            Other.LastTimeNs == S->LastTimeNs);
  }

private:
  void begin(IntervalId Id, const Interval &I) override {
    require(Id.Value == BeginCount && BeginCount < S->Intervals.size());
    const Interval &Same = S->Intervals[BeginCount++];
    require(I.Kind == Same.Kind && I.Entity.Value == Same.Entity.Value &&
            I.Location.Value == Same.Location.Value &&
            I.Parent == Same.Parent && I.Requester == Same.Requester &&
            I.BeginNs == Same.BeginNs);
  }
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &L) override {
    const Interval &Same = S->Intervals[Id.Value];
    ElidedLeaves Leaves = S->elidedIn(Id);
    require(I.EndNs == Same.EndNs && I.AstBytes == Same.AstBytes &&
            I.memoized() == Same.memoized() && I.Open == Same.Open &&
            I.Definition == Same.Definition && L.Count == Leaves.Count &&
            L.SumNs == Leaves.SumNs);
    ++Ended;
  }
  void instant(const Instant &I) override {
    require(Instants < S->Instants.size());
    const Instant &Same = S->Instants[Instants++];
    require(I.Kind == Same.Kind && I.Entity.Value == Same.Entity.Value &&
            I.Parent == Same.Parent && I.TimeNs == Same.TimeNs);
  }

  const Trace &Model;
  const Sequence *S = nullptr;
  size_t BeginCount = 0, Ended = 0, Instants = 0;
};

/// Without a model, and what costs make of it.
void readStreamed(std::string_view Bytes, const Trace &Model) {
  TraceBytes Source(Bytes);
  SameEvents Events(Model);
  Trace T;
  streamTrace(Source, Bytes.size(), "fuzzed", T, Events);
  require(T.losses() == Model.losses());
  const CostKey Keys[] = {CostKey::Header, CostKey::UserFrame,
                          CostKey::Function};
  Trace Tables;
  CostSink Costs(Tables, Keys, *TraceFilter::make({}));
  streamTrace(Source, Bytes.size(), "fuzzed", Tables, Costs);
  std::vector<CostTable> Found = Costs.take(false);
  for (size_t I = 0; I != std::size(Keys); ++I) {
    CostTable &Streamed = Found[I], Whole = costs(Model, Keys[I]);
    require(Streamed.TotalNs == Whole.TotalNs &&
            Streamed.Rows.size() == Whole.Rows.size());
    uint64_t SelfNs = 0;
    for (const CostRow &Row : Streamed.Rows)
      SelfNs += Row.SelfNs;
    require(SelfNs == Streamed.TotalNs);
  }
}

} // namespace

void fuzzTrace(const uint8_t *Data, size_t SizeBytes) {
  if (SizeBytes < 2)
    return;
  std::string Bytes(reinterpret_cast<const char *>(Data) + 2, SizeBytes - 2);
  if (!(Data[0] & 0x80))
    mendChecksums(Bytes);
  Trace T;
  readTrace(Bytes, "fuzzed", T);
  checkModel(T);
  readStrictly(Bytes, T);
  readStreamed(Bytes, T);
  useTrace(T, Data[0] & 0x7F, Data[1]);
}

std::vector<std::string> traceSeeds() {
  std::string Bytes = *assembleTrace(SampleTraceText, "sample", false);
  std::vector<std::string> Seeds;
  for (int Command = 0; Command != 13; ++Command)
    for (char Options : {'\x00', '\x15', '\x2A', '\xC3'})
      Seeds.push_back(std::string{static_cast<char>(Command), Options} + Bytes);
  // One without its last two packets: the footer and the counts.
  Seeds.push_back(std::string(2, '\0') + Bytes.substr(0, Bytes.size() - 50));
  return Seeds;
}

} // namespace instantrace::fuzz
