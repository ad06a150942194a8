/// \file
/// The compiled mode of a header-only library: by a macro its headers leave out
/// the files with function bodies, which one source then has for all.
///
/// Flow:   source texts -> [CompiledMode] -> ImplementationPart, CompileOnce
#pragma once

#include "utils/analysis/advice/ConditionalText.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// "x-inl.h", "x_inl.hpp", "x.ipp", "impl/x.hpp"
bool isBodiesFile(std::string_view Path);

/// A macro that decides whether a line is kept.
struct LineSwitch {
  std::string Macro;
  bool KeepsLine = false; ///< defined; otherwise it leaves it out
};

/// The innermost one, or one that says that it is of a compiled mode; other
/// than \p Except. \p LineNo is from 1.
std::optional<LineSwitch> lineSwitch(const std::string &Text, uint32_t LineNo,
                                     MacroNames Defined,
                                     std::string_view Except = {});

/// The line of `#define Macro`; 0: there is none.
uint32_t definitionLine(const std::string &Text, std::string_view Macro);

/// What is defined in each mode, and the macros that make the difference.
struct ModeMacros {
  MacroNames HeaderOnly, Compiled, Switches;
};

struct ModeCheck {
  /// In the compiled mode, and in no other, functions that the headers declare
  /// have external definitions in the files.
  bool HasMode = false;
  /// One source that includes the files has all that the headers declare, but
  /// for what templates have instantiated.
  bool IsWhole = true;
  /// Functions in the files.
  MacroNames Templates;
};

/// \p Headers: of a compile, with those that ask for no macro of the mode; \p
/// Files: with function bodies.
ModeCheck checkMode(const ModeMacros &Mode,
                    const std::vector<const std::string *> &Headers,
                    const std::vector<const std::string *> &Files,
                    AskedMacros &Asked);

} // namespace instantrace
