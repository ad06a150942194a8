#include "utils/render/NameTree.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/names/NameWalk.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

constexpr size_t FewestTextColumns = 40;

/// `{4}<{7}>`, at most so many columns of it.
std::string markedText(const Dictionary::EntryView &Entry, size_t Columns) {
  std::string Text;
  size_t Marker = 0;
  // Escapes make it longer, never shorter.
  for (char C : Entry.MarkedName.substr(0, Columns * 4)) {
    if (C != '\0' || Entry.Markers[Marker++] == 0)
      appendPrintable(Text, std::string_view(&C, 1));
    else
      Text.append(fmt::format("{{{}}}", Entry.Markers[Marker - 1]));
  }
  if (columnsOf(Text) <= Columns)
    return Text;
  return std::string(firstColumns(Text, Columns)).append(Ellipsis);
}

class WholeName {
public:
  explicit WholeName(Output &Out) : Out(Out) {}

  void text(std::string_view Text) {
    // An own text can be as long as the file.
    for (; !Text.empty(); Text.remove_prefix(std::min(Text.size(), Piece))) {
      appendPrintable(Out.buffer(), Text.substr(0, Piece));
      Out.lineDone();
    }
  }
  void beginPart(NamePart Part) {
    if (canBeLeftOut(Part))
      Out.append(fmt::format("{{{}:", shownName(Part)));
  }
  void endPart(NamePart Part) {
    if (canBeLeftOut(Part))
      Out.append("}");
  }

private:
  static constexpr size_t Piece = 1 << 16;
  static bool canBeLeftOut(NamePart Part) {
    return Part != NamePart::TemplateHead;
  }
  Output &Out;
};

} // namespace

void NameTree::writeIndent(size_t Depth) {
  Out.buffer().append(2 * std::min(Depth, DeepestIndent), ' ');
}

void NameTree::writeEntry(NameId Id, size_t Depth) {
  Dictionary::EntryView Entry = Names.entry(Id);
  writeIndent(Depth);
  std::string Head = fmt::format("name {}", Id.Value);
  if (Entry.Part != NamePart::Text)
    Head.append(", ").append(shownName(Entry.Part));
  size_t Used = 2 * std::min(Depth, DeepestIndent) + Head.size() + 20;
  std::string Text = markedText(
      Entry, std::max(FewestTextColumns, Columns - std::min(Columns, Used)));
  Out.append(fmt::format("{}: {} ({})\n", Head, Text,
                         sizeText(Names.key(Id).SizeBytes)));
}

void NameTree::write(NameId Root) {
  struct Frame {
    NameId Entry;
    size_t Next = 0; // of its markers
  };
  if (IsWritten[Root.Value]) {
    Out.append(fmt::format("= name {} above\n", Root.Value));
    return;
  }
  writeEntry(Root, 0);
  IsWritten[Root.Value] = true;
  std::vector<Frame> Stack = {{Root}};
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    std::span<const uint32_t> Markers = Names.entry(Top.Entry).Markers;
    size_t Depth = Stack.size();
    if (Top.Next == Markers.size()) {
      Stack.pop_back();
      continue;
    }
    if (Levels != 0 && Depth >= Levels) {
      writeIndent(Depth);
      Out.append(std::string(Ellipsis).append("\n"));
      Stack.pop_back();
      continue;
    }
    NameId Child{Markers[Top.Next++]};
    if (!Child)
      continue;
    if (IsWritten[Child.Value]) {
      writeIndent(Depth);
      Out.append(fmt::format("= name {} above\n", Child.Value));
      continue;
    }
    writeEntry(Child, Depth);
    IsWritten[Child.Value] = true;
    Stack.push_back({Child});
  }
}

bool instantrace::writeWholeName(Output &Out, const Dictionary &Names,
                                 NameId Id, uint64_t LimitBytes) {
  bool IsWhole = walkName(Names, Id, LimitBytes, WholeName(Out));
  Out.append(IsWhole ? "\n" : std::string(Ellipsis).append("\n"));
  return IsWhole;
}
