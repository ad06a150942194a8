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

/// A list up to this long is written where it stands.
constexpr size_t MaxFlatList = 8;
constexpr size_t MaxGroup = 16;

uint32_t mix(uint64_t Value) {
  Value *= 0x9E3779B97F4A7C15;
  Value ^= Value >> 32;
  Value *= 0xD6E8FEB86659FD93;
  return static_cast<uint32_t>(Value >> 32);
}

/// Of each element and the one before it.
void hashPairs(const ListElement *Elements, size_t Count, uint32_t *Hashes) {
  uint64_t Before = 0;
  for (size_t I = 0; I != Count; ++I) {
    uint64_t Own = Elements[I].value();
    Hashes[I] = mix(Own + Before * 0xC2B2AE3D27D4EB4F);
    Before = Own;
  }
}

/// Whether the contents say that a group ends with element \p I. Never after
/// two in a row: the first comparison is strict.
bool isCutAfter(const uint32_t *Hashes, size_t Count, size_t I) {
  // Those near an end, whose neighbours are not known yet, would be cut
  // otherwise in a list that is longer there.
  if (I < 3 || I + 2 >= Count)
    return false;
  const uint32_t *H = &Hashes[I];
  // Each of them is a toss-up, all together are not: one branch.
  return static_cast<bool>((H[0] < H[-1]) & (H[0] <= H[-2]) & (H[0] <= H[1]) &
                           (H[0] <= H[2]));
}

void addElements(StringComponents &Components, const ListElement *Elements,
                 size_t Count, bool IsFirst) {
  for (size_t I = 0; I != Count; ++I) {
    if (!IsFirst)
      Components.text(", ");
    IsFirst = false;
    // Nothing is no element.
    Components.element(Elements[I] ? Elements[I] : StringId::invalid());
  }
}

} // namespace

void StringTable::addList(StringComponents &Components,
                          const ListElement *Elements, size_t Count) {
  if (Count <= MaxFlatList)
    addElements(Components, Elements, Count, /*IsFirst=*/true);
  else
    Components.element(internList(Elements, Count));
}

StringId StringTable::internList(const ListElement *Elements, size_t Count) {
  if (Count <= MaxFlatList) {
    StringComponents Out;
    addElements(Out, Elements, Count, /*IsFirst=*/true);
    return intern(Out);
  }
  auto IsResolved = [](ListElement E) {
    return E.isText() || E.entry().kind() == StringIdKind::Regular;
  };
  if (std::all_of(Elements, Elements + Count, IsResolved))
    return internTree(Elements, Count);
  // What an element stands for decides on the cuts.
  std::vector<ListElement> Resolved(Elements, Elements + Count);
  for (ListElement &Element : Resolved) {
    if (Element.isText())
      continue;
    if (Element.entry().kind() == StringIdKind::TableFull)
      return Element.entry();
    Element = resolve(Element.entry());
    if (!Element)
      return {};
  }
  return internTree(Resolved.data(), Count);
}

StringId StringTable::internTree(const ListElement *Elements, size_t Count) {
  if (PairHashes.size() < Count)
    PairHashes.resize(std::max(Count, 2 * PairHashes.size()));
  hashPairs(Elements, Count, PairHashes.data());
  size_t FirstCut = 0, LastCut = 0; // behind the element; 0: none
  size_t FirstGroup = Groups.size();
  StringComponents Group;
  for (size_t I = 0; I != Count; ++I) {
    if (!isCutAfter(PairHashes.data(), Count, I) && I + 1 - LastCut != MaxGroup)
      continue;
    if (FirstCut == 0) {
      FirstCut = I + 1;
    } else {
      Group.clear();
      addElements(Group, Elements + LastCut, I + 1 - LastCut, true);
      Groups.push_back(intern(Group));
    }
    LastCut = I + 1;
  }
  Group.clear();
  addElements(Group, Elements, FirstCut, true);
  if (size_t GroupCount = Groups.size() - FirstGroup) {
    // A list of groups is half as long at most, so this ends soon, and all of
    // them together have room for as many again. Where the table had no room
    // for a group, it has none for the list.
    Groups.reserve(Groups.size() + GroupCount);
    StringId Middle = internList(&Groups[FirstGroup], GroupCount);
    Groups.resize(FirstGroup);
    Group.text(", ").ref(Middle);
  }
  addElements(Group, Elements + LastCut, Count - LastCut, FirstCut == 0);
  return intern(Group);
}

} // namespace instantrace
