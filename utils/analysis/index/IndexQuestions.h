/// \file
/// What commands ask an index, as plain rows with their texts.
///
/// Flow:   InstantiationIndex -> [IndexQuestions] -> IndexText
/// Errors: of a damaged index: place, found, expected; a time, event, line or
///         record that it does not have
#pragma once

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// Of names and paths. More is cut.
inline constexpr size_t IndexNameBytes = 1 << 16;

/// One record, with what it is called.
struct IndexFrame {
  uint32_t Id = InstantiationIndex::None;
  InstantiationIndex::Record Is = {};
  std::string Name; ///< empty: it has none
  std::string File; ///< of its location; empty: none
  uint32_t LineNo = 0, ColumnNo = 0;
  std::string RequesterName; ///< or kind; empty: no requester

  /// "a.cpp:3:10", or "<no location>".
  std::string place() const;
};

Result<IndexFrame> indexFrame(const InstantiationIndex &X, uint32_t Id,
                              InstantiationIndex::NameParts Parts);

struct IndexStack {
  uint32_t Compile = 0; ///< from 0
  std::string Input, Trace;
  uint64_t TimeNs = 0;
  std::vector<IndexFrame> Frames; ///< innermost first
};

/// Of a compile, or of all; an error when \p Compile is none.
Result<std::vector<IndexStack>> stacksAt(const InstantiationIndex &X,
                                         std::optional<uint32_t> Compile,
                                         uint64_t TimeNs,
                                         InstantiationIndex::NameParts Parts);
/// After that begin or end; of the only compile if none is given.
Result<IndexStack> stackAfter(const InstantiationIndex &X,
                              std::optional<uint32_t> Compile, uint64_t Event,
                              InstantiationIndex::NameParts Parts);

/// What a line instantiates, by entity.
/// What records have in common, and their costs.
struct IndexCostRow {
  std::string Name;
  std::string Kind;
  uint64_t Count = 0;       ///< records
  uint64_t InclusiveNs = 0; ///< of the outermost of them
  uint64_t SelfNs = 0;
  uint32_t FirstRecord = InstantiationIndex::None;

  /// Of records in their order; \p Until is where the subtree of the outermost
  /// one so far ends. True: it is the first.
  bool add(uint32_t Id, const InstantiationIndex::Record &R, uint32_t &Until);
  /// Longest first.
  static bool isBefore(const IndexCostRow &A, const IndexCostRow &B) {
    return A.InclusiveNs != B.InclusiveNs ? A.InclusiveNs > B.InclusiveNs
                                          : A.FirstRecord < B.FirstRecord;
  }
};
struct IndexLineRow : IndexCostRow {
  uint32_t Entity = InstantiationIndex::None;
};
struct IndexLine {
  std::vector<std::string> Files; ///< that the path names
  uint32_t LineNo = 0;
  std::vector<IndexLineRow> Rows; ///< longest first
};
/// \p Place is FILE:LINE, of which the end of the path will do.
Result<IndexLine> lineOf(const InstantiationIndex &X, const std::string &Place,
                         InstantiationIndex::NameParts Parts);

/// A record and what is under it.
struct IndexSubtree {
  IndexFrame Root;
  uint64_t RecordCount = 0;      ///< under it
  std::vector<IndexFrame> Shown; ///< of these, in their order
  uint64_t LeftOut = 0;          ///< deeper, or more, than was wanted
};
/// 0 means no limit.
struct SubtreeLimits {
  uint64_t Depth = 0, Rows = 0;
};
Result<IndexSubtree> subtreeOf(const InstantiationIndex &X, uint32_t Record,
                               SubtreeLimits Limits,
                               InstantiationIndex::NameParts Parts);

} // namespace instantrace
