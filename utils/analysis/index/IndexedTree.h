/// \file
/// What instantiates what, from an index: the nodes that are shown, and those
/// directly below them.
///
/// Flow:   InstantiationIndex -> [IndexedTree] -> foldTree() -> TreeText
/// Memory: the records of the nodes that were made
///
/// A node is a list of records, and what is inside each is a slice of records:
/// so its time and number are known without what is below it. Nodes are those
/// of instantiationTree() of everything, at the level of specializations.
#ifndef INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDTREE_H
#define INSTANTRACE_UTILS_ANALYSIS_INDEX_INDEXEDTREE_H

#include "runtime/base/Result.h"
#include "utils/analysis/chains/InstantiationTree.h"
#include "utils/analysis/index/IndexedNames.h"
#include "utils/analysis/index/IndexedTrace.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace instantrace {

class IndexedTree : public TreeSource {
public:
  /// The index must outlive it.
  static Result<IndexedTree> of(const InstantiationIndex &X);

  const InstantiationTree &tree() const override { return Tree; }
  void eachChild(uint32_t Node,
                 const std::function<void(uint32_t)> &See) override;
  const RowName &name(uint32_t Group) override;
  /// Makes all nodes, of which there are as many as in the trace.
  void makeAll();

  /// Has names, and no intervals.
  const Trace &trace() { return All.trace(); }
  /// What was damaged meanwhile.
  Result<void> check() const;

private:
  static constexpr uint32_t Unknown = UINT32_MAX;
  struct Profiled {
    uint32_t Record, SubtreeEnd;
  };
  struct Made {
    bool IsExpanded = false;
    uint32_t FirstChild = 0, EndChild = 0;
    std::vector<uint32_t> Records; ///< until it is expanded
  };
  IndexedTree(const InstantiationIndex &X, IndexedTrace All)
      : X(&X), All(std::move(All)) {}

  bool findProfiling();
  void expand(uint32_t Node);
  void add(uint32_t Parent, uint32_t Record,
           const InstantiationIndex::Shape &R);
  uint32_t groupOf(uint32_t Record, const InstantiationIndex::Shape &R);
  uint32_t entityGroup(uint32_t Record, uint32_t Entity, bool IsFile);
  uint32_t fixedGroup(std::string_view Name);
  bool nameGroup(uint32_t Group);
  uint32_t compileOf(uint32_t Record) const;

  const InstantiationIndex *X;
  IndexedTrace All;
  InstantiationTree Tree;
  std::vector<Made> Nodes; ///< beside those of the tree
  Made Roots;
  std::vector<Profiled> Profiling;
  std::vector<uint32_t> FirstRecords; ///< by compile
  std::vector<IndexedNames> Entries;  ///< likewise
  // Groups: by entity of the index, of those that have a name or none.
  std::vector<uint32_t> GroupOf, FileGroupOf;
  std::unordered_map<uint64_t, uint32_t> ByHash;
  std::unordered_map<std::string_view, uint32_t> ByFixed;
  std::vector<uint32_t> EntityOf; ///< by group; None: fixed
  std::vector<bool> IsNamed;      ///< by group
  /// Of the node that is being expanded: by kind and group.
  std::unordered_map<uint64_t, uint32_t> Siblings;
};

} // namespace instantrace

#endif
