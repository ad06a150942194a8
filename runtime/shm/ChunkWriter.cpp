#include "runtime/shm/ChunkWriter.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace instantrace {

ChunkWriter::ChunkWriter(DrainFunction Drain, void *Context)
    : Drain(Drain), Context(Context) {
  Mapping = mmap(nullptr, PageSizeBytes, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  IsMapped = Mapping != MAP_FAILED;
  if (!IsMapped)
    Mapping = ::operator new(PageSizeBytes);
  std::memset(Mapping, 0, sizeof(PageHeader) + sizeof(ChunkHeader));
  auto *Bytes = static_cast<uint8_t *>(Mapping);
  Page = new (Bytes) PageHeader();
  Header = new (Bytes + sizeof(PageHeader)) ChunkHeader();
  Payload = Bytes + sizeof(PageHeader) + sizeof(ChunkHeader);
}

ChunkWriter::~ChunkWriter() {
  if (IsMapped)
    munmap(Mapping, PageSizeBytes);
  else
    ::operator delete(Mapping);
}

void ChunkWriter::setState(ChunkState State) {
  uint32_t Layout = State == ChunkState::Free
                        ? static_cast<uint32_t>(PageLayout::NotPartitioned)
                        : static_cast<uint32_t>(PageLayout::Div1);
  // Release: a reader that sees the state sees the header it speaks of.
  Page->Word.store(Layout << PageLayoutShift | static_cast<uint32_t>(State),
                   std::memory_order_release);
}

void ChunkWriter::acquire() {
  Header->Sequence = NextSequence++;
  Header->WriterId = 1;
  Header->CommittedBytes.store(0, std::memory_order_relaxed);
  setState(ChunkState::BeingWritten);
}

void ChunkWriter::flush() {
  if (UsedBytes == 0)
    return;
  setState(ChunkState::Complete);
  Drain(Context, Payload, UsedBytes);
  Header->CommittedBytes.store(0, std::memory_order_relaxed);
  setState(ChunkState::Free);
  UsedBytes = 0;
}

} // namespace instantrace
