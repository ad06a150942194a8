/// \file
/// Who asked for what is in the rows of cost tables, for many rows at once.
///
/// Flow:    events, rows that are wanted -> [ChainSink] of each trace
///          -> [MergedChains] -> report
/// Memory:  ways to the rows, of all traces MergedChains::MostSums
/// Threads: one for each ChainSink; one merges
///
/// The numbers are those of `why`: intervals, outermost ones for inclusive
/// times. Of each row, the chains with the most inclusive time are kept, and
/// the sum of the others.
#pragma once

#include "runtime/base/KeyNumbers.h"
#include "runtime/read/TraceReader.h"
#include "utils/analysis/chains/OpenWays.h"
#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/view/FunctionHomes.h"
#include "utils/analysis/view/OpenTimes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <type_traits>
#include <vector>

namespace instantrace {

struct RowChain {
  uint32_t Node = ChainTree::None; // None: a sum of several
  uint64_t Count = 0;
  uint64_t Memoized = 0; // uses again, where each is an event of its own
  uint64_t SelfNs = 0;
  uint64_t InclusiveNs = 0;

  void add(const RowChain &Other) {
    Count += Other.Count;
    Memoized += Other.Memoized;
    SelfNs += Other.SelfNs;
    InclusiveNs += Other.InclusiveNs;
  }
};

struct ChainsOfRow {
  std::vector<RowChain> Chains; // most inclusive time first
  uint64_t OtherChains = 0;
  RowChain Others;

  void fold(const RowChain &Other) {
    ++OtherChains;
    Others.add(Other);
  }
  /// Adds all but the first \p Most to the others.
  void fold(size_t Most) {
    for (size_t I = Most; I < Chains.size(); ++I)
      fold(Chains[I]);
    Chains.resize(std::min(Most, Chains.size()));
  }
};

/// Of one table, by the number of the row.
using RowChains = std::vector<ChainsOfRow>;

/// Requires: no more rows than a RowSet can number.
struct WantedRows {
  CostKey Key;
  RowKeys Keys;
};

/// The rows that something is in, one of each table; 0: in none that is wanted.
/// Millions of intervals have some thousands of these in common, so they are
/// summed by them and not by each row.
struct RowSet {
  std::array<uint16_t, std::size(CostKeyNames)> Rows{};
  /// A bit for each table: nothing of its row is around.
  uint16_t Outermost = 0;

  bool isOutermost(size_t Table) const { return Outermost >> Table & 1; }
  friend bool operator==(const RowSet &, const RowSet &) = default;
};
static_assert(std::size(CostKeyNames) <= 16, "a bit for each table");
static_assert(std::has_unique_object_representations_v<RowSet>);

struct RowSetHash {
  uint64_t operator()(const RowSet &Set) const {
    return hashBytes({reinterpret_cast<const char *>(&Set), sizeof(Set)});
  }
};
using RowSets = KeyNumbers<RowSet, RowSetHash>;

/// Rows, and a chain of them. The sums are no part of the key, but beside it:
/// there are millions, and to look elsewhere for them takes as long again.
struct RowSum {
  uint32_t Set, Node;
  RowChain Sum = {}; ///< without its node; times as of outermost ones
  friend bool operator==(const RowSum &A, const RowSum &B) {
    return A.Set == B.Set && A.Node == B.Node;
  }
};
struct RowSumHash {
  uint64_t operator()(const RowSum &K) const { return hashPair(K.Set, K.Node); }
};
using RowSums = KeyNumbers<RowSum, RowSumHash>;

/// The chains of one trace.
struct TraceChains {
  std::vector<RowSet> Sets;
  std::vector<RowSum> Sums;
  ChainTree Tree; ///< names are those of the trace
};

class ChainSink final : public TraceSink, EventSink {
public:
  /// All must outlive it. \p T is what the trace is read into.
  ChainSink(const Trace &T, const TraceFilter &Filter,
            const std::vector<WantedRows> &Wanted,
            const LearnedScopes *Learned);

  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override {}
  /// Ends the life of the sink.
  TraceChains take();

private:
  struct OpenInterval {
    RowSet Rows;
    bool IsSelected;
  };
  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &) override;
  void instant(const Instant &I) override;
  RowSet rowsFor(const Interval &I, const BegunWork &Work, bool IsSelected);
  RowChain &sum(const RowSet &Set, uint32_t Node) {
    return Sums[Sums.add({Sets.add(Set).Number, Node}).Number].Sum;
  }

  const Trace &T;
  TraceFilter Filter;
  const std::vector<WantedRows> &Wanted;
  const LearnedScopes *Learned;
  LookAhead Ahead;
  std::optional<OpenWays> Ways; ///< when there are names
  std::vector<RowIndex> Tables;
  RowSets Sets;
  RowSums Sums;
  // Of this sequence:
  FunctionHomes Homes;
  OpenTimes Times;
  WorkFrames Frames;
  std::vector<OpenInterval> Open;
};

class MergedChains {
public:
  /// Of more chains, the most expensive ones of each row are kept, and the sum
  /// of the others.
  static constexpr size_t MostSums = size_t(1) << 21, MostOfRow = 64;
  explicit MergedChains(size_t Most = MostSums, size_t OfRow = MostOfRow)
      : Most(Most), OfRow(OfRow) {}

  /// \p Chains is of the trace that \p Names entered last.
  void add(const TraceChains &Chains, MergedNames &Names);
  /// All traces were added: keeps at most \p MostShown chains of each row. \p T
  /// has the names of what it was added with.
  void end(const Trace &T, size_t MostShown);
  /// By table, when all were added. Nodes are those of tree().
  const std::vector<RowChains> &tables() const { return Ended; }
  const ChainTree &tree() const { return Tree; }
  /// Whether there were more chains than are kept one by one.
  bool isCut() const { return !Folded.empty(); }

private:
  void cut();

  const size_t Most, OfRow;
  ChainTree Tree;
  ChainGroups Groups;
  RowSets Sets;
  RowSums Sums;
  std::vector<RowChains> Folded; ///< by table: nothing but the others
  std::vector<RowChains> Ended;
};

} // namespace instantrace
