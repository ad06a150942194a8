/// \file
/// What is streamed of a trace is what a model of it has: events, tables and
/// what is missing.
#include "runtime/read/EventSink.h"
#include "runtime/read/TraceReader.h"
#include "runtime/read/TraceScan.h"
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
  TraceBytes From = inPieces(Bytes, 7);
  streamTrace(From, Bytes.size(), "x", Streamed, Events);
  EXPECT_EQ(Events.text(), listed(Model));
  EXPECT_EQ(lossesOf(Streamed), lossesOf(Model));
  Listing Again;
  streamAgain(From, Streamed.Files.front(), Again);
  EXPECT_EQ(Again.text(), listed(Model));
  TraceFacts Facts;
  Trace Tables;
  streamTrace(From, Bytes.size(), "x", Tables, Facts);
  for (const CostKeyName &By : CostKeyNames) {
    TraceFilter Everything = *TraceFilter::make({});
    KeyCosts Costs(Tables, By.Key, Everything, nullptr);
    CostSink Second(Facts, {&Costs, 1});
    streamAgain(From, Tables.Files.front(), Second);
    EXPECT_EQ(rowsOf(Costs.take(false), Tables),
              rowsOf(costs(Model, By.Key), Model))
        << By.Name;
  }
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
