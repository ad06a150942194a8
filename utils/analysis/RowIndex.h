/// \file
/// Decides which row an event belongs to, and keeps the rows while they grow.
///
/// Flow:   costs() -> [RowIndex] -> CostRow
/// Leaves: times and counts, which costs() adds
///
/// Rows are found by the key of a name, never by its text; per sequence, each
/// entity and location is looked up once.
#ifndef INSTANTRACE_UTILS_ANALYSIS_ROWINDEX_H
#define INSTANTRACE_UTILS_ANALYSIS_ROWINDEX_H

#include "utils/analysis/Costs.h"
#include "utils/analysis/NameGroups.h"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace instantrace {

class RowIndex {
public:
  /// The trace must outlive the index and not change.
  RowIndex(const Trace &T, CostKey By);

  /// S must live until the next call.
  void enterSequence(const Sequence &S, uint32_t Index);

  uint32_t of(IntervalId Id);
  uint32_t elided();
  CostRow &operator[](uint32_t Row) { return Rows[Row]; }

  /// True if no interval of the row was open before.
  bool enter(uint32_t Row) { return States[Row].Open++ == 0; }
  void leave(uint32_t Row) { --States[Row].Open; }
  /// The same for bodies that the row asked for.
  bool enterRequested(uint32_t Row) { return States[Row].Requested++ == 0; }
  void leaveRequested(uint32_t Row) { --States[Row].Requested; }

  void addKind(uint32_t Row, EventKind Kind, uint64_t SelfNs);
  /// Hits inside an interval of the row: what a file or line gets, since the
  /// hits of an entity do not say where they were.
  void addDirectHits(uint32_t Row, uint64_t Hits);
  void addHits(EntityId Entity, uint64_t Hits);
  void addInstant(const Instant &I);

  /// The rows, with their kinds settled. Ends the life of the index.
  std::vector<CostRow> take();

private:
  static constexpr uint32_t Unknown = UINT32_MAX;
  struct KindSelf {
    EventKind Kind;
    uint64_t SelfNs;
  };
  struct RowState {
    uint32_t Open = 0;
    uint32_t Requested = 0;
    std::vector<KindSelf> Kinds; // nearly always one
  };

  /// What a row is chosen by.
  struct Subject {
    EventKind Kind;
    EntityId Entity;
    LocationId Location;
    LocationId UserFrame; // only for rows of these
  };
  uint32_t of(const Subject &Of);
  bool isByPlace() const {
    return By == CostKey::File || By == CostKey::UserFrame;
  }

  uint32_t fixed(std::string_view Name);
  uint32_t named(NameId Name, std::string_view Otherwise);
  uint32_t add(const RowName &Name, NameKey Key);
  uint32_t ofKind(EventKind Kind);
  uint32_t ofEntity(EntityId Id);
  uint32_t ofLocation(LocationId Id);
  uint32_t ofUserFrame(EventKind Kind, LocationId Frame);
  uint32_t ofFileInclusion(EntityId Id, LocationId At);

  CostKey By;
  std::optional<NameGroups> Groups; // of entities, where a row is one
  const Sequence *S = nullptr;
  uint32_t SequenceIndex = 0;
  std::vector<CostRow> Rows;
  std::vector<RowState> States;
  std::unordered_map<NameKey, uint32_t, NameKeyHash> ByKey;
  std::array<uint32_t, 256> KindRows{}; // of this sequence, as the next two
  std::vector<uint32_t> EntityRows;
  std::vector<uint32_t> LocationRows;
  std::vector<LocationId> UserFrames; // by interval
  uint32_t ElidedRow = Unknown;
};

} // namespace instantrace

#endif
