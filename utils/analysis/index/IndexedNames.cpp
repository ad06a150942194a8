#include "utils/analysis/index/IndexedNames.h"

#include "runtime/strings/StringComponents.h"

#include <algorithm>

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
  MarkedName.clear();
  Markers.clear();
  Missing.clear();
  Part = NamePart::Text;
  ComponentReader Reader(Encoded.data());
  StringComponent Component;
  for (bool IsFirst = true; Reader.next(Component); IsFirst = false) {
    if (!Component.Ref) {
      MarkedName += Component.Text;
      Markers.insert(Markers.end(),
                     static_cast<size_t>(std::count(
                         Component.Text.begin(), Component.Text.end(), '\0')),
                     0);
      continue;
    }
    if (Component.Ref.kind() == StringIdKind::Mark && IsFirst) {
      Part = knownOr(Component.Ref.Value - StringId::FirstMark, NamePart::Text);
      continue;
    }
    uint64_t To = Component.Ref.Value - StringId::FirstRegular;
    if (Component.Ref.kind() != StringIdKind::Regular || To >= At)
      return fault(At);
    auto Found = Known.find(To);
    if (Found == Known.end())
      Missing.push_back(To);
    MarkedName += '\0';
    Markers.push_back(Found == Known.end() ? 0 : Found->second.Value);
  }
  return true;
}

bool IndexedNames::addNext(uint64_t At, Dictionary &Into) {
  if (!parse(At))
    return false;
  if (!Missing.empty())
    return X->stringFault(At, "a part that is no name of the compile",
                          "names before it");
  Into.add(MarkedName, Markers, Part);
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
    Into.add(MarkedName, Markers, Part);
    Known.emplace(Next, NameId{Into.size()});
    Stack.pop_back();
  }
  return Known.at(At);
}
