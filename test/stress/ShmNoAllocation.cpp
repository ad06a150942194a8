/// \file
/// Counts allocations while records are written, chunks changed and drained:
/// there are none. A program of its own, because it replaces the allocator.
#include "runtime/shm/ChunkReader.h"
#include "runtime/shm/ChunkWriter.h"
#include "test/stress/ReplacedNew.h"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

uint64_t Allocations = 0;

} // namespace

// Sanitizers bring a malloc of their own; operator new is ours all the same.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
void *__libc_malloc(size_t Size);
void *__libc_calloc(size_t Count, size_t Size);
void *__libc_realloc(void *Old, size_t Size);
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
void *malloc(size_t Size) {
  ++Allocations;
  return __libc_malloc(Size);
}
void *calloc(size_t Count, size_t Size) {
  ++Allocations;
  return __libc_calloc(Count, Size);
}
void *realloc(void *Old, size_t Size) {
  ++Allocations;
  return __libc_realloc(Old, Size);
}
}
#endif

static void beforeAllocation() { ++Allocations; }

using namespace instantrace;

namespace {

constexpr size_t PageSizeBytes = 4096, PageCount = 4;
constexpr unsigned Records = 1'000'000;
alignas(8) uint8_t Memory[PageSizeBytes * PageCount];

struct Drains {
  SharedMemoryAbi *Buffer;
  ChunkReader *Reader; ///< null: without one
  uint64_t Chunks, Bytes;
};

bool drain(void *Context) {
  auto *D = static_cast<Drains *>(Context);
  if (D->Reader) {
    for (const ChunkContent &C : D->Reader->acquire()) {
      ++D->Chunks;
      D->Bytes += C.SizeBytes;
    }
    D->Reader->release();
    return true;
  }
  for (size_t Page = 0; Page != D->Buffer->pageCount(); ++Page)
    for (unsigned I = 0; I != MaxChunksPerPage; ++I) {
      Chunk C = D->Buffer->tryAcquireChunkForReading(Page, I);
      if (!C.isValid())
        continue;
      ++D->Chunks;
      D->Bytes += C.header()->CommittedBytes;
      D->Buffer->releaseChunkAsFree(C);
    }
  return true;
}

/// Allocations for a million records.
uint64_t countFor(ChunkSource &Source, ChunkWriter &Reserved,
                  ChunkWriter &Appended, uint64_t &Written) {
  const uint8_t Text[1000] = {};
  uint64_t Before = Allocations;
  for (unsigned I = 0; I != Records; ++I) {
    if (I % 64 == 0) {
      size_t Size = I % sizeof(Text);
      if (!Appended.append(Text, Size))
        std::abort();
      Written += Size;
      continue;
    }
    uint8_t *Out = Reserved.reserve();
    if (!Out)
      std::abort();
    Reserved.commit(Out + I % 20);
    Written += I % 20;
  }
  Reserved.complete();
  Appended.complete();
  uint64_t Count = Allocations - Before;
  if (Source.drains() == 0)
    std::abort();
  return Count;
}

} // namespace

int main() {
  // Not a new-expression, which compilers may leave out.
  ::operator delete(::operator new(1));
  if (Allocations == 0) {
    std::puts("allocations are not counted");
    return 1;
  }
  SharedMemoryAbi Buffer;
  if (!Buffer.initialize(Memory, PageSizeBytes, PageCount,
                         SharedMemoryAbi::Mode::Shared))
    return 1;
  Drains D = {&Buffer, nullptr, 0, 0};
  ChunkSource Source(Buffer, {WhenFull::Drain, 2, 0}, drain, &D);
  ChunkWriter Reserved(Source, 1), Appended(Source, 2);
  uint64_t Written = 0;
  uint64_t Plain = countFor(Source, Reserved, Appended, Written);
  drain(&D);
  bool IsWhole = D.Bytes == Written;
  // With our own reader: it keeps its vectors once they are large enough.
  ChunkReader Reader(Buffer, ChunkReader::Writers::Ours);
  D.Reader = &Reader;
  drain(&D); // the sequences do not begin with 1 for it
  uint64_t First = countFor(Source, Reserved, Appended, Written);
  uint64_t WithReader = countFor(Source, Reserved, Appended, Written);
  drain(&D);
  IsWhole = IsWhole && D.Bytes == Written;
  std::printf("%u records: %llu allocations; with a reader %llu, then %llu; "
              "%llu chunks%s\n",
              Records, static_cast<unsigned long long>(Plain),
              static_cast<unsigned long long>(First),
              static_cast<unsigned long long>(WithReader),
              static_cast<unsigned long long>(D.Chunks),
              IsWhole ? "" : "; bytes are missing");
  return Plain == 0 && WithReader == 0 && First < 100 && IsWhole ? 0 : 1;
}
