/// \file
/// Work beside the server, which goes on meanwhile.
///
/// Flow:    LspServer, SessionWatch -> [WorkTask] -> what the work gives
/// Threads: one more than that of its owner, who alone calls it; it ends with
///          the trace that it reads when it is stopped
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <malloc.h>
#include <optional>
#include <utility>

namespace instantrace {

/// What the work and who waits for it say to one another.
struct WorkState {
  std::atomic<bool> IsStopped = false;
  std::atomic<unsigned> Percent = 0;
};

template <class T> class WorkTask {
public:
  WorkTask() = default;
  WorkTask(const WorkTask &) = delete;
  WorkTask &operator=(const WorkTask &) = delete;
  ~WorkTask() { stop(); }

  /// Instead of what runs.
  void start(std::function<T(WorkState &)> Work) {
    stop();
    State.IsStopped = false;
    State.Percent = 0;
    Running = std::async(std::launch::async, std::move(Work), std::ref(State));
  }
  void stop() {
    State.IsStopped = true;
    if (Running.valid())
      Running.wait();
    Running = {};
  }
  bool isRunning() const { return Running.valid(); }
  unsigned percent() const { return State.Percent; }

  /// Once, when it is there, for which it waits so long.
  std::optional<T> take(std::chrono::milliseconds Patience = {}) {
    if (!Running.valid() ||
        Running.wait_for(Patience) != std::future_status::ready)
      return std::nullopt;
    T Done = Running.get();
    ::malloc_trim(0); // what was needed is far more than what is kept
    return Done;
  }

private:
  WorkState State;
  std::future<T> Running;
};

} // namespace instantrace
