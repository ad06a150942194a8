#include "utils/export/TraceParts.h"

#include "runtime/format/Schema.h"
#include "runtime/read/IssueSink.h"
#include "runtime/read/PacketParts.h"
#include "runtime/read/TableDecoder.h"
#include "runtime/read/TraceReader.h"
#include "utils/open/FileKind.h"

#include <protozero/pbf_writer.hpp>

#include <unordered_map>

using namespace instantrace;

namespace {

/// The same packet of another sequence.
std::string withSequence(std::string_view Packet, uint32_t Id) {
  std::string Out;
  protozero::pbf_reader Fields(Packet.data(),
                               Packet.size() - ChecksumFieldBytes);
  while (true) {
    const char *Begin = Fields.data().data();
    if (!Fields.next())
      break;
    bool IsId = Fields.tag_and_type() == schema::Packet::SequenceId.tag();
    Fields.skip();
    if (!IsId)
      Out.append(Begin, Fields.data().data());
  }
  protozero::pbf_writer Writer(Out);
  Writer.add_uint32(schema::Packet::SequenceId.Number, Id);
  uint32_t Checksum = packetChecksum(Out);
  Writer.add_fixed32(schema::Packet::Checksum.Number, Checksum);
  return Out;
}

void appendPacket(std::string &Into, std::string_view Packet) {
  protozero::pbf_writer(Into).add_message(schema::Trace::Packet.Number,
                                          Packet.data(), Packet.size());
}

std::string sourceOf(protozero::pbf_reader Session) {
  Sequence S;
  decodeSession(Session, S);
  return S.Session ? S.Session->Input : std::string();
}

/// Calls \p Use with each whole packet and what it is.
template <class UsePacket>
Result<TraceDamage> forEachPacket(std::string_view Bytes,
                                  const std::string &Name,
                                  const UsePacket &Use) {
  PacketFraming Framing(Bytes);
  TraceInput Input{Name, Bytes.size(), 0, {}, 0};
  IssueSink Issues(Input);
  std::unordered_set<uint32_t> BeginCount;
  while (std::optional<std::string_view> Packet = Framing.next()) {
    Issues.enterPacket(Framing.packetNo(), Framing.offsetBytes());
    try {
      PacketParts Parts = partsOf(*Packet, Issues);
      if (Parts.Body == PacketBody::FileHeader &&
          readFileHeader(Parts.Content, Issues))
        BeginCount.insert(Parts.SequenceId);
      if (!Issues.failed() && Parts.SequenceId == 0)
        Issues.fatal("sequence-id", "0", "a number from 1");
      else if (!Issues.failed() && !BeginCount.contains(Parts.SequenceId))
        Issues.fatal("file-header",
                     "another packet of sequence " +
                         std::to_string(Parts.SequenceId),
                     "the file header as its first packet");
      if (!Issues.failed())
        Use(*Packet, Parts);
    } catch (const protozero::exception &E) {
      Issues.fatal("packet-body", E.what(), "well-formed protobuf");
    }
    if (Issues.failed())
      break;
  }
  if (Framing.issue())
    Input.Issues.push_back(*Framing.issue());
  else if (Framing.packetNo() == 0)
    Issues.fatal("file-header", "an empty file", "a trace");
  if (Framing.packetNo() <= 1)
    nameForeignFile(Bytes, Input, "a trace of the plugin (x.itrace)");
  TraceDamage Found;
  if (const TraceIssue *Issue = Input.damage())
    Found = Issue->message(Name);
  if (Found && Framing.packetNo() <= 1)
    return Error{*Found};
  return Found;
}

} // namespace

Result<TraceDamage> TraceMerger::add(std::string_view Bytes,
                                     const std::string &Name,
                                     std::string &Into) {
  std::unordered_map<uint32_t, uint32_t> Ids;
  Result<TraceDamage> Read = forEachPacket(
      Bytes, Name, [&](std::string_view, const PacketParts &Parts) {
        Ids.try_emplace(Parts.SequenceId, Parts.SequenceId);
        Compiles += Parts.Body == PacketBody::FileHeader;
      });
  if (!Read)
    return Read;
  for (auto &[Old, New] : Ids) {
    while (New == 0 || Used.contains(New) || (New != Old && Ids.contains(New)))
      New = ++Last;
    Used.insert(New);
  }
  return forEachPacket(Bytes, Name,
                       [&](std::string_view Packet, const PacketParts &Parts) {
                         uint32_t Id = Ids.at(Parts.SequenceId);
                         if (Id == Parts.SequenceId)
                           appendPacket(Into, Packet);
                         else
                           appendPacket(Into, withSequence(Packet, Id));
                       });
}

Result<TraceDamage> instantrace::splitTrace(std::string_view Bytes,
                                            const std::string &Name,
                                            std::vector<CompileTrace> &Into) {
  std::unordered_map<uint32_t, size_t> Open; // into Into
  return forEachPacket(
      Bytes, Name, [&](std::string_view Packet, const PacketParts &Parts) {
        if (Parts.Body == PacketBody::FileHeader) {
          Open[Parts.SequenceId] = Into.size();
          Into.emplace_back();
        }
        CompileTrace &Compile = Into[Open.at(Parts.SequenceId)];
        if (Parts.Body == PacketBody::Session)
          Compile.Source = sourceOf(Parts.Content);
        appendPacket(Compile.Bytes, Packet);
      });
}
