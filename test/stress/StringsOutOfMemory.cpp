/// \file
/// Lets each allocation of a string table fail once: the table has whole
/// entries only, numbered in their order, and goes on, as the crash handler of
/// a compiler that ran out of memory does. A program of its own, because it
/// replaces the allocator.
#include "runtime/strings/DictionaryEntries.h"
#include "runtime/strings/StringTable.h"
#include "test/stress/ReplacedNew.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace {

constexpr uint64_t Never = UINT64_MAX;
uint64_t AllocationsLeft = Never;

} // namespace

static void beforeAllocation() {
  if (AllocationsLeft == Never)
    return;
  if (AllocationsLeft == 0) {
    AllocationsLeft = Never;
    throw std::bad_alloc();
  }
  --AllocationsLeft;
}

using namespace instantrace;

namespace {

/// Makes the heap and the list groups grow several times.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr unsigned Strings = 300;
#else
constexpr unsigned Strings = 1200;
#endif
/// Lists have this many of the last strings.
constexpr size_t ListSize = 40;

struct Run {
  StringTable Table;
  std::vector<ListElement> Elements;
  unsigned Next = 0;

  std::string text() const {
    return "a_name_that_is_longer_than_some_" + std::to_string(Next);
  }
  void go() {
    for (; Next != Strings; ++Next) {
      StringId Name = Table.intern(text());
      if (Elements.size() == Next)
        Elements.emplace_back(Name);
      if (Next >= ListSize)
        Table.internList(&Elements[Next - ListSize], ListSize);
    }
  }
};

void expect(bool Holds, const char *What, uint64_t FailsAt) {
  if (Holds)
    return;
  std::printf("with allocation %llu failing: %s\n",
              static_cast<unsigned long long>(FailsAt), What);
  std::exit(1);
}

void checkEntries(const StringTable &Table, uint64_t FailsAt) {
  DictionaryEntries Entries(Table);
  DictionaryEntry Entry;
  uint32_t Count = 0;
  while (Entries.next(Entry)) {
    ++Count;
    for (size_t I = 0; I != Entry.MarkerCount; ++I)
      expect(Entry.Markers[I] < Count, "an entry refers to a later one",
             FailsAt);
    expect(Count <= Table.size(), "more entries than the table says", FailsAt);
  }
  expect(Count == Table.size(), "fewer entries than the table says", FailsAt);
}

/// False: no allocation failed, since there are not so many.
bool failAt(uint64_t Number) {
  Run R;
  R.Elements.reserve(Strings);
  bool HasFailed = false;
  AllocationsLeft = Number;
  try {
    R.go();
  } catch (const std::bad_alloc &) {
    HasFailed = true;
  }
  AllocationsLeft = Never;
  checkEntries(R.Table, Number);
  R.go();
  checkEntries(R.Table, Number);
  for (R.Next = 0; R.Next != Strings; ++R.Next) {
    StringId Id = R.Table.intern(R.text());
    expect(R.Table.expand(Id) == R.text(), "another text", Number);
    expect(Id.Value == R.Elements[R.Next].entry().Value ||
               R.Table.expand(R.Elements[R.Next].entry()) == R.text(),
           "an id stands for another text", Number);
  }
  return HasFailed;
}

} // namespace

int main() {
  uint64_t Number = 0;
  while (failAt(Number))
    ++Number;
  expect(Number > 10, "too few allocations to say anything", Number);
  std::printf("%llu allocations failed, one at a time\n",
              static_cast<unsigned long long>(Number));
}
