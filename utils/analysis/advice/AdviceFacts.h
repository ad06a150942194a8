/// \file
/// What all rules of advice share: facts per compile, the filter, thresholds.
///
/// Flow:   findAdvice -> [AdviceFacts] -> a rule -> Suggestions
///
/// A rule is one function. It gives every suggestion that its own thresholds
/// allow; that the saving is worth the trouble is decided for all alike.
#ifndef INSTANTRACE_UTILS_ANALYSIS_ADVICE_ADVICEFACTS_H
#define INSTANTRACE_UTILS_ANALYSIS_ADVICE_ADVICEFACTS_H

#include "utils/analysis/advice/Advice.h"
#include "utils/analysis/advice/FunctionCosts.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

class HeaderFacts;

struct AdviceFacts {
  AdviceFacts(const Trace &T, TraceFilter &Filter, const AdviceSpec &Spec);
  ~AdviceFacts();

  const Trace &T;
  TraceFilter &Filter; ///< of T
  const AdviceSpec &Spec;
  std::vector<CompileFacts> Compiles;   ///< by sequence
  std::vector<FunctionCosts> Functions; ///< by sequence
  uint64_t TotalNs = 0;

  /// `file:line`; empty when it is not known.
  std::string place(uint32_t SequenceIndex, LocationId Id) const;
  /// True of a specialization that LLVM was given, that the filter selects and
  /// whose template is not of the system, so that the user can change it.
  /// The filter must have entered the sequence.
  bool isOwnFunction(uint32_t SequenceIndex, EntityId Id) const;
  /// Where a template is declared, of an entity that is a part of it.
  std::string declared(uint32_t SequenceIndex, EntityId Id) const;
  /// Whether a saving is as large as the user wants.
  bool isWorth(uint64_t Ns) const;
  /// Of the files, when they are first asked for.
  HeaderFacts &headers();

private:
  std::unique_ptr<HeaderFacts> Headers;
};

/// A name as it is written in a program. Empty: it cannot be written, because
/// it is that of a lambda, or of what is local or has no name, or is too long.
std::string writableName(const Trace &T, const RowName &Name);

using AdviceRule = std::vector<Suggestion> (*)(AdviceFacts &);

std::vector<Suggestion> advisePrecompile(AdviceFacts &F);
std::vector<Suggestion> adviseNarrowInclude(AdviceFacts &F);
std::vector<Suggestion> adviseForwardDeclare(AdviceFacts &F);
std::vector<Suggestion> adviseSplitHeader(AdviceFacts &F);
std::vector<Suggestion> adviseExternTemplate(AdviceFacts &F);
std::vector<Suggestion> adviseUnneededHeader(AdviceFacts &F);
std::vector<Suggestion> adviseRecursion(AdviceFacts &F);
std::vector<Suggestion> adviseDefaultArguments(AdviceFacts &F);
std::vector<Suggestion> adviseEnableIf(AdviceFacts &F);
std::vector<Suggestion> adviseUnusedInstantiation(AdviceFacts &F);
std::vector<Suggestion> adviseTypeIndependentPart(AdviceFacts &F);
std::vector<Suggestion> adviseNeverKept(AdviceFacts &F);
std::vector<Suggestion> adviseDuplicates(AdviceFacts &F);

} // namespace instantrace

#endif
