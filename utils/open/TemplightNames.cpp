#include "utils/open/TemplightNames.h"

#include "runtime/strings/NameTokens.h"

#include <algorithm>

using namespace instantrace;

namespace {

constexpr size_t SetLimitBytes = 1 << 16;
/// Of a name that comes when the budget is spent.
constexpr size_t SpentLimitBytes = 256;
/// Names share their parts, so a small file may have long names without end.
/// What they are when written out is bounded by it.
constexpr size_t ExpandedPerByte = 16;
constexpr size_t ExpandedAtLeastBytes = size_t(16) << 20;

} // namespace

std::string instantrace::templateSetOf(std::string_view Name) {
  std::string Set;
  size_t Depth = 0;
  OpaqueLengths Opaque(Name);
  for (size_t I = 0; I < Name.size();) {
    size_t Length = Opaque.at(I);
    bool IsBracket = Length == 0;
    Length = std::max<size_t>(Length, 1);
    bool Opens = IsBracket && Name[I] == '<';
    bool Closes = IsBracket && Name[I] == '>' && Depth != 0;
    if (Closes && --Depth == 0)
      Set += '$';
    if (Depth == 0)
      Set.append(Name.substr(I, Length));
    Depth += Opens;
    I += Length;
  }
  return Set;
}

TemplightNames::TemplightNames(Dictionary &Into, size_t FileBytes)
    : Into(Into),
      BudgetBytes(std::max(ExpandedAtLeastBytes, FileBytes * ExpandedPerByte)) {
}

Result<void> TemplightNames::define(std::string_view MarkedName,
                                    const std::vector<uint32_t> &Markers) {
  auto Places = static_cast<size_t>(
      std::count(MarkedName.begin(), MarkedName.end(), '\0'));
  if (Places != Markers.size())
    return Error{"dictionary entry " + std::to_string(Entries.size()) +
                 " with " + std::to_string(Places) + " NUL bytes and " +
                 std::to_string(Markers.size()) + " markers"};
  std::vector<uint32_t> Ids;
  for (uint32_t Marker : Markers) {
    if (Marker >= Entries.size())
      return Error{"dictionary entry " + std::to_string(Entries.size()) +
                   " with marker " + std::to_string(Marker)};
    Ids.push_back(Entries[Marker].Value);
  }
  Into.add(MarkedName, Ids);
  Entries.push_back({Into.size()});
  return {};
}

NameId TemplightNames::text(std::string_view Text) {
  auto [Entry, IsNew] = Texts.try_emplace(std::string(Text));
  if (IsNew) {
    // Its NULs are its own.
    std::vector<uint32_t> Markers(
        static_cast<size_t>(std::count(Text.begin(), Text.end(), '\0')));
    Into.add(Text, Markers);
    Entry->second = {Into.size()};
  }
  return Entry->second;
}

std::optional<NameId> TemplightNames::nameFor(const TemplightNameFields &Name) {
  if (Name.Text)
    return Name.Text->empty() ? NameId{} : text(*Name.Text);
  if (!Name.DictionaryId)
    return NameId{};
  if (*Name.DictionaryId >= Entries.size())
    return std::nullopt;
  return Entries[*Name.DictionaryId];
}

NameId TemplightNames::templateSet(NameId Name) {
  if (!Name)
    return Name;
  auto [Known, IsNew] = Sets.try_emplace(Name.Value, Name);
  if (!IsNew)
    return Known->second;
  std::string Text;
  bool IsWhole = Into.expand(
      Name, Text, BudgetBytes == 0 ? SpentLimitBytes : SetLimitBytes);
  BudgetBytes -= std::min(BudgetBytes, Text.size());
  std::string Set = templateSetOf(Text);
  // What the arguments end in is not there: it is no name of a template.
  constexpr std::string_view CutMark = "$\u2026";
  if (!IsWhole && Set.ends_with('<'))
    Set += CutMark;
  if (Set != Text)
    Known->second = text(Set);
  return Known->second;
}
