/// \file
/// The sections of an index that somebody else wrote, and may change.
///
/// Flow:    mapped file -> [IndexBytes] -> InstantiationIndex
/// Threads: const calls may run at once
/// Hostile: a slice is within its section, and its sums were right when it was
///          first asked for. It may have changed since then, so each number is
///          read once and checked before it is used. A file that was cut gives
///          zeros (ShrinkGuard), and a fault: whoever has read rows() asks
///          isWhole() before he believes them
#pragma once

#include "runtime/index/IndexFormat.h"
#include "runtime/shm/ShrinkGuard.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace instantrace::index {

class IndexBytes {
public:
  IndexBytes(std::string_view Bytes, std::string Name)
      : Bytes(Bytes), Name(std::move(Name)) {}
  ~IndexBytes();
  IndexBytes(const IndexBytes &) = delete;
  IndexBytes &operator=(const IndexBytes &) = delete;

  /// Null: \p Why says what is wrong.
  static std::unique_ptr<IndexBytes>
  map(const std::string &Path, const std::string &Name, std::string &Why);
  /// Reads header and table, by read() from a file: a first look at a mapping
  /// takes longer than all else here. False: fault() says what is wrong.
  bool open();

  const Header &header() const { return Head; }
  const std::string &name() const { return Name; }
  const SectionRow &table(Section Sec) const {
    return Table[static_cast<size_t>(Sec)];
  }
  static const char *tag(Section Sec) {
    return SectionKinds[static_cast<size_t>(Sec)].Tag;
  }
  uint64_t rowCount(Section Sec) const {
    return RowCounts[static_cast<size_t>(Sec)];
  }

  /// Rows \p First to \p First + \p Count - 1; null: they are not there, or
  /// their sums are wrong.
  template <class T>
  const T *rows(Section Sec, uint64_t First, uint64_t Count) const {
    uint64_t Have = table(Sec).SizeBytes / sizeof(T);
    if (First > Have || Count > Have - First) {
      outside(Sec, First, Count, Have);
      return nullptr;
    }
    return Count == 0 || isGood(Sec, First * sizeof(T), Count * sizeof(T))
               ? reinterpret_cast<const T *>(Bytes.data() + table(Sec).Offset) +
                     First
               : nullptr;
  }
  /// A copy of one row.
  template <class T> bool row(Section Sec, uint64_t RowNo, T &Into) const {
    const T *Row = rows<T>(Sec, RowNo, 1);
    if (Row)
      Into = *Row;
    return Row != nullptr && isWhole();
  }

  /// Remembers the first one; always false. What is found in a file that was
  /// cut is that it was.
  bool fault(const std::string &Place, const std::string &Found,
             const std::string &Expected) const;
  std::string fault() const;
  /// False, with a fault: it was cut since it was opened.
  bool isWhole() const { return !Guard.isCut() || cutFault(); }
  /// Everything that no row says: padding.
  bool isPaddingZero() const;

private:
  bool isGood(Section Sec, uint64_t Offset, uint64_t SizeBytes) const {
    std::atomic<bool> &IsAllGood = AllGood[static_cast<size_t>(Sec)];
    if (IsAllGood.load(std::memory_order_relaxed))
      return true;
    const SectionRow &Row = table(Sec);
    uint64_t Last = (Offset + SizeBytes - 1) / SumBlockBytes;
    for (uint64_t Block = Offset / SumBlockBytes; Block <= Last; ++Block)
      if (!Checked[Row.FirstSum + Block].load(std::memory_order_relaxed) &&
          !check(Sec, Block))
        return false;
    if (Offset == 0 && SizeBytes == Row.SizeBytes)
      IsAllGood.store(true, std::memory_order_relaxed);
    return true;
  }
  bool check(Section Sec, uint64_t Block) const;
  bool cutFault() const; ///< always false
  void outside(Section Sec, uint64_t First, uint64_t Count,
               uint64_t Have) const;
  bool openTable();
  /// Requires: they are in the file. False: it was cut.
  bool copy(void *Into, uint64_t Offset, size_t SizeBytes) const;
  void closeFile();

  std::string_view Bytes;
  std::string Name;
  void *Mapped = nullptr;
  int File = -1; ///< until it is open()
  ShrinkGuard Guard;
  Header Head = {};
  SectionRow Table[SectionLimit] = {};
  uint64_t RowCounts[SectionLimit] = {};
  std::unique_ptr<uint64_t[]> Sums; ///< copied, since they are checked once
  std::unique_ptr<std::atomic<bool>[]> Checked; ///< by sum
  /// Of sections that were asked for as a whole.
  mutable std::atomic<bool> AllGood[SectionLimit] = {};
  mutable std::mutex Lock;
  mutable std::string Fault;
};

} // namespace instantrace::index
