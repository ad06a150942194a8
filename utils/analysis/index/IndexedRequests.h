/// \file
/// Who asked for something, from an index: as requestChains() says it of the
/// trace, to the last digit.
///
/// Flow:   IndexedTrace, NameQuery -> [IndexedRequests] -> requestChains()
/// Memory: what was asked for and the ways out from it, tables of the compiles
///
/// The intervals of what is meant are found by their postings, and from each
/// the way outwards. These are a trace of their own for requestChains(), with
/// the times that they have among all others. Names are made for what is in it,
/// or all if a pattern, a filter or a level has to see them.
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDREQUESTS_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDREQUESTS_H

#include "utils/analysis/chains/RequestChains.h"
#include "utils/analysis/index/IndexedTrace.h"

#include <memory>
#include <string>
#include <vector>

namespace instantrace {

struct IndexedRequests {
  /// \p Text is that of the query.
  static Result<IndexedRequests> of(const InstantiationIndex &X,
                                    const std::string &Text, NameQuery &Query,
                                    const FilterSpec &Spec,
                                    TraceFilter &Filter);
  std::unique_ptr<Trace> T; ///< of what the report shows
  RequestReport Report;
};

/// NameQuery::similar() for all names of an index.
Result<std::vector<std::string>> indexedSimilar(const InstantiationIndex &X,
                                                const NameQuery &Query,
                                                size_t Most);

} // namespace instantrace

#endif
