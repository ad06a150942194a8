#include "runtime/strings/StringComponents.h"

#include <algorithm>

namespace instantrace {

namespace {

bool isNoText(char Byte) {
  return static_cast<unsigned char>(Byte) >= ReferenceTag;
}

} // namespace

void StringComponents::grow(size_t Wanted) {
  size_t NewCapacity = std::max(Wanted, Capacity * 2);
  std::unique_ptr<char[]> Bigger(new char[NewCapacity]);
  std::memcpy(Bigger.get(), Data, Size);
  Spilled = std::move(Bigger);
  Data = Spilled.get();
  Capacity = NewCapacity;
}

StringComponents &StringComponents::encodeText(std::string_view Text) {
  while (!Text.empty()) {
    size_t Plain = static_cast<size_t>(
        std::find_if(Text.begin(), Text.end(), isNoText) - Text.begin());
    reserve(Size + Plain);
    std::memcpy(Data + Size, Text.data(), Plain);
    LastPart = Plain == 0 ? LastPart : Size;
    Size += Plain;
    if (Plain == Text.size())
      break;
    append(StringId::byte(static_cast<unsigned char>(Text[Plain])));
    Text.remove_prefix(Plain + 1);
  }
  return *this;
}

StringComponents &StringComponents::mark(NamePart Part) {
  if (IsMarked) {
    Size -= ReferenceBytes;
    LastPart -= ReferenceBytes;
    std::memmove(Data, Data + ReferenceBytes, Size);
  }
  IsMarked = Part != NamePart::Text;
  if (IsMarked) {
    reserve(Size + ReferenceBytes);
    std::memmove(Data + ReferenceBytes, Data, Size);
    putReference(Data, StringId::mark(Part));
    Size += ReferenceBytes;
    LastPart += ReferenceBytes;
  }
  return *this;
}

} // namespace instantrace
