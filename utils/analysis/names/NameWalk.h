/// \file
/// Replays the text of a name piece by piece, with the parts it has.
///
/// Flow:   Dictionary -> [walkName] -> names --id
/// Leaves: texts that fit into memory, and styles, to Dictionary::expand
#pragma once

#include "runtime/strings/Dictionary.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace instantrace {

/// Calls V.text(std::string_view), V.beginPart(NamePart) and
/// V.endPart(NamePart), the latter two not for plain text. Everything is shown.
/// False: the text is longer than \p LimitBytes, or made of unreasonably many
/// entries, and was cut. Requires: Names.contains(Id).
template <class Visitor>
bool walkName(const Dictionary &Names, NameId Id, uint64_t LimitBytes,
              Visitor &&V) {
  // An entry of its own for every byte would be many; these allow a few.
  constexpr uint64_t StepsPerByte = 16, SpareSteps = 1 << 20;
  uint64_t Left = LimitBytes;
  uint64_t StepsLeft =
      SpareSteps + StepsPerByte * std::min(LimitBytes, Names.key(Id).SizeBytes);
  std::vector<Dictionary::EntryView> Stack;
  auto Enter = [&](uint32_t Entry) {
    Stack.push_back(Names.entry({Entry}));
    if (Stack.back().Part != NamePart::Text)
      V.beginPart(Stack.back().Part);
  };
  Enter(Id.Value);
  while (!Stack.empty()) {
    Dictionary::EntryView &Top = Stack.back();
    size_t Plain = std::min(Top.MarkedName.find('\0'), Top.MarkedName.size());
    if (Plain > Left || StepsLeft-- == 0)
      return false;
    Left -= Plain;
    if (Plain != 0)
      V.text(Top.MarkedName.substr(0, Plain));
    if (Plain == Top.MarkedName.size()) {
      NamePart Part = Top.Part;
      Stack.pop_back();
      if (Part != NamePart::Text)
        V.endPart(Part);
      continue;
    }
    uint32_t Entry = Top.Markers.front();
    Top.MarkedName.remove_prefix(Plain + 1);
    Top.Markers = Top.Markers.subspan(1);
    if (Entry == 0) {
      V.text(std::string_view("\0", 1));
      continue;
    }
    if (Names.key({Entry}).SizeBytes == 0)
      continue;
    // Lists share tails: the last entry replaces its user, so that a list of a
    // million elements does not nest.
    if (Top.MarkedName.empty() && Top.Part == NamePart::Text)
      Stack.pop_back();
    Enter(Entry);
  }
  return true;
}

} // namespace instantrace
