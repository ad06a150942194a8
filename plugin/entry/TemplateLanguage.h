/// \file
/// Whether there is anything to profile in a compile.
#pragma once

#include "clang/Frontend/CompilerInstance.h"

namespace instantrace {

/// The language of an AST file is not known before it is read.
inline bool canHaveTemplates(const clang::CompilerInstance &Compiler) {
  if (Compiler.getLangOpts().CPlusPlus)
    return true;
  for (const clang::FrontendInputFile &Input :
       Compiler.getFrontendOpts().Inputs)
    if (Input.getKind().getFormat() != clang::InputKind::Source)
      return true;
  return false;
}

} // namespace instantrace
