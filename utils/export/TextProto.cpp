#include "utils/export/TextProto.h"

#include "runtime/read/IssueSink.h"
#include "runtime/read/TraceReader.h"
#include "utils/export/TraceText.h"
#include "utils/open/FileKind.h"
#include "utils/open/TraceInputs.h"

#include <google/protobuf/text_format.h>

using namespace instantrace;

namespace {

void appendVarint(std::string &Out, uint64_t Value) {
  for (; Value >= 0x80; Value >>= 7)
    Out.push_back(static_cast<char>(Value | 0x80));
  Out.push_back(static_cast<char>(Value));
}

} // namespace

Result<int> instantrace::dumpTextProto(const std::vector<std::string> &Inputs,
                                       Output &Out, InputObserver &Seen) {
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraces(Inputs, &Seen));
  google::protobuf::TextFormat::Printer Printer;
  for (const std::string &Path : Files) {
    INSTANTRACE_TRY_ASSIGN(std::string Bytes, readBytes(Path, &Seen));
    PacketFraming Framing(Bytes);
    TraceInput Input{inputName(Path), Bytes.size(), 0, {}, 0};
    proto::Trace One;
    while (std::optional<std::string_view> Packet = Framing.next()) {
      One.clear_packet();
      if (!One.add_packet()->ParseFromArray(Packet->data(),
                                            static_cast<int>(Packet->size())))
        return Error{Input.Name + ": packet " +
                     std::to_string(Framing.packetNo()) + " (byte " +
                     std::to_string(Framing.offsetBytes()) +
                     "): packet-body: found another encoding, expected "
                     "protobuf"};
      One.mutable_packet(0)->clear_checksum();
      std::string Text;
      Printer.PrintToString(One, &Text);
      Out.append(Text);
      ++Input.PacketCount;
    }
    if (Framing.issue())
      Input.Issues.push_back(*Framing.issue());
    else if (Framing.packetNo() == 0)
      IssueSink(Input).fatal("file-header", "an empty file", "a trace");
    nameForeignFile(Bytes, Input, "a trace of the plugin (x.itrace)");
    if (const TraceIssue *Damage = Input.damage()) {
      if (Input.PacketCount == 0)
        return Error{Damage->message(Input.Name)};
      Seen.warn(Damage->message(Input.Name) + "; what precedes it is used");
    }
  }
  return Out.finish();
}

Result<std::string> instantrace::assembleTrace(const std::string &Text,
                                               const std::string &Name,
                                               bool KeepChecksums) {
  INSTANTRACE_TRY_ASSIGN(TraceText Parsed, parseTraceText(Text, Name));
  if (Parsed.Trace.packet_size() == 0 ||
      !Parsed.Trace.packet(0).has_file_header())
    return Error{Name + ": the first packet is not a file_header"};
  INSTANTRACE_TRY_ASSIGN(proto::Trace Trace,
                         writeNamedRecords(Parsed.Trace, Parsed.Records));
  return traceBytes(Trace, KeepChecksums);
}

std::string instantrace::traceBytes(const proto::Trace &Trace,
                                    bool KeepChecksums) {
  std::string Bytes;
  for (proto::Packet Packet : Trace.packet()) {
    std::string Body;
    if (!KeepChecksums)
      Packet.clear_checksum();
    Packet.SerializeToString(&Body);
    if (!KeepChecksums) {
      uint32_t Checksum = packetChecksum(Body);
      Body.push_back(0x7D); // Packet.checksum: field 15, 32 bits
      for (int Shift = 0; Shift != 32; Shift += 8)
        Body.push_back(static_cast<char>(Checksum >> Shift));
    }
    Bytes.push_back(0x0A); // Trace.packet: field 1, length-delimited
    appendVarint(Bytes, Body.size());
    Bytes.append(Body);
  }
  return Bytes;
}
