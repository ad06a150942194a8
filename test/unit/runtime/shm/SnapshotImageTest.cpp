/// \file
/// Snapshots of buffers: what is in them, and what is said of those that are
/// none.
#include "runtime/shm/BufferSnapshot.h"
#include "test/unit/support/LeftoverFolder.h"

#include <gtest/gtest.h>

#include <fcntl.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

template <class T> void store(std::string &Image, size_t Offset, T Value) {
  std::memcpy(Image.data() + Offset, &Value, sizeof(T));
}

/// The error, or "ok".
std::string errorOf(const std::string &Image) {
  BufferSnapshot S;
  std::string Error;
  return takeSnapshot(MemoryBufferImage(Image), S, Error) ? "ok" : Error;
}

class SnapshotImageTest : public LeftoverFolder {};

TEST_F(SnapshotImageTest, HasWhatTheHeaderSays) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.Buffer.noteNewestEntity(9, "Later");
  B.Buffer.noteNewestEntity(3, "Box");
  B.Buffer.live().Signal = 11;
  B.Buffer.live().AstBytes = 4096;
  B.Buffer.live().EventsDropped = 2;
  BufferSnapshot S = snapshotOf(B.image());
  EXPECT_EQ(S.Pid, static_cast<uint32_t>(::getpid()));
  EXPECT_NE(S.ProcessStartTicks, 0u);
  EXPECT_EQ(S.MonotonicNs, 5'000'000'000u);
  EXPECT_EQ(S.SequenceId, LeftoverBuilder::SequenceId);
  EXPECT_EQ(S.Phase, BufferPhase::Recording);
  EXPECT_EQ(S.Signal, 11u);
  EXPECT_EQ(S.AstBytes, 4096u);
  EXPECT_EQ(S.EventsDropped, 2u);
  EXPECT_EQ(S.PartialFileBytes, 0u);
  EXPECT_EQ(S.FinalPath, finalPath());
  EXPECT_EQ(S.PartialPath, B.partialPath());
  ASSERT_EQ(S.Writers.size(), 2u);
  EXPECT_EQ(S.Writers[0].Content, WriterContent::Events);
  EXPECT_EQ(S.Writers[1].Content, WriterContent::Packets);
  ASSERT_EQ(S.NewestEntities.size(), 2u);
  EXPECT_EQ(S.NewestEntities[0].EntityId, 3u);
  EXPECT_EQ(S.NewestEntities[0].Text, "Box");
  EXPECT_EQ(S.NewestEntities[1].Text, "Later");
  EXPECT_TRUE(S.Chunks.empty());
  EXPECT_TRUE(S.Problems.empty());
}

TEST_F(SnapshotImageTest, OpenChunksAreThereUpToTheLastRecord) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.beginNew();
  BufferSnapshot S = snapshotOf(B.image());
  ASSERT_EQ(S.Chunks.size(), 1u);
  EXPECT_EQ(S.Chunks[0].State, ChunkState::BeingWritten);
  EXPECT_EQ(S.Chunks[0].Content.Sequence, 1u);
  EXPECT_EQ(S.Chunks[0].Content.SizeBytes, EventChunkStartBytes + 4);
  EXPECT_EQ(S.Chunks[0].Content.Data, S.Chunks[0].Payload.data());
}

TEST_F(SnapshotImageTest, AnOpenFileAndItsBytesAgree) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.compile(100);
  int Descriptor = ::open(B.bufferPath().c_str(), O_RDONLY | O_CLOEXEC);
  BufferSnapshot S;
  std::string Error;
  ASSERT_TRUE(takeSnapshot(FileBufferImage(Descriptor), S, Error)) << Error;
  ::close(Descriptor);
  EXPECT_EQ(S.Chunks.size(), snapshotOf(B.image()).Chunks.size());
}

TEST_F(SnapshotImageTest, WhatIsNoBufferIsSaid) {
  LeftoverBuilder B(finalPath());
  B.start();
  const std::string Good = B.image();
  EXPECT_EQ(errorOf(""), "empty: the producer was killed before it made its "
                         "buffer, or this is none");
  EXPECT_EQ(errorOf(std::string(8192, '\0')),
            "torn header: the producer was killed before it wrote it");
  EXPECT_EQ(errorOf("int main() {}"),
            "not a buffer of Instantrace: it does not begin with \"itrcbuf\"");
  EXPECT_EQ(errorOf(Good.substr(0, 100)),
            "truncated: found 100 bytes, expected 320 of the header");
  EXPECT_EQ(errorOf(Good.substr(0, 4096)),
            "truncated: found 4096 bytes, expected 135168 of the header");
  std::string Image = Good;
  store<uint32_t>(Image, offsetof(BufferHeader, AbiVersion), 2);
  EXPECT_EQ(errorOf(Image),
            "buffer version 2 is newer than this tool reads (1)");
  Image = Good;
  store<uint32_t>(Image, offsetof(BufferHeader, ByteOrder), 0x04030201);
  EXPECT_EQ(errorOf(Image), "made by a machine of the other byte order: found "
                            "0x04030201, expected 0x01020304");
  Image = Good;
  store<uint32_t>(Image, offsetof(BufferHeader, Live), 0);
  EXPECT_EQ(errorOf(Image),
            "torn header: the producer was killed while it wrote it");
  Image = Good;
  store<uint32_t>(Image, offsetof(BufferHeader, Pid), 1);
  EXPECT_EQ(errorOf(Image).substr(0, 30), "torn header: found checksum 0x");
  Image = Good;
  store<uint32_t>(Image, offsetof(BufferHeader, PageSizeBytes), 5000);
  EXPECT_EQ(errorOf(Image), "torn header: found pages of 5000 bytes, expected "
                            "a power of two from 4096 to 65536");
  Image = Good;
  store<uint32_t>(Image, offsetof(BufferHeader, PageCount), 65537);
  EXPECT_EQ(errorOf(Image),
            "torn header: found 65537 pages, expected 1 to 65536");
  Image = Good;
  store<uint32_t>(Image, offsetof(BufferHeader, FinalPath), UINT32_MAX);
  EXPECT_EQ(errorOf(Image).substr(0, 42),
            "torn header: found final path at bytes 429");
}

TEST_F(SnapshotImageTest, MissingPagesAreAProblem) {
  LeftoverBuilder B(finalPath());
  B.start();
  std::string Image = B.image();
  BufferSnapshot S = snapshotOf(Image.substr(0, Image.size() - 4096));
  ASSERT_EQ(S.Problems.size(), 1u);
  EXPECT_EQ(S.Problems[0], "page 3: the file ends before it, expected 4 pages");
}

TEST_F(SnapshotImageTest, ChunksThatCannotBeTrueAreLeftOut) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.beginNew();
  const std::string Good = B.image();
  size_t Page = Good.size() - size_t(4) * 4096;
  size_t Header = Page + sizeof(PageHeader);
  auto ProblemWith = [&](size_t Offset, auto Value) {
    std::string Image = Good;
    store(Image, Header + Offset, Value);
    BufferSnapshot S = snapshotOf(Image);
    EXPECT_TRUE(S.Chunks.empty());
    return S.Problems.empty() ? "" : S.Problems[0];
  };
  EXPECT_EQ(ProblemWith(offsetof(ChunkHeader, CommittedBytes), 273u),
            "page 0, chunk 0: found 273 committed bytes, expected at most 272");
  EXPECT_EQ(ProblemWith(offsetof(ChunkHeader, WriterId), uint16_t(9)),
            "page 0, chunk 0: found writer 9, expected one that the header "
            "names");
  EXPECT_EQ(ProblemWith(offsetof(ChunkHeader, Flags), uint16_t(8)),
            "page 0, chunk 0: found flags 8 with record offsets 0 and 0, "
            "expected ones that agree with 36 bytes");
  std::string Image = Good;
  store<uint32_t>(Image, Page, 7u << PageLayoutShift);
  EXPECT_EQ(snapshotOf(Image).Problems.at(0),
            "page 0: found layout 7, expected 0 to 5");
}

TEST_F(SnapshotImageTest, AFragmentThatIsNotCommittedIsNotThere) {
  LeftoverBuilder B(finalPath());
  B.start();
  B.beginNew();
  std::string Image = B.image();
  size_t Header = Image.size() - size_t(4) * 4096 + sizeof(PageHeader);
  // As append() leaves it when it is killed before its commit.
  store<uint16_t>(Image, Header + offsetof(ChunkHeader, LastRecordOffset), 36);
  store<uint16_t>(Image, Header + offsetof(ChunkHeader, Flags),
                  ContinuesOnNext);
  BufferSnapshot S = snapshotOf(Image);
  ASSERT_EQ(S.Chunks.size(), 1u);
  EXPECT_EQ(S.Chunks[0].Content.Flags, 0);
  EXPECT_TRUE(S.Problems.empty());
  store<uint16_t>(Image, Header + offsetof(ChunkHeader, Flags),
                  ContinuesFromPrevious);
  store<uint16_t>(Image, Header + offsetof(ChunkHeader, FirstRecordOffset),
                  100);
  S = snapshotOf(Image);
  EXPECT_TRUE(S.Chunks.empty());
  EXPECT_TRUE(S.Problems.empty());
}

TEST_F(SnapshotImageTest, SequencesMayWrapAround) {
  LeftoverBuilder B(finalPath());
  B.start();
  for (unsigned I = 0; I != 200; ++I)
    B.beginNew();
  BufferSnapshot Before = snapshotOf(B.image());
  ASSERT_GE(Before.Chunks.size(), 3u);
  // As if writer 1 had been drained up to 0xfffffffe.
  std::string Image = B.image();
  size_t Pages = Image.size() - size_t(4) * 4096;
  for (size_t Page = 0; Page != 4; ++Page) {
    uint32_t Word;
    std::memcpy(&Word, Image.data() + Pages + Page * 4096, 4);
    size_t Bytes = chunkSizeBytes(4096, pageLayoutIn(Word));
    for (unsigned I = 0; I != chunksPerPage(pageLayoutIn(Word)); ++I) {
      size_t Index = Pages + Page * 4096 + sizeof(PageHeader) + I * Bytes +
                     offsetof(ChunkHeader, Sequence);
      uint32_t Sequence;
      std::memcpy(&Sequence, Image.data() + Index, 4);
      store(Image, Index, Sequence - 2);
    }
  }
  store<uint32_t>(Image,
                  offsetof(BufferHeader, Live) + offsetof(LiveState, Drained) +
                      offsetof(DrainRecord, LastSequence),
                  UINT32_MAX - 1);
  BufferSnapshot After = snapshotOf(Image);
  ASSERT_EQ(After.Chunks.size(), Before.Chunks.size());
  for (size_t I = 0; I != After.Chunks.size(); ++I)
    EXPECT_EQ(After.Chunks[I].Payload, Before.Chunks[I].Payload);
  EXPECT_EQ(After.Chunks[0].Content.Sequence, UINT32_MAX);
  EXPECT_EQ(After.Chunks[1].Content.Sequence, 0u);
}

} // namespace
