#include "runtime/strings/Dictionary.h"

#include "runtime/base/SaturatingSum.h"

#include <algorithm>
#include <cstring>

using namespace instantrace;

namespace {

constexpr uint64_t Prime = (uint64_t(1) << 61) - 1;
constexpr uint64_t Base =
    0x1b8ea3c5d9f07643; // any number between 256 and Prime
constexpr std::string_view Ellipsis = "\xe2\x80\xa6";

/// A part that adds no text still costs time. So many parts are allowed for
/// each byte of the limit, and so many more in all.
constexpr size_t StepsPerByte = 4;
constexpr size_t SpareSteps = 1 << 10;

uint64_t multiplyModulo(uint64_t A, uint64_t B) {
  // __extension__: 128-bit integers are not ISO C++.
  __extension__ typedef unsigned __int128 Wide;
  Wide Product = static_cast<Wide>(A) * B;
  uint64_t Sum = static_cast<uint64_t>(Product & Prime) +
                 static_cast<uint64_t>(Product >> 61);
  return Sum >= Prime ? Sum - Prime : Sum;
}

uint64_t addModulo(uint64_t A, uint64_t B) {
  uint64_t Sum = A + B;
  return Sum >= Prime ? Sum - Prime : Sum;
}

/// Grows by bytes or by hashed parts to the right.
struct RollingKey {
  uint64_t Hash = 0;
  uint64_t Power = 1;
  uint64_t SizeBytes = 0;

  void append(std::string_view Text) {
    for (unsigned char Byte : Text) {
      // + 1: otherwise leading NUL bytes would not count.
      Hash = addModulo(multiplyModulo(Hash, Base), Byte + 1u);
      Power = multiplyModulo(Power, Base);
    }
    SizeBytes = addSaturating(SizeBytes, Text.size());
  }
  void append(uint64_t PartHash, uint64_t PartPower, uint64_t PartSizeBytes) {
    Hash = addModulo(multiplyModulo(Hash, PartPower), PartHash);
    Power = multiplyModulo(Power, PartPower);
    SizeBytes = addSaturating(SizeBytes, PartSizeBytes);
  }
};

// Which parts are left out, as a number: the bit of each combination.
constexpr unsigned HidesDefaultArguments = 1, HidesParameters = 2;
constexpr uint8_t AllSets = 0b1111;

unsigned hiddenSet(const NameStyle &Style) {
  return (Style.DefaultArguments ? 0 : HidesDefaultArguments) |
         (Style.Parameters ? 0 : HidesParameters);
}

/// The combinations that leave out such an entry.
uint8_t setsHiding(NamePart Part) {
  switch (Part) {
  case NamePart::DefaultArguments:
    return 0b1010;
  case NamePart::Parameters:
    return 0b1100;
  case NamePart::Text:
  case NamePart::TemplateHead:
    break;
  }
  return 0;
}

} // namespace

uint8_t Dictionary::emptyFor(std::string_view MarkedName,
                             std::span<const uint32_t> MarkerIds) const {
  if (MarkedName.size() != MarkerIds.size())
    return 0;
  uint8_t Sets = AllSets;
  for (uint32_t Marker : MarkerIds) {
    if (Marker == 0)
      return 0;
    const Entry &Part = Entries[Marker - 1];
    Sets &= static_cast<uint8_t>(Part.EmptyFor | setsHiding(Part.Part));
  }
  return Sets;
}

bool Dictionary::hasArguments(std::string_view MarkedName,
                              std::span<const uint32_t> MarkerIds) const {
  if (MarkerIds.empty() || MarkerIds[0] == 0 || MarkedName.back() != '>')
    return false;
  const Entry &Head = Entries[MarkerIds[0] - 1];
  return Head.Part == NamePart::TemplateHead &&
         Head.TextEnd != textBegin(MarkerIds[0]) &&
         MarkedText[Head.TextEnd - 1] == '<';
}

/// What the text of an entry comes to.
struct Dictionary::Totals {
  RollingKey Key;
  uint64_t SizeBytes = 0;
};

Dictionary::Totals
Dictionary::totals(std::string_view MarkedName,
                   std::span<const uint32_t> MarkerIds) const {
  Totals T;
  append(T, MarkedName, MarkerIds);
  return T;
}

void Dictionary::append(Totals &T, std::string_view MarkedName,
                        std::span<const uint32_t> MarkerIds) const {
  T.SizeBytes =
      addSaturating(T.SizeBytes, MarkedName.size() - MarkerIds.size());
  size_t Begin = 0;
  for (uint32_t Marker : MarkerIds) {
    size_t Placeholder = MarkedName.find('\0', Begin);
    T.Key.append(MarkedName.substr(Begin, Placeholder - Begin));
    Begin = Placeholder + 1;
    if (Marker == 0) {
      T.Key.append(MarkedName.substr(Placeholder, 1));
      T.SizeBytes = addSaturating(T.SizeBytes, 1);
      continue;
    }
    const Entry &Named = Entries[Marker - 1];
    T.SizeBytes = addSaturating(T.SizeBytes, Named.SizeBytes);
    if (Named.Part != NamePart::Parameters)
      T.Key.append(Named.Hash, Named.Power, Named.KeySizeBytes);
  }
  T.Key.append(MarkedName.substr(Begin));
}

/// The entry that such a name begins with, in every style; 0: none.
uint32_t Dictionary::beginOf(std::string_view MarkedName,
                             std::span<const uint32_t> MarkerIds) const {
  if (MarkedName.empty() || MarkedName[0] != '\0' || MarkerIds[0] == 0)
    return 0;
  const Entry &Begin = Entries[MarkerIds[0] - 1];
  return Begin.EmptyFor == 0 && setsHiding(Begin.Part) == 0 ? MarkerIds[0] : 0;
}

/// What an entry adds to those that it begins with, in every style that shows
/// arguments.
uint64_t Dictionary::leastBytes(uint32_t Id) const {
  EntryView View = entry({Id});
  // Of arguments that are too deep, what closes them is left.
  return View.HasArguments ? 1 : View.MarkedName.size() - View.Markers.size();
}

/// The newest entry gets one.
void Dictionary::addMark() {
  const auto Own = static_cast<uint32_t>(Marks.size());
  LevelMark &Mark = Marks.emplace_back();
  Mark = {size(), Own, Own, 0};
  uint32_t Id = Mark.Id;
  for (uint32_t Level = 0; Level != LevelsPerMark; ++Level) {
    Mark.LeastBytes += leastBytes(Id);
    Id = Markers[markerBegin(Id)];
  }
  const LevelMark *Below = markBelow(Id);
  if (!Below)
    return;
  Mark.LeastBytes = addSaturating(Mark.LeastBytes, Below->LeastBytes);
  Mark.Below = static_cast<uint32_t>(Below - Marks.data());
  // Myers, An applicative random-access stack: two leaps of equal length make
  // one, and so the number of leaps to any mark is logarithmic.
  const LevelMark &Far = Marks[Below->FarBelow];
  auto LevelOf = [this](const LevelMark &M) { return Entries[M.Id - 1].Level; };
  bool IsEqual = LevelOf(*Below) - LevelOf(Far) ==
                 LevelOf(Far) - LevelOf(Marks[Far.FarBelow]);
  Mark.FarBelow = IsEqual ? Far.FarBelow : Mark.Below;
}

/// Of an entry, or of the highest below it that has one. Null: there is none.
const Dictionary::LevelMark *Dictionary::markBelow(uint32_t Id) const {
  if (Entries[Id - 1].Level < LevelsPerMark)
    return nullptr;
  while (Entries[Id - 1].Level % LevelsPerMark != 0)
    Id = Markers[markerBegin(Id)];
  return &*std::lower_bound(
      Marks.begin(), Marks.end(), Id,
      [](const LevelMark &M, uint32_t Wanted) { return M.Id < Wanted; });
}

/// The lowest entry with a mark that the name begins with and that has more
/// than so many bytes or levels; the name's own if there is none.
uint32_t Dictionary::lowestEnough(uint32_t Id, uint64_t Bytes,
                                  uint64_t Levels) const {
  auto IsEnough = [&](const LevelMark &Mark) {
    return Mark.LeastBytes > Bytes || Entries[Mark.Id - 1].Level > Levels;
  };
  const LevelMark *Mark = markBelow(Id);
  if (!Mark || !IsEnough(*Mark))
    return Id;
  for (;;) {
    const LevelMark *Next = &Marks[Mark->FarBelow];
    if (!IsEnough(*Next))
      Next = &Marks[Mark->Below];
    if (Next == Mark || !IsEnough(*Next))
      return Mark->Id;
    Mark = Next;
  }
}

void Dictionary::add(std::string_view MarkedName,
                     std::span<const uint32_t> MarkerIds, NamePart Part) {
  Entry Added;
  Totals T = totals(MarkedName, MarkerIds);
  Added.SizeBytes = T.SizeBytes;
  Added.KeySizeBytes = T.Key.SizeBytes;
  Added.Hash = T.Key.Hash;
  Added.Power = T.Key.Power;
  Added.Part = Part;
  Added.EmptyFor = emptyFor(MarkedName, MarkerIds);
  Added.HasArguments = hasArguments(MarkedName, MarkerIds);
  if (Added.HasArguments) {
    size_t First = MarkedName.find('\0') + 1;
    Added.ArgumentsEmptyFor =
        emptyFor(MarkedName.substr(First, MarkedName.size() - 1 - First),
                 MarkerIds.subspan(1));
  }
  if (uint32_t Begin = beginOf(MarkedName, MarkerIds))
    Added.Level = Entries[Begin - 1].Level + 1;

  MarkedText.append(MarkedName);
  Markers.insert(Markers.end(), MarkerIds.begin(), MarkerIds.end());
  Added.TextEnd = MarkedText.size();
  Added.MarkerEnd = Markers.size();
  Entries.push_back(Added);
  if (Added.Level != 0 && Added.Level % LevelsPerMark == 0)
    addMark();
}

/// What of an entry is still to be written.
struct Dictionary::Frame {
  uint64_t TextBegin;
  uint64_t TextEnd;
  uint64_t Marker;
  uint32_t Id;
  unsigned Depth;      ///< of argument lists that are open around it
  bool OpensArguments; ///< its next marker is a template head
  bool IsElided;       ///< an ellipsis comes first
};

Dictionary::Frame Dictionary::frame(uint32_t Id, unsigned Depth) const {
  const Entry &E = Entries[Id - 1];
  return {textBegin(Id),  E.TextEnd, markerBegin(Id), Id, Depth,
          E.HasArguments, false};
}

bool Dictionary::expandPrefix(const NamePrefix &Name, const NameStyle &Style,
                              std::string &Out, size_t LimitBytes) const {
  if (!contains(Name.Entry))
    return true;
  const unsigned Hidden = hiddenSet(Style);
  LimitBytes = std::min<uint64_t>(LimitBytes, MaxNameBytes);
  size_t Left = LimitBytes;
  size_t StepsLeft = StepsPerByte * LimitBytes + SpareSteps;
  // What is reached of an entry's begin: from there on there is more text than
  // room. Levels without text are cut too; each takes a step down and one up.
  auto reached = [&](uint32_t Id) {
    return lowestEnough(Id, Style.Arguments ? Left : UINT64_MAX, StepsLeft / 2);
  };
  std::vector<Frame> Stack = {frame(Name.Entry.Value, 0)};
  bool IsCut = false;
  if (Frame &Root = Stack.front();
      Name.MarkedBytes < Root.TextEnd - Root.TextBegin) {
    Root.TextEnd = Root.TextBegin + Name.MarkedBytes;
    Root.OpensArguments = false; // what closes them is not in it
  } else if (uint32_t Begin = reached(Root.Id); Begin != Root.Id) {
    Root = frame(Begin, 0);
    IsCut = true;
  }
  // False: there is no room for it.
  auto put = [&](std::string_view Text) {
    if (Text.size() > Left || StepsLeft-- == 0) {
      size_t Kept = Text.size() < Left ? Text.size() : Left;
      // A cut inside a UTF-8 sequence would leave half a character.
      while (Kept > 0 && Kept < Text.size() &&
             (static_cast<unsigned char>(Text[Kept]) & 0xC0) == 0x80)
        --Kept;
      Out.append(Text.substr(0, Kept)).append(Ellipsis);
      return false;
    }
    Out.append(Text);
    Left -= Text.size();
    return true;
  };
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    if (Top.IsElided && !put(Ellipsis))
      return false;
    Top.IsElided = false;
    const char *Begin = MarkedText.data() + Top.TextBegin;
    size_t Rest = Top.TextEnd - Top.TextBegin;
    // No further than there is room: many names may share a long text.
    size_t Seen = std::min(Rest, Left + 1);
    const void *Found = Seen ? std::memchr(Begin, '\0', Seen) : nullptr;
    size_t Plain =
        Found ? static_cast<size_t>(static_cast<const char *>(Found) - Begin)
              : Rest;
    if (!put({Begin, Plain}))
      return false;
    if (!Found) {
      Stack.pop_back();
      continue;
    }
    // Of those that are the begin of one another, the first has been asked.
    bool IsBegin = Entries[Top.Id - 1].Level != 0 &&
                   Top.TextBegin + Plain == textBegin(Top.Id);
    uint32_t Marker = Markers[Top.Marker++];
    Top.TextBegin += Plain + 1;
    if (Marker == 0) {
      if (!put({Begin + Plain, 1}))
        return false;
      continue;
    }
    Frame Next = frame(Marker, Top.Depth);
    if (Top.OpensArguments) {
      Top.OpensArguments = false;
      if (!Style.Arguments) {
        --Next.TextEnd; // without the `<`
        Top.TextBegin = Top.TextEnd;
      } else if (Top.Depth < Style.MaxDepth) {
        ++Top.Depth;
      } else if (!(Entries[Top.Id - 1].ArgumentsEmptyFor >> Hidden & 1)) {
        Top.TextBegin = Top.TextEnd - 1; // the `>`
        Top.IsElided = true;
      }
    }
    // Argument packs share tails: a part at the end replaces its user, so a
    // list of a million elements does not nest.
    if (Top.TextBegin == Top.TextEnd)
      Stack.pop_back();
    const Entry &Part = Entries[Marker - 1];
    if ((Part.EmptyFor | setsHiding(Part.Part)) >> Hidden & 1)
      continue;
    if (uint32_t Reached = IsBegin ? Marker : reached(Marker);
        Reached != Marker) {
      Stack.clear();
      Next = frame(Reached, Next.Depth);
      IsCut = true;
    }
    Stack.push_back(Next);
  }
  if (IsCut)
    Out.append(Ellipsis);
  return !IsCut;
}

std::string Dictionary::text(NameId Id, const NameStyle &Style,
                             size_t LimitBytes) const {
  std::string Out;
  expand(Id, Style, Out, LimitBytes);
  return Out;
}

NameKey Dictionary::keyOf(std::string_view Text) { return keyOf({}, Text); }

NameKey Dictionary::keyOf(const NameKey &Begin, std::string_view Text) {
  RollingKey Key;
  Key.Hash = Begin.Hash;
  Key.SizeBytes = Begin.SizeBytes;
  Key.append(Text);
  return {Key.Hash, Key.SizeBytes};
}

NameKey Dictionary::key(NameId Id) const {
  if (!contains(Id))
    return {};
  const Entry &E = Entries[Id.Value - 1];
  return {E.Hash, E.KeySizeBytes};
}

NameKey Dictionary::prefixKey(const NamePrefix &Name) const {
  if (!contains(Name.Entry))
    return {};
  EntryView Whole = entry(Name.Entry);
  if (Name.MarkedBytes >= Whole.MarkedName.size())
    return key(Name.Entry);
  std::string_view Kept = Whole.MarkedName.substr(0, Name.MarkedBytes);
  auto Markers =
      static_cast<size_t>(std::count(Kept.begin(), Kept.end(), '\0'));
  Totals T = totals(Kept, Whole.Markers.first(Markers));
  return {T.Key.Hash, T.Key.SizeBytes};
}

std::vector<NameKey>
Dictionary::prefixKeys(NameId Id, std::span<const uint64_t> MarkedBytes) const {
  std::vector<NameKey> Keys;
  Keys.reserve(MarkedBytes.size());
  EntryView Whole = entry(Id);
  Totals T;
  uint64_t Begin = 0;
  size_t Marker = 0;
  for (uint64_t End : MarkedBytes) {
    std::string_view Next = Whole.MarkedName.substr(Begin, End - Begin);
    auto Markers =
        static_cast<size_t>(std::count(Next.begin(), Next.end(), '\0'));
    append(T, Next, Whole.Markers.subspan(Marker, Markers));
    Keys.push_back({T.Key.Hash, T.Key.SizeBytes});
    Marker += Markers;
    Begin = End;
  }
  return Keys;
}

uint64_t Dictionary::memoryBytes() const {
  return MarkedText.capacity() + Markers.capacity() * sizeof(uint32_t) +
         Entries.capacity() * sizeof(Entry);
}

uint64_t Dictionary::sizeBytes(NameId Id) const {
  return contains(Id) ? Entries[Id.Value - 1].SizeBytes : 0;
}

Dictionary::EntryView Dictionary::entry(NameId Id) const {
  const Entry &E = Entries[Id.Value - 1];
  uint64_t Begin = textBegin(Id.Value), Marker = markerBegin(Id.Value);
  return {std::string_view(MarkedText).substr(Begin, E.TextEnd - Begin),
          std::span(Markers).subspan(Marker, E.MarkerEnd - Marker), E.Part,
          E.HasArguments};
}
