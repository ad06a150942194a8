/// \file
/// What is asked of a record: `depth > 3 && duration >= 1ms`.
///
/// Flow:   text -> [Condition] -> RecordSearch
/// Errors: what cannot be read, with the word
#pragma once

#include "runtime/base/Result.h"
#include "runtime/index/Index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct RecordBlock;

/// What a condition can ask for; numbers all, in nanoseconds and bytes.
enum class RecordFact : uint8_t {
  Depth,
  Duration, ///< from begin to end
  Self,
  Memory,    ///< of the syntax tree, with what is inside
  OwnMemory, ///< without
  Time,      ///< of the begin
  Line,
  Inside, ///< how many records are
  Kind,
  Open,
  Definition,
};

/// A record whose facts are read when they are asked for.
class RecordFacts {
public:
  RecordFacts(const InstantiationIndex &X, uint32_t Id) : X(X), Id(Id) {}

  /// False: the index is damaged, and its fault() says how.
  bool read(RecordFact Wanted, uint64_t &Into);

private:
  const InstantiationIndex &X;
  uint32_t Id;
  InstantiationIndex::Shape Shape = {};
  InstantiationIndex::Record Record = {};
  bool HasShape = false, HasRecord = false;
};

class Condition {
public:
  /// Empty text is always true.
  static Result<Condition> make(std::string_view Text);

  bool isEmpty() const { return Steps.empty(); }
  const std::string &text() const { return Text; }
  /// False: the index is damaged.
  bool holds(RecordFacts &Facts, bool &Into) const;
  /// False: it holds for none of these records.
  bool mayHold(const RecordBlock &Block) const;
  /// What each record takes at least for which it holds.
  uint64_t leastDurationNs() const;

private:
  enum class Compare : uint8_t { Less, AtMost, Equal, Other, AtLeast, More };
  /// In the order in which they are evaluated, operands first.
  struct Step {
    enum class StepKind : uint8_t { Compare, Not, And, Or };
    StepKind Kind = StepKind::Compare;
    RecordFact Fact = RecordFact::Depth;
    Condition::Compare How = Compare::Equal;
    uint64_t Value = 0;
  };
  class Parser;

  static bool isTrue(const Step &S, uint64_t Is);
  struct Outcome {
    bool True, False; ///< whether it may be that
  };
  static Outcome outcome(const Step &S, const RecordBlock &Block);

  std::string Text;
  std::vector<Step> Steps;
};

std::optional<RecordFact> recordFact(std::string_view Name);

/// The number of a kind by its name.
Result<uint64_t> parseEventKind(const std::string &Word);

} // namespace instantrace
