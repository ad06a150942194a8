/// \file
/// What follows from the hook that a trace was recorded by.
///
/// Flow:   Trace, or its events -> [observedWork] -> notes of commands, header
/// Source: docs/design/hooks.md
#pragma once

#include "runtime/read/TraceReader.h"

namespace instantrace {

/// Of compiles recorded by hook=observer alone; all zero when there is none.
struct ObservedWork {
  uint64_t Compiles = 0;
  uint64_t Instantiations = 0; ///< intervals of that kind
  uint64_t Untimed = 0;        ///< those that were counted and not timed

  ObservedWork &operator+=(const ObservedWork &Other);
  /// Of any compile. Requires: the interval is a TemplateInstantiation.
  void add(const Interval &I) {
    ++Instantiations;
    Untimed += !I.Open && I.EndNs == I.BeginNs;
  }
};

ObservedWork observedWork(const Sequence &S);
/// \p All is of all its intervals.
ObservedWork observedWork(const Sequence &S, const ObservedWork &All);
ObservedWork observedWork(const Trace &T);

/// Hands events on, and counts those of compiles that were observed.
class ObservedEvents : public TraceSink, EventSink {
public:
  /// Both must outlive it. \p T is what the trace is read into.
  ObservedEvents(const Trace &T, TraceSink &Sink) : T(T), Sink(Sink) {}

  void beginTrace(const std::string &Name) override { Sink.beginTrace(Name); }
  bool wantsEvents() const override { return Sink.wantsEvents(); }
  LookAhead *lookAhead() override { return Sink.lookAhead(); }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &S) override;

  const ObservedWork &observed() const { return All; }

private:
  void begin(IntervalId Id, const Interval &I) override {
    Events->begin(Id, I);
  }
  void end(IntervalId Id, const Interval &I,
           const ElidedLeaves &Leaves) override;
  void instant(const Instant &I) override { Events->instant(I); }

  const Trace &T;
  TraceSink &Sink;
  EventSink *Events = nullptr; ///< of the sequence
  ObservedWork OfSequence, All;
};

} // namespace instantrace
