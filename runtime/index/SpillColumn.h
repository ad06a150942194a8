/// \file
/// A column that grows in a file without a name once it is large, so that
/// building an index of any size takes little memory that the system could not
/// take back.
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
  uint8_t *data() const { return Data; }
  uint64_t capacity() const { return Capacity; }
  /// errno; 0: none.
  int error() const { return Failure; }

private:
  bool remap(uint64_t Wanted, uint8_t *Known, int Of);

  std::string Folder;
  uint8_t *Data = nullptr;
  uint64_t Capacity = 0;
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
    if (Wanted * sizeof(T) > File.capacity() &&
        !File.reserve(Wanted * sizeof(T)))
      return false;
    Count = Wanted;
    return true;
  }
  int error() const { return File.error(); }

private:
  T *data() { return reinterpret_cast<T *>(File.data()); }

  SpillFile File;
  uint64_t Count = 0;
};

} // namespace instantrace::index

#endif
