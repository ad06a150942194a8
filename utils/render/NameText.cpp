#include "utils/render/NameText.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/costs/OtherWork.h"
#include "utils/render/NameElision.h"

#include <algorithm>

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
  if (!Name.Fixed.empty()) {
    std::string_view Words = otherWorkWords(Name.Fixed);
    return Words.empty() ? std::string(Name.Fixed)
                         : "(" + std::string(Words) + ")";
  }
  std::string Line = Name.lineSuffix();
  size_t Left = Columns - std::min(Columns, Line.size());
  return (Name.Text.empty()
              ? elidedName(Name.names(T), Name.Name, Style, Left)
              : elideName(printableText(Name.Text.text()), Left)) +
         Line;
}
