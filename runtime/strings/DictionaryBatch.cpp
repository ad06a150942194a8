#include "runtime/strings/DictionaryBatch.h"

#include <algorithm>
#include <limits>

using namespace instantrace;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

namespace {

constexpr uint32_t lengthDelimited(uint32_t Field) {
  return protozero::tag_and_type(Field, pbf_wire_type::length_delimited);
}
constexpr uint32_t varint(uint32_t Field) {
  return protozero::tag_and_type(Field, pbf_wire_type::varint);
}

DictionaryFault fault(std::string_view Invariant, std::string Found,
                      std::string Expected) {
  return {Invariant, std::move(Found), std::move(Expected)};
}

/// A part of a newer minor version is text to this reader.
NamePart partOf(uint64_t Number) {
  return Number <= static_cast<uint64_t>(NamePart::TemplateHead)
             ? static_cast<NamePart>(Number)
             : NamePart::Text;
}

struct Entry {
  std::string_view MarkedName;
  std::vector<uint32_t> Markers;
  NamePart Part = NamePart::Text;
};

void decodeEntry(pbf_reader Message, Entry &Into) {
  Into.MarkedName = {};
  Into.Markers.clear();
  Into.Part = NamePart::Text;
  while (Message.next()) {
    switch (Message.tag_and_type()) {
    case lengthDelimited(1): {
      protozero::data_view View = Message.get_view();
      Into.MarkedName = {View.data(), View.size()};
      break;
    }
    case lengthDelimited(2):
      for (uint32_t Marker : Message.get_packed_uint32())
        Into.Markers.push_back(Marker);
      break;
    case varint(2):
      Into.Markers.push_back(Message.get_uint32());
      break;
    case varint(3):
      Into.Part = partOf(Message.get_uint64());
      break;
    default:
      Message.skip();
    }
  }
}

/// Sets \p SizeBytes, of the text, when the entry may be added.
std::optional<DictionaryFault> checkEntry(const Entry &E, uint32_t Id,
                                          const DictionaryTarget &Into,
                                          uint64_t &SizeBytes) {
  // Not before there is a fault: this runs for every name.
  auto of = [Id] { return " of name " + std::to_string(Id); };
  auto Placeholders = static_cast<size_t>(
      std::count(E.MarkedName.begin(), E.MarkedName.end(), '\0'));
  if (Placeholders != E.Markers.size())
    return fault("placeholder-count",
                 std::to_string(Placeholders) + " placeholders" + of(),
                 std::to_string(E.Markers.size()) + " as its marker_ids");
  SizeBytes = E.MarkedName.size() - Placeholders;
  for (uint32_t Marker : E.Markers) {
    // Whatever is earlier cannot refer to this one: there are no cycles.
    if (Marker >= Id)
      return fault("backward-markers",
                   "marker " + std::to_string(Marker) + of(),
                   "an earlier name, or 0");
    // Each summand is within the limit, so the sum stays far from wrapping.
    SizeBytes =
        std::min(SizeBytes + (Marker == 0 ? 1 : Into.SizeBytes(NameId{Marker})),
                 MaxNameBytes + 1);
  }
  if (SizeBytes > MaxNameBytes)
    return fault("name-size",
                 "more than " + std::to_string(MaxNameBytes) + " bytes" + of(),
                 "at most as many");
  if (SizeBytes > Into.TotalBytesLeft)
    return fault("name-size", std::to_string(SizeBytes) + " bytes" + of(),
                 "at most " + std::to_string(Into.TotalBytesLeft) +
                     ", which is what all names have left");
  return std::nullopt;
}

} // namespace

std::optional<DictionaryFault>
instantrace::readDictionaryBatch(pbf_reader Body, DictionaryTarget Into) {
  uint32_t FirstId = 0;
  // Fields may come in any order; the id is checked before the entries.
  for (pbf_reader Scan = Body; Scan.next();) {
    if (Scan.tag_and_type() == varint(1))
      FirstId = Scan.get_uint32();
    else
      Scan.skip();
  }
  if (FirstId != uint64_t(Into.Size) + 1)
    return fault("contiguous-ids", "first_id " + std::to_string(FirstId),
                 std::to_string(uint64_t(Into.Size) + 1));
  Entry E;
  for (uint32_t Id = FirstId; Body.next();) {
    if (Body.tag_and_type() != lengthDelimited(2)) {
      Body.skip();
      continue;
    }
    decodeEntry(Body.get_message(), E);
    uint64_t SizeBytes = 0;
    if (auto Fault = checkEntry(E, Id, Into, SizeBytes))
      return Fault;
    Into.Add(E.MarkedName, E.Markers, E.Part);
    Into.TotalBytesLeft -= SizeBytes;
    ++Id;
  }
  return std::nullopt;
}
