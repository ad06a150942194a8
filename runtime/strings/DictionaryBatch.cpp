#include "runtime/strings/DictionaryBatch.h"

#include "runtime/format/Schema.h"

#include <algorithm>
#include <limits>

using namespace instantrace;
using protozero::pbf_reader;

namespace {

DictionaryFault fault(std::string_view Invariant, std::string Found,
                      std::string Expected) {
  return {Invariant, std::move(Found), std::move(Expected)};
}

struct Entry {
  std::string_view MarkedName;
  std::vector<uint32_t> Markers;
  NamePart Part = NamePart::Text;
};

void decodeEntry(pbf_reader Message, Entry &Into) {
  using Field = schema::DictionaryEntry;
  Into.MarkedName = {};
  Into.Markers.clear();
  Into.Part = NamePart::Text;
  while (Message.next()) {
    switch (Message.tag_and_type()) {
    case Field::MarkedName.tag(): {
      protozero::data_view View = Message.get_view();
      Into.MarkedName = {View.data(), View.size()};
      break;
    }
    case Field::MarkerIds.tag():
      for (uint32_t Marker : Message.get_packed_uint32())
        Into.Markers.push_back(Marker);
      break;
    case Field::MarkerIds.elementTag():
      Into.Markers.push_back(Message.get_uint32());
      break;
    case Field::Part.tag():
      // A part of a newer minor version is text to this reader.
      Into.Part = knownOr(Message.get_uint64(), NamePart::Text);
      break;
    default:
      Message.skip();
    }
  }
}

std::string ofName(uint32_t Id) { return " of name " + std::to_string(Id); }

/// That an entry can be added, whatever the size of its text.
std::optional<DictionaryFault> checkMarkers(const Entry &E, uint32_t Id) {
  auto Placeholders = static_cast<size_t>(
      std::count(E.MarkedName.begin(), E.MarkedName.end(), '\0'));
  if (Placeholders != E.Markers.size())
    return fault("placeholder-count",
                 std::to_string(Placeholders) + " placeholders" + ofName(Id),
                 std::to_string(E.Markers.size()) + " as its marker_ids");
  for (uint32_t Marker : E.Markers)
    // Whatever is earlier cannot refer to this one: there are no cycles.
    if (Marker >= Id)
      return fault("backward-markers",
                   "marker " + std::to_string(Marker) + ofName(Id),
                   "an earlier name, or 0");
  return std::nullopt;
}

/// At most MaxNameBytes + 1. Requires: checkMarkers() found nothing.
uint64_t textBytes(const Entry &E, const DictionaryTarget &Into) {
  uint64_t Bytes = E.MarkedName.size() - E.Markers.size();
  for (uint32_t Marker : E.Markers) {
    uint64_t PartBytes = Marker == 0 ? 1 : Into.SizeBytes(NameId{Marker});
    // Each summand is bounded, so the sum cannot wrap.
    Bytes = std::min(Bytes + std::min(PartBytes, MaxNameBytes + 1),
                     MaxNameBytes + 1);
  }
  return Bytes;
}

std::optional<DictionaryFault> checkSize(uint64_t Bytes, uint32_t Id,
                                         const DictionaryTarget &Into) {
  if (Bytes > MaxNameBytes && !Into.KeepsLongNames)
    return fault("name-size",
                 "more than " + std::to_string(MaxNameBytes) + " bytes" +
                     ofName(Id),
                 "at most that many");
  if (Bytes > Into.TotalBytesLeft)
    return fault("name-size", std::to_string(Bytes) + " bytes" + ofName(Id),
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
    if (Scan.tag_and_type() == schema::DictionaryBatch::FirstId.tag())
      FirstId = Scan.get_uint32();
    else
      Scan.skip();
  }
  if (FirstId != uint64_t(Into.Size) + 1)
    return fault("contiguous-ids", "first_id " + std::to_string(FirstId),
                 std::to_string(uint64_t(Into.Size) + 1));
  Entry E;
  for (uint32_t Id = FirstId; Body.next();) {
    if (Body.tag_and_type() != schema::DictionaryBatch::Entry.tag()) {
      Body.skip();
      continue;
    }
    decodeEntry(Body.get_message(), E);
    if (auto Fault = checkMarkers(E, Id))
      return Fault;
    uint64_t Bytes = textBytes(E, Into);
    if (auto Fault = checkSize(Bytes, Id, Into))
      return Fault;
    Into.Add(E.MarkedName, E.Markers, E.Part);
    Into.TotalBytesLeft -= Bytes;
    ++Id;
  }
  return std::nullopt;
}
