/// \file
/// Who asked for something, out to the line in user code.
///
/// Flow:    events, NameQuery, TraceFilter -> [RequestSink] of each trace
///          -> [MergedRequests] -> RequestReport -> why
/// Leaves:  what is a user frame, to UserFrame
/// Memory:  chains of what is meant, open and requested intervals
/// Threads: one for each RequestSink; one merges
///
/// From an interval the way goes outwards over who asked for it: its requester
/// if it is a late body, its parent otherwise. It ends at the first location
/// outside system headers, or where nobody asked. Equal ways are one chain; in
/// a recursion, what is between two equal frames is left out, so that none of
/// MostFrames in a row is there twice, and a recursion of any depth is one
/// chain.
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/analysis/chains/OpenWays.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/names/NameQuery.h"
#include "utils/analysis/view/FunctionHomes.h"
#include "utils/analysis/view/OpenTimes.h"
#include "utils/analysis/view/TraceFilter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct RequestChain {
  uint32_t Node = ChainTree::None; ///< its first frame; None: there is none
  uint64_t Count = 0;
  uint64_t Definitions = 0;
  uint64_t Memoized = 0; ///< uses again, where each is an event of its own
  uint64_t SelfNs = 0;
  uint64_t InclusiveNs = 0; ///< of outermost ones
  RareBackendCost Backend;  ///< of functions that were instantiated there

  bool isEmpty() const {
    return Count == 0 && Memoized == 0 && !Backend.isThere();
  }
  void add(const RequestChain &More);
};

struct RequestReport {
  std::vector<RequestChain> Chains; ///< most inclusive time first
  RequestChain Total;               ///< without frames
  uint64_t Entities = 0;            ///< that were meant, with events or not
  uint64_t CountedHits = 0;         ///< uses again that have no place

  /// What was asked for first, at most MostFrames and one for the others. Made
  /// for each chain when it is shown, since chains share their frames and would
  /// have many times the trace's size.
  std::vector<RequestFrame> frames(const RequestChain &Chain) const;
  ChainTree Tree;
  std::vector<std::string> Similar; ///< names, where none was meant
};

/// The chains of one trace, in no order, of the intervals that both select, at
/// a level of detail. What LLVM did for a function is at the chain of the
/// instantiation that made it; that of a function of no template is in the
/// total alone.
class RequestSink : public TraceSink, EventSink {
public:
  /// All must outlive it. \p T is what the trace is read into: it has its
  /// tables when its events begin. Filters remember what they are asked, so
  /// they are copied. \p Learned may be null.
  RequestSink(const Trace &T, const NameQuery &Query, const TraceFilter &Filter,
              EntityLevel Level, const LearnedScopes *Learned = nullptr);

  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override;

  /// Names are those of the trace. Ends the life of the sink.
  RequestReport take();

private:
  struct OpenInterval {
    bool IsMeant, IsInside; ///< itself; in one that is, or one
  };

  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &) override;
  void instant(const Instant &I) override;
  void addFunction(EntityId Entity, const BackendCost &Cost);
  RequestChain &chain(uint32_t Node);

  const Trace &T;
  NameQuery Query;
  TraceFilter Filter;
  const EntityLevel Level;
  const LearnedScopes *Learned;
  LookAhead Ahead;
  std::optional<OpenWays> Ways; ///< when there are names
  std::vector<RequestChain> ByNode;
  RequestReport Report;
  // Of this sequence:
  const Sequence *S = nullptr;
  std::vector<OpenInterval> Open;
  OpenTimes Times;
  FunctionHomes Homes;
  HomeFrames<uint32_t> HomeNodes; ///< chains of functions that are meant
  /// By entity that was asked about, of line work. What statements alone have
  /// is another in each run, and does not count.
  std::unordered_map<uint32_t, bool> IsEvaluated;
};

class MergedRequests {
public:
  /// \p Report is of the trace that \p Names entered last.
  void add(RequestReport Report, MergedNames &Names);
  /// In order. \p T has the names of what it was added with.
  RequestReport take(const Trace &T);

private:
  RequestReport Sum;
  ChainGroups Groups;
  std::vector<RequestChain> ByNode;
};

} // namespace instantrace
