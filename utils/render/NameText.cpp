#include "utils/render/NameText.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/costs/OtherWork.h"
#include "utils/render/NameElision.h"
#include "utils/render/ProjectPath.h"

#include <algorithm>
#include <cstddef>
#include <map>

using namespace instantrace;

namespace {

/// The longest text without structure that is shortened.
constexpr size_t FlatNameBytes = 1 << 11;
/// Of one character in UTF-8.
constexpr size_t MostBytesPerColumn = 4;

/// Finds the most that fits. More depth never shows less.
class Attempts {
public:
  Attempts(const Dictionary &Names, const NamePrefix &Name,
           const NameStyle &Style, size_t Columns)
      : Names(Names), Name(Name), Style(Style), Columns(Columns) {}

  /// Best gets the text if it fits with arguments down to so many levels.
  bool fits(unsigned MaxDepth) {
    std::string Text;
    if (!expand(MaxDepth, Text, Columns * MostBytesPerColumn))
      return false;
    Text = printableText(Text);
    if (columnsOf(Text) > Columns)
      return false;
    Best = std::move(Text);
    return true;
  }

  bool expand(unsigned MaxDepth, std::string &Text, size_t LimitBytes) {
    NameStyle Cut = Style;
    Cut.MaxDepth = std::min(MaxDepth, Style.MaxDepth);
    return Names.expandPrefix(Name, Cut, Text, LimitBytes);
  }

  std::string Best;

private:
  const Dictionary &Names;
  const NamePrefix &Name;
  const NameStyle &Style;
  size_t Columns;
};

/// As much of a name is compared with others.
constexpr size_t ComparedBytes = 1 << 13;

bool isPartOfWord(char C) {
  return C == '_' || (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') ||
         (C >= 'A' && C <= 'Z') || (static_cast<unsigned char>(C) & 0x80) != 0;
}

/// How many bytes all have in common at their begins, up to the begin of a
/// word.
size_t commonBegin(const std::vector<std::string> &Names) {
  size_t Common = Names.front().size();
  for (const std::string &Name : Names)
    Common = static_cast<size_t>(
        std::mismatch(Name.begin(),
                      Name.begin() + static_cast<std::ptrdiff_t>(
                                         std::min(Common, Name.size())),
                      Names.front().begin())
            .first -
        Name.begin());
  while (Common != 0 && isPartOfWord(Names.front()[Common - 1]))
    --Common;
  return Common;
}

/// `MatcherBase<` of a name whose arguments say more.
std::string_view headOfName(std::string_view Name) {
  size_t End = Name.find('<');
  return End == Name.npos ? std::string_view() : Name.substr(0, End + 1);
}

/// Names that are shortened to the same text; empty if they have one name.
std::vector<std::string> toldApart(const std::vector<std::string> &Names,
                                   size_t Columns) {
  if (std::count(Names.begin(), Names.end(), Names.front()) ==
      static_cast<std::ptrdiff_t>(Names.size()))
    return {};
  const size_t Common = commonBegin(Names);
  std::string Head(
      headOfName(std::string_view(Names.front()).substr(0, Common)));
  if (columnsOf(Head) > Columns / 2)
    Head.clear();
  std::vector<std::string> Texts;
  for (const std::string &Name : Names) {
    std::string Text = Head;
    if (Common != Head.size())
      Text += Ellipsis;
    size_t Left = Columns - std::min(Columns, columnsOf(Text) + 1);
    std::string_view Rest = std::string_view(Name).substr(Common);
    std::string_view Shown = firstColumns(Rest, Left);
    Texts.push_back(Text.append(Shown).append(
        Shown.size() == Rest.size() ? std::string_view() : Ellipsis));
  }
  return Texts;
}

} // namespace

NameStyle instantrace::scriptStyle(NameStyle Style) {
  Style.DefaultArguments = true;
  return Style;
}

std::string instantrace::nameText(const Dictionary &Names,
                                  const NamePrefix &Name,
                                  const NameStyle &Style, size_t LimitBytes) {
  std::string Text;
  Names.expandPrefix(Name, Style, Text, LimitBytes);
  return Text;
}

std::string instantrace::elidedName(const Dictionary &Names,
                                    const NamePrefix &Name,
                                    const NameStyle &Style, size_t Columns) {
  Columns = std::max<size_t>(Columns, 1);
  Attempts Try(Names, Name, Style, Columns);
  if (Try.fits(Style.MaxDepth))
    return Try.Best;
  if (!Try.fits(0)) {
    std::string Flat;
    Try.expand(0, Flat, FlatNameBytes);
    return elideName(printableText(Flat), Columns);
  }
  // Doubling first: the depth that there is may be far larger.
  unsigned Fits = 0, TooDeep = 1;
  while (TooDeep < Style.MaxDepth && Try.fits(TooDeep)) {
    Fits = TooDeep;
    TooDeep = TooDeep > Style.MaxDepth / 2 ? Style.MaxDepth : TooDeep * 2;
  }
  while (Fits + 1 < TooDeep) {
    unsigned Middle = Fits + (TooDeep - Fits) / 2;
    (Try.fits(Middle) ? Fits : TooDeep) = Middle;
  }
  return Try.Best;
}

std::string instantrace::elidedName(const Trace &T, const RowName &Name,
                                    const NameStyle &Style, size_t Columns) {
  if (!Name.Fixed.empty())
    return otherWorkName(Name.Fixed);
  std::string Line = Name.lineSuffix();
  size_t Left = Columns - std::min(Columns, Line.size());
  return (Name.Text.empty() ? elidedName(Name.names(T), Name.Name, Style, Left)
                            : elideName(shownPath(Name.Text.text()), Left)) +
         Line;
}

std::vector<std::string>
instantrace::distinctNames(const std::vector<NameInTrace> &Rows,
                           const NameStyle &Style, size_t Columns) {
  std::vector<std::string> Texts;
  std::map<std::string, std::vector<size_t>> Alike;
  for (const auto &[T, Name] : Rows) {
    Texts.push_back(elidedName(*T, Name, Style, Columns));
    Alike[Texts.back()].push_back(Texts.size() - 1);
  }
  for (const auto &[Text, Numbers] : Alike) {
    if (Numbers.size() == 1)
      continue;
    std::vector<std::string> Whole;
    for (size_t Number : Numbers)
      Whole.push_back(printableText(
          Rows[Number].second.text(*Rows[Number].first, Style, ComparedBytes)));
    std::vector<std::string> Apart = toldApart(Whole, Columns);
    for (size_t I = 0; I != Apart.size(); ++I)
      Texts[Numbers[I]] = std::move(Apart[I]);
  }
  std::map<std::string, size_t> Times;
  for (std::string &Text : Texts)
    if (size_t Before = Times[Text]++; Before != 0)
      Text += " (" + std::to_string(Before + 1) + ")";
  return Texts;
}
