/// \file
/// What of code generation is neither the optimizer's nor machine code's.
///
/// Flow:   Sequence -> [CodeGenerationParts] -> costs
///
///   CodeGeneration  |  IR  | passes ... | gap | machine code ... | object |
///
/// Clang makes LLVM's IR before the first pass runs, and the object is written
/// after the last function has its machine code. Between are gaps of LLVM's
/// own.
#ifndef INSTANTRACE_UTILS_ANALYSIS_COSTS_CODEGENERATIONPARTS_H
#define INSTANTRACE_UTILS_ANALYSIS_COSTS_CODEGENERATIONPARTS_H

#include "runtime/read/Trace.h"

#include <cstdint>
#include <unordered_map>

namespace instantrace {

/// Parts of the self time of an interval of CodeGeneration.
struct CodeGenerationPart {
  uint64_t IrGenerationNs = 0;
  uint64_t ObjectWritingNs = 0;
};

class CodeGenerationParts {
public:
  explicit CodeGenerationParts(const Sequence &S);

  /// Null if nothing of the backend is inside the interval. Together no more
  /// than its self time.
  const CodeGenerationPart *of(uint32_t Interval) const {
    auto Found = Parts.find(Interval);
    return Found == Parts.end() ? nullptr : &Found->second;
  }

private:
  std::unordered_map<uint32_t, CodeGenerationPart> Parts; // by interval
};

} // namespace instantrace

#endif
