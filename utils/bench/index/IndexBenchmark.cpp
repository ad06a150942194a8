/// \file
/// What an index costs to make, to open and to ask, over its size, beside
/// searches of plain arrays and a walk over all intervals.
///
/// Flow: made-up events -> IndexBuilder -> file -> InstantiationIndex -> table
///
/// The events are those of a random tree with names as long as usual; all
/// lookups are of random times, after as many that are not counted. Times are
/// the process's own on a processor, which other work disturbs less.
#include "runtime/index/Index.h"
#include "runtime/index/IndexBuilder.h"
#include "utils/bench/index/MadeUpCompile.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

using namespace instantrace;
using namespace instantrace::bench;

namespace {

double cpuSeconds() {
  timespec Is = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Is);
  return double(Is.tv_sec) + double(Is.tv_nsec) / 1e9;
}

double secondsOf(auto Work) {
  double Begin = cpuSeconds();
  Work();
  return cpuSeconds() - Begin;
}

[[noreturn]] void fail(const std::string &Why) {
  std::fprintf(stderr, "%s\n", Why.c_str());
  std::exit(1);
}

/// Arrays of a process, which were never in a file.
struct Flat {
  std::vector<uint64_t> Starts;
  std::vector<uint32_t> Records;
  std::vector<std::pair<uint64_t, uint64_t>> Intervals;
  /// The starts as a search tree in the order of its levels, from 1, and where
  /// each is in Starts (Eytzinger's layout).
  std::vector<uint64_t> Tree;
  std::vector<uint32_t> Ranks;

  uint32_t layOut(uint32_t Next, uint64_t Node) {
    if (Node >= Tree.size())
      return Next;
    Next = layOut(Next, Node * 2);
    Tree[Node] = Starts[Next];
    Ranks[Node] = Next;
    return layOut(Next + 1, Node * 2 + 1);
  }

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
    Tree.resize(Starts.size() + 1);
    Ranks.resize(Tree.size());
    layOut(0, 1);
  }
  /// Of as many starts as are at most what is looked for.
  uint32_t record(size_t Upto) const {
    return Upto == 0 ? None : Records[Upto - 1];
  }
  uint32_t search(uint64_t Ns) const {
    auto Found = std::upper_bound(Starts.begin(), Starts.end(), Ns);
    return record(static_cast<size_t>(Found - Starts.begin()));
  }
  uint32_t eytzinger(uint64_t Ns) const {
    constexpr size_t InLine = 8; // of the nodes three levels below
    size_t Node = 1;
    while (Node < Tree.size()) {
      __builtin_prefetch(Tree.data() + Node * InLine);
      Node = Node * 2 + (Tree[Node] <= Ns);
    }
    // Back to where it last went to the left, which is the first one above.
    Node >>= std::countr_one(Node) + 1;
    return record(Node == 0 ? Starts.size() : Ranks[Node]);
  }
  /// From where a straight line through both ends says, in doubled steps.
  uint32_t interpolation(uint64_t Ns) const {
    uint64_t First = Starts.front(), Last = Starts.back();
    if (Ns < First || Ns >= Last)
      return record(Ns < First ? 0 : Starts.size());
    double Part = double(Ns - First) / double(Last - First);
    auto Low = static_cast<size_t>(Part * double(Starts.size() - 1));
    size_t High = Low, Step = 4;
    if (Starts[Low] <= Ns) {
      for (High += Step; High < Starts.size() && Starts[High] <= Ns;
           High += Step *= 2)
        Low = High;
      High = std::min(High, Starts.size());
    } else {
      for (Low -= std::min(Low, Step); Low != 0 && Starts[Low] > Ns;
           Low -= std::min(Low, Step *= 2))
        High = Low;
    }
    auto Begin = Starts.begin() + static_cast<ptrdiff_t>(Low);
    auto End = Starts.begin() + static_cast<ptrdiff_t>(High);
    return record(
        static_cast<size_t>(std::upper_bound(Begin, End, Ns) - Starts.begin()));
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
  Names N(Entities);
  std::string Path = Folder + "/bench.itx";
  double FeedS = 0, FinishS = 0;
  {
    IndexBuilder Builder(Folder);
    FeedS = secondsOf([&] { feed(Builder, Events, N); });
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
    uint32_t Index = None;
    if (!X.recordAt(0, Ns, Index))
      fail(X.fault());
    Sum += Index;
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
  auto Plainly = [&](auto Search) {
    rate(Times, Times.size(), [&](uint64_t Ns) { PlainSum += Search(Ns); });
    PlainSum = 0;
    double Found =
        rate(Times, Times.size(), [&](uint64_t Ns) { PlainSum += Search(Ns); });
    if (Sum != PlainSum)
      fail("found different answers, expected equal ones");
    return Found;
  };
  double Searches = Plainly([&](uint64_t Ns) { return Plain.search(Ns); });
  double Lines = Plainly([&](uint64_t Ns) { return Plain.interpolation(Ns); });
  double Trees = Plainly([&](uint64_t Ns) { return Plain.eytzinger(Ns); });
  double LinearWalks =
      rate(Times, Walks, [&](uint64_t Ns) { WalkSum += Plain.walk(Ns); });
  for (size_t I = 0; I != std::min(Walks, Times.size()); ++I)
    HeadSum += Plain.search(Times[I]);
  if (WalkSum != HeadSum)
    fail("found different answers, expected equal ones");
  std::printf("| %" PRIu32 " | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f | %.2f "
              "| %.2f | %.3g | %.1f | %.1f |\n",
              Count, FeedS * 1e9 / double(Events.size()),
              FinishS * 1e9 / double(Events.size()),
              OpenS[OpenS.size() / 2] * 1e6, Records / 1e6, Stacks / 1e6,
              Searches / 1e6, Lines / 1e6, Trees / 1e6, LinearWalks / 1e6,
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
      "interpolation, M/s | Eytzinger, M/s | linear walk, M/s | frames in a "
      "stack | bytes per interval |\n"
      "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (uint32_t Count : Counts)
    run(Count, Folder);
}
