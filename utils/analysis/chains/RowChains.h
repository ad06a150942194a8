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
#ifndef INSTANTRACE_UTILS_ANALYSIS_CHAINS_ROWCHAINS_H
#define INSTANTRACE_UTILS_ANALYSIS_CHAINS_ROWCHAINS_H

#include "runtime/base/KeyNumbers.h"
#include "runtime/read/TraceReader.h"
#include "utils/analysis/chains/OpenWays.h"
#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/view/FunctionHomes.h"
#include "utils/analysis/view/OpenTimes.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
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

using RowChains = std::unordered_map<NameKey, ChainsOfRow, NameKeyHash>;

struct WantedRows {
  CostKey By;
  RowKeys Keys;
};

/// A row and a chain of it. The sums are no part of the key, but beside it:
/// there are millions, and to look elsewhere for them takes as long again.
struct RowSum {
  uint32_t Row, Node;
  RowChain Sum = {}; ///< without its node
  friend bool operator==(const RowSum &A, const RowSum &B) {
    return A.Row == B.Row && A.Node == B.Node;
  }
};
struct RowSumHash {
  uint64_t operator()(const RowSum &K) const { return hashPair(K.Row, K.Node); }
};

/// The chains of one trace, by table.
struct TraceChains {
  struct OfTable {
    std::vector<NameKey> Keys; ///< by row
    std::vector<RowSum> Sums;
  };
  std::vector<OfTable> Tables;
  ChainTree Tree; ///< names are those of the trace
};

class ChainSink final : public TraceSink, EventSink {
public:
  /// All must outlive it. \p T is what the trace is read into.
  ChainSink(const Trace &T, const TraceFilter &Filter,
            const std::vector<WantedRows> &Wanted,
            const LearnedScopes *Learned);
  ~ChainSink() override;

  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override {}
  /// Ends the life of the sink.
  TraceChains take();

private:
  class Table;
  void begin(IntervalId Id, const Interval &I) override;
  void end(IntervalId Id, const Interval &I, const ElidedLeaves &) override;
  void instant(const Instant &I) override;

  const Trace &T;
  TraceFilter Filter;
  const std::vector<WantedRows> &Wanted;
  const LearnedScopes *Learned;
  LookAhead Ahead;
  std::optional<OpenWays> Ways; ///< when there are names
  std::vector<Table> Tables;
  // Of this sequence:
  FunctionHomes Homes;
  OpenTimes Times;
  std::vector<bool> IsSelected; ///< by open interval
};

class MergedChains {
public:
  /// Of more chains, the most expensive ones of each row are kept, and the sum
  /// of the others.
  static constexpr size_t MostSums = size_t(1) << 21, MostOfRow = 64;
  explicit MergedChains(size_t Most = MostSums, size_t OfRow = MostOfRow)
      : Most(Most), OfRow(OfRow) {}

  /// \p Of is of the trace that \p Names entered last.
  void add(TraceChains Of, MergedNames &Names);
  /// All traces were added: keeps at most \p MostShown chains of each row. \p T
  /// has the names of what it was added with. The next ones are of more tables.
  void endTables(const Trace &T, size_t MostShown);
  /// By table. Nodes are those of tree().
  const std::vector<RowChains> &tables() const { return Ended; }
  const ChainTree &tree() const { return Tree; }

private:
  struct OfTable {
    std::unordered_map<NameKey, uint32_t, NameKeyHash> RowOf;
    std::vector<ChainsOfRow> Folded; ///< by row: nothing but the others
    KeyNumbers<RowSum, RowSumHash> Sums;
  };
  void cut();

  const size_t Most, OfRow;
  ChainTree Tree;
  ChainGroups Groups;
  std::vector<OfTable> Tables; ///< to which is added
  std::vector<RowChains> Ended;
};

} // namespace instantrace

#endif
