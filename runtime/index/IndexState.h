/// \file
/// What the parts of InstantiationIndex share.
#pragma once

#include "runtime/index/Index.h"
#include "runtime/index/IndexBytes.h"
#include "runtime/index/ParentColumn.h"

namespace instantrace {

struct InstantiationIndex::State {
  static constexpr size_t LongestPath = 1 << 16; ///< in bytes

  std::unique_ptr<char[]> Copy; ///< of bytes that were not aligned
  std::unique_ptr<index::IndexBytes> Bytes;
  std::unique_ptr<index::ParentColumn> Parents;            ///< of these bytes
  std::unordered_map<std::string, std::string> TraceNames; ///< now, by then

  explicit State(std::unique_ptr<index::IndexBytes> Opened)
      : Bytes(std::move(Opened)),
        Parents(std::make_unique<index::ParentColumn>(*Bytes)) {}

  uint32_t count(index::Section Sec) const {
    return static_cast<uint32_t>(Bytes->rowCount(Sec));
  }

  /// A compile's slices.
  struct Part {
    index::CompileRow Row;
    uint32_t EndRecord, EndBlock, EndFolder;
    uint32_t endRange() const {
      return static_cast<uint32_t>(index::beginRange(EndRecord, 0));
    }
  };
  bool part(uint32_t Compile, Part &Into) const;
  /// Of a record.
  bool compileOf(uint32_t Record, uint32_t &Into) const;

  /// The record that began last up to a time, and how many have ended since
  /// then: that many steps outwards of it is the innermost one.
  struct Latest {
    uint32_t Record = index::None;
    uint32_t Ended = 0;
  };
  bool latestAt(const Part &P, uint64_t TimeNs, Latest &Into) const;
  bool latestIn(const Part &P, const index::RangeBlockRow &Block,
                uint32_t Range, Latest &Into) const;
  bool rangeTime(uint64_t Range, uint64_t &Into) const;
  bool depthOf(uint32_t Id, const index::RecordRow &Row, uint32_t &Into) const;
  /// Checked against \p Below, which a parent and a requester are.
  bool outward(uint32_t Id, uint32_t Outer, const char *What) const;
  bool requester(uint32_t Record, uint32_t &Into) const;
  bool shapeOf(uint32_t Id, const index::RecordRow &Row, Shape &Into) const;

  struct SumSections {
    index::Section Bases, Deltas, Wide;
  };
  static constexpr SumSections Self = {index::Section::SelfBases,
                                       index::Section::SelfSums,
                                       index::Section::SelfWide};
  static constexpr SumSections Memory = {index::Section::MemoryBases,
                                         index::Section::MemorySums,
                                         index::Section::MemoryWide};
  bool sum(const SumSections &Sec, uint32_t Records, uint64_t &Into) const;
  bool difference(const SumSections &Sec, uint32_t Begin, uint32_t End,
                  uint64_t &Into) const;
  /// The records that postings from \p Begin to \p End name.
  bool postings(index::Section Sec, uint64_t Begin, uint64_t End,
                std::vector<uint32_t> &Into) const;
  /// FirstPosting of a row, or the number of postings behind the last one.
  template <class Row>
  bool firstPosting(index::Section Rows, index::Section Sec, uint64_t RowNo,
                    uint64_t &Into) const {
    if (RowNo == Bytes->rowCount(Rows)) {
      Into = Bytes->rowCount(Sec);
      return true;
    }
    Row R;
    if (!Bytes->row(Rows, RowNo, R))
      return false;
    Into = R.FirstPosting;
    return true;
  }

  bool string(uint64_t Offset, NameParts Parts, size_t LimitBytes,
              std::string &Out) const;
};

} // namespace instantrace
