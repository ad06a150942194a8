/// \file
/// What of code generation is neither the optimizer's nor machine code's.
///
/// Flow:   intervals inside -> [CodeGenerationParts] -> costs
///
///   CodeGeneration  |  IR  | passes ... | gap | machine code ... | object |
///
/// Clang makes LLVM's IR before the first pass runs, and the object is written
/// after the last function has its machine code. Between are gaps of LLVM's
/// own.
#pragma once

#include "runtime/read/Trace.h"

#include <cstdint>

namespace instantrace {

/// Of one interval of CodeGeneration. Times are those of its trace.
class CodeGenerationParts {
public:
  explicit CodeGenerationParts(uint64_t BeginNs = 0) : BeginNs(BeginNs) {}

  /// An interval directly inside has ended.
  void add(const Interval &Inside);

  /// Nothing of the backend was inside: there are no parts.
  bool isEmpty() const { return !HasBackend; }
  /// Parts of the self time, together no more than that.
  uint64_t irGenerationNs() const { return IrGenerationNs; }
  uint64_t objectWritingNs(uint64_t EndNs) const {
    return EndNs - LastEndNs - OthersNs;
  }

private:
  uint64_t BeginNs;
  bool HasBackend = false;
  uint64_t IrGenerationNs = 0;
  uint64_t LastEndNs = 0; ///< of the backend's
  uint64_t OthersNs = 0;  ///< not the backend's, since then
};

} // namespace instantrace
