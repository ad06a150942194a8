/// \file
/// Self time per template set of a compile that runs, kept up to date at a cost
/// in proportion to the new events.
///
/// Flow:   LiveTrace -> [LiveCosts] -> LiveFrame
/// Leaves: costs of finished traces: Costs.h, which says more
///
/// The self time of an interval is its duration less those of the intervals in
/// it, so each interval that ends adds its duration to its entity and takes it
/// from the entity around it.
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/names/NameGroups.h"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace instantrace {

struct LiveCostRow {
  std::string Name;
  uint64_t SelfNs = 0;
  uint64_t Specializations = 0;
};

class LiveCosts {
public:
  /// Takes the intervals that ended since the last call. \p S only grows.
  void update(const Sequence &S);

  /// The \p Count rows with most self time at \p NowNs, intervals that are open
  /// included, largest first, equal ones by id. \p TextOf is asked for the text
  /// of a template set, or of an entity whose name is not known yet.
  std::vector<LiveCostRow>
  hottest(const Sequence &S, uint64_t NowNs, size_t Count,
          const std::function<std::string(NameId, EntityId)> &TextOf);

private:
  /// Of what is no template: phases, files.
  static constexpr uint32_t NoRow = UINT32_MAX;
  static constexpr uint32_t NotNamed = UINT32_MAX - 1;

  static void close(const Sequence &S, const Interval &I, uint64_t EndNs,
                    std::vector<int64_t> &SelfNs);
  uint32_t rowOf(const Sequence &S, uint32_t Entity);

  std::vector<int64_t> SelfNs; ///< by entity id, of intervals that ended
  std::vector<uint32_t> Open;  ///< intervals that had not ended
  uint32_t Seen = 0;           ///< intervals looked at
  size_t ElidedSeen = 0;
  std::vector<uint32_t> RowOfEntity; ///< NotNamed: look again
  std::vector<NameId> RowNames;
  std::unordered_map<NameKey, uint32_t, NameKeyHash> RowByKey;
};

} // namespace instantrace
