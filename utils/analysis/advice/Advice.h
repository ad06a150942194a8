/// \file
/// What to change to make a build faster, with the evidence for it.
///
/// Flow:   traces, TraceFilter -> AdviceFinder -> [AdviceReport] -> AdviceText
///         -> advise
/// Leaves: words for people, to AdviceText; finding it, to AdviceFinder
///
/// Each kind is a rule in a file of its own (AdviceRule.h). A
/// rule names what would no longer be instantiated; what that saves is worked
/// out by Savings.h, for all rules alike.
///
/// Within one kind savings do not overlap. Those of different kinds may, since
/// one piece of work can go away for several reasons.
#pragma once

#include "utils/analysis/advice/CMakeCall.h"
#include "utils/analysis/advice/DefinitionForm.h"
#include "utils/analysis/advice/Savings.h"
#include "utils/analysis/advice/Trial.h"
#include "utils/analysis/names/RowName.h"
#include "utils/analysis/view/TraceFilter.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

enum class AdviceKind {
#define ADVICE_KIND(Name, Word, About) Name,
#include "utils/analysis/advice/AdviceKinds.def"
};
inline constexpr std::array AdviceKinds = {
#define ADVICE_KIND(Name, Word, About) AdviceKind::Name,
#include "utils/analysis/advice/AdviceKinds.def"
};
/// "extern-template": as the command line has it.
std::string_view adviceKindName(AdviceKind Kind);
/// "default arguments that are instantiated often".
std::string_view adviceKindMeaning(AdviceKind Kind);

/// Why suggestions of that kind cannot be tried; empty: they can, where it is
/// known what changes.
std::string_view whyNotTried(AdviceKind Kind);

/// What a sentence about the suggestion looks up.
enum class EvidenceKey : char {
  None,
  Readers,         ///< compiles that read what is to be precompiled
  Header,          ///< one that is to be precompiled
  MoreHeaders,     ///< how many more of these
  Enough,          ///< the parts of a header that are enough
  UnusedInclude,   ///< an #include that most do not use
  Depth,           ///< of a recursion
  CostliestInside, ///< of what a header instantiates
  Macro,           ///< that turns an implementation on
  Mode,            ///< the macro of a library's compiled mode
  SameOptions,     ///< compiles of a source, all with the same options
  MoreSources,     ///< how many more of these than the one that costs most
  NewIncluder,     ///< a source that has to include what it uses
  Explicit ///< a declaration that is missing, and where the definition is
};

/// A thing that was counted, and where. Name and Place may be empty.
struct AdviceEvidence {
  uint64_t Count = 0;
  std::string_view What; ///< a literal: "function bodies"
  std::optional<uint64_t> Ns;
  std::string_view Single = {}; ///< of one: "function body"; empty: as What
  RowName Name = {};
  std::string Place = {}; ///< `file:line`
  EvidenceKey Key = EvidenceKey::None;

  AdviceEvidence &one(std::string_view Phrase) {
    Single = Phrase;
    return *this;
  }
  AdviceEvidence &name(RowName Subject, std::string SubjectPlace = {}) {
    Name = std::move(Subject);
    Place = std::move(SubjectPlace);
    return *this;
  }
  AdviceEvidence &name(std::string Text) {
    return name(RowName::fromText(std::move(Text)));
  }
  std::string_view phrase() const {
    return Count == 1 && !Single.empty() ? Single : What;
  }
};

/// An estimate times what trials of its kind measured, by what was estimated of
/// them.
struct CorrectedSaving {
  uint64_t Ns = 0;
  uint64_t Trials = 0; ///< that were measured; 0: there is nothing to say
};

/// What a suggestion changes for one compile, by itself. Files are those of the
/// program, by their FileNumber, in order.
struct CompileChange {
  size_t Compile = 0;
  uint64_t SavedNs = 0;
  std::vector<uint32_t> Dropped; ///< it is no longer made again for these
  std::vector<uint32_t> Gained;  ///< but for these
};

struct Suggestion {
  RowName Subject;   ///< the template, or the header
  std::string Place; ///< `file:line` that declares it
  Saving Saves;      ///< of the given compiles
  AdviceKind Kind{};
  std::vector<AdviceEvidence> Evidence = {};
  std::string_view Action = {};  ///< what to do, a sentence
  std::string Snippet = {};      ///< lines to write; empty: none can be written
  std::string ShortSnippet = {}; ///< for people, where many names are in it
  std::string_view Basis = {};   ///< what the estimate is made of
  std::vector<std::string_view> Doubts = {}; ///< why it might not apply
  TrialChange Change = {}; ///< empty: nothing mechanical is known
  std::vector<CompileChange> Compiles = {}; ///< each once; empty: not known
  /// Compiled less by who builds after each commit, a week; negative: more.
  std::optional<int64_t> WeekNs = {};
  std::optional<TrialResult> Tried = {};
  CorrectedSaving Corrected = {}; ///< of what was not measured itself

  /// Further evidence; valid until the next one.
  AdviceEvidence &count(uint64_t Count, std::string_view What,
                        std::optional<uint64_t> Ns = {},
                        EvidenceKey Key = EvidenceKey::None) {
    AdviceEvidence &E = Evidence.emplace_back();
    E.Count = Count;
    E.What = What;
    E.Ns = Ns;
    E.Key = Key;
    return E;
  }
  /// Only if there are any.
  void countIfAny(uint64_t Count, std::string_view What,
                  std::string_view Single = {},
                  std::optional<uint64_t> Ns = {}) {
    if (Count != 0)
      count(Count, What, Ns).one(Single);
  }
  void conclude(std::string_view ToDo, std::string_view MadeOf,
                std::vector<std::string_view> Against) {
    Action = ToDo;
    Basis = MadeOf;
    Doubts = std::move(Against);
  }
};
using Suggestions = std::vector<Suggestion>;

struct AdviceSpec {
  std::vector<AdviceKind> Only; ///< empty: all kinds
  /// What saves less of the whole is left out.
  double MinPermille = 10;
  /// Sources, for what a trace does not say; none: they are not there.
  SourceReader Sources;
  /// Likewise of what CMake says.
  CMakeReader CMake = {};
  /// Whether the command of each compile is kept, to try suggestions.
  bool KeepsCompiles = false;
};

struct AdviceReport {
  std::vector<Suggestion> Suggestions; ///< largest saving first
  uint64_t TotalNs = 0;                ///< without our own work
  uint64_t Compiles = 0;
  uint64_t Smaller = 0; ///< suggestions that save less than wanted
  /// About a header that a larger one names already.
  std::vector<Suggestion> Overlapping;
  uint64_t Commits = 0;   ///< that WeekNs counts; 0: no suggestion has it
  double Weeks = 0;       ///< in which they came
  bool HasTrials = false; ///< somebody asked to try suggestions, now or before
};

} // namespace instantrace
