/// \file
/// Buffers and partial traces with anything in them: there is an error, or a
/// trace that the reader accepts, in bounded time.
#include "test/unit/support/LeftoverFolder.h"

#include <gtest/gtest.h>

#include <random>

using namespace instantrace;
using namespace instantrace::test;

namespace {

class RecoveryHostileTest : public LeftoverFolder {
protected:
  RecoveryHostileTest() : B(finalPath(), buffer()) {
    B.start();
    B.compile(150);
    Partial = B.partial();
    Image = B.image();
  }
  static TraceBufferOptions buffer() {
    TraceBufferOptions Options;
    Options.SizeBytes = 8192;
    return Options;
  }

  /// Whether there was a trace.
  static bool use(const std::string &Image, const std::string &Partial) {
    BufferSnapshot S;
    std::string Error;
    if (!takeSnapshot(MemoryBufferImage(Image), S, Error)) {
      EXPECT_NE(Error, "");
      return false;
    }
    RecoveredTrace Trace = recoverTrace(S, Partial);
    if (Trace.Bytes.empty()) {
      EXPECT_FALSE(Trace.Problems.empty());
      return false;
    }
    addInterruptedFooter(Trace);
    instantrace::Trace T;
    readTrace(Trace.Bytes, "x.itrace", T);
    const TraceIssue *Damage = T.Files.front().damage();
    EXPECT_EQ(Damage, nullptr) << Damage->message("x.itrace");
    EXPECT_EQ(T.Sequences.size(), 1u);
    EXPECT_EQ(T.Sequences.front().EventCount, Trace.Content.EventCount);
    EXPECT_EQ(T.Sequences.front().OpenCount, Trace.Content.OpenCount);
    return true;
  }

  LeftoverBuilder B;
  std::string Image, Partial;
};

TEST_F(RecoveryHostileTest, EveryTruncation) {
  ASSERT_TRUE(use(Image, Partial));
  ASSERT_GT(Partial.size(), 100u);
  unsigned Traces = 0;
  // All lengths around a boundary of some kind, and every 61st between.
  for (size_t Size = 0; Size <= Image.size(); ++Size)
    if (Size < 600 || Size % 61 == 0 || (Size + 20) % 4096 < 40)
      Traces += use(Image.substr(0, Size), Partial);
  EXPECT_GT(Traces, 10u);
  for (size_t Size = 0; Size <= Partial.size(); Size += 3)
    EXPECT_TRUE(use(Image, Partial.substr(0, Size)));
}

TEST_F(RecoveryHostileTest, EveryByteChanged) {
  // The newest entities are text; the rest of the header and all pages count.
  size_t Texts = sizeof(BufferHeader) + 64;
  size_t TextsEnd =
      sizeof(BufferHeader) + size_t(TraceBuffer::NewestEntityCount) * 64;
  for (size_t Index = 0; Index != Image.size(); ++Index) {
    if (Index == Texts)
      Index = TextsEnd;
    std::string Changed = Image;
    Changed[Index] = static_cast<char>(~Changed[Index]);
    use(Changed, Partial);
  }
  for (size_t Index = 0; Index < Partial.size(); Index += 2) {
    std::string Changed = Partial;
    Changed[Index] = static_cast<char>(Changed[Index] ^ 0x10);
    use(Image, Changed);
  }
}

TEST_F(RecoveryHostileTest, ManyBitsChangedAtRandom) {
  std::mt19937 Random(20261121);
  size_t Pages = Image.size() - 8192;
  for (unsigned Round = 0; Round != 3000; ++Round) {
    std::string Changed = Image, ChangedPartial = Partial;
    for (unsigned Flips = 1 + Random() % 16; Flips != 0; --Flips) {
      // Mostly where no checksum protects it.
      size_t Index = Random() % 4 == 0
                         ? offsetof(BufferHeader, Live) + Random() % 128
                         : Pages + Random() % 8192;
      Changed[Index] = static_cast<char>(Changed[Index] ^ 1 << Random() % 8);
      if (Random() % 8 == 0) {
        size_t In = Random() % Partial.size();
        ChangedPartial[In] =
            static_cast<char>(ChangedPartial[In] ^ 1 << Random() % 8);
      }
    }
    use(Changed, ChangedPartial);
  }
}

TEST_F(RecoveryHostileTest, ShortNamesOfAnyEntities) {
  std::mt19937 Random(4);
  for (unsigned Round = 0; Round != 300; ++Round) {
    std::string Changed = Image;
    for (unsigned I = 0; I != 40; ++I) {
      uint32_t Id = Random() % 2 == 0 ? Random() : Random() % 400;
      size_t Slot = sizeof(BufferHeader) +
                    Random() % size_t(TraceBuffer::NewestEntityCount) * 64;
      std::memcpy(&Changed[Slot], &Id, sizeof(Id));
      for (size_t Index = 4; Index != 64; ++Index)
        Changed[Slot + Index] = static_cast<char>(Random());
    }
    EXPECT_TRUE(use(Changed, Partial));
  }
}

TEST_F(RecoveryHostileTest, RandomPagesUnderAGoodHeader) {
  std::mt19937 Random(3);
  size_t Pages = Image.size() - 8192;
  for (unsigned Round = 0; Round != 500; ++Round) {
    std::string Changed = Image;
    for (size_t Index = Pages; Index != Image.size(); ++Index)
      Changed[Index] = static_cast<char>(Random());
    // Layouts that exist, so that the chunks are looked at.
    for (size_t Page : {Pages, Pages + 4096})
      Changed[Page + 3] =
          static_cast<char>((1 + Random() % 5) << 4 | (Random() & 15));
    EXPECT_TRUE(use(Changed, Partial));
  }
}

} // namespace
