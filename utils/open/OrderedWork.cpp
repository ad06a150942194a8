#include "utils/open/OrderedWork.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

using namespace instantrace;

namespace {

constexpr std::chrono::milliseconds WaitingPause(50);

class Threads {
public:
  explicit Threads(const OrderedWork &All)
      : All(All), Count(All.SizesBytes.size()), IsDone(Count), Thrown(Count) {}
  Threads(const Threads &) = delete;
  Threads &operator=(const Threads &) = delete;
  ~Threads() {
    {
      std::lock_guard<std::mutex> Hold(Lock);
      IsStopped = true;
    }
    MayBegin.notify_all();
    for (std::thread &Each : Running)
      Each.join();
  }

  void start(unsigned Wanted) {
    MostAhead = size_t(OrderedWork::AheadOfEachThread) * Wanted;
    for (bool HasMore = true; HasMore && Running.size() != Wanted;)
      HasMore = startOne();
  }

  void use() {
    for (size_t Index = 0; Index != Count; ++Index) {
      if (Running.empty())
        workOn(Index);
      else
        wait(Index);
      if (Thrown[Index])
        std::rethrow_exception(Thrown[Index]);
      if (!All.Use(Index))
        return;
      {
        std::lock_guard<std::mutex> Hold(Lock);
        AheadBytes -= std::min(AheadBytes, All.SizesBytes[Index]);
        Used = Index + 1;
      }
      MayBegin.notify_all();
    }
  }

private:
  /// False: there are no more to be had.
  bool startOne() {
    try {
      Running.emplace_back([this] { work(); });
    } catch (const std::system_error &) {
      return false;
    }
    return true;
  }
  void workOn(size_t Index) {
    try {
      All.Work(Index);
    } catch (...) {
      Thrown[Index] = std::current_exception();
    }
  }

  /// Whatever its size, the one whose turn it is may begin: so somebody always
  /// can.
  bool mayBegin() const {
    size_t Ahead = Next - Used;
    return Ahead == 0 ||
           (Ahead < MostAhead &&
            AheadBytes + All.SizesBytes[Next] <= OrderedWork::MostBytesAhead);
  }

  void work() {
    std::unique_lock<std::mutex> Hold(Lock);
    while (true) {
      MayBegin.wait(
          Hold, [this] { return IsStopped || Next == Count || mayBegin(); });
      if (IsStopped || Next == Count)
        return;
      size_t Index = Next++;
      AheadBytes += All.SizesBytes[Index];
      Hold.unlock();
      workOn(Index);
      Hold.lock();
      IsDone[Index] = true;
      MayUse.notify_one();
    }
  }

  void wait(size_t Index) {
    std::unique_lock<std::mutex> Hold(Lock);
    while (!MayUse.wait_for(Hold, WaitingPause,
                            [&] { return static_cast<bool>(IsDone[Index]); })) {
      if (!All.Waiting)
        continue;
      Hold.unlock();
      All.Waiting();
      Hold.lock();
    }
  }

  const OrderedWork &All;
  const size_t Count;
  size_t MostAhead = 0; ///< before there are threads
  std::vector<std::thread> Running;
  std::mutex Lock; ///< of what follows
  std::condition_variable MayBegin, MayUse;
  size_t Next = 0, Used = 0;
  uint64_t AheadBytes = 0; ///< of what was begun and is not used
  bool IsStopped = false;
  std::vector<char> IsDone;
  /// Of an index, of the thread that works on it, until it is done.
  std::vector<std::exception_ptr> Thrown;
};

} // namespace

void instantrace::workInOrder(const OrderedWork &All, unsigned MostThreads) {
  if (MostThreads == 0)
    MostThreads = std::max(1u, std::thread::hardware_concurrency());
  size_t Wanted = std::min<size_t>(MostThreads, All.SizesBytes.size());
  Threads Pool(All);
  if (Wanted > 1)
    Pool.start(static_cast<unsigned>(Wanted));
  Pool.use();
}
