/// \file
/// A column that grows in memory, and in a file without a name once it is
/// large: its last rows stay in memory, where most of those are that change.
///
/// Flow:   IndexBuilder -> [SpillColumn] -> IndexFile
/// Memory: MostChunks * ChunkBytes, and what is read again
/// Errors: a disk that is full is remembered; nothing is added from then on
///
/// The file is written and read in large pieces. Mapped, each page of it would
/// be a fault of its own, which takes as long as all else that is done for it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace instantrace::index {

/// The bytes of a column, in chunks.
class SpillFile {
public:
  static constexpr uint64_t ChunkBytes = 1 << 18;
  static constexpr size_t MostChunks = 4;

  SpillFile() = default;
  ~SpillFile();
  SpillFile(const SpillFile &) = delete;
  SpillFile &operator=(const SpillFile &) = delete;

  /// In that folder; nothing is made before there is too much for memory.
  void setFolder(const std::string &Where) { Folder = Where; }
  /// One more, of any bytes. False: error() says why.
  bool addChunk();
  /// Requires: it was added. Null: it is in the file.
  char *chunk(uint64_t No) const { return Chunks[No].get(); }
  char *lastChunk() const { return Last; }
  /// Bytes of chunks that are in the file. False: error() says why.
  bool read(uint64_t Offset, size_t SizeBytes, void *Into);
  bool write(uint64_t Offset, size_t SizeBytes, const void *Bytes);
  /// errno; 0: none.
  int error() const { return Failure; }

private:
  std::string Folder;
  std::vector<std::unique_ptr<char[]>> Chunks;
  size_t FirstKept = 0; ///< those before it are in the file
  char *Last = nullptr;
  int Descriptor = -1;
  int Failure = 0;
};

template <class T> class SpillColumn {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  static constexpr uint64_t ChunkRows = SpillFile::ChunkBytes / sizeof(T);
  static_assert(std::has_single_bit(ChunkRows) &&
                ChunkRows * sizeof(T) == SpillFile::ChunkBytes);

  void setFolder(const std::string &Folder) { File.setFolder(Folder); }

  uint64_t size() const { return Count; }
  bool empty() const { return Count == 0; }
  /// Requires: it is not empty. Valid until the column grows.
  T &back() {
    return reinterpret_cast<T *>(File.lastChunk())[(Count - 1) % ChunkRows];
  }
  bool push(const T &Value) {
    if (Count % ChunkRows == 0 && !File.addChunk())
      return false;
    ++Count;
    back() = Value;
    return true;
  }
  /// Adds zeros, as many as there is room for.
  bool resize(uint64_t Wanted) {
    return grow(Wanted - Count,
                [](T *Rows, uint64_t More) { std::fill_n(Rows, More, T()); });
  }
  bool append(const T *First, uint64_t RowCount) {
    return grow(RowCount, [&First](T *Rows, uint64_t More) {
      std::copy_n(First, More, Rows);
      First += More;
    });
  }
  /// Requires: \p Index < size(). \p How is given the row.
  template <class Change> bool update(uint64_t Index, Change How) {
    if (char *Chunk = File.chunk(Index / ChunkRows)) {
      How(reinterpret_cast<T *>(Chunk)[Index % ChunkRows]);
      return true;
    }
    T Row;
    if (!File.read(Index * sizeof(T), sizeof(T), &Row))
      return false;
    How(Row);
    return File.write(Index * sizeof(T), sizeof(T), &Row);
  }
  /// Rows of one chunk, which may be changed before putBack(); valid until the
  /// column or \p Scratch changes. Null: error() says why.
  T *rows(uint64_t First, uint64_t RowCount, std::vector<T> &Scratch) {
    if (char *Chunk = File.chunk(First / ChunkRows))
      return reinterpret_cast<T *>(Chunk) + First % ChunkRows;
    Scratch.resize(RowCount);
    return File.read(First * sizeof(T), RowCount * sizeof(T), Scratch.data())
               ? Scratch.data()
               : nullptr;
  }
  bool putBack(uint64_t First, uint64_t RowCount, const T *Rows) {
    return File.chunk(First / ChunkRows) ||
           File.write(First * sizeof(T), RowCount * sizeof(T), Rows);
  }
  /// Bytes of rows, wherever they are.
  bool copy(uint64_t AtByte, size_t SizeBytes, char *Into) {
    while (SizeBytes != 0) {
      const uint64_t In = AtByte % SpillFile::ChunkBytes;
      const size_t Index =
          std::min<uint64_t>(SizeBytes, SpillFile::ChunkBytes - In);
      if (const char *Chunk = File.chunk(AtByte / SpillFile::ChunkBytes))
        std::copy_n(Chunk + In, Index, Into);
      else if (!File.read(AtByte, Index, Into))
        return false;
      AtByte += Index;
      Into += Index;
      SizeBytes -= Index;
    }
    return true;
  }
  int error() const { return File.error(); }

private:
  /// \p Fill is given rows that are new.
  template <class Filler> bool grow(uint64_t Rows, Filler Fill) {
    while (Rows != 0) {
      if (Count % ChunkRows == 0 && !File.addChunk())
        return false;
      const uint64_t First = Count % ChunkRows;
      const uint64_t More = std::min(Rows, ChunkRows - First);
      Fill(reinterpret_cast<T *>(File.lastChunk()) + First, More);
      Count += More;
      Rows -= More;
    }
    return true;
  }

  SpillFile File;
  uint64_t Count = 0;
};

} // namespace instantrace::index
