/// \file
/// The costs of all of a trace, as costs() gives them, from its index.
///
/// Flow:   InstantiationIndex -> [IndexedCosts] -> CostTable -> CostText
/// Errors: what is damaged, by place; a version without a summary
///
/// Names become texts for rows that are shown or tied, and for no others.
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDCOSTS_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDCOSTS_H

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"
#include "runtime/index/IndexSummary.h"
#include "utils/analysis/chains/IncludeChains.h"
#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/costs/ObservedWork.h"
#include "utils/analysis/index/IndexedNames.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

class IndexedCosts {
public:
  /// The index must outlive it.
  static Result<IndexedCosts> of(const InstantiationIndex &X);

  uint64_t sequences() const { return About.Sequences; }
  ObservedWork observed() const {
    return {About.Observed[0], About.Observed[1], About.Observed[2]};
  }
  /// The paths when the index was made, or what they are now
  /// (InstantiationIndex::setTraceNames()).
  Result<std::vector<std::string>> traces();
  bool isIncomplete() const;

  /// The first \p Wanted rows (0: all) are in order and have names, which are
  /// in names() and live as long as this; so are and have, if they are to be
  /// set apart, all of other work.
  Result<CostTable> table(CostKey By, CostOrder Order, size_t Wanted,
                          bool SetsApart);
  /// Has no events, only names.
  const Trace &names() const { return *Names; }

  /// All rows, in no order, with names and with the keys by which those of two
  /// builds are compared.
  Result<CostTable> keyedTable(CostKey By);
  /// A trace of the compiles without events: what they are matched by. An
  /// index of version 1.1 does not say it.
  Result<Trace> compiles();

  Result<IncludeChains> chains();

private:
  explicit IndexedCosts(const InstantiationIndex &X) : X(&X), Entries(X) {}
  Error faultOf() const { return Error{X->fault()}; }
  /// What the reader has said, if it was of the file and not of the zeros that
  /// one has that was cut.
  bool isRead(bool Done) const {
    return X->isWhole() && (Done || X->summaryFault(*Reader));
  }
  bool stored(CostKey By, index::SummaryTable &Into);
  bool text(uint64_t String, std::string &Into);
  bool name(const index::SummaryName &Of, RowName &Into);
  NameKey keyOf(const RowName &Name) const;

  const InstantiationIndex *X;
  std::unique_ptr<index::SummaryReader> Reader;
  index::SummaryAbout About;
  IndexedNames Entries;
  std::unique_ptr<Trace> Names = std::make_unique<Trace>();
  std::deque<std::string> Fixed;
};

} // namespace instantrace

#endif
