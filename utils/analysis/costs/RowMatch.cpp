#include "utils/analysis/costs/RowMatch.h"

#include "utils/analysis/names/NameLimit.h"
#include "utils/analysis/names/RowName.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

using namespace instantrace;

namespace {

bool isBelow(std::string_view Path, const std::string &Root) {
  return Path.starts_with(Root) &&
         (Path.size() == Root.size() || Path[Root.size()] == '/');
}

void movePaths(CostTable &Table, const MovedRoot &Root) {
  std::unordered_map<std::string, SharedText> Moved; // of many lines each
  for (CostRow &Row : Table.Rows) {
    const std::string &Path = Row.Name.Text.text();
    if (!isBelow(Path, Root.Old))
      continue;
    auto [Entry, IsNew] = Moved.try_emplace(Path);
    if (IsNew)
      Entry->second = Root.New + Path.substr(Root.Old.size());
    Row.Name.Text = Entry->second;
    Row.Key = Dictionary::keyOf(Dictionary::keyOf(Row.Name.Text.text()),
                                Row.Name.lineSuffix());
  }
}

/// "FILE:12:3": where the file ends, and the numbers.
struct Place {
  size_t FileEnd;
  uint32_t LineNo, Column;
};

std::optional<Place> placeIn(std::string_view Text) {
  uint32_t Numbers[2] = {};
  size_t End = Text.size();
  for (int I = 1; I >= 0; --I) {
    size_t Colon = Text.rfind(':', End == 0 ? 0 : End - 1);
    if (Colon == Text.npos || End - Colon < 2 || End - Colon > 10)
      return std::nullopt;
    for (size_t Index = Colon + 1; Index != End; ++Index) {
      if (Text[Index] < '0' || Text[Index] > '9')
        return std::nullopt;
      Numbers[I] = Numbers[I] * 10 + static_cast<uint32_t>(Text[Index] - '0');
    }
    End = Colon;
  }
  return Place{End, Numbers[0], Numbers[1]};
}

/// A name without the places in it, and these.
struct PlacedName {
  std::string Rest, ShortRest;                       ///< without folders
  std::vector<std::pair<uint32_t, uint32_t>> Places; ///< line and column

  bool hasColumnsOf(const PlacedName &Other) const {
    return std::equal(
        Places.begin(), Places.end(), Other.Places.begin(), Other.Places.end(),
        [](const auto &A, const auto &B) { return A.second == B.second; });
  }
};

/// As Clang calls them: "(lambda at FILE:12:3)".
PlacedName placedName(std::string_view Name, const std::string &Root) {
  constexpr std::string_view Before = " at ";
  PlacedName Placed;
  auto Add = [&Placed](std::string_view Text, std::string_view Short) {
    Placed.Rest += Text;
    Placed.ShortRest += Short;
  };
  while (true) {
    size_t Offset = Name.find(Before), Open = Name.rfind('(', Offset);
    if (Offset == Name.npos)
      break;
    Offset += Before.size();
    std::string_view What =
        Open == Name.npos ? "" : Name.substr(Open + 1, Offset - Open - 1);
    size_t Close = Offset;
    std::optional<Place> Found;
    if (What.starts_with("lambda ") || What.starts_with("unnamed ") ||
        What.starts_with("anonymous "))
      // A path may have parentheses, too.
      while (!Found && (Close = Name.find(')', Close + 1)) != Name.npos)
        Found = placeIn(Name.substr(Offset, Close - Offset));
    Add(Name.substr(0, Offset), Name.substr(0, Offset));
    Name.remove_prefix(Offset);
    if (!Found)
      continue;
    std::string_view File = Name.substr(0, Found->FileEnd);
    if (!Root.empty() && isBelow(File, Root))
      File.remove_prefix(std::min(Root.size() + 1, File.size()));
    Add(File, File.substr(File.rfind('/') + 1));
    Placed.Places.push_back({Found->LineNo, Found->Column});
    Name.remove_prefix(Close - Offset);
  }
  Add(Name, Name);
  return Placed;
}

struct PlacedRow {
  PlacedName Name;
  size_t Index; ///< in its table
  bool IsMatched = false;
};
using PlacedRows = std::vector<PlacedRow>;

PlacedRows placedRows(const CostTable &Table, const Trace &T,
                      const std::string &Root) {
  const size_t LimitBytes = affordableNameBytes(T, MatchedNames);
  PlacedRows Rows;
  for (size_t I = 0; I != Table.Rows.size(); ++I) {
    const RowName &Name = Table.Rows[I].Name;
    if (!Name.Fixed.empty() || !Name.Text.empty())
      continue;
    PlacedName Placed =
        placedName(Name.text(T, {.DefaultArguments = true}, LimitBytes), Root);
    if (!Placed.Places.empty())
      Rows.push_back({std::move(Placed), I});
  }
  std::sort(Rows.begin(), Rows.end(),
            [](const PlacedRow &A, const PlacedRow &B) {
              return std::tie(A.Name.Places, A.Index) <
                     std::tie(B.Name.Places, B.Index);
            });
  return Rows;
}

/// Rows in their order.
using SameRest = std::vector<PlacedRow *>;

std::map<std::string_view, SameRest> byRest(PlacedRows &Rows,
                                            std::string PlacedName::*Rest) {
  std::map<std::string_view, SameRest> Groups;
  for (PlacedRow &Row : Rows)
    if (!Row.IsMatched)
      Groups[Row.Name.*Rest].push_back(&Row);
  return Groups;
}

/// Pairs of numbers, in their order: of those whose columns are the same as
/// many as can be (the longest common subsequence, where the same line is
/// better). Quadratic, so not for many.
std::vector<std::pair<size_t, size_t>> inOrder(const SameRest &Old,
                                               const SameRest &New) {
  constexpr size_t Most = 1000;
  std::vector<std::pair<size_t, size_t>> Pairs;
  if (Old.size() == New.size()) {
    for (size_t I = 0; I != Old.size(); ++I)
      Pairs.push_back({I, I});
    return Pairs;
  }
  if (Old.size() > Most || New.size() > Most)
    return Pairs;
  auto Worth = [&](size_t I, size_t J) -> uint32_t {
    if (Old[I]->Name.Places == New[J]->Name.Places)
      return 3;
    return Old[I]->Name.hasColumnsOf(New[J]->Name) ? 2 : 0;
  };
  std::vector<std::vector<uint32_t>> Best(
      Old.size() + 1, std::vector<uint32_t>(New.size() + 1));
  for (size_t I = Old.size(); I-- != 0;)
    for (size_t J = New.size(); J-- != 0;) {
      Best[I][J] = std::max(Best[I + 1][J], Best[I][J + 1]);
      if (uint32_t Both = Worth(I, J))
        Best[I][J] = std::max(Best[I][J], Both + Best[I + 1][J + 1]);
    }
  for (size_t I = 0, J = 0; I != Old.size() && J != New.size();)
    if (uint32_t Both = Worth(I, J);
        Both != 0 && Best[I][J] == Both + Best[I + 1][J + 1])
      Pairs.push_back({I++, J++});
    else if (Best[I + 1][J] >= Best[I][J + 1])
      ++I;
    else
      ++J;
  return Pairs;
}

} // namespace

void instantrace::matchRows(CostTable &Old, const Trace &OldTrace,
                            const CostTable &New, const Trace &NewTrace,
                            const MovedRoot &Root) {
  if (!Root.Old.empty() && Root.Old != Root.New)
    movePaths(Old, Root);
  PlacedRows Before = placedRows(Old, OldTrace, Root.Old);
  if (Before.empty())
    return;
  PlacedRows After = placedRows(New, NewTrace, Root.New);
  // A place may be that of another closure by now.
  for (const PlacedRow &Row : Before) {
    NameKey &Key = Old.Rows[Row.Index].Key;
    Key = Dictionary::keyOf(Key, "(old)");
  }
  // One compile may have had its file by an absolute path.
  for (auto Rest : {&PlacedName::Rest, &PlacedName::ShortRest}) {
    std::map<std::string_view, SameRest> Olds = byRest(Before, Rest),
                                         News = byRest(After, Rest);
    for (const auto &[Name, Rows] : Olds) {
      auto Same = News.find(Name);
      if (Same == News.end())
        continue;
      for (auto [I, J] : inOrder(Rows, Same->second)) {
        Old.Rows[Rows[I]->Index].Key = New.Rows[Same->second[J]->Index].Key;
        Rows[I]->IsMatched = Same->second[J]->IsMatched = true;
      }
    }
  }
}
