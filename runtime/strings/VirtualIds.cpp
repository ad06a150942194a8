#include "runtime/strings/VirtualIds.h"

#include <algorithm>

namespace instantrace {

bool VirtualIds::map(StringId First, uint64_t Count, StringId Target) {
  if (First.kind() == StringIdKind::Metadata) {
    if (Count != 1 || MetadataTarget)
      return false;
    MetadataTarget = Target;
    return true;
  }
  if (First.kind() != StringIdKind::Virtual || Count == 0 ||
      Count > StringId::LastVirtual - First.Value + 1)
    return false;
  auto Begin = static_cast<uint32_t>(First.Value);
  auto Last = static_cast<uint32_t>(First.Value + Count - 1);
  auto Next = Ranges.end();
  if (!Ranges.empty() && Ranges.back().Last >= Begin)
    Next = std::partition_point(
        Ranges.begin(), Ranges.end(),
        [Begin](const Range &R) { return R.Last < Begin; });
  if (Next != Ranges.end() && Next->First <= Last)
    return false;
  Ranges.insert(Next, {Begin, Last, Target});
  return true;
}

StringId VirtualIds::resolve(StringId Id) const {
  if (Id.kind() == StringIdKind::Metadata)
    return MetadataTarget;
  if (Id.kind() != StringIdKind::Virtual)
    return {};
  auto Found =
      std::partition_point(Ranges.begin(), Ranges.end(),
                           [Id](const Range &R) { return R.Last < Id.Value; });
  if (Found == Ranges.end() || Found->First > Id.Value)
    return {};
  return Found->Target;
}

} // namespace instantrace
