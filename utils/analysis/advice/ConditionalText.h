/// \file
/// Which lines of a file the preprocessor keeps when some macros are defined,
/// by the text of the file alone.
///
/// Flow:   source text, names of macros -> [ConditionalText] -> CompileOnce
/// Leaves: values of macros, and what an #include defines: a condition that
///         asks for these is unknown
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// In the order in which "and" is the least of two and "or" the most.
enum class Truth : signed char { No = -1, Unknown = 0, Yes = 1 };

/// One that is kept, outside comments.
struct Directive {
  uint32_t LineNo;
  std::string_view Word; ///< "define", "include"
  std::string_view Rest; ///< behind it, with the lines that it goes on in
};

/// Valid as long as the text.
struct ConditionalText {
  std::vector<Truth> IsKept; ///< by line, from 0
  std::vector<bool> HasCode; ///< by line: no directive, and more than comments
  std::vector<Directive> Kept; ///< neither conditions nor certainly left out
};

using MacroNames = std::set<std::string, std::less<>>;

/// What the text defines itself is not defined at its begin, nor what begins
/// with \p UndefinedPrefix, unless it is in \p Defined; other macros are
/// unknown.
ConditionalText conditionalText(std::string_view Text,
                                const MacroNames &Defined,
                                std::string_view UndefinedPrefix = {});

/// The name of a macro at the begin of what follows `#define`.
std::string_view macroName(std::string_view Rest);

/// What conditions ask for, each text looked at once. Any thread may ask.
class AskedMacros {
public:
  /// \p Text must outlive this. Valid as long as this.
  const MacroNames &in(const std::string &Text);

private:
  std::mutex Lock;
  std::map<const std::string *, MacroNames> ByText;
};

/// What the conditions around a line ask for, innermost first; from line 1.
std::vector<std::string> macrosAround(std::string_view Text, uint32_t LineNo);

/// By line, from 0.
struct MacroPart {
  std::vector<bool> IsIn;   ///< kept with the macro, and not without it
  std::vector<bool> IsCode; ///< kept with it, and no directive
  MacroNames Macros;        ///< defined with it, and not without it

  bool contains(uint32_t LineNo) const {
    return LineNo != 0 && LineNo <= IsIn.size() && IsIn[LineNo - 1];
  }
};
/// Up to the first `_`: other macros whose names begin so are those of the same
/// library, which nobody else defines.
inline std::string_view libraryPrefix(std::string_view Macro) {
  return Macro.substr(0, Macro.find('_') + 1);
}

/// Lines that are kept with one set of macros and not with another.
MacroPart partBetween(std::string_view Text, const MacroNames &Without,
                      const MacroNames &With, std::string_view UndefinedPrefix);
MacroPart partForMacro(std::string_view Text, const std::string &Macro,
                       MacroNames OtherMacros);

/// The lines of the part, or the others, without directives.
std::string codeLines(std::string_view Text, const MacroPart &Part, bool IsIn);

} // namespace instantrace
