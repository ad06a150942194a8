#include "runtime/index/ParentColumn.h"

#include <algorithm>
#include <new>
#include <string>
#include <sys/mman.h>

using namespace instantrace;
using namespace instantrace::index;

namespace {

constexpr uint32_t LineParents = 16, NearLines = 8;

} // namespace

ParentColumn::~ParentColumn() {
  if (Own.Parents)
    ::munmap(Own.Parents, Own.SizeBytes);
}

/// Not before somebody asks: opening takes the same time at any size.
const ParentColumn::Column *ParentColumn::column() const {
  if (const Column *Made = Ready.load(std::memory_order_acquire))
    return Made;
  std::lock_guard Locked(Lock);
  if (const Column *Made = Ready.load(std::memory_order_relaxed))
    return Made;
  Own.Count = static_cast<uint32_t>(Bytes.rowCount(Section::Records));
  Own.SizeBytes = std::max<size_t>(Own.Count, 1) * sizeof(uint32_t);
  Own.IsFilled =
      std::make_unique<std::atomic<bool>[]>(Own.Count / GroupRecords + 1);
  void *Mapped = ::mmap(nullptr, Own.SizeBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mapped == MAP_FAILED)
    throw std::bad_alloc();
  // Without large pages each frame may be looked up in the page tables too.
  ::madvise(Mapped, Own.SizeBytes, MADV_HUGEPAGE);
  Own.Parents = static_cast<uint32_t *>(Mapped);
  // Release: the column is there before who reads the pointer. Pairs with the
  // acquire load above.
  Ready.store(&Own, std::memory_order_release);
  return &Own;
}

bool ParentColumn::fill(const Column &C, uint32_t Group) const {
  std::lock_guard Locked(Lock);
  if (C.IsFilled[Group].load(std::memory_order_relaxed))
    return true;
  const uint32_t First = Group * GroupRecords;
  const uint32_t Index = std::min(GroupRecords, C.Count - First);
  const auto *Rows = Bytes.rows<RecordRow>(Section::Records, First, Index);
  if (!Rows)
    return false;
  for (uint32_t I = 0; I != Index; ++I) {
    // Read once: the file may change meanwhile.
    const uint32_t Parent =
        *static_cast<const volatile uint32_t *>(&Rows[I].Parent);
    if (Parent != None && Parent >= First + I)
      return Bytes.fault("record " + std::to_string(First + I),
                         "parent " + std::to_string(Parent),
                         "an earlier record");
    C.Parents[First + I] = Parent;
  }
  if (!Bytes.isWhole())
    return false;
  // Release: the parents are there before their mark. Pairs with the acquire
  // load in append().
  C.IsFilled[Group].store(true, std::memory_order_release);
  return true;
}

void ParentColumn::fetch(uint32_t Record) const {
  const Column &C = *column();
  // The inner frames are near each other: their lines come at the same time,
  // and not one after the other.
  if (Record < C.Count)
    for (uint32_t I = 0; I != NearLines; ++I)
      __builtin_prefetch(C.Parents +
                         (Record - std::min(Record, I * LineParents)));
}

/// Until \p See, which is given a record and then those around it, is false.
template <class Visitor>
bool ParentColumn::walk(uint32_t Record, Visitor See) const {
  const Column &C = *column();
  if (Record != None && Record >= C.Count)
    return Bytes.fault("record " + std::to_string(Record), "no such record",
                       "one below " + std::to_string(C.Count));
  while (Record != None) {
    const uint32_t Group = Record / GroupRecords;
    if (!C.IsFilled[Group].load(std::memory_order_acquire) && !fill(C, Group))
      return false;
    const uint32_t *Parents = C.Parents;
    // Parents precede: a frame in the same group needs no look at its mark.
    for (const uint32_t First = Group * GroupRecords; Record >= First;) {
      if (!See(Record))
        return true;
      Record = Parents[Record];
      if (Record == None)
        return true;
    }
  }
  return true;
}

bool ParentColumn::append(uint32_t Record, std::vector<uint32_t> &Into) const {
  return walk(Record, [&Into](uint32_t Index) {
    Into.push_back(Index);
    return true;
  });
}

bool ParentColumn::walkOutward(uint32_t Record, uint32_t Steps,
                               uint32_t &Into) const {
  Into = None;
  uint32_t Left = Steps;
  auto IsOnTheWay = [&](uint32_t Index) {
    if (Left != 0)
      return --Left, true;
    Into = Index;
    return false;
  };
  if (!walk(Record, IsOnTheWay))
    return false;
  return Left == 0 ||
         Bytes.fault("record " + std::to_string(Record),
                     std::to_string(Steps - Left) + " around and with it",
                     std::to_string(Steps) + ", which have ended");
}
