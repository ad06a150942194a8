/// \file
/// What the parts of InstantiationIndex::verify() share: rows of sections whose
/// sums are right, and faults that name a rule of proto/INDEX.md.
#pragma once

#include "runtime/index/Index.h"
#include "runtime/index/IndexBytes.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace instantrace::index {

class RuleChecks {
public:
  explicit RuleChecks(const IndexBytes &Bytes) : Bytes(Bytes) {}

  uint64_t count(Section Sec) const { return Bytes.rowCount(Sec); }
  template <class T> T row(Section Sec, uint64_t RowNo) const {
    T Row = {};
    Bytes.row(Sec, RowNo, Row); // within its section, as was checked
    return Row;
  }
  RecordRow record(uint64_t Id) const {
    return row<RecordRow>(Section::Records, Id);
  }

  bool fault(const char *Rule, Section Sec, uint64_t Row,
             const std::string &Found, const std::string &Expected) const {
    return Bytes.fault(std::string(Rule) + ", section " + Bytes.tag(Sec) +
                           ", row " + std::to_string(Row),
                       Found, Expected);
  }
  bool isAtMost(const char *Rule, Section Sec, uint64_t Row, uint64_t Found,
                uint64_t Most) const {
    return Found <= Most || fault(Rule, Sec, Row, std::to_string(Found),
                                  "at most " + std::to_string(Most));
  }
  bool isEqual(const char *Rule, Section Sec, uint64_t Row, uint64_t Found,
               uint64_t Expected) const {
    return Found == Expected || fault(Rule, Sec, Row, std::to_string(Found),
                                      std::to_string(Expected));
  }
  /// None, or the number of a row.
  bool isIn(const char *Rule, Section Sec, uint64_t Row, uint32_t Found,
            Section Rows) const {
    return Found == None || Found < count(Rows) ||
           fault(Rule, Sec, Row, std::to_string(Found),
                 "none or one below " + std::to_string(count(Rows)));
  }
  /// \p Entries: where those of the string data begin, ascending.
  bool isString(const std::vector<uint64_t> &Entries, Section Sec, uint64_t Row,
                uint64_t Offset, bool MayBeNone) const {
    return (MayBeNone && Offset == NoString) ||
           std::binary_search(Entries.begin(), Entries.end(), Offset) ||
           fault("string-reference", Sec, Row, std::to_string(Offset),
                 "the begin of an entry");
  }

  const IndexBytes &Bytes;
};

/// The parts, in their order; each may rely on those before it.
bool verifyStrings(const IndexBytes &Bytes, std::vector<uint64_t> &Entries);
bool verifyNamed(const InstantiationIndex &Index, const IndexBytes &Bytes,
                 const std::vector<uint64_t> &Entries);
/// Requires: as many rows as there are to be.
bool verifySums(const IndexBytes &Bytes);
bool verifyRecords(const InstantiationIndex &Index, const IndexBytes &Bytes,
                   const std::vector<uint64_t> &Entries);
bool verifyPostings(const IndexBytes &Bytes);

} // namespace instantrace::index
