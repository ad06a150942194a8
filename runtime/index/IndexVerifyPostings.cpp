/// \file
/// InstantiationIndex::verify(): which records an entity or a place has.
#include "runtime/index/IndexVerify.h"

using namespace instantrace;
using namespace instantrace::index;

bool instantrace::index::verifyPostings(const IndexBytes &Bytes) {
  const RuleChecks Check(Bytes);
  auto Verify = [&Check](const char *Rule, Section Rows, Section Sec,
                         auto FirstOf, auto KeyOf) {
    uint64_t Total = 0;
    for (uint64_t Id = 0; Id != Check.count(Section::Records); ++Id)
      Total += KeyOf(Check.record(Id)) != None;
    if (!Check.isEqual(Rule, Sec, 0, Check.count(Sec), Total))
      return false;
    for (uint64_t I = 0; I != Check.count(Rows); ++I) {
      uint64_t Begin = FirstOf(I);
      uint64_t End = I + 1 == Check.count(Rows) ? Total : FirstOf(I + 1);
      if ((I == 0 && Begin != 0) || Begin > End || End > Total)
        return Check.fault(Rule, Rows, I,
                           std::to_string(Begin) + " to " + std::to_string(End),
                           "ascending slices");
      uint64_t Least = 0;
      for (uint64_t Index = Begin; Index != End; ++Index) {
        auto Record = Check.row<uint32_t>(Sec, Index);
        if (Record < Least || Record >= Check.count(Section::Records) ||
            KeyOf(Check.record(Record)) != I)
          return Check.fault(Rule, Sec, Index, std::to_string(Record),
                             "an ascending record of row " + std::to_string(I));
        Least = Record + uint64_t(1);
      }
    }
    return true;
  };
  return Verify(
             "entity-postings", Section::Entities, Section::EntityPostings,
             [&Check](uint64_t I) {
               return Check.row<EntityRow>(Section::Entities, I).FirstPosting;
             },
             [](const RecordRow &Row) { return Row.Entity; }) &&
         Verify(
             "location-postings", Section::Locations, Section::LocationPostings,
             [&Check](uint64_t I) {
               return Check.row<LocationRow>(Section::Locations, I)
                   .FirstPosting;
             },
             [](const RecordRow &Row) { return Row.Location; });
}
