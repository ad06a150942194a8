/// \file
/// What an index costs to make, to open and to ask, over its size, beside a
/// plain binary search and a walk over all intervals.
///
/// Flow: made-up events -> IndexBuilder -> file -> InstantiationIndex -> table
///
/// The events are those of a random tree with names as long as usual; all
/// lookups are of random times, after as many that are not counted.
#include "runtime/index/Index.h"
#include "runtime/index/IndexBuilder.h"
#include "utils/bench/index/MadeUpCompile.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace instantrace;
using namespace instantrace::bench;

namespace {

double secondsOf(auto Work) {
  auto Begin = std::chrono::steady_clock::now();
  Work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
      .count();
}

[[noreturn]] void fail(const std::string &Why) {
  std::fprintf(stderr, "%s\n", Why.c_str());
  std::exit(1);
}

struct Flat {
  std::vector<uint64_t> Starts;
  std::vector<uint32_t> Records;
  std::vector<std::pair<uint64_t, uint64_t>> Intervals;

  explicit Flat(const std::vector<Event> &Events) {
    std::vector<uint32_t> Open;
    for (const Event &E : Events) {
      if (E.Entity != 0) {
        Open.push_back(static_cast<uint32_t>(Intervals.size()));
        Intervals.emplace_back(E.TimeNs, 0);
      } else {
        Intervals[Open.back()].second = E.TimeNs;
        Open.pop_back();
      }
      Starts.push_back(E.TimeNs);
      Records.push_back(Open.empty() ? None : Open.back());
    }
  }
  uint32_t search(uint64_t Ns) const {
    auto At = std::upper_bound(Starts.begin(), Starts.end(), Ns);
    return At == Starts.begin()
               ? None
               : Records[static_cast<size_t>(At - Starts.begin()) - 1];
  }
  uint32_t walk(uint64_t Ns) const {
    uint32_t Last = None;
    for (uint32_t I = 0; I != Intervals.size() && Intervals[I].first <= Ns; ++I)
      if (Ns < Intervals[I].second)
        Last = I;
    return Last;
  }
};

/// Calls a second, of as many as there are times.
template <class Ask>
double rate(const std::vector<uint64_t> &Times, size_t Count, Ask Question) {
  Count = std::min(Count, Times.size());
  double Seconds = secondsOf([&] {
    for (size_t I = 0; I != Count; ++I)
      Question(Times[I]);
  });
  return double(Count) / Seconds;
}

void run(uint32_t Count, const std::string &Folder) {
  uint32_t Entities = std::max(100u, Count / 20);
  std::vector<Event> Events = randomEvents(Count, Entities);
  Names Of(Entities);
  std::string Path = Folder + "/bench.itx";
  double FeedS = 0, FinishS = 0;
  {
    IndexBuilder Builder(Folder);
    FeedS = secondsOf([&] { feed(Builder, Events, Of); });
    int Open =
        ::open(Path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FinishS = secondsOf([&] {
      if (Result<void> Done = Builder.finish({1, 1}, Open); !Done)
        fail(Done.error().Message);
    });
    ::close(Open);
  }
  std::string Why;
  std::vector<double> OpenS;
  for (int I = 0; I != 51; ++I) {
    InstantiationIndex X;
    OpenS.push_back(secondsOf([&] {
      if (!InstantiationIndex::open(Path, X, Why))
        fail(Why);
    }));
  }
  std::sort(OpenS.begin(), OpenS.end());
  InstantiationIndex X;
  if (!InstantiationIndex::open(Path, X, Why))
    fail(Why);
  Flat Plain(Events);
  std::mt19937_64 Random(2);
  std::vector<uint64_t> Times(1000000);
  for (uint64_t &Ns : Times)
    Ns = Random() % Events.back().TimeNs;
  uint64_t Sum = 0, Frames = 0, PlainSum = 0, WalkSum = 0, HeadSum = 0;
  auto Record = [&](uint64_t Ns) {
    uint32_t At = None;
    if (!X.recordAt(0, Ns, At))
      fail(X.fault());
    Sum += At;
  };
  std::vector<uint32_t> Ids;
  auto Stack = [&](uint64_t Ns) {
    if (!X.stackAt(0, Ns, Ids))
      fail(X.fault());
    Frames += Ids.size();
  };
  size_t Walks = std::max<size_t>(20, 20000000 / Count);
  rate(Times, Times.size(), Stack);
  Frames = 0;
  double Records = rate(Times, Times.size(), Record);
  double Stacks = rate(Times, Times.size(), Stack);
  rate(Times, Times.size(), [&](uint64_t Ns) { PlainSum += Plain.search(Ns); });
  PlainSum = 0;
  double Searches = rate(Times, Times.size(),
                         [&](uint64_t Ns) { PlainSum += Plain.search(Ns); });
  double LinearWalks =
      rate(Times, Walks, [&](uint64_t Ns) { WalkSum += Plain.walk(Ns); });
  for (size_t I = 0; I != std::min(Walks, Times.size()); ++I)
    HeadSum += Plain.search(Times[I]);
  if (Sum != PlainSum || WalkSum != HeadSum)
    fail("found different answers, expected equal ones");
  std::printf("| %" PRIu32 " | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f | %.3g "
              "| %.1f | %.1f | %.1f |\n",
              Count, FeedS * 1e9 / double(Events.size()),
              FinishS * 1e9 / double(Events.size()),
              OpenS[OpenS.size() / 2] * 1e6, Records / 1e6, Stacks / 1e6,
              Searches / 1e6, LinearWalks / 1e6, Records / Searches,
              double(Frames) / double(Times.size()),
              double(X.fileBytes()) / Count);
  std::fflush(stdout);
  std::filesystem::remove(Path);
}

} // namespace

int main(int Argc, char **Argv) {
  std::string Folder = std::filesystem::temp_directory_path().string();
  std::vector<uint32_t> Counts =
      countsOf(Argc, Argv, {10000, 50000, 100000, 1000000, 3500000, 10000000});
  std::printf(
      "| intervals | build, ns per boundary | finish, ns per boundary | "
      "open, µs | records, M/s | stacks, M/s | plain search, M/s | "
      "linear walk, M/s | records / plain | frames in a stack | bytes "
      "per interval |\n"
      "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (uint32_t Count : Counts)
    run(Count, Folder);
}
