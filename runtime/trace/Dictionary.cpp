#include "runtime/trace/Dictionary.h"

#include <cstring>
#include <limits>

using namespace instantrace;

namespace {

constexpr uint64_t Prime = (uint64_t(1) << 61) - 1;
constexpr uint64_t Base =
    0x1b8ea3c5d9f07643; // any number between 256 and Prime
constexpr std::string_view Ellipsis = "\xe2\x80\xa6";

/// A part that adds no text still costs time; so many of these are allowed
/// beyond one per byte of the limit.
constexpr size_t SpareSteps = 1 << 16;

uint64_t multiplyModulo(uint64_t A, uint64_t B) {
  // __extension__: 128-bit integers are not ISO C++.
  __extension__ typedef unsigned __int128 Wide;
  Wide Product = static_cast<Wide>(A) * B;
  uint64_t Sum = static_cast<uint64_t>(Product & Prime) +
                 static_cast<uint64_t>(Product >> 61);
  return Sum >= Prime ? Sum - Prime : Sum;
}

uint64_t addModulo(uint64_t A, uint64_t B) {
  uint64_t Sum = A + B;
  return Sum >= Prime ? Sum - Prime : Sum;
}

uint64_t addSaturating(uint64_t A, uint64_t B) {
  uint64_t Sum = A + B;
  return Sum < A ? std::numeric_limits<uint64_t>::max() : Sum;
}

/// Grows by bytes or by hashed parts to the right.
struct RollingKey {
  uint64_t Hash = 0;
  uint64_t Power = 1;
  uint64_t SizeBytes = 0;

  void append(std::string_view Text) {
    for (unsigned char Byte : Text) {
      // + 1: otherwise leading NUL bytes would not count.
      Hash = addModulo(multiplyModulo(Hash, Base), Byte + 1u);
      Power = multiplyModulo(Power, Base);
    }
    SizeBytes = addSaturating(SizeBytes, Text.size());
  }
  void append(uint64_t PartHash, uint64_t PartPower, uint64_t PartSizeBytes) {
    Hash = addModulo(multiplyModulo(Hash, PartPower), PartHash);
    Power = multiplyModulo(Power, PartPower);
    SizeBytes = addSaturating(SizeBytes, PartSizeBytes);
  }
};

} // namespace

void Dictionary::add(std::string_view MarkedName,
                     std::span<const uint32_t> MarkerIds) {
  RollingKey Key;
  size_t Begin = 0;
  for (uint32_t Marker : MarkerIds) {
    size_t Placeholder = MarkedName.find('\0', Begin);
    Key.append(MarkedName.substr(Begin, Placeholder - Begin));
    Begin = Placeholder + 1;
    if (Marker == 0) {
      Key.append(MarkedName.substr(Placeholder, 1));
      continue;
    }
    const Entry &Part = Entries[Marker - 1];
    Key.append(Part.Hash, Part.Power, Part.SizeBytes);
  }
  Key.append(MarkedName.substr(Begin));

  MarkedText.append(MarkedName);
  Markers.insert(Markers.end(), MarkerIds.begin(), MarkerIds.end());
  Entries.push_back(
      {MarkedText.size(), Markers.size(), Key.SizeBytes, Key.Hash, Key.Power});
}

bool Dictionary::expand(NameId Id, std::string &Out, size_t LimitBytes) const {
  if (!contains(Id))
    return true;
  struct Frame {
    uint64_t TextBegin;
    uint64_t TextEnd;
    uint64_t Marker;
  };
  auto FrameOf = [this](uint32_t Entry) {
    return Frame{textBegin(Entry), Entries[Entry - 1].TextEnd,
                 markerBegin(Entry)};
  };
  std::vector<Frame> Stack = {FrameOf(Id.Value)};
  size_t Left = LimitBytes;
  size_t StepsLeft = LimitBytes + SpareSteps;
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    const char *Begin = MarkedText.data() + Top.TextBegin;
    size_t Rest = Top.TextEnd - Top.TextBegin;
    const void *Found = Rest ? std::memchr(Begin, '\0', Rest) : nullptr;
    size_t Plain =
        Found ? static_cast<size_t>(static_cast<const char *>(Found) - Begin)
              : Rest;
    if (Plain > Left || StepsLeft-- == 0) {
      size_t Kept = Plain < Left ? Plain : Left;
      // A cut inside a UTF-8 sequence would leave half a character.
      while (Kept > 0 && Kept < Plain &&
             (static_cast<unsigned char>(Begin[Kept]) & 0xC0) == 0x80)
        --Kept;
      Out.append(Begin, Kept).append(Ellipsis);
      return false;
    }
    Out.append(Begin, Plain);
    Left -= Plain;
    if (!Found) {
      Stack.pop_back();
      continue;
    }
    uint32_t Part = Markers[Top.Marker++];
    Top.TextBegin += Plain + 1;
    if (Part == 0) {
      if (Left == 0) {
        Out.append(Ellipsis);
        return false;
      }
      Out.push_back('\0');
      --Left;
      continue;
    }
    // Argument packs share tails: a part at the end replaces its user, so a
    // list of a million elements does not nest.
    if (Top.TextBegin == Top.TextEnd)
      Stack.pop_back();
    if (Entries[Part - 1].SizeBytes != 0)
      Stack.push_back(FrameOf(Part));
  }
  return true;
}

std::string Dictionary::text(NameId Id, size_t LimitBytes) const {
  std::string Out;
  expand(Id, Out, LimitBytes);
  return Out;
}

NameKey Dictionary::keyOf(std::string_view Text) {
  RollingKey Key;
  Key.append(Text);
  return {Key.Hash, Key.SizeBytes};
}

NameKey Dictionary::key(NameId Id) const {
  if (!contains(Id))
    return {};
  const Entry &E = Entries[Id.Value - 1];
  return {E.Hash, E.SizeBytes};
}
