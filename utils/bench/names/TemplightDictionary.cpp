#include "utils/bench/names/TemplightDictionary.h"

#include <vector>

using namespace instantrace;

namespace {

constexpr size_t None = std::string_view::npos;

void appendVarint(std::string &Out, uint64_t Value) {
  for (; Value >= 0x80; Value >>= 7)
    Out.push_back(static_cast<char>(Value | 0x80));
  Out.push_back(static_cast<char>(Value));
}

void appendBytes(std::string &Out, char Tag, std::string_view Value) {
  Out.push_back(Tag);
  appendVarint(Out, Value.size());
  Out.append(Value);
}

/// Cuts one name and has its pieces added.
class Cutter {
public:
  Cutter(TemplightDictionary &Dictionary, std::string_view Name)
      : Dictionary(Dictionary), Name(Name) {}

  void run() {
    for (Index = 0; Index < Name.size(); ++Index)
      if (Depth == 0)
        outside();
      else if (Depth == 1)
        inFirstList();
      else
        Depth += (Name[Index] == '<') - (Name[Index] == '>');
    if (!Markers.empty() && Piece < Name.size())
      cut(Piece, Name.size());
    Marked.append(Name.substr(Copied));
  }

  std::string Marked;
  std::vector<uint32_t> Markers;

private:
  bool endsIn(std::string_view Operator) const {
    return Name.substr(0, Index + 1).ends_with(Operator);
  }

  void outside() {
    if (Name[Index] == '<') {
      if (endsIn("operator<"))
        return;
      Open = Index;
      Depth = 1;
    } else if (Name.substr(Index, 2) == "::") {
      if (Piece < Index)
        cut(Piece, Index);
      Piece = ++Index + 1;
    }
  }

  void inFirstList() {
    char C = Name[Index];
    if (C == '<') {
      if (endsIn("operator<<<"))
        Open = Index;
      else
        ++Depth;
    }
    if (C != ',' && C != '>')
      return;
    if (Piece < Open) // what stands before the list
      cut(Piece, Open);
    size_t Begin = Open + 1, End = Index;
    while (End - Begin > 1 && (Name[Begin] == ' ' || Name[End - 1] == ' '))
      if (Name[Begin] == ' ')
        ++Begin;
      else
        --End;
    cut(Begin, End);
    Piece = None;
    Open = Index;
    if (C == '>') {
      Depth = 0;
      Piece = Index + 1;
    }
  }

  void cut(size_t Begin, size_t End) {
    Marked.append(Name.substr(Copied, Begin - Copied)).push_back('\0');
    Markers.push_back(Dictionary.add(Name.substr(Begin, End - Begin)));
    Copied = End;
  }

  TemplightDictionary &Dictionary;
  std::string_view Name;
  size_t Index = 0;
  size_t Piece = 0;   ///< where the piece begins that the next cut ends
  size_t Open = None; ///< the `<` or `,` before the current argument
  size_t Copied = 0;  ///< up to here Marked has the name
  size_t Depth = 0;   ///< argument lists around Index
};

} // namespace

uint32_t TemplightDictionary::add(std::string_view Name) {
  if (auto Known = Ids.find(Name); Known != Ids.end())
    return Known->second;
  Cutter C(*this, Name);
  C.run();
  std::string Entry;
  appendBytes(Entry, /*Tag=*/0x0a, C.Marked);
  for (uint32_t Marker : C.Markers) {
    Entry.push_back(0x10);
    appendVarint(Entry, Marker);
  }
  appendBytes(Bytes, /*Tag=*/0x1a, Entry);
  auto Id = static_cast<uint32_t>(Ids.size());
  Ids.emplace(Name, Id);
  return Id;
}
