/// \file
/// Hands the events of a trace on to several sinks, so that it is read once.
///
/// Flow: TraceReader -> [SinkGroup] -> any TraceSinks
#pragma once

#include "runtime/read/TraceReader.h"

#include <functional>
#include <utility>
#include <vector>

namespace instantrace {

class SinkGroup final : public TraceSink, EventSink {
public:
  /// Of other compiles, nothing is handed on. Empty: all are wanted.
  using IsWanted = std::function<bool(uint32_t Index)>;
  explicit SinkGroup(IsWanted Wanted = {}) : Wanted(std::move(Wanted)) {}

  /// It must outlive this.
  void add(TraceSink &Sink) {
    Sinks.push_back(&Sink);
    IsAheadWanted |= Sink.lookAhead() != nullptr;
  }

  void beginTrace(const std::string &Name) override {
    for (TraceSink *Sink : Sinks)
      Sink->beginTrace(Name);
  }
  LookAhead *lookAhead() override { return IsAheadWanted ? &Ahead : nullptr; }
  EventSink &beginSequence(uint32_t Index) override {
    Events.clear();
    if (Wanted && !Wanted(Index))
      return *this;
    for (TraceSink *Sink : Sinks) {
      if (LookAhead *Own = Sink->lookAhead())
        *Own = Ahead;
      Events.push_back(&Sink->beginSequence(Index));
    }
    return *this;
  }
  void endSequence(Sequence &S) override {
    if (!Events.empty())
      for (TraceSink *Sink : Sinks)
        Sink->endSequence(S);
  }

private:
  void begin(IntervalId Id, const Interval &I) override {
    for (EventSink *Sink : Events)
      Sink->begin(Id, I);
  }
  void end(IntervalId Id, const Interval &I,
           const ElidedLeaves &Leaves) override {
    for (EventSink *Sink : Events)
      Sink->end(Id, I, Leaves);
  }
  void instant(const Instant &I) override {
    for (EventSink *Sink : Events)
      Sink->instant(I);
  }

  IsWanted Wanted;
  std::vector<TraceSink *> Sinks;
  std::vector<EventSink *> Events; ///< of the sequence
  LookAhead Ahead;
  bool IsAheadWanted = false;
};

} // namespace instantrace
