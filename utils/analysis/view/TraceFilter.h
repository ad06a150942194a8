/// \file
/// Which events an analysis is about: the filters that all commands share.
///
/// Flow:   command line -> FilterSpec -> [TraceFilter] -> analyses, dump
/// Errors: an unknown kind, a pattern that is no regular expression
///
/// A filter selects intervals and instants. What it does not select is not
/// forgotten: an analysis sums it in one row, so that rows still add up to the
/// whole (docs/use/analyses.md). Names, files and places are looked at once
/// each and never per event.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/read/Trace.h"
#include "utils/analysis/names/NamePattern.h"
#include "utils/analysis/view/EntityGroups.h"

#include <optional>
#include <string>
#include <vector>

namespace instantrace {

/// The name of the row with what was too short to record.
inline constexpr std::string_view ElidedName = "(elided)";
/// The name of the row with what a filter does not select.
inline constexpr std::string_view FilteredName = "(filtered)";

/// What the options say. Empty: everything.
struct FilterSpec {
  std::vector<std::string> Match;   // names that match one of these
  std::vector<std::string> Exclude; // ... and none of these
  std::vector<std::string> Kinds;   // kinds and groups of kinds
  std::vector<std::string> In;      // files and folders
  uint64_t MinTimeNs = 0;           // from begin to end
  bool NoSystem = false;
  bool NoPhases = false; // no phases, no file inclusion, nothing that LLVM does
                         // for no function
  /// Of what names are compared: those of the entities, or of their groups.
  EntityLevel Level = EntityLevel::Specialization;
};

class TraceFilter {
public:
  static Result<TraceFilter> make(const FilterSpec &Spec);

  bool selectsAll() const { return IsEmpty; }
  /// Whether it is the end of an interval that says whether it is selected.
  bool needsDurations() const { return MinTimeNs != 0; }

  /// Whether names are compared by what is a class or a namespace, which one
  /// learns from all traces.
  bool needsAllNames() const {
    return !(Match.empty() && Exclude.empty()) && needsLearnedScopes(Level);
  }
  /// What is a class or a namespace, by the names of all traces. Outlives the
  /// filter and its copies; null: by those of the trace that is entered.
  void setScopes(const LearnedScopes *Learned) { Scopes = Learned; }
  /// The trace must not change until the last use. \p Learned is of all traces
  /// that are compared; null: it is learned from this one.
  void enterTrace(const Trace &Entered, const LearnedScopes *Learned = nullptr);
  /// Requires: the trace was entered.
  void enterSequence(uint32_t Index);

  /// Of the sequence that was entered, as the next ones.
  bool selects(const Interval &I) { return IsEmpty || selectsSome(I); }
  bool selects(const Instant &I);
  /// Hits that are counted: they have the kind Memoization, no place, no time.
  bool selectsHits(EntityId Entity);
  /// What a function became, which has no time; \p Location is where it was
  /// asked for, if that is known.
  bool selectsFunction(EntityId Entity, LocationId Location);
  /// Only what --match and --exclude say.
  bool selectsName(EntityId Entity);

private:
  enum class Answer : char { Unknown, No, Yes };

  bool selectsSome(const Interval &I);
  bool selects(EventKind Kind, EntityId Entity, LocationId Location);
  bool selectsPlace(EventKind Kind, EntityId Entity, LocationId Place);
  bool isInFolders(NameId Path);
  bool isSystemInclusion(EntityId Entity) const;
  bool findName(EntityId Entity);

  bool IsEmpty = true;
  size_t MatchedBytes = 0; // of names
  uint64_t KindMask = 0;
  std::vector<NamePattern> Match, Exclude;
  std::vector<std::string> In; // normal
  uint64_t MinTimeNs = 0;
  bool NoSystem = false;
  bool NoPhases = false;
  EntityLevel Level = EntityLevel::Specialization;

  const LearnedScopes *Scopes = nullptr;
  const Trace *T = nullptr;
  const Sequence *S = nullptr;
  std::optional<EntityGroups> Groups; // if names are compared
  std::vector<Answer> ByGroup;
  std::vector<Answer> ByFile;     // by name, of this sequence
  std::vector<Answer> ByLocation; // whether it is no system header
};

} // namespace instantrace
