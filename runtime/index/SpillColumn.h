/// \file
/// A column that grows in a file without a name once it is large, and of which
/// the last rows and those that are looked at are in memory.
///
/// Flow:   IndexBuilder -> [SpillColumn] -> IndexFile
/// Errors: a disk that is full is remembered; nothing is written from then on.
///         Space is asked for before it is mapped, so that none is a SIGBUS
#ifndef INSTANTRACE_RUNTIME_INDEX_SPILLCOLUMN_H
#define INSTANTRACE_RUNTIME_INDEX_SPILLCOLUMN_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace instantrace::index {

/// The bytes of a column, mapped.
class SpillFile {
public:
  SpillFile() = default;
  ~SpillFile();
  SpillFile(const SpillFile &) = delete;
  SpillFile &operator=(const SpillFile &) = delete;

  /// In that folder; nothing is made before the first byte.
  void setFolder(const std::string &Where) { Folder = Where; }
  /// Room for that many bytes, zeros at first. False: error() says why.
  bool reserve(uint64_t Bytes);
  /// Pages before that byte need not stay in memory: they are in the file, and
  /// come back when they are asked for.
  void letGo(uint64_t UpTo);
  /// They are asked for again, from the first one.
  void startAgain() { LetGo = 0; }
  uint8_t *data() const { return Data; }
  /// So many bytes can be used before reserve() is to be called again.
  uint64_t room() const { return Room; }
  /// errno; 0: none.
  int error() const { return Failure; }

private:
  bool remap(uint64_t Wanted, uint8_t *Known, int Of);

  std::string Folder;
  uint8_t *Data = nullptr;
  uint64_t Capacity = 0, Room = 0;
  uint64_t LetGo = 0; ///< pages before it were
  int Descriptor = -1;
  int Failure = 0;
};

template <class T> class SpillColumn {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  void setFolder(const std::string &Folder) { File.setFolder(Folder); }

  uint64_t size() const { return Count; }
  bool empty() const { return Count == 0; }
  /// Requires: At < size(). Valid until the column grows.
  T &operator[](uint64_t At) { return data()[At]; }
  const T &operator[](uint64_t At) const { return data()[At]; }
  T &back() { return data()[Count - 1]; }
  const T *data() const { return reinterpret_cast<const T *>(File.data()); }

  bool push(const T &Value) {
    if (!resize(Count + 1))
      return false;
    back() = Value;
    return true;
  }
  /// New rows are zeros.
  bool resize(uint64_t Wanted) {
    if (Wanted * sizeof(T) > File.room() && !File.reserve(Wanted * sizeof(T)))
      return false;
    Count = Wanted;
    return true;
  }
  int error() const { return File.error(); }
  /// Of rows before that one.
  void letGo(uint64_t Row) { File.letGo(Row * sizeof(T)); }
  void startAgain() { File.startAgain(); }

private:
  T *data() { return reinterpret_cast<T *>(File.data()); }

  SpillFile File;
  uint64_t Count = 0;
};

} // namespace instantrace::index

#endif
