/// \file
/// Decides which row an event belongs to, and keeps the rows while they grow.
///
/// Flow:   KeyCosts -> [RowIndex] -> CostRow
/// Leaves: times and counts, which KeyCosts adds; what entities belong to, to
///         EntityGroups
///
/// Rows are found by the key of a name, never by its text; per sequence, each
/// entity, location and path is looked up once.
#pragma once

#include "utils/analysis/costs/Costs.h"
#include "utils/analysis/costs/WorkFrames.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/FunctionHomes.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

/// The numbers of rows, from 1.
using RowKeys = std::unordered_map<NameKey, uint32_t, NameKeyHash>;

/// "(parsing)" and so on: the row of what is no template work.
std::string_view surroundingsName(EventKind Kind);

class RowIndex {
public:
  /// The trace must outlive the index and not change.
  RowIndex(const Trace &T, CostKey Key, const LearnedScopes *Learned = nullptr);

  /// Before anything is asked for: rows have these numbers and nothing else,
  /// and what has another key is in the row OtherKeys. The keys must outlive
  /// the index.
  void keepOnly(const RowKeys &Keys);
  static constexpr uint32_t OtherKeys = 0;

  /// \p Functions are the homes that are known so far, and outlive their use.
  void enterSequence(uint32_t Index, const FunctionHomes &Functions);

  /// Requires: intervals are asked for in their order, each once. \p ParentRow
  /// is what this gave for the interval around; NoIndex: there is none.
  uint32_t rowFor(const Interval &I, const BegunWork &Work, uint32_t ParentRow);
  /// \p Parent is the interval around; null: there is none.
  uint32_t rowFor(const Instant &I, LocationId UserFrame,
                  const WorkFrame *Parent, uint32_t ParentRow);
  /// Of an interval of which rowFor() gave that row, for what LLVM does for its
  /// functions.
  void beginHome(IntervalId Id, const Interval &I, uint32_t Row) {
    if (IsByPlace && I.Entity && isTemplateWork(I.Kind))
      HomeRows[I.Entity.Value].take(Id, Row, false);
  }
  void endHome(IntervalId Id, const Interval &I, uint32_t Row) {
    if (IsByPlace && I.Definition && I.Entity && isTemplateWork(I.Kind))
      HomeRows[I.Entity.Value].take(Id, Row, true);
  }
  /// Of what LLVM did for the entity's functions.
  uint32_t functionRow(EntityId Entity);
  /// Of what is neither in an interval of its own nor a function's.
  uint32_t codeGenerationRow(std::string_view Part) {
    if (isByUnit())
      return unitRow();
    return Keyed == CostKey::Kind ? kindRow(EventKind::CodeGeneration)
                                  : fixed(Part);
  }
  /// Of hits that are counted per entity. Requires: !hasDirectHits().
  uint32_t hitsRow(EntityId Entity);
  uint32_t elided() { return isByUnit() ? unitRow() : fixed(ElidedName); }
  uint32_t filtered() { return fixed(FilteredName); }
  CostRow &operator[](uint32_t Row) { return Rows[Row]; }
  size_t size() const { return Rows.size(); }

  /// True if a row has the hits inside its intervals: what a file or line gets,
  /// since the hits of an entity do not say where they were.
  bool hasDirectHits() const { return IsByPlace; }

  /// Whether the row's count has the interval. What LLVM does for a function is
  /// no further specialization, and counts are the same in each run.
  bool counts(const Interval &I) const {
    if (isByUnit()) // beside which intervals of other work say nothing
      return isTemplateWork(I.Kind);
    return !isLineWork(I.Kind) &&
           (Keyed == CostKey::Kind || !isFunctionWork(I));
  }
  bool isByUnit() const { return Keyed == CostKey::Unit; }
  /// Whether one row has all of code generation, whatever its parts are.
  bool hasWholeCodeGeneration() const {
    return Keyed == CostKey::Kind || isByUnit();
  }
  bool needsUserFrames() const { return Keyed == CostKey::UserFrame; }
  const FunctionHomes &homes() const { return *Homes; }

  /// True if no interval of the row was open before.
  bool enter(uint32_t Row) { return States[Row].Open++ == 0; }
  void leave(uint32_t Row) { --States[Row].Open; }
  /// The same for bodies that the row asked for.
  bool enterRequested(uint32_t Row) { return States[Row].Requested++ == 0; }
  void leaveRequested(uint32_t Row) { --States[Row].Requested; }

  void addKind(uint32_t Row, EventKind Kind, uint64_t SelfNs);

  /// The rows, with their kinds settled; \p Kinds gets what those are made
  /// of. The next sequence makes rows of its own.
  std::vector<CostRow>
  take(std::vector<std::vector<KindSelf>> *Kinds = nullptr);

private:
  static constexpr uint32_t Unknown = UINT32_MAX;
  struct RowState {
    uint32_t Open = 0;
    uint32_t Requested = 0;
    std::vector<KindSelf> Kinds; // nearly always one
  };

  /// Of the instantiation that FunctionHomes gives.
  struct HomeRow {
    IntervalId Id;
    uint32_t Row = 0;
    bool Defines = false;
    void take(IntervalId Other, uint32_t OtherRow, bool OtherDefines) {
      if (OtherDefines == Defines ? Other.Value < Id.Value : OtherDefines)
        *this = {Other, OtherRow, OtherDefines};
    }
  };

  /// What a row is chosen by.
  struct Subject {
    EventKind Kind;
    EntityId Entity;
    LocationId Location;
    LocationId UserFrame = {};
    // Who asked for it:
    bool HasOuter = false;
    EventKind OuterKind{};
    uint32_t OuterRow = NoIndex;
  };
  uint32_t rowFor(const Subject &Work);

  uint32_t fixed(std::string_view Name);
  uint32_t fixed(uint32_t &Known, std::string_view Name);
  uint32_t noFileRow() { return fixed(NoFile, "(no file)"); }
  uint32_t noLineRow() { return fixed(NoLine, "(no line)"); }
  uint32_t noFunctionRow() { return fixed(NoFunction, "(no function)"); }
  uint32_t noUserFrameRow() { return fixed(NoUserFrame, "(no user frame)"); }
  uint32_t add(const RowName &Name, const NameKey &Key);
  uint32_t unitRow();
  uint32_t lineWorkRow(const Subject &Work);
  uint32_t kindRow(EventKind Kind);
  uint32_t entityRow(EntityId Id);
  uint32_t fileRow(NameId Path);
  uint32_t locationRow(LocationId Id);
  uint32_t lineRow(LocationId Id);
  struct LinePath {
    SharedText Text; // normal
    NameKey Key;
  };
  const LinePath &linePath(NameId Path);
  uint32_t userFrameRow(EventKind Kind, LocationId Frame);
  uint32_t headerRow(const Subject &Work);
  uint32_t inclusionRow(const Subject &Work);

  const Trace &T;
  CostKey Keyed;
  bool IsByPlace;
  EntityGroups Groups;
  const Sequence *S = nullptr;
  std::vector<CostRow> Rows;
  const RowKeys *Only = nullptr; // null: all
  std::vector<RowState> States;
  NameNumbers ByKey; // by row
  std::vector<uint32_t> GroupRows;
  std::array<uint32_t, 256> KindRows{};
  std::unordered_map<std::string_view, uint32_t> FixedRows;
  uint32_t NoFile = Unknown, NoLine = Unknown, NoFunction = Unknown,
           NoUserFrame = Unknown;
  // Of this sequence:
  uint32_t Unit = Unknown;
  std::unordered_map<uint32_t, uint32_t> FileRows; // by path
  std::unordered_map<uint32_t, LinePath> LinePaths;
  std::vector<uint32_t> LocationRows; // of a line or of its file
  const FunctionHomes *Homes = nullptr;
  ById<HomeRow> HomeRows;                // by entity
  std::vector<uint32_t> RowsOfRequested; // as far as they were asked for
};

} // namespace instantrace
