/// \file
/// Lists of strings: StringTable::internList.
///
/// Lists in a program grow: f<0>, f<0, 1>, ..., f<0, ..., N>, at either end. As
/// flat entries they take N^2 / 2 references. So a list is a tree, such that
/// one more element at an end changes few entries:
///
///     elements  a b c | d e | f g h | i j      cut as the contents say
///     entry     a b c, reference to the list (d e, f g h), i j
///
/// The groups between the first and the last cut are entries of their own, and
/// the list of these is interned in the same way. What grows at an end
/// lengthens the open stretch there, by one reference, and now and then closes
/// a group, which is one more element for the list of groups. A group has G
/// elements on average, so N steps cost N (1 + 1/G + 1/G^2 + ...) times a
/// constant.
///
/// Cuts depend on the elements nearby alone, never on the distance to the
/// list's begin; therefore lists that share a long stretch anywhere share its
/// groups, and equal lists have equal entries. A list is cut where the hash of
/// two neighbours is a minimum among its own neighbours. Whatever repeats
/// itself has such a minimum each time, but for equal elements: these are cut
/// where a group has MaxGroup of them, since an entry has to stay small, and
/// that is where they would be counted from either end.

#include "runtime/strings/StringTable.h"

#include <algorithm>

namespace instantrace {

namespace {

/// A list up to this long is one entry.
constexpr size_t MaxFlatList = 8;
constexpr size_t MaxGroup = 16;

uint32_t mix(uint64_t Value) {
  auto X = static_cast<uint32_t>(Value ^ (Value >> 32));
  X ^= X >> 16;
  X *= 0x7feb352dU;
  X ^= X >> 15;
  X *= 0x846ca68bU;
  return X ^ (X >> 16);
}

/// Of each element and the one before it.
std::vector<uint32_t> pairHashes(const StringId *Elements, size_t Count) {
  std::vector<uint32_t> Hashes(Count);
  uint32_t Before = 0;
  for (size_t I = 0; I != Count; ++I) {
    uint32_t Own = mix(Elements[I].Value);
    Hashes[I] = mix(Own + Before * uint64_t(0x9E3779B97F4A7C15));
    Before = Own;
  }
  return Hashes;
}

/// Whether the contents say that a group ends with element \p I. Never after
/// two in a row: the first comparison is strict.
bool isCutAfter(const std::vector<uint32_t> &Hashes, size_t I) {
  // Those near an end, whose neighbours are not known yet, would be cut
  // otherwise in a list that is longer there.
  if (I < 3 || I + 2 >= Hashes.size())
    return false;
  const uint32_t *H = &Hashes[I];
  return H[0] < H[-1] && H[0] <= H[-2] && H[0] <= H[1] && H[0] <= H[2];
}

void addElements(StringComponents &To, const StringId *Elements, size_t Count) {
  for (size_t I = 0; I != Count; ++I) {
    if (!To.isEmpty())
      To.text(", ");
    To.ref(Elements[I]);
  }
}

} // namespace

StringId StringTable::internList(const StringId *Elements, size_t Count) {
  auto IsEntry = [](StringId Id) { return Id.kind() == StringIdKind::Regular; };
  if (std::all_of(Elements, Elements + Count, IsEntry))
    return internEntries(Elements, Count);
  // What an element stands for decides on the cuts.
  std::vector<StringId> Resolved(Elements, Elements + Count);
  for (StringId &Element : Resolved) {
    if (Element.kind() == StringIdKind::TableFull)
      return Element;
    Element = resolve(Element);
    if (!Element)
      return {};
  }
  return internEntries(Resolved.data(), Count);
}

StringId StringTable::internEntries(const StringId *Elements, size_t Count) {
  StringComponents Group;
  if (Count <= MaxFlatList) {
    addElements(Group, Elements, Count);
    return intern(Group);
  }
  size_t FirstCut = 0, LastCut = 0; // behind the element; 0: none
  std::vector<StringId> Groups;
  std::vector<uint32_t> Hashes = pairHashes(Elements, Count);
  for (size_t I = 0; I != Count; ++I) {
    if (!isCutAfter(Hashes, I) && I + 1 - LastCut != MaxGroup)
      continue;
    if (FirstCut == 0) {
      FirstCut = I + 1;
    } else {
      Group.clear();
      addElements(Group, Elements + LastCut, I + 1 - LastCut);
      Groups.push_back(intern(Group));
    }
    LastCut = I + 1;
  }
  Group.clear();
  addElements(Group, Elements, FirstCut);
  if (!Groups.empty()) {
    // A list of groups is half as long at most, so this ends soon. Where the
    // table had no room for one, it has none for the list.
    StringId Middle = internList(Groups.data(), Groups.size());
    addElements(Group, &Middle, 1);
  }
  addElements(Group, Elements + LastCut, Count - LastCut);
  return intern(Group);
}

} // namespace instantrace
