/// \file
/// Reads many traces, several at a time, and hands them on in their order.
///
/// Flow:    files -> bytes, Trace, part, on any thread -> [EachTrace] -> use of
///          the parts, in the order of the files, on the caller's thread
/// Errors:  a file that cannot be read or holds no trace at all. They and what
///          the observer is told are the same, in the same order, as if one
///          file had been read after the other
/// Memory:  that of a trace for each thread, streamed or whole, and of parts
///          (OrderedWork)
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/TraceReader.h"
#include "utils/analysis/view/ObservedWork.h"
#include "utils/open/InputObserver.h"
#include "utils/open/InputRounds.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

/// Size and hash of the bytes of an input, as they are read.
struct InputIdentity {
  uint64_t SizeBytes = 0;
  uint64_t Hash = 0; ///< XXH3-64
};

/// A trace, and what its events go to while it is read.
class StreamedTrace {
public:
  StreamedTrace() = default;
  StreamedTrace(const StreamedTrace &) = delete;
  StreamedTrace &operator=(const StreamedTrace &) = delete;
  virtual ~StreamedTrace() = default;

  virtual TraceSink &events() = 0;
  /// What is kept of it, when all events have gone there.
  virtual void finish() = 0;

  Trace T;               ///< without events
  std::string Path;      ///< one of EachTrace::Files
  ObservedWork Observed; ///< of all its events, when it is finished
};

struct EachTrace {
  /// As findTraces() gives them.
  const std::vector<std::string> &Files;
  InputObserver &Seen;
  /// A file that cannot be read is told as damaged, and the others are used.
  bool AreFailuresTold = false;
  /// What the command line names. A file that is not in it comes from a folder:
  /// one that cannot be read is told as damaged, and the others are used, if
  /// there are others. Null: each failure is an error.
  const std::vector<std::string> *Named = nullptr;
  /// Of who reads them more than once. May be null.
  InputRounds *Rounds = nullptr;
  /// 0: one for each processor.
  unsigned MostThreads = 0;

  /// \p Make is called on any thread, \p Use on the caller's; what it fails
  /// with ends the reading.
  Result<void> run(const std::function<void(size_t Index, Trace T)> &Make,
                   const std::function<Result<void>(size_t Index)> &Use) const;
  /// Likewise without a model of any trace: \p Open gives what its tables and
  /// events go to, and \p Done is called when all have gone there, both on the
  /// thread that reads.
  Result<void>
  stream(const std::function<StreamedTrace &(size_t Index)> &Open,
         const std::function<void(size_t Index)> &Done,
         const std::function<Result<void>(size_t Index)> &Use) const;

private:
  class Reading;
};

/// The same with a StreamedTrace, of which \p Open makes one for each trace.
template <class OpenTrace, class UseTrace>
Result<void> forEachStreamed(const EachTrace &T, const OpenTrace &Open,
                             const UseTrace &Use) {
  std::vector<decltype(Open())> Traces(T.Files.size());
  return T.stream(
      [&](size_t Index) -> StreamedTrace & {
        Traces[Index] = Open();
        return *Traces[Index];
      },
      [&](size_t Index) { Traces[Index]->finish(); },
      [&](size_t Index) -> Result<void> {
        auto One = std::move(Traces[Index]);
        return Use(*One);
      });
}

/// Finds all and adds each, in one model. Fails, too, when a file that is named
/// by itself cannot be read, or nothing at all could be.
Result<Trace> readTraces(const std::vector<std::string> &Paths,
                         InputObserver &Seen);

/// Of \p Files, which findTraces() has found of what is \p Named.
Result<Trace> readFoundTraces(const std::vector<std::string> &Files,
                              const std::vector<std::string> &Named,
                              InputObserver &Seen);

} // namespace instantrace
