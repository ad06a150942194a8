#include "utils/export/NamedRecords.h"

#include "utils/export/RecordWriter.h"
#include "utils/export/TextTables.h"

#include <algorithm>
#include <cstdint>
#include <utility>

using namespace instantrace;

namespace {

/// From a file header to the next one of the same id.
struct SequencePackets {
  std::vector<const proto::Packet *> Packets;
  std::vector<int> Indices;
  bool HasNamedRecords = false;
};

std::vector<SequencePackets> sequencesOf(const proto::Trace &Trace,
                                         const NamedRecords &Records) {
  std::vector<SequencePackets> Sequences;
  std::map<uint32_t, size_t> Latest;
  for (int I = 0; I != Trace.packet_size(); ++I) {
    const proto::Packet &Packet = Trace.packet(I);
    auto [Entry, IsNew] = Latest.try_emplace(Packet.sequence_id());
    if (IsNew || Packet.has_file_header()) {
      Entry->second = Sequences.size();
      Sequences.emplace_back();
    }
    SequencePackets &Packets = Sequences[Entry->second];
    Packets.Packets.push_back(&Packet);
    Packets.Indices.push_back(I);
    Packets.HasNamedRecords |= Records.count(I) != 0;
  }
  return Sequences;
}

} // namespace

Result<proto::Trace>
instantrace::writeNamedRecords(const proto::Trace &Trace,
                               const NamedRecords &Records) {
  proto::Trace Written = Trace;
  std::map<int, std::vector<proto::Packet>> AddedBefore;
  for (const SequencePackets &S : sequencesOf(Trace, Records)) {
    if (!S.HasNamedRecords)
      continue;
    TextTables Tables(S.Packets);
    uint64_t TimeUnitNs = 0;
    for (const proto::Packet *Packet : S.Packets)
      TimeUnitNs =
          std::max<uint64_t>(TimeUnitNs, Packet->session().time_unit_ns());
    RecordWriter Writer(Tables, TimeUnitNs);
    int End = S.Indices.back() + 1;
    for (int I : S.Indices) {
      if (Trace.packet(I).has_footer())
        End = std::min(End, I);
      if (auto Named = Records.find(I); Named != Records.end())
        INSTANTRACE_TRY(Writer.write(
            *Written.mutable_packet(I)->mutable_events(), Named->second));
    }
    for (proto::Packet &Packet : Tables.added()) {
      Packet.set_sequence_id(S.Packets.front()->sequence_id());
      AddedBefore[End].push_back(std::move(Packet));
    }
  }
  if (AddedBefore.empty())
    return Written;
  proto::Trace Whole;
  for (int I = 0; I <= Written.packet_size(); ++I) {
    for (proto::Packet &Packet : AddedBefore[I])
      Whole.add_packet()->Swap(&Packet);
    if (I != Written.packet_size())
      Whole.add_packet()->Swap(Written.mutable_packet(I));
  }
  return Whole;
}
