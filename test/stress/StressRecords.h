/// \file
/// Records whose size and bytes follow from a seed, so that any process can
/// tell each of them from every other and from damage.
#pragma once

#include "runtime/shm/ChunkReader.h"
#include "runtime/shm/ChunkWriter.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace instantrace::stress {

inline uint64_t mix(uint64_t X) {
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9U;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebU;
  return X ^ (X >> 31);
}

/// What record \p Index of a writer is.
class RecordText {
public:
  /// Index and size stand first in the record.
  static constexpr size_t HeadBytes = 8;

  RecordText(uint32_t Seed, uint16_t WriterId, uint32_t Index,
             uint32_t LargestBytes)
      : Index(Index), Key(mix((uint64_t(Seed) << 32 | Index) * 31 + WriterId)) {
    uint32_t R = static_cast<uint32_t>(mix(Key));
    if (WriterId == 1) // reserve() and commit()
      Size = HeadBytes + R % (ChunkWriter::MaxRecordBytes - HeadBytes + 1);
    else if (R % 64 == 0) // append() over several chunks
      Size = HeadBytes + (R >> 8) % LargestBytes;
    else
      Size = HeadBytes + (R >> 8) % 400;
  }

  uint32_t sizeBytes() const { return Size; }
  void write(uint8_t *Out) const {
    std::memcpy(Out, &Index, 4);
    std::memcpy(Out + 4, &Size, 4);
    uint64_t X = Key | 1;
    for (size_t I = HeadBytes; I < Size; I += 8) {
      X ^= X << 13, X ^= X >> 7, X ^= X << 17;
      std::memcpy(Out + I, &X, std::min<size_t>(8, Size - I));
    }
  }

private:
  uint32_t Index, Size;
  uint64_t Key;
};

/// Takes all that is complete out of a buffer and checks every byte.
class Checker {
public:
  Checker(SharedMemoryAbi &Buffer, ChunkReader::Writers W, uint32_t Seed,
          uint32_t LargestBytes, PageLayout FixedLayout, bool MayMiss)
      : Buffer(Buffer), Reader(Buffer, W), Seed(Seed),
        LargestBytes(LargestBytes), FixedLayout(FixedLayout), MayMiss(MayMiss) {
  }

  /// Chunks taken.
  size_t collect() {
    size_t Count = 0;
    for (const ChunkContent &C : Reader.acquire()) {
      add(C);
      ++Count;
    }
    Reader.release();
    // So that a run stays with one layout, if it is to.
    if (FixedLayout != PageLayout::NotPartitioned)
      for (size_t Page = 0; Page != Buffer.pageCount(); ++Page)
        Buffer.tryPartitionPage(Page, FixedLayout);
    return Count;
  }

  void add(const ChunkContent &C) {
    Stream &S = Streams[C.WriterId];
    S.Assembler.add(C, [&](const uint8_t *Data, size_t Size) {
      while (Size != 0) {
        uint32_t Head[2];
        if (Size < sizeof(Head))
          return fail("a record is cut");
        std::memcpy(Head, Data, sizeof(Head));
        if (Head[0] < S.Next || (Head[0] != S.Next && !MayMiss))
          return fail("a record is missing, or there twice");
        RecordText Expected(Seed, C.WriterId, Head[0], LargestBytes);
        if (Head[1] != Expected.sizeBytes() || Head[1] > Size)
          return fail("a record has the wrong size");
        Scratch.resize(Head[1]);
        Expected.write(Scratch.data());
        if (std::memcmp(Scratch.data(), Data, Head[1]) != 0)
          return fail("a record has wrong bytes");
        S.Next = Head[0] + 1;
        ++S.Records;
        S.Bytes += Head[1];
        Data += Head[1];
        Size -= Head[1];
      }
    });
  }

  /// What a dead writer left in the chunks it was writing.
  void scrape() {
    std::vector<ChunkContent> Left;
    for (size_t Page = 0; Page != Buffer.pageCount(); ++Page)
      for (unsigned I = 0; I != MaxChunksPerPage; ++I) {
        Chunk C = Buffer.chunk(Page, I);
        if (!C.isValid() ||
            Buffer.chunkState(Page, I) != ChunkState::BeingWritten)
          continue;
        const ChunkHeader *H = C.header();
        ChunkContent Content;
        Content.SizeBytes = H->CommittedBytes.load(std::memory_order_acquire);
        if (Content.SizeBytes == 0)
          continue;
        Content.Sequence = H->Sequence;
        Content.WriterId = H->WriterId;
        Content.Flags = H->Flags.load(std::memory_order_acquire);
        Content.FirstRecordOffset = H->FirstRecordOffset;
        Content.LastRecordOffset = H->LastRecordOffset;
        Content.Data = C.payload();
        if (Content.SizeBytes > C.payloadSizeBytes())
          return fail("a chunk being written says it is longer than it is");
        Left.push_back(Content);
      }
    if (Left.size() > 2)
      fail("more chunks being written than writers");
    for (const ChunkContent &C : Left)
      add(C);
  }

  void finish() {
    for (auto &[Id, S] : Streams) {
      S.Assembler.finish();
      if (S.Assembler.malformedChunks() != 0)
        fail("a chunk is malformed");
    }
    if (Reader.malformedChunks() != 0)
      fail("a chunk is malformed");
  }

  struct Stream {
    RecordAssembler Assembler;
    uint32_t Next = 0;
    uint64_t Records = 0, Bytes = 0;
  };
  Stream &stream(uint16_t WriterId) { return Streams[WriterId]; }
  const char *failure() const { return Failure; } ///< null: none

private:
  void fail(const char *What) {
    if (!Failure)
      Failure = What;
  }

  SharedMemoryAbi &Buffer;
  ChunkReader Reader;
  uint32_t Seed, LargestBytes;
  PageLayout FixedLayout;
  bool MayMiss;
  std::map<uint16_t, Stream> Streams;
  std::vector<uint8_t> Scratch;
  const char *Failure = nullptr;
};

} // namespace instantrace::stress
