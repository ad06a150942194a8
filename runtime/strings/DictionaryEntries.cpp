#include "runtime/strings/DictionaryEntries.h"

namespace instantrace {

void DictionaryEntries::makeRoom(size_t Bytes) {
  // A marker is a byte of text, too.
  Text.resize((TextBytes + Bytes) * 2);
  Markers.resize(Text.size());
}

void DictionaryEntries::addText(std::string_view More) {
  if (TextBytes + More.size() > Text.size())
    makeRoom(More.size());
  char *To = Text.data() + TextBytes;
  for (char C : More) {
    *To++ = C;
    if (C == '\0')
      Markers[MarkerCount++] = 0;
  }
  TextBytes += More.size();
}

bool DictionaryEntries::next(DictionaryEntry &Into) {
  if (Offset == Strings.heap().size())
    return false;
  Into.Part = NamePart::Text;
  TextBytes = MarkerCount = 0;
  ComponentReader Reader = Strings.componentsAt(Offset);
  for (StringComponent Part; Reader.next(Part);) {
    if (!Part.Ref) {
      addText(Part.Text);
    } else if (Part.Ref.kind() == StringIdKind::Mark) {
      Into.Part = static_cast<NamePart>(Part.Ref.Value - StringId::FirstMark);
    } else {
      if (TextBytes == Text.size())
        makeRoom(1);
      Text[TextBytes++] = '\0';
      Markers[MarkerCount++] = Strings.ordinal(Part.Ref).Value;
    }
  }
  Into.MarkedName = {Text.data(), TextBytes};
  Into.Markers = Markers.data();
  Into.MarkerCount = MarkerCount;
  Offset = static_cast<size_t>(Reader.end() - Strings.heap().data());
  return true;
}

} // namespace instantrace
