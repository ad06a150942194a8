/// \file
/// What a compile spends on the part of a header that a macro of its source
/// turns on: the implementation of a single-header library.
///
/// Flow:   AdviceUnit, sources -> [ImplementationPart] -> CompileOnce
///
/// A header is parsed from its first line to its last, so what is known to have
/// happened at a line says where the parser was. The time between two of these
/// is divided by the lines of code between them that are of the part and those
/// that are not. What LLVM did for no function that is known, as at -O0, is
/// divided as the time in the frontend is: between the part, and the source
/// with the bodies that are made at the end of the unit.
#pragma once

#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/ConditionalText.h"

#include <cstdint>
#include <string>
#include <vector>

namespace instantrace {

struct ImplementationPart {
  std::string Header, Main; ///< normal paths
  std::string Macro;
  std::string Definition; ///< as the source has it, or one for the option
  uint32_t DefinedAt = 0; ///< line of the source; 0: by an option
  std::string Include;    ///< as the source has it, with its delimiters
  MacroNames OtherMacros; ///< defined before the header is read
  std::string OtherLines; ///< those of the source that it asks for
  Saving Costs;           ///< without files that are read in it
  uint64_t CodeNs = 0;    ///< of the estimate: code generation
  uint64_t HeaderNs = 0;  ///< all of it, with what it includes

  /// A file with function bodies, of a library that has a compiled mode.
  struct ModeFile {
    std::string Includer, Path; ///< normal
    std::string Switch; ///< macro that decides about the #include; empty: the
                        ///< source itself includes the file
    uint32_t LineNo;    ///< of the #include
  };
  /// Of one macro. Costs are those of their code alone.
  std::vector<ModeFile> Files;
  std::vector<std::string> Outermost; ///< headers that lead to these
  bool IsModeDefined = false;         ///< the macro, in the compiled mode
  /// Of a template in these files, asked for outside.
  bool NeedsSpecialization = false;
};

/// Without what \p Sources does not have. Each header once, with the macro that
/// turns most of it on; and each macro of a compiled mode.
std::vector<ImplementationPart> implementationParts(const AdviceUnit &U,
                                                    const SourceReader &Sources,
                                                    AskedMacros &Asked);

} // namespace instantrace
