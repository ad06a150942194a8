#include "utils/lsp/Document.h"

#include "utils/open/SourceFiles.h"
#include "utils/system/FileDescriptor.h"
#include "utils/system/FileTime.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

constexpr std::string_view ByteOrderMark = "\xef\xbb\xbf";

/// Places of lines that are there once; 0: more often.
std::unordered_map<std::string_view, size_t>
singleLines(const std::vector<std::string> &Lines, size_t Begin, size_t End) {
  std::unordered_map<std::string_view, size_t> Single;
  for (size_t I = Begin; I < End; ++I)
    if (auto [Entry, IsNew] = Single.try_emplace(Lines[I], I + 1); !IsNew)
      Entry->second = 0;
  return Single;
}

} // namespace

std::vector<std::string> instantrace::documentLines(std::string_view Text) {
  if (Text.starts_with(ByteOrderMark))
    Text.remove_prefix(ByteOrderMark.size());
  const auto Lines = sourceLines(Text, MostDocumentLines);
  return {Lines.begin(), Lines.end()};
}

std::vector<uint32_t>
instantrace::movedLines(const std::vector<std::string> &Old,
                        const std::vector<std::string> &New) {
  std::vector<uint32_t> Now(Old.size() + 1);
  const size_t Most = std::min(Old.size(), New.size());
  size_t Head = 0, Tail = 0;
  for (; Head != Most && Old[Head] == New[Head]; ++Head)
    Now[Head + 1] = static_cast<uint32_t>(Head + 1);
  for (; Tail != Most - Head &&
         Old[Old.size() - 1 - Tail] == New[New.size() - 1 - Tail];
       ++Tail)
    Now[Old.size() - Tail] = static_cast<uint32_t>(New.size() - Tail);
  const size_t EndOld = Old.size() - Tail, EndNew = New.size() - Tail;
  const auto InOld = singleLines(Old, Head, EndOld);
  for (const auto &[Text, Line] : singleLines(New, Head, EndNew))
    if (auto Found = InOld.find(Text);
        Line != 0 && Found != InOld.end() && Found->second != 0)
      Now[Found->second] = static_cast<uint32_t>(Line);
  auto Follow = [&](size_t Known, size_t Beside, int Step) {
    const size_t Line = Now[Known] + Step;
    if (Now[Known] != 0 && Now[Beside] == 0 && Line > Head && Line <= EndNew &&
        Old[Beside - 1] == New[Line - 1])
      Now[Beside] = static_cast<uint32_t>(Line);
  };
  for (size_t I = Head + 2; I <= EndOld; ++I)
    Follow(I - 1, I, 1);
  for (size_t I = EndOld; I > Head + 1; --I)
    Follow(I, I - 1, -1);
  return Now;
}

size_t instantrace::lengthIn(PositionUnit Unit, std::string_view Line) {
  if (Unit == PositionUnit::Utf8)
    return Line.size();
  size_t Length = 0;
  for (unsigned char C : Line)
    Length += (C & 0xc0) == 0x80 ? 0 : C >= 0xf0 ? 2 : 1;
  return Length;
}

void Document::setText(std::string_view Text) {
  TextBytes = Text.size();
  HasMark = Text.starts_with(ByteOrderMark);
  Lines = documentLines(Text);
  Moved.reset();
}

size_t Document::lineLength(PositionUnit Unit, uint32_t Line) const {
  return lineBegin(Unit, Line) + lengthIn(Unit, Lines[Line]);
}

size_t Document::lineBegin(PositionUnit Unit, uint32_t Line) const {
  return HasMark && Line == 0 ? lengthIn(Unit, ByteOrderMark) : 0;
}

void Document::readDisk() {
  OnDisk.clear();
  DiskBytes = 0;
  Moved.reset();
  ModifiedNs = 0;
  struct stat Status;
  FileDescriptor File = openRegularFile(Path);
  if (!File || ::fstat(File.get(), &Status) != 0)
    return;
  ModifiedNs = modifiedNs(Status);
  if (static_cast<uint64_t>(Status.st_size) > SourceFiles::MostFileBytes)
    return;
  const std::string Text = readSource(File);
  DiskBytes = Text.size();
  OnDisk = documentLines(Text);
}

uint32_t Document::lineNow(uint32_t Compiled, bool IsStale) const {
  if (IsStale)
    return Compiled <= Lines.size() ? Compiled : 0;
  if (!Moved)
    Moved = movedLines(OnDisk, Lines);
  return Compiled < Moved->size() ? (*Moved)[Compiled] : 0;
}
