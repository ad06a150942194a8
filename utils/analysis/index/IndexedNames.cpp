#include "utils/analysis/index/IndexedNames.h"

#include "runtime/strings/StringComponents.h"

#include <optional>

using namespace instantrace;

bool IndexedNames::fault(uint64_t At) {
  return X->stringFault(At, "another reference",
                        "one to an earlier entry or a mark");
}

/// Missing gets the parts that are not known yet; without any, the entry is
/// ready to be added.
bool IndexedNames::parse(uint64_t At) {
  if (!X->stringEntry(At, Encoded))
    return false;
  Encoded += static_cast<char>(EntryTerminator);
  Missing.clear();
  auto Marker = [&](StringId Ref) -> std::optional<uint32_t> {
    const uint64_t To = Ref.Value - StringId::FirstRegular;
    if (Ref.kind() != StringIdKind::Regular || To >= At)
      return std::nullopt;
    if (auto Found = Known.find(To); Found != Known.end())
      return Found->second.Value;
    Missing.push_back(To);
    return 0;
  };
  return index::readMarkedEntry(Encoded.data(), Entry, Marker) || fault(At);
}

bool IndexedNames::addNext(uint64_t At, Dictionary &Into) {
  if (!parse(At))
    return false;
  if (!Missing.empty())
    return X->stringFault(At, "a part that is no name of the compile",
                          "names before it");
  Into.add(Entry.MarkedName, Entry.Markers, Entry.Part);
  Known.try_emplace(At, NameId{Into.size()});
  return true;
}

NameId IndexedNames::add(uint64_t At, Dictionary &Into) {
  std::vector<uint64_t> Stack = {At};
  while (!Stack.empty()) {
    uint64_t Next = Stack.back();
    if (Known.contains(Next)) {
      Stack.pop_back();
      continue;
    }
    if (!parse(Next))
      return {};
    if (!Missing.empty()) {
      Stack.insert(Stack.end(), Missing.begin(), Missing.end());
      continue;
    }
    Into.add(Entry.MarkedName, Entry.Markers, Entry.Part);
    Known.emplace(Next, NameId{Into.size()});
    Stack.pop_back();
  }
  return Known.at(At);
}
