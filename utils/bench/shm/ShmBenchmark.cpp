/// \file
/// What an event costs the writer of the shared-memory buffer, beside the least
/// that any writer can do.
///
/// A begin is head, time since the event before, entity, location; an end is
/// head and time: varints, as plugin/recorder/EventEncoder.cpp writes them, in
/// chunks that begin with an EventChunkStart. The lower bound is a fixed record
/// of 24 bytes and one release store per event, into the same kind of memory (a
/// memfd of 1 MiB). Both are drained in the process when they are full, by
/// copying what they hold into private memory, and that is part of the time.
///
/// Repetitions of all variants are interleaved; the table has their medians.
#include "runtime/base/Varint.h"
#include "runtime/format/EventChunk.h"
#include "runtime/shm/ChunkReader.h"
#include "runtime/shm/ChunkWriter.h"
#include "runtime/shm/SharedMemory.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace instantrace;

namespace {

constexpr size_t BufferBytes = size_t(1) << 20;
constexpr size_t PairsPerIteration = 8192;
constexpr uint32_t TimeUnitNs = 16; ///< as in plugin/recorder/Clock.h

/// Times and ids of which the varints have the lengths that they have in a
/// compile: two bytes, two bytes, one byte in most. "Mixed" draws lengths of 1
/// to 3 at random, so that the processor guesses none of them right: the worst
/// that can come.
struct Event {
  uint32_t DeltaNs, Entity, Location;
};
enum class Lengths : int64_t { Steady, Mixed };

std::vector<Event> makeEvents(Lengths L) {
  std::vector<Event> Made(2 * PairsPerIteration);
  uint64_t X = 88172645463325252U;
  for (Event &E : Made) {
    X ^= X << 13, X ^= X >> 7, X ^= X << 17;
    E = {static_cast<uint32_t>(2100 + X % 30000),
         static_cast<uint32_t>(130 + (X >> 20) % 4000),
         static_cast<uint32_t>(1 + (X >> 40) % 120)};
    if (L == Lengths::Steady)
      continue;
    if ((X >> 50) % 2)
      E.DeltaNs = 50 + X % 1900;
    if ((X >> 51) % 2)
      E.Entity = 1;
    if ((X >> 52) % 4 == 0)
      E.Location += 200;
  }
  return Made;
}

uint64_t clockNs() {
  timespec Now;
  ::clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

SharedMemory makeMemory() {
  std::string Error;
  SharedMemory Memory = SharedMemory::makeMemfd(BufferBytes, Error);
  if (!Memory) {
    std::fprintf(stderr, "%s\n", Error.c_str());
    std::exit(1);
  }
  return Memory;
}

std::vector<uint8_t> &privateCopy() {
  static std::vector<uint8_t> Copy(BufferBytes);
  return Copy;
}

/// Counters per event, of which there are two per pair.
void report(benchmark::State &State, uint64_t Bytes) {
  auto Events = static_cast<double>(State.iterations()) * 2 * PairsPerIteration;
  State.SetItemsProcessed(static_cast<int64_t>(Events));
  State.counters["bytes"] = static_cast<double>(Bytes) / Events;
}

template <bool WithClock> void fixedRecords(benchmark::State &State) {
  struct Record {
    uint64_t TimeNs;
    uint32_t Head, Entity, Location, Reserved;
  };
  static_assert(sizeof(Record) == 24);
  const std::vector<Event> Events = makeEvents(Lengths::Steady);
  SharedMemory Memory = makeMemory();
  auto *Count = reinterpret_cast<std::atomic<uint32_t> *>(Memory.data());
  auto *Records = reinterpret_cast<Record *>(Memory.data() + 64);
  constexpr uint32_t Limit = (BufferBytes - 64) / sizeof(Record);
  uint64_t Total = 0, TimeNs = 0;
  uint32_t Next = 0;
  auto write = [&](uint32_t Head, const Event &E) {
    if (Next == Limit) {
      std::memcpy(privateCopy().data(), Records, Limit * sizeof(Record));
      benchmark::ClobberMemory();
      Next = 0;
    }
    TimeNs = WithClock ? clockNs() : TimeNs + E.DeltaNs;
    Records[Next] = {TimeNs, Head, E.Entity, E.Location, 0};
    Count->store(++Next, std::memory_order_release);
  };
  for (auto _ : State) {
    const Event *E = Events.data();
    for (size_t I = 0; I != PairsPerIteration; ++I, E += 2) {
      write(9, E[0]);
      write(2, E[1]);
    }
    Total += 2 * PairsPerIteration * sizeof(Record);
  }
  report(State, Total);
}

/// As the plugin drains: complete chunks, in order, copied out.
struct Drained {
  SharedMemoryAbi Abi;
  ChunkReader *Reader = nullptr;
  ChunkWriter *Writer = nullptr;
  uint64_t Bytes = 0;

  static bool drain(void *Context) {
    auto *D = static_cast<Drained *>(Context);
    uint8_t *Out = privateCopy().data();
    for (const ChunkContent &C : D->Reader->acquire()) {
      std::memcpy(Out, C.Data, C.SizeBytes);
      Out += C.SizeBytes;
    }
    D->Bytes += static_cast<uint64_t>(Out - privateCopy().data());
    D->Reader->release();
    return true;
  }
};

template <bool WithClock> void ourWriter(benchmark::State &State) {
  const auto Events = makeEvents(static_cast<Lengths>(State.range(2)));
  SharedMemory Memory = makeMemory();
  auto PageSize = static_cast<size_t>(State.range(0));
  Drained D;
  D.Abi.initialize(Memory.data(), PageSize, BufferBytes / PageSize,
                   SharedMemoryAbi::Mode::Shared);
  // The rule ends with a layout for as many writers as need its chunks.
  auto Writers = std::max<size_t>(
      BufferBytes / PageSize *
          chunksPerPage(static_cast<PageLayout>(State.range(1))) / 2,
      1);
  ChunkReader Reader(D.Abi, ChunkReader::Writers::Ours);
  ChunkSource Source(D.Abi,
                     {WhenFull::Drain, static_cast<unsigned>(Writers), 0},
                     Drained::drain, &D);
  ChunkWriter Writer(Source, 1);
  D.Reader = &Reader;
  BatchStart Start;
  uint64_t LastNs = clockNs();
  auto open = [&] {
    uint8_t *Out = Writer.reserve();
    if (Writer.isAtChunkStart()) {
      Start.TimeNs = LastNs;
      Out = writeEventChunkStart(Out, Start);
    }
    return Out;
  };
  auto writeTime = [&](uint8_t *Out, const Event &E) {
    if (!WithClock) {
      LastNs += E.DeltaNs;
      return writeVarint(Out, E.DeltaNs / TimeUnitNs);
    }
    uint64_t NowNs = clockNs();
    Out = writeVarint(Out, (NowNs - LastNs) / TimeUnitNs);
    LastNs = NowNs;
    return Out;
  };
  for (auto _ : State) {
    const Event *E = Events.data();
    for (size_t I = 0; I != PairsPerIteration; ++I, E += 2) {
      uint8_t *Out = open();
      Out = writeVarint(Out, 9);
      Out = writeTime(Out, E[0]);
      Out = writeVarint(Out, E[0].Entity);
      Out = writeVarint(Out, E[0].Location);
      Writer.commit(Out);
      ++Start.Interval;
      Out = open();
      Out = writeVarint(Out, 2);
      Out = writeTime(Out, E[1]);
      Writer.commit(Out);
    }
  }
  Writer.complete();
  Drained::drain(&D);
  report(State, D.Bytes);
  if (Writer.droppedRecords() != 0)
    State.SkipWithError("records were dropped");
}

void clockAlone(benchmark::State &State) {
  for ([[maybe_unused]] auto _ : State)
    for (size_t I = 0; I != 2 * PairsPerIteration; ++I)
      benchmark::DoNotOptimize(clockNs());
  report(State, 0);
}

class Table : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &Runs) override {
    for (const Run &R : Runs) {
      if (R.error_occurred) {
        std::fprintf(stderr, "%s: %s\n", R.benchmark_name().c_str(),
                     R.error_message.c_str());
        HasFailed = true;
      }
      if (R.run_type != Run::RT_Iteration)
        continue;
      std::string Name = R.run_name.function_name + " " + R.run_name.args;
      if (ByName[Name].Ns.empty())
        Order.push_back(Name);
      auto Count = static_cast<double>(R.iterations) * 2 * PairsPerIteration;
      ByName[Name].Ns.push_back(R.cpu_accumulated_time * 1e9 / Count);
      ByName[Name].Bytes = R.counters.at("bytes");
    }
  }
  /// Lines of Markdown.
  bool print() {
    double Bounds[2] = {median("fixed "), median("fixed+clock ")};
    double Clock = median("clock ");
    std::printf(
        "| writer | page, KiB | chunks | ns per event | min..max | above "
        "the clock | ratio to fixed | bytes per event |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|\n");
    // Repetitions came interleaved, in any order.
    std::sort(Order.begin(), Order.end(),
              [](const std::string &A, const std::string &B) {
                auto key = [](const std::string &Name) {
                  int Page = 0, Layout = 0, Mixed = 0;
                  std::sscanf(Name.c_str(), "%*s %d/%d/%d", &Page, &Layout,
                              &Mixed);
                  return std::tuple(Name.substr(0, Name.find(' ')), Mixed, Page,
                                    Layout);
                };
                return key(A) < key(B);
              });
    for (const std::string &Name : Order) {
      bool HasClock = Name.find("clock") != std::string::npos;
      const Series &S = ByName[Name];
      int Page = 0, Layout = -1, Mixed = 0;
      std::sscanf(Name.c_str(), "%*s %d/%d/%d", &Page, &Layout, &Mixed);
      std::string Chunks =
          Layout < 0 ? "-"
          : Layout == 0
              ? "by the rule"
              : std::to_string(chunksPerPage(static_cast<PageLayout>(Layout)));
      auto [Low, High] = std::minmax_element(S.Ns.begin(), S.Ns.end());
      double Ns = median(Name);
      std::printf(
          "| %s | %d | %s | %.2f | %.2f..%.2f | %.2f | %.2f | %.2f |\n",
          (Name.substr(0, Name.find(' ')) + (Mixed ? ", mixed" : "")).c_str(),
          Page / 1024, Chunks.c_str(), Ns, *Low, *High,
          HasClock ? Ns - Clock : Ns, Ns / Bounds[HasClock], S.Bytes);
    }
    return !HasFailed && !Order.empty();
  }

private:
  struct Series {
    std::vector<double> Ns;
    double Bytes = 0;
  };
  double median(const std::string &Name) {
    std::vector<double> Ns = ByName[Name].Ns;
    if (Ns.empty())
      return 0;
    std::sort(Ns.begin(), Ns.end());
    return Ns[Ns.size() / 2];
  }
  std::map<std::string, Series> ByName;
  std::vector<std::string> Order;
  bool HasFailed = false;
};

} // namespace

int main(int Count, char **Arguments) {
  // What the caller gives comes later and wins.
  char Interleaved[] = "--benchmark_enable_random_interleaving=true";
  char Repetitions[] = "--benchmark_repetitions=9";
  char MinTime[] = "--benchmark_min_time=0.02";
  std::vector<char *> All = {Arguments[0], Interleaved, Repetitions, MinTime};
  All.insert(All.end(), Arguments + 1, Arguments + Count);
  Count = static_cast<int>(All.size());
  benchmark::Initialize(&Count, All.data());
  if (benchmark::ReportUnrecognizedArguments(Count, All.data()))
    return 2;
  benchmark::RegisterBenchmark("clock", clockAlone);
  benchmark::RegisterBenchmark("fixed", fixedRecords<false>);
  benchmark::RegisterBenchmark("fixed+clock", fixedRecords<true>);
  auto *Plain = benchmark::RegisterBenchmark("ours", ourWriter<false>);
  auto *Clocked = benchmark::RegisterBenchmark("ours+clock", ourWriter<true>);
  for (int64_t Page = MinPageSizeBytes; Page <= int64_t(MaxPageSizeBytes);
       Page *= 2)
    for (int64_t Layout = 0; Layout <= 5; ++Layout) {
      Plain->Args({Page, Layout, 0});
      if (Layout == 0) {
        Plain->Args({Page, Layout, 1});
        Clocked->Args({Page, Layout, 0});
      }
    }
  Table T;
  benchmark::RunSpecifiedBenchmarks(&T);
  return T.print() ? 0 : 1;
}
