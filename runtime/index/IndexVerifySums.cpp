/// \file
/// InstantiationIndex::verify(): that prefix sums are some. Of what is for the
/// records to say.
#include "runtime/index/IndexVerify.h"

using namespace instantrace;
using namespace instantrace::index;

namespace {

struct SumRows {
  const char *Rule;
  Section Bases, Deltas, Wide;
};
constexpr SumRows Kinds[] = {
    {"self-sum", Section::SelfBases, Section::SelfSums, Section::SelfWide},
    {"memory-sum", Section::MemoryBases, Section::MemorySums,
     Section::MemoryWide}};

/// They begin with 0 and do not become less; those that are too far from their
/// base have a wide row each, in their order, and nothing else has.
bool isAscending(const RuleChecks &Check, const SumRows &Rows) {
  uint64_t Before = 0, NextWide = 0;
  for (uint64_t Index = 0; Index != Check.count(Rows.Deltas); ++Index) {
    const auto Delta = Check.row<uint32_t>(Rows.Deltas, Index);
    uint64_t Sum = Check.row<uint64_t>(Rows.Bases, Index / SumsPerBase) + Delta;
    if (Delta == None) {
      WideSumRow Row = {0, None, 0};
      if (NextWide != Check.count(Rows.Wide))
        Row = Check.row<WideSumRow>(Rows.Wide, NextWide);
      if (!Check.isEqual("wide-sum", Rows.Wide, NextWide, Row.Record, Index) ||
          !Check.isEqual("reserved", Rows.Wide, NextWide, Row.Reserved, 0))
        return false;
      Sum = Row.Sum;
      ++NextWide;
    }
    if (Index == 0 ? Sum != 0 : Sum < Before)
      return Check.fault(Rows.Rule, Rows.Deltas, Index, std::to_string(Sum),
                         (Index == 0 ? "" : "at least ") +
                             std::to_string(Before));
    Before = Sum;
  }
  return Check.isEqual("wide-sum", Rows.Wide, NextWide, NextWide,
                       Check.count(Rows.Wide));
}

} // namespace

bool instantrace::index::verifySums(const IndexBytes &Bytes) {
  const RuleChecks Check(Bytes);
  return isAscending(Check, Kinds[0]) && isAscending(Check, Kinds[1]);
}
