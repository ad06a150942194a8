/// \file
/// How deep instantiations go, and which templates recur.
///
/// Flow:   events -> [RecursionSink] -> RecursionReport of each trace
///         -> [MergedRecursion] -> depth
/// Memory: rows; open intervals, and requested ones with those around them; a
///         bit for each entity
///
/// *Depth* is how many intervals of template work are inside one another, which
/// is what Clang's -ftemplate-depth limits. *Recursion* goes on over late
/// bodies as well, from a body to who asked for it: f<3> asks for f<2>, which
/// runs when f<3> has ended.
///
/// A recursion of N steps is linear if it needs about N specializations, and
/// quadratic if it needs about N * N / 2. The deepest recursion of a template
/// is looked at: its N, and how many specializations were instantiated for the
/// first time from its outermost one on. A linear recursion is often quadratic
/// nevertheless, in what each step has to copy: that shows in the length of the
/// names, whose arguments grow.
#pragma once

#include "runtime/read/TraceReader.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/names/RowName.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/TraceFilter.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace instantrace {

/// The deepest way from one template to another; equal ones are one.
struct DeepChain {
  uint64_t Depth = 0;
  NameKey First, Last; ///< the templates
  RowName Outermost, Innermost;
  std::string Place;        ///< `file:line` that asked for the outermost
  RowName MostFrequent;     ///< the template that is on the way most often
  uint64_t Frequency = 0;   ///< how often
  uint64_t InclusiveNs = 0; ///< of the outermost
};

enum class RecursionGrowth { Short, Linear, Between, Quadratic };
std::string_view growthName(RecursionGrowth Growth);

/// Of one template set.
struct RecursionRow {
  NameKey Key;                  ///< of the template
  RowName Template;             ///< only if it recurs
  uint64_t Depth = 0;           ///< specializations in the deepest recursion
  uint64_t Specializations = 0; ///< that this one instantiated first
  uint64_t Recursions = 0;      ///< of any depth above 1
  uint64_t Total = 0;           ///< specializations in all of the trace
  uint64_t SelfNs = 0;          ///< of all intervals of the template
  uint64_t ShortestBytes = 0;   ///< of the names in the deepest one
  uint64_t LongestBytes = 0;
  RowName Innermost; ///< of the deepest one
  NameKey InnermostKey;

  /// Of two recursions of one template, whatever the order of the traces.
  bool isDeeperThan(const RecursionRow &Other) const;
  RecursionGrowth growth() const;
  /// Each recursion is linear, and there are so many that all are quadratic.
  bool isRepeated() const;
  /// The names grow with the number of steps.
  bool hasGrowingNames() const;
};

struct RecursionReport {
  std::vector<DeepChain> Chains;        ///< deepest first
  std::vector<RecursionRow> Recursions; ///< deepest first
};

/// Recursions in the compile that the filter and the templates have entered, in
/// no order: sums are of that compile alone.
std::vector<RecursionRow> recursionsOf(const Trace &T, uint32_t Index,
                                       TraceFilter &Filter,
                                       EntityGroups &Templates);

class RecursionFinder;

class RecursionSink final : public TraceSink {
public:
  /// \p T must outlive it, and is what the trace is read into: it has its
  /// tables when its events begin. Filters remember what they are asked, so
  /// \p Filter is copied.
  RecursionSink(const Trace &T, const TraceFilter &Filter);
  ~RecursionSink() override;

  LookAhead *lookAhead() override { return &Ahead; }
  EventSink &beginSequence(uint32_t Index) override;
  void endSequence(Sequence &) override;
  /// In no order, and with templates that do not recur. Ends the life of the
  /// sink.
  RecursionReport take();

private:
  const Trace &T;
  TraceFilter Filter;
  std::optional<EntityGroups> Templates; ///< when there are names
  LookAhead Ahead;
  std::unique_ptr<RecursionFinder> Finder; ///< likewise
};

class MergedRecursion {
public:
  /// \p Report is of \p T, which \p Names has entered last.
  void add(RecursionReport Report, const Trace &T, MergedNames &Names);
  /// In order; \p Names have been given to add().
  RecursionReport take(const Trace &Names);

private:
  struct PairHash {
    size_t operator()(const std::pair<NameKey, NameKey> &Pair) const {
      return NameKeyHash()(Pair.first) * 31 + NameKeyHash()(Pair.second);
    }
  };
  std::unordered_map<std::pair<NameKey, NameKey>, DeepChain, PairHash> Chains;
  std::unordered_map<NameKey, RecursionRow, NameKeyHash> Rows;
};

} // namespace instantrace
