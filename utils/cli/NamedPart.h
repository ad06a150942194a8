/// \file
/// What one trace adds to an answer whose rows are names of it.
///
/// Flow: events -> a sink -> [NamedPart] -> what merges the parts
#pragma once

#include "utils/analysis/costs/MergedCosts.h"
#include "utils/cli/TraceArguments.h"

#include <optional>
#include <utility>

namespace instantrace {

template <class Sink> class NamedPart final : public NotedStream {
public:
  /// \p Rest is what the sink is made of beside the trace.
  template <class... Arguments>
  explicit NamedPart(Arguments &&...Rest)
      : Events(std::in_place, T, std::forward<Arguments>(Rest)...) {}

  TraceSink &events() override { return *Events; }
  /// Of the trace, names are left.
  void finish() override {
    Notes.add(T, Observed);
    Taken = Events->take();
    Events.reset();
    T = takeNames(std::move(T));
  }

  decltype(std::declval<Sink &>().take()) Taken;

private:
  std::optional<Sink> Events;
};

} // namespace instantrace
