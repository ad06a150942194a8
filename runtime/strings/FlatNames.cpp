#include "runtime/strings/FlatNames.h"

namespace instantrace {

void FlatNames::add(std::string_view MarkedName,
                    std::span<const uint32_t> MarkerIds, NamePart) {
  size_t Next = 0; // marker
  for (char Byte : MarkedName) {
    uint32_t Marker = Byte == '\0' ? MarkerIds[Next++] : 0;
    if (Marker == 0) {
      Texts.push_back(Byte);
      continue;
    }
    // Appending the buffer to itself: its place may change, the offset stays.
    size_t Begin = Marker > 1 ? Ends[Marker - 2] : 0;
    Texts.append(Texts, Begin, Ends[Marker - 1] - Begin);
  }
  Ends.push_back(Texts.size());
}

std::string_view FlatNames::text(NameId Id) const {
  if (!Id || Id.Value > size())
    return {};
  size_t Begin = Id.Value > 1 ? Ends[Id.Value - 2] : 0;
  return std::string_view(Texts).substr(Begin, Ends[Id.Value - 1] - Begin);
}

} // namespace instantrace
