/// \file
/// Puts the events of traces into an index while they are read.
///
/// Flow:   TraceStreams -> [IndexFeed] -> IndexBuilder
/// Memory: of the compile, a number for each entity, and the elided leaves of
///         intervals that have some
#ifndef INSTANTRACE_UTILS_INPUT_INDEXFEED_H
#define INSTANTRACE_UTILS_INPUT_INDEXFEED_H

#include "runtime/index/IndexBuilder.h"
#include "runtime/read/ById.h"
#include "runtime/read/TraceReader.h"
#include "utils/analysis/names/NameRules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

class IndexFeed : public TraceSink, EventSink {
public:
  /// The builder must outlive it.
  explicit IndexFeed(IndexBuilder &Into) : Into(Into) {}

  void beginTrace(const std::string &Name) override { Trace = Name; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &S) override;

private:
  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I,
           const ElidedLeaves &Leaves) override;
  void instant(const Instant &I) override;

  IndexBuilder &Into;
  std::string Trace;
  ById<uint64_t> Memoized; ///< hits that are events, by entity
  std::vector<ElidedLeaves> Elided;
};

/// Changes names before anybody sees a table of them.
class RuledSink : public TraceSink {
public:
  /// Both must outlive it.
  RuledSink(const NameRules &Rules, TraceSink &Inner)
      : Rules(Rules), Inner(Inner) {}

  void beginTrace(const std::string &Name) override { Inner.beginTrace(Name); }
  EventSink &beginSequence(uint32_t Index) override {
    return Inner.beginSequence(Index);
  }
  void endSequence(Sequence &S) override {
    Rules.apply(S);
    Inner.endSequence(S);
  }

private:
  const NameRules &Rules;
  TraceSink &Inner;
};

} // namespace instantrace

#endif
