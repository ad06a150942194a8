/// \file
/// An entry of the string data as a Dictionary has one.
///
/// Flow:    section STRD -> [readMarkedEntry] -> Dictionary::add()
/// Hostile: what a reference may be is for the caller to say
#pragma once

#include "runtime/strings/NamePart.h"
#include "runtime/strings/StringComponents.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace instantrace::index {

struct MarkedEntry {
  std::string MarkedName; ///< a NUL for each marker
  std::vector<uint32_t> Markers;
  NamePart Part = NamePart::Text;
};

/// \p Marker gives for a StringId that is neither text nor a mark in front the
/// std::optional<uint32_t> that is its marker; none: the entry is damaged, and
/// the answer false. Requires: a whole entry from \p Entry on.
template <class MarkerOf>
bool readMarkedEntry(const char *Entry, MarkedEntry &Into, MarkerOf Marker) {
  Into.MarkedName.clear();
  Into.Markers.clear();
  Into.Part = NamePart::Text;
  ComponentReader Reader(Entry);
  StringComponent Component;
  for (bool IsFirst = true; Reader.next(Component); IsFirst = false) {
    if (!Component.Ref) {
      Into.MarkedName += Component.Text;
      Into.Markers.insert(
          Into.Markers.end(),
          static_cast<size_t>(
              std::count(Component.Text.begin(), Component.Text.end(), '\0')),
          0);
      continue;
    }
    if (Component.Ref.kind() == StringIdKind::Mark && IsFirst) {
      Into.Part =
          knownOr(Component.Ref.Value - StringId::FirstMark, NamePart::Text);
      continue;
    }
    const std::optional<uint32_t> Id = Marker(Component.Ref);
    if (!Id)
      return false;
    Into.MarkedName += '\0';
    Into.Markers.push_back(*Id);
  }
  return true;
}

} // namespace instantrace::index
