/// \file
/// What a suggestion changes, as far as that is mechanical, and what trying it
/// gave.
///
/// Flow:  rules -> [TrialChange] -> utils/trial -> [TrialResult] -> AdviceText
/// Units: CPU time, user and system, in nanoseconds
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

/// An #include that goes, and lines that come in its place; or lines before one
/// or at the end of a file.
struct SourceEdit {
  std::string Path;       ///< absolute, or relative to the compiles' folder
  uint32_t LineNo = 0;    ///< from 1; 0: the end of the file
  std::string Lines;      ///< each ends with a line feed; empty: none
  bool KeepsLine = false; ///< the #include stays, behind the lines
  bool IsOfBuild = false; ///< no source: the line is none of #include
};

struct TrialChange {
  std::vector<SourceEdit> Edits;
  /// "<vector>" or "\"/src/own.h\"": to be precompiled.
  std::vector<std::string> Precompiled;
  bool IsInstantiatedInHeader = false; ///< -fpch-instantiate-templates
  /// Where CMake builds the targets whose lines the snippet has; empty: others
  /// have to be told.
  std::string CMakeFolder;
  /// For the one call that makes all of the targets; without a path: there are
  /// several.
  SourceEdit CMakeEdit;
  /// Numbers of the compiles that it changes (AdviceFinder::compiles()).
  std::vector<size_t> Compiles;

  bool isEmpty() const { return Edits.empty() && Precompiled.empty(); }
};

inline constexpr std::string_view DoesNotLink = "does not link";

struct TrialResult {
  enum class Outcome : char {
    NotTried,     ///< Reason says why
    DoesNotBuild, ///< Reason has the compiler's first error
    DidNotPay,
    Paid, ///< it saves more than its margin
  };
  Outcome Kind = Outcome::NotTried;
  std::string Reason;
  uint64_t Units = 0, AllUnits = 0; ///< tried, and changed by the suggestion
  uint64_t Rounds = 0;
  // Of the units that were tried, the mean of the rounds:
  uint64_t BeforeNs = 0, AfterNs = 0;
  uint64_t MakingNs = 0; ///< a precompiled header
  /// Of the build, in the time that was recorded; negative: it costs.
  int64_t SavedNs = 0;
  uint64_t MarginNs = 0;    ///< from round to round, and from unit to unit
  uint64_t NewWarnings = 0; ///< more than before

  /// "links", DoesNotLink, "not linked: REASON"; empty: nobody tried.
  std::string Linking;

  bool isMeasured() const { return Kind >= Outcome::DidNotPay; }
  bool isRefuted() const {
    return Kind == Outcome::DoesNotBuild || Kind == Outcome::DidNotPay;
  }
};

/// "paid", "did-not-pay": as records have it.
std::string_view trialWord(TrialResult::Outcome Kind);

} // namespace instantrace
