/// \file
/// Prints the size and the place of everything in a buffer. Compiled for 32 and
/// for 64 bit; the two must print the same.
#include "runtime/shm/BufferHeader.h"

#include <cstdio>

using namespace instantrace;

#define SIZE(Type)                                                             \
  std::printf("%s %zu %zu\n", #Type, sizeof(Type), alignof(Type))
#define FIELD(Type, Name)                                                      \
  std::printf("%s.%s %zu %zu\n", #Type, #Name, offsetof(Type, Name),           \
              sizeof(Type::Name))

int main() {
  SIZE(PageHeader);
  FIELD(PageHeader, Word);
  FIELD(PageHeader, Reserved);
  SIZE(ChunkHeader);
  FIELD(ChunkHeader, CommittedBytes);
  FIELD(ChunkHeader, Sequence);
  FIELD(ChunkHeader, WriterId);
  FIELD(ChunkHeader, Flags);
  FIELD(ChunkHeader, FirstRecordOffset);
  FIELD(ChunkHeader, LastRecordOffset);
  SIZE(WriterDescription);
  FIELD(WriterDescription, Id);
  FIELD(WriterDescription, Content);
  SIZE(DrainRecord);
  FIELD(DrainRecord, FileBytes);
  FIELD(DrainRecord, LastSequence);
  SIZE(LiveState);
  FIELD(LiveState, Phase);
  FIELD(LiveState, Signal);
  FIELD(LiveState, DrainIndex);
  FIELD(LiveState, DrainLock);
  FIELD(LiveState, Drained);
  FIELD(LiveState, AstBytes);
  FIELD(LiveState, EventsDropped);
  FIELD(LiveState, PeakRssBytes);
  SIZE(ByteRange);
  FIELD(ByteRange, Offset);
  FIELD(ByteRange, SizeBytes);
  SIZE(BufferHeader);
  FIELD(BufferHeader, Magic);
  FIELD(BufferHeader, AbiVersion);
  FIELD(BufferHeader, ByteOrder);
  FIELD(BufferHeader, HeaderBytes);
  FIELD(BufferHeader, PageSizeBytes);
  FIELD(BufferHeader, PageCount);
  FIELD(BufferHeader, Pid);
  FIELD(BufferHeader, ProcessStartTicks);
  FIELD(BufferHeader, RealtimeNs);
  FIELD(BufferHeader, MonotonicNs);
  FIELD(BufferHeader, SequenceId);
  FIELD(BufferHeader, WriterCount);
  FIELD(BufferHeader, Writers);
  FIELD(BufferHeader, Session);
  FIELD(BufferHeader, FinalPath);
  FIELD(BufferHeader, PartialPath);
  FIELD(BufferHeader, NewestEntities);
  FIELD(BufferHeader, Checksum);
  FIELD(BufferHeader, Live);
  SIZE(NewestEntity);
  FIELD(NewestEntity, EntityId);
  FIELD(NewestEntity, Text);
  FIELD(NewestEntity, Name);
  FIELD(NewestEntity, TemplateSet);
  FIELD(NewestEntity, Kind);
  for (size_t Page = MinPageSizeBytes; Page <= MaxPageSizeBytes; Page *= 2)
    for (uint32_t Layout = 0; Layout != 8; ++Layout)
      std::printf("chunk %zu %u %zu\n", Page, Layout,
                  chunkSizeBytes(Page, static_cast<PageLayout>(Layout)));
  std::printf("hash %llu\n",
              static_cast<unsigned long long>(fnv1a(FnvStart, nullptr, 0)));
  return 0;
}
