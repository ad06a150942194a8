/// \file
/// Puts the events of traces into an index while they are read.
///
/// Flow:   TraceStreams -> [IndexFeed] -> IndexBuilder
#pragma once

#include "runtime/index/IndexBuilder.h"
#include "runtime/read/TraceReader.h"

#include <cstdint>
#include <string>

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
  void instant(const Instant &) override {}

  IndexBuilder &Into;
  std::string Trace;
};

} // namespace instantrace
