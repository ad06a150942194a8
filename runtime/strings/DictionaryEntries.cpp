#include "runtime/strings/DictionaryEntries.h"

#include <algorithm>

namespace instantrace {

bool DictionaryEntries::next(DictionaryEntry &Into) {
  if (Offset == Strings.heap().size())
    return false;
  Into.Part = NamePart::Text;
  Into.MarkedName.clear();
  Into.Markers.clear();
  ComponentReader Reader = Strings.componentsAt(Offset);
  for (StringComponent Part; Reader.next(Part);) {
    if (!Part.Ref) {
      Into.MarkedName.append(Part.Text);
      auto Nuls = std::count(Part.Text.begin(), Part.Text.end(), '\0');
      Into.Markers.insert(Into.Markers.end(), static_cast<size_t>(Nuls), 0);
    } else if (Part.Ref.kind() == StringIdKind::Mark) {
      Into.Part = static_cast<NamePart>(Part.Ref.Value - StringId::FirstMark);
    } else {
      Into.MarkedName.push_back('\0');
      Into.Markers.push_back(Strings.ordinal(Part.Ref).Value);
    }
  }
  Offset = static_cast<size_t>(Reader.end() - Strings.heap().data());
  return true;
}

} // namespace instantrace
