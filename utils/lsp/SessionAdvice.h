/// \file
/// What `advise` says of lines, worked out beside the server, which goes on
/// meanwhile: traces are read twice for it.
///
/// Flow:    traces, sources -> AdviceFinder -> [AdviceTask] -> LspServer
/// Threads: one more than that of its owner, who alone calls it; it ends with
///          the trace that it reads when it is stopped
/// Errors:  there is no advice then
#pragma once

#include "utils/analysis/advice/Trial.h"

#include <atomic>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct LineAdvice {
  uint32_t LineNo = 0;
  std::string Kind, Message;
  std::string ToDo; ///< the sentence at the begin of the message
  /// What `advise --try` would apply, with absolute paths; empty: nothing, or
  /// it was tried and did not pay.
  std::vector<SourceEdit> Edits;
  /// When the first compile began that they change, since 1970.
  uint64_t CompiledRealtimeNs = 0;
};
/// By absolute path.
using SessionAdvice = std::unordered_map<std::string, std::vector<LineAdvice>>;

class AdviceTask {
public:
  AdviceTask() = default;
  AdviceTask(const AdviceTask &) = delete;
  AdviceTask &operator=(const AdviceTask &) = delete;
  ~AdviceTask() { stop(); }

  /// Instead of what runs.
  void start(std::string SessionPath);
  void stop();
  bool isRunning() const { return Running.valid(); }
  /// Once, when it is there.
  std::optional<SessionAdvice> take();

private:
  std::atomic<bool> IsStopped = false;
  std::future<SessionAdvice> Running;
};

} // namespace instantrace
