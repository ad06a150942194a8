/// \file
/// Source locations with their ids, in the order in which they were met.
///
/// Flow:   EventEncoder, NamingPass -> [LocationTable] -> LocationResolver
/// Leaves: files, lines and columns to the LocationResolver
#ifndef INSTANTRACE_PLUGIN_RECORDER_LOCATIONTABLE_H
#define INSTANTRACE_PLUGIN_RECORDER_LOCATIONTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <vector>

namespace instantrace {

class LocationTable {
public:
  /// The id, from 1, of a SourceLocation's raw encoding, which is not 0.
  uint32_t idOf(uint32_t RawLocation) {
    auto [It, IsNew] = Ids.try_emplace(RawLocation, size() + 1);
    if (IsNew)
      InOrder.push_back(RawLocation);
    return It->second;
  }
  /// The largest id.
  uint32_t size() const { return static_cast<uint32_t>(InOrder.size()); }
  /// Raw encodings of those with ids above \p Id. Until the next idOf().
  llvm::ArrayRef<uint32_t> after(size_t Id) const {
    return llvm::ArrayRef<uint32_t>(InOrder).drop_front(Id);
  }

private:
  llvm::DenseMap<uint32_t, uint32_t> Ids;
  std::vector<uint32_t> InOrder; ///< element i has id i + 1
};

} // namespace instantrace

#endif
