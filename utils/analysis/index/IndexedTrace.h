/// \file
/// A trace made of its index: all of it, or as much as a question needs.
///
/// Flow:    InstantiationIndex -> [IndexedTrace] -> Trace -> analyses
/// Errors:  what is damaged, by place; a version without tables
/// Memory:  that of what was asked for. An index is read where it is needed,
///          and a trace is decoded to its end
/// Hostile: intervals are a tree, ids are checked as those of a trace are
///
/// What a trace has and an index has not: issues that were found while it was
/// read, and files without a compile.
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDTRACE_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDTRACE_H

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"
#include "runtime/index/IndexTables.h"
#include "runtime/read/Trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

class IndexedTrace {
public:
  /// Sequences of which only the session's and the end's numbers are there. The
  /// index must outlive it.
  static Result<IndexedTrace> of(const InstantiationIndex &X);

  /// Everything.
  static Result<Trace> whole(const InstantiationIndex &X) {
    return some(X, std::vector<bool>(X.compileCount(), true));
  }
  /// All of the compiles that are wanted, and of the others what their session
  /// and their end say.
  static Result<Trace> some(const InstantiationIndex &X,
                            const std::vector<bool> &AreWanted);
  /// Of one compile, what its session and its end say.
  static Result<Sequence> described(const InstantiationIndex &X,
                                    uint32_t Compile);

  Trace &trace() { return T; }

  /// All that a compile has but names and intervals: ids are those of the
  /// trace. False, here and below: fault() says why.
  bool readTables(uint32_t Compile);
  /// The entities of a compile, if nothing else is needed of its tables.
  bool readEntities(uint32_t Compile);
  /// The dictionary of a compile, each name with the id that it has in the
  /// trace.
  bool readNames(uint32_t Compile);
  bool readIntervals(uint32_t Compile);

  /// Where the name of that id is in the string data; NoName: it has no text.
  static constexpr uint64_t NoName = UINT64_MAX;
  uint64_t nameAt(uint32_t Compile, NameId Name) const;
  /// Sequence::isNameLost() without the dictionary. Requires: the compile's
  /// table of names was asked for.
  bool isNameLost(uint32_t Compile, EntityId Id) const;
  uint32_t firstRecord(uint32_t Compile) const {
    return Parts[Compile].FirstRecord;
  }
  /// Null: it is damaged. Valid as long as this.
  const std::vector<uint64_t> *table(uint32_t Compile, index::Table Of);

  /// From here on, ids are those of this compile.
  bool enterCompile(uint32_t Compile);
  /// What a record of it has, by what it has in the index.
  EntityId entityOf(uint32_t Record, uint32_t Entity) const;
  LocationId locationOf(uint32_t Record, uint32_t Location) const;
  /// A record has neither where it should. Always false.
  bool recordFault(uint32_t Record);

  Error fault() const { return Error{X->fault()}; }

private:
  struct Part {
    index::CompileTables Rows; ///< as they are asked for
    std::array<bool, index::TableLimit> IsRead = {};
    uint32_t FirstRecord = 0, EndRecord = 0;
  };
  explicit IndexedTrace(const InstantiationIndex &X) : X(&X) {}
  bool readAbout(uint32_t Compile);
  bool readTexts(uint32_t Compile);
  bool readLocations(uint32_t Compile, index::Table Of, index::Table DetailsOf,
                     LocationTable &Into);
  bool readInclusions(uint32_t Compile);
  bool readEvents(uint32_t Compile);
  void leaveCompile();

  const InstantiationIndex *X;
  std::vector<Part> Parts; ///< by compile
  Trace T;
  // Of the compile that was entered: by entity and location of the index, the
  // first id; 0: none.
  static constexpr uint32_t Nowhere = UINT32_MAX;
  uint32_t Entered = Nowhere;
  std::vector<uint32_t> EntityIds, LocationIds;
};

} // namespace instantrace

#endif
