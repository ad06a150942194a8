/// \file
/// What a search for a breakpoint would have to read all of an index for.
///
/// Flow:    InstantiationIndex -> [SearchTables] -> RecordSearch, completion
/// Threads: one of its own makes the tables; whoever asks for one that is not
///          made yet gets none, and reads the index itself
/// Errors:  none: a damaged index has no tables
/// Memory:  24 bytes for 512 records, 4 for an entity, and the names, of which
///          MostTextBytes are kept
///
/// Of each few hundred records it is known which kinds and depths they have, so
/// that a search passes those of which none can fit.
#pragma once

#include "runtime/index/Index.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace instantrace {

/// What some records have in common.
struct RecordBlock {
  uint64_t Kinds = 0; ///< a bit for each
  uint32_t LeastInside = UINT32_MAX, MostInside = 0;
  uint16_t LeastDepth = UINT16_MAX, MostDepth = 0; ///< as of a Shape
  bool HasOpen = false, HasEnded = false;
  bool HasDefinition = false, HasOther = false;

  void add(uint32_t Id, const InstantiationIndex::Shape &Is);
};

/// Texts behind each other.
struct NameTable {
  std::string Text;
  std::vector<uint32_t> Begins; ///< one more than there are

  uint32_t count() const { return static_cast<uint32_t>(Begins.size() - 1); }
  std::string_view operator[](uint32_t Id) const {
    return std::string_view(Text).substr(Begins[Id],
                                         Begins[Id + 1] - Begins[Id]);
  }
  /// False: it is too much.
  bool add(std::string_view New);

  NameTable() : Begins{0} {}
};

class SearchTables {
public:
  static constexpr uint32_t UsualBlock = 512;
  static constexpr size_t MostTextBytes = 128 << 20;

  /// Begins to make them. \p Index must outlive the object, and stay as it is.
  explicit SearchTables(const InstantiationIndex &Index,
                        uint32_t BlockRecords = UsualBlock);
  ~SearchTables();
  SearchTables(const SearchTables &) = delete;
  SearchTables &operator=(const SearchTables &) = delete;

  /// Until all are made that will be.
  void wait();

  /// The first record from \p Id on of which a block may have one that \p
  /// MayFit says yes to, or \p End. Records without a block may.
  template <class Test>
  uint32_t pass(uint32_t Id, uint32_t End, Test MayFit) const {
    for (uint32_t Known = MadeBlocks.load(std::memory_order_acquire); Id < End;
         Id = (Id / BlockRecords + 1) * BlockRecords)
      if (Id / BlockRecords >= Known || MayFit(Blocks[Id / BlockRecords]))
        return Id;
    return End;
  }
  /// The same backwards: the end of the records that may fit, or \p Begin.
  template <class Test>
  uint32_t passBack(uint32_t Upto, uint32_t Begin, Test MayFit) const {
    for (uint32_t Known = MadeBlocks.load(std::memory_order_acquire);
         Upto > Begin; Upto = (Upto - 1) / BlockRecords * BlockRecords)
      if ((Upto - 1) / BlockRecords >= Known ||
          MayFit(Blocks[(Upto - 1) / BlockRecords]))
        return Upto;
    return Begin;
  }
  uint32_t blockOf(uint32_t Id) const { return Id / BlockRecords; }

  /// By number of a template set: its name without arguments. Null: none yet.
  const NameTable *setNames() const { return made(HasSets, Sets); }
  /// By number of an entity: its template set.
  const std::vector<uint32_t> *setsOfEntities() const {
    return made(HasSets, SetOf);
  }
  /// By number of an entity: its name with default arguments.
  const NameTable *entityNames() const { return made(HasEntities, Entities); }

private:
  template <class T>
  static const T *made(const std::atomic<bool> &Has, const T &Table) {
    return Has.load(std::memory_order_acquire) ? &Table : nullptr;
  }
  void make();
  bool makeSets();
  bool makeBlocks();
  /// Has the index check what a search for a duration reads, and copy the
  /// parents in it: it does so once, and that takes longer than the search.
  void checkTimes();
  bool makeEntities();
  bool isUnwanted() const { return Unwanted.load(std::memory_order_relaxed); }

  const InstantiationIndex &X;
  const uint32_t BlockRecords;
  std::vector<RecordBlock> Blocks;
  NameTable Sets, Entities;
  std::vector<uint32_t> SetOf;
  std::atomic<uint32_t> MadeBlocks = 0;
  std::atomic<bool> HasSets = false, HasEntities = false, Unwanted = false;
  std::thread Maker; ///< last, since it uses all else
};

} // namespace instantrace
