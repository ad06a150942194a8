#include "runtime/record/ChunkBytes.h"

#include "runtime/format/EventChunk.h"
#include "runtime/record/TraceWriter.h"

namespace instantrace {

void appendChunks(const std::vector<ChunkContent> &Chunks, uint32_t SequenceId,
                  RecordAssembler &Packets, std::string &Into,
                  LastSequences &Last) {
  for (const ChunkContent &C : Chunks) {
    if (C.WriterId != PacketsWriterId)
      continue;
    Packets.add(C, [&Into](const uint8_t *Data, size_t SizeBytes) {
      Into.append(reinterpret_cast<const char *>(Data), SizeBytes);
    });
    Last.Packets = C.Sequence;
  }
  StringSink Sink(Into);
  TraceWriter EventPackets(Sink, SequenceId);
  for (const ChunkContent &C : Chunks) {
    if (C.WriterId != EventsWriterId)
      continue;
    Last.Events = C.Sequence;
    if (C.SizeBytes > EventChunkStartBytes)
      EventPackets.writeEvents(readEventChunkStart(C.Data),
                               C.Data + EventChunkStartBytes,
                               C.SizeBytes - EventChunkStartBytes);
  }
}

} // namespace instantrace
