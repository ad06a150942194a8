/// \file
/// Source locations with their ids, in the order in which they were met.
///
/// Flow:   EventEncoder, NamingPass -> [LocationTable] -> LocationResolver
/// Leaves: files, lines and columns to the LocationResolver
#pragma once

#include "plugin/memory/SteadyMap.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace instantrace {

class LocationTable {
public:
  /// The id, from 1, of a SourceLocation's raw encoding, which is not 0.
  uint32_t idOf(uint32_t RawLocation) {
    if (const auto *Known = Ids.find(RawLocation))
      return Known->second;
    InOrder.push_back(RawLocation);
    return Ids.insert(RawLocation, size()).first->second;
  }
  /// The largest id.
  uint32_t size() const { return static_cast<uint32_t>(InOrder.size()); }
  /// Raw encodings of those with ids above \p Id. Until the next idOf().
  llvm::ArrayRef<uint32_t> after(size_t Id) const {
    return llvm::ArrayRef<uint32_t>(InOrder).drop_front(Id);
  }
  /// Forgets which have ids, and keeps how many: what comes now gets another.
  void forget() { Ids.clear(); }
  /// Gives its memory back. Nothing may be asked for afterwards.
  void clear() {
    Ids.clear();
    std::vector<uint32_t>().swap(InOrder); // `= {}` would keep it
  }

private:
  SteadyMap<uint32_t, uint32_t> Ids;
  std::vector<uint32_t> InOrder; ///< element i has id i + 1
};

} // namespace instantrace
