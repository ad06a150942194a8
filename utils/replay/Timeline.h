/// \file
/// The events of an index in one line, and where in it one is.
///
/// Flow:   InstantiationIndex -> [Timeline] -> Replay
/// Errors: of a damaged index: place, found, expected
///
/// An event is the begin or the end of a record. Those of a compile have
/// numbers from 0, as `at --event` has them; here those of all compiles follow
/// each other, in the order of the compiles. A *position* is between two
/// events: position P is after the first P events, so that event P - 1 has
/// just happened and event P is the next. 0 is before everything.
///
/// Nothing is walked. Before a record begins, those before it in its compile
/// have begun, and have ended but for those around it: so its begin is event
/// 2 * (records before it) - depth. When it ends, all in its subtree have begun
/// and ended: event 2 * (records before the end of its subtree) - depth - 1.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"
#include "utils/replay/SearchTables.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace instantrace {

/// Events up to one position.
using Position = uint64_t;

class Timeline {
public:
  static constexpr uint32_t None = InstantiationIndex::None;

  struct Event {
    uint32_t Compile = None; ///< None: there is no such event
    uint64_t Number = 0;     ///< in its compile
    uint32_t Record = None;
    bool IsBegin = false;
  };

  /// A compile's part of the line.
  struct Part {
    Position Begin = 0, End = 0; ///< before its first event, after its last
    uint32_t FirstRecord = 0, EndRecord = 0;
    uint64_t EndNs = 0;
  };

  /// \p X must outlive the object.
  static Result<Timeline> make(const InstantiationIndex &X);

  const InstantiationIndex &index() const { return *X; }
  /// Of the index; null: nobody wants them.
  const SearchTables *tables() const { return Tables.get(); }
  void setTables(std::shared_ptr<SearchTables> New) { Tables = std::move(New); }
  const std::vector<Part> &parts() const { return Parts; }
  /// After the last event of the last compile.
  Position end() const { return Parts.empty() ? 0 : Parts.back().End; }

  /// The one that has happened last at \p Place; none at 0.
  Result<Event> last(Position Place) const;
  /// The compile of that event; of the next one at 0. Requires: a compile.
  uint32_t compileAt(Position Place) const;

  Result<Position> beforeBegin(uint32_t Record) const;
  Result<Position> afterBegin(uint32_t Record) const {
    Result<Position> Before = beforeBegin(Record);
    return Before ? Result<Position>(*Before + 1) : Before;
  }
  /// After it ended, or the end of its compile if it never did.
  Result<Position> afterEnd(uint32_t Record) const;
  /// The first record that begins after \p P, or the number of records.
  Result<uint32_t> notBegun(Position P) const;
  /// The open records, innermost first.
  Result<std::vector<uint32_t>> stack(Position P) const;
  /// Of the last event; the begin of its compile at 0.
  Result<uint64_t> timeNs(Position P) const;
  /// After all events of the compile at or before the time.
  Result<Position> after(uint32_t Compile, uint64_t TimeNs) const;

private:
  explicit Timeline(const InstantiationIndex &X) : X(&X) {}
  Result<uint32_t> partOf(uint32_t Record) const;
  Error fault() const { return Error{X->fault()}; }
  Result<uint64_t> depth(uint32_t Record,
                         const InstantiationIndex::Shape &Is) const;

  struct Placed {
    InstantiationIndex::Shape Is;
    const Part *In = nullptr;
    uint64_t Depth = 0;

    /// When as many records of its compile have begun as are below \p Upto, and
    /// of these only those around it are open.
    Position before(uint32_t Upto) const {
      uint64_t BeginCount = Upto - In->FirstRecord;
      return In->Begin + BeginCount * 2 - std::min(Depth, BeginCount);
    }
  };
  Result<Placed> place(uint32_t Record) const;

  const InstantiationIndex *X;
  std::vector<Part> Parts;
  std::shared_ptr<const SearchTables> Tables;
};

} // namespace instantrace
