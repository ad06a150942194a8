/// \file
/// Something for each id, of ids that are mostly small and ascending.
///
/// A trace may say any number. So the array is bounded by how often it was
/// asked for one, and what is above that is in a map.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace instantrace {

template <class T> class ById {
public:
  /// A new one has its initial value. Valid until the next call.
  T &operator[](uint32_t Id) {
    ++Asked;
    return Id < Near.size() ? Near[Id] : add(Id);
  }
  /// The initial value for one that was never asked for.
  T get(uint32_t Id) const {
    if (Id < Near.size())
      return Near[Id];
    auto Offset = Far.find(Id);
    return Offset == Far.end() ? T() : Offset->second;
  }
  /// Calls \p Use(Id, Value) for all that may differ from their initial value,
  /// in no order.
  template <class Function> void forEach(Function Use) const {
    for (size_t Id = 0; Id != Near.size(); ++Id)
      Use(static_cast<uint32_t>(Id), Near[Id]);
    for (const auto &[Id, Value] : Far)
      Use(Id, Value);
  }

private:
  static constexpr size_t FewIds = 1 << 12, IdsForEach = 4;

  T &add(uint32_t Id) {
    size_t Most = FewIds + Asked * IdsForEach;
    if (Id >= Most)
      return Far[Id];
    Near.resize(std::min(std::max(Id + size_t(1), Near.size() * 2), Most));
    std::erase_if(Far, [this](const auto &Each) {
      bool IsNear = Each.first < Near.size();
      if (IsNear)
        Near[Each.first] = Each.second;
      return IsNear;
    });
    return Near[Id];
  }

  std::vector<T> Near;
  std::unordered_map<uint32_t, T> Far;
  size_t Asked = 0;
};

} // namespace instantrace
