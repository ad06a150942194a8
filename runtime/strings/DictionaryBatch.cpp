#include "runtime/strings/DictionaryBatch.h"

#include "runtime/format/Schema.h"

#include <algorithm>

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

} // namespace

std::optional<DictionaryFault>
instantrace::readDictionaryBatch(pbf_reader Body, Dictionary &Into) {
  uint32_t FirstId = 0;
  // Fields may come in any order; the id is checked before the entries.
  for (pbf_reader Scan = Body; Scan.next();) {
    if (Scan.tag_and_type() == schema::DictionaryBatch::FirstId.tag())
      FirstId = Scan.get_uint32();
    else
      Scan.skip();
  }
  if (FirstId != uint64_t(Into.size()) + 1)
    return fault("contiguous-ids", "first_id " + std::to_string(FirstId),
                 std::to_string(uint64_t(Into.size()) + 1));
  Entry E;
  for (uint32_t Id = FirstId; Body.next();) {
    if (Body.tag_and_type() != schema::DictionaryBatch::Entry.tag()) {
      Body.skip();
      continue;
    }
    decodeEntry(Body.get_message(), E);
    if (auto Fault = checkMarkers(E, Id))
      return Fault;
    Into.add(E.MarkedName, E.Markers, E.Part);
    ++Id;
  }
  return std::nullopt;
}
