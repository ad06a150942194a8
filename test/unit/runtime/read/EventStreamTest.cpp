/// \file
/// What is streamed of a trace is what a model of it has: events, tables and
/// what is missing.
#include "runtime/read/EventSink.h"
#include "runtime/read/TraceReader.h"
#include "runtime/read/TraceScan.h"
#include "test/unit/support/ModelCosts.h"
#include "test/unit/support/SampleTraces.h"
#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/view/EventWalk.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

using namespace instantrace;
using namespace instantrace::test;
namespace fs = std::filesystem;

namespace {

/// Everything that a sink is told, as text.
class Listing : public TraceSink, EventSink {
public:
  EventSink &beginSequence(uint32_t Index) override {
    Text << "sequence " << Index << "\n";
    return *this;
  }
  void endSequence(Sequence &S) override {
    Text << "end " << S.EventCount << " " << S.LastTimeNs << " " << S.OpenCount
         << "\n";
  }
  std::string text() const { return Text.str(); }

private:
  void begin(IntervalId Id, const Interval &I) override {
    Text << "begin " << Id.Value << " " << int(I.Kind) << " " << I.Entity.Value
         << " " << I.Location.Value << " " << I.Parent.Value << " "
         << I.Requester.Value << " " << I.BeginNs << "\n";
  }
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &L) override {
    Text << "end " << Id.Value << " " << I.EndNs << " " << I.AstBytes << " "
         << I.memoized() << " " << I.Open << I.Definition << I.HasElided << " "
         << L.Count << " " << L.SumNs << "\n";
  }
  void instant(const Instant &I) override {
    Text << "instant " << I.TimeNs << " " << int(I.Kind) << " "
         << I.Entity.Value << " " << I.Location.Value << " " << I.Parent.Value
         << " " << I.BegunBefore << "\n";
  }

  std::ostringstream Text;
};

/// Bytes that come in pieces of a few, as from a file.
TraceBytes inPieces(std::string_view Bytes, size_t PieceBytes) {
  return TraceBytes(
      [Bytes, PieceBytes](uint64_t Offset, char *Into, size_t Most) {
        size_t Got = std::min({PieceBytes, Most, Bytes.size() - Offset});
        std::copy_n(Bytes.data() + Offset, Got, Into);
        return Got;
      });
}

std::string listed(const Trace &T) {
  Listing Events;
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    Sequence S = T.Sequences[Index];
    feedEvents(S, static_cast<TraceSink &>(Events).beginSequence(Index));
    Events.endSequence(S);
  }
  return Events.text();
}

std::string lossesOf(const Trace &T) {
  std::string Text;
  for (const std::string &Loss : T.losses())
    Text += Loss + "\n";
  return Text;
}

/// Rows by name, since they are in no order.
std::string rowsOf(const CostTable &Table, const Trace &T) {
  std::vector<std::string> Rows;
  for (const CostRow &R : Table.Rows) {
    std::ostringstream Row;
    const BackendCost &B = R.backend();
    Row << R.Name.text(T, {true, true}, 1000) << " " << R.Kind << " " << R.Count
        << " " << R.Definitions << " " << R.Memoized << " " << R.SelfNs << " "
        << R.InclusiveNs << " " << R.RequestedNs << " " << R.AstBytes << " "
        << R.Elided << " " << B.OptimizeNs << " " << B.GenerateNs << " "
        << B.IrGenerationEstimateNs << " " << B.Given << " " << B.Emitted << " "
        << B.InlinedAway << "\n";
    Rows.push_back(Row.str());
  }
  std::sort(Rows.begin(), Rows.end());
  std::ostringstream All;
  All << Table.TotalNs << " " << Table.ElidedCount << " " << Table.ElidedNs
      << " " << Table.DroppedCount << " " << Table.HasBackend << " "
      << Table.IrGenerationNs << " " << Table.UnknownEmission << "\n";
  for (const std::string &Row : Rows)
    All << Row;
  return All.str();
}

/// What a model says, and what streams of the same bytes say.
void expectSame(std::string_view Bytes, const std::string &Which) {
  SCOPED_TRACE(Which);
  Trace Model;
  readTrace(Bytes, "x", Model);
  Trace Streamed;
  Listing Events;
  TraceBytes Source = inPieces(Bytes, 7);
  streamTrace(Source, Bytes.size(), "x", Streamed, Events);
  EXPECT_EQ(Events.text(), listed(Model));
  EXPECT_EQ(lossesOf(Streamed), lossesOf(Model));
  std::vector<CostKey> Keys;
  for (const CostKeyName &Key : CostKeyNames)
    Keys.push_back(Key.Key);
  Trace Tables;
  CostSink Costs(Tables, Keys, *TraceFilter::make({}));
  streamTrace(Source, Bytes.size(), "x", Tables, Costs);
  std::vector<CostTable> Found = Costs.take(false);
  for (size_t I = 0; I != Keys.size(); ++I)
    EXPECT_EQ(rowsOf(Found[I], Tables), rowsOf(costs(Model, Keys[I]), Model))
        << CostKeyNames[I].Name;
}

std::string fileBytes(const fs::path &Path) {
  std::ifstream File(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(File), {}};
}

std::vector<fs::path> storedTraces() {
  std::vector<fs::path> Found;
  fs::path Folder = fs::path(__FILE__).parent_path() / "../../../tool";
  for (const auto &Each : fs::recursive_directory_iterator(Folder))
    if (Each.path().extension() == ".itrace")
      Found.push_back(Each.path());
  std::sort(Found.begin(), Found.end());
  return Found;
}

} // namespace

TEST(EventStream, StoredTracesSayTheSameWithoutAModel) {
  std::vector<fs::path> Traces = storedTraces();
  ASSERT_GE(Traces.size(), 6u);
  for (const fs::path &Path : Traces)
    expectSame(fileBytes(Path), Path.string());
}

TEST(EventStream, ConcatenatedTracesSayTheSame) {
  std::string All;
  for (const fs::path &Path : storedTraces())
    All += fileBytes(Path);
  expectSame(All, "all");
}

/// The packets of two compiles, in turns.
std::string inTurns(proto::Trace One, proto::Trace Two) {
  test::TraceBuilder Mixed;
  Mixed.Trace.Clear();
  for (int I = 0; I < std::max(One.packet_size(), Two.packet_size()); ++I)
    for (proto::Trace *T : {&One, &Two})
      if (I < T->packet_size())
        *Mixed.Trace.add_packet() = T->packet(I);
  return Mixed.bytes();
}

TEST(EventStream, CompilesThatTakeTurnsAreReadOneAfterTheOther) {
  proto::Trace One = test::boxTrace().whole(), Two = One;
  for (proto::Packet &Each : *Two.mutable_packet())
    Each.set_sequence_id(2);
  expectSame(inTurns(One, Two), "in turns");
  std::string Apart = inTurns(One, {}) + inTurns(Two, {});
  Trace Mixed, Model;
  std::string Bytes = inTurns(One, Two);
  TraceBytes Source(Bytes);
  Listing Events;
  streamTrace(Source, Bytes.size(), "x", Mixed, Events);
  readTrace(Apart, "x", Model);
  EXPECT_EQ(Events.text(), listed(Model));
}

/// How many entities a sequence has when its events begin.
class TablesAtBegin : public TraceSink, EventSink {
public:
  explicit TablesAtBegin(const Trace &Into) : Into(Into) {}
  EventSink &beginSequence(uint32_t Index) override {
    Entities = Into.Sequences[Index].Entities.size();
    HasFooter = Into.Sequences[Index].Footer.has_value();
    return *this;
  }
  void endSequence(Sequence &) override {}
  size_t Entities = 0;
  bool HasFooter = false;

private:
  void begin(IntervalId, const Interval &) override {}
  void end(IntervalId, const Interval &, const ElidedLeaves &) override {}
  void instant(const Instant &) override {}
  const Trace &Into;
};

TEST(EventStream, TablesComeBeforeEventsWhateverTheOrderInTheFile) {
  proto::Trace Written = test::boxTrace().whole();
  // Header, session, events, and then what they name.
  std::stable_partition(
      Written.mutable_packet()->begin() + 2, Written.mutable_packet()->end(),
      [](const proto::Packet &Each) { return Each.has_events(); });
  std::string Bytes = inTurns(Written, {});
  TraceBytes Source(Bytes);
  Trace T;
  TablesAtBegin Events(T);
  streamTrace(Source, Bytes.size(), "x", T, Events);
  EXPECT_EQ(lossesOf(T), "");
  EXPECT_GT(Events.Entities, 0u);
  EXPECT_TRUE(Events.HasFooter);
}

TEST(EventStream, DamagedTracesSayTheSameUpToTheDamage) {
  std::mt19937 Random(7);
  for (const fs::path &Path : storedTraces()) {
    std::string Bytes = fileBytes(Path);
    if (Bytes.size() > 20000)
      continue;
    for (int Round = 0; Round != 20; ++Round) {
      std::string Damaged = Bytes;
      Damaged[Random() % Damaged.size()] ^= char(1 << Random() % 8);
      Damaged.resize(Damaged.size() - Random() % 3);
      expectSame(Damaged, Path.string());
    }
  }
}
