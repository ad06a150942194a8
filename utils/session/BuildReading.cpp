#include "utils/session/BuildReading.h"

#include "utils/input/TraceInputs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <system_error>
#include <thread>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// Keeps what is said of a trace beside the others.
class ProblemList final : public InputObserver {
public:
  explicit ProblemList(std::vector<std::string> &Into) : Into(Into) {}
  void warn(const std::string &Message) override { Into.push_back(Message); }
  void begin(uint64_t) override {}
  void enter(const std::string &) override {}
  void at(uint64_t) override {}

private:
  std::vector<std::string> &Into;
};

uint64_t wallNs(const Sequence &S) {
  uint64_t Ns = 0;
  for (const Interval &I : S.Intervals)
    if (!I.Parent)
      Ns += I.durationNs();
  return Ns;
}

} // namespace

void BuildReading::add(const std::string &Path) {
  ProblemList Seen(Problems);
  Result<Trace> T = readTraces({Path}, Seen);
  if (!T) {
    Problems.push_back(T.error().Message);
    return;
  }
  std::vector<std::string> Losses = T->losses();
  std::move(Losses.begin(), Losses.end(), std::back_inserter(Problems));
  for (const Sequence &S : T->Sequences) {
    SessionUnit Unit;
    Unit.Trace = fs::path(Path).filename().string();
    if (S.Session) {
      Unit.Source = S.Session->Input;
      Unit.Clang = S.Session->ClangVersion;
    }
    Unit.WallNs = wallNs(S);
    Unit.IsComplete = S.Footer && !S.Footer->isInterrupted() && Losses.empty();
    Units.push_back(std::move(Unit));
  }
  for (const TraceInput &File : T->Files)
    SizeBytes += File.SizeBytes;
  Costs.add(*T);
}

BuildReading
instantrace::readBuild(const std::vector<std::string> &Paths,
                       const std::function<bool(size_t Done)> &AtTrace) {
  size_t Count = std::min<size_t>(
      Paths.size(), std::max(1u, std::thread::hardware_concurrency()));
  std::vector<BuildReading> Parts(Count + 1); // the last is this thread's
  std::atomic<size_t> Next = 0, Done = 0, Running = 0;
  auto readOne = [&](BuildReading &Part) {
    size_t I = Next.fetch_add(1);
    if (I >= Paths.size())
      return false;
    try {
      Part.add(Paths[I]);
    } catch (const std::bad_alloc &) {
      Part.Problems.push_back(Paths[I] + ": out of memory");
    } catch (const std::exception &E) {
      Part.Problems.push_back(Paths[I] + ": " + E.what());
    }
    ++Done;
    return true;
  };
  std::vector<std::thread> Threads;
  try {
    for (size_t I = 0; I != Count; ++I) {
      ++Running;
      Threads.emplace_back([&, I] {
        while (readOne(Parts[I]))
          ;
        --Running;
      });
    }
  } catch (const std::system_error &) {
    --Running; // there are no more to be had
  }
  bool GoesOn = true;
  while (Threads.empty() ? Next < Paths.size() : Running != 0) {
    if (Threads.empty())
      readOne(Parts.back());
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (GoesOn && !AtTrace(Done)) {
      GoesOn = false;
      Next = Paths.size();
    }
  }
  for (std::thread &Each : Threads)
    Each.join();
  BuildReading Whole;
  for (BuildReading &Part : Parts) {
    Whole.SizeBytes += Part.SizeBytes;
    Whole.Costs.merge(std::move(Part.Costs));
    std::move(Part.Units.begin(), Part.Units.end(),
              std::back_inserter(Whole.Units));
    std::move(Part.Problems.begin(), Part.Problems.end(),
              std::back_inserter(Whole.Problems));
  }
  std::sort(Whole.Units.begin(), Whole.Units.end(),
            [](const SessionUnit &A, const SessionUnit &B) {
              return A.Trace < B.Trace;
            });
  std::sort(Whole.Problems.begin(), Whole.Problems.end());
  if (!GoesOn)
    Whole.Problems.push_back("stopped while traces were read: " +
                             std::to_string(Paths.size() - Done) +
                             " are not in the sums");
  return Whole;
}
