/// \file
/// How many bytes each function has in the object file.
///
/// Flow:   Clang's output, still under its temporary name -> [objectSizes]
/// Layout: by LLVM's own reader of object files
/// Errors: none are told: what is no object, assembler text or bitcode, has no
///         sizes
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace instantrace {

struct ObjectSizes {
  uint64_t CodeBytes = 0; ///< of all sections with code; 0: not known
  /// hashBytes() of a symbol's name, bytes. Of symbols at the same place, each.
  std::vector<std::pair<uint64_t, uint64_t>> Functions;
};

/// Of what \p Compiler has written, once its backend is done.
ObjectSizes readObjectSizes(clang::CompilerInstance &Compiler);

} // namespace instantrace
