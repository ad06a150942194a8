#include "runtime/read/LookAhead.h"

#include "runtime/format/Record.h"
#include "runtime/read/EventBatch.h"

#include <protozero/varint.hpp>

#include <algorithm>

using namespace instantrace;
using protozero::decode_varint;

namespace {

/// Walks over the fields of records without a look at most of them.
class RecordSkipper {
public:
  explicit RecordSkipper(std::string_view Records)
      : Cursor(Records.data()), End(Cursor + Records.size()) {}

  bool isAtEnd() const { return Cursor == End; }
  uint64_t number() { return decode_varint(&Cursor, End); }
  void skip(int Numbers) {
    for (; Numbers != 0 && Cursor != End; ++Cursor)
      Numbers -= static_cast<signed char>(*Cursor) >= 0;
  }
  /// An entity, and a location where the entity's reference does not imply it.
  void skipSubject() {
    const uint64_t Reference = number();
    const uint64_t Back = Reference - FirstBackReference;
    const bool ImpliesLocation = Reference >= FirstBackReference &&
                                 (Back & EntityOfInterval) &&
                                 (Back & SameLocation);
    skip(ImpliesLocation ? 0 : 1);
  }

private:
  const char *Cursor, *End;
};

} // namespace

void LookAhead::add(const Interval &I) {
  if (I.Requester)
    Requested.push_back(I.Requester.Value);
  if (eventGroup(I.Kind) == EventGroup::Backend && I.Entity)
    Functions.push_back(I.Entity);
}

void LookAhead::settle() {
  std::sort(Requested.begin(), Requested.end());
  Requested.erase(std::unique(Requested.begin(), Requested.end()),
                  Requested.end());
  auto IsBefore = [](EntityId A, EntityId B) { return A.Value < B.Value; };
  auto IsSame = [](EntityId A, EntityId B) { return A.Value == B.Value; };
  std::sort(Functions.begin(), Functions.end(), IsBefore);
  Functions.erase(std::unique(Functions.begin(), Functions.end(), IsSame),
                  Functions.end());
}

LookAhead instantrace::lookAhead(const Sequence &S) {
  LookAhead Ahead;
  for (const Interval &I : S.Intervals)
    Ahead.add(I);
  Ahead.settle();
  return Ahead;
}

void instantrace::findRequested(protozero::pbf_reader Batch,
                                std::vector<uint32_t> &Into) {
  constexpr uint64_t OpMask = (1u << RecordOpBits) - 1;
  uint64_t Next = readBatchStart(Batch).Interval;
  while (auto Records = nextRecords(Batch)) {
    RecordSkipper Skipper(*Records);
    while (!Skipper.isAtEnd()) {
      const uint64_t Head = Skipper.number();
      const uint64_t Flags = Head >> RecordOpBits;
      Skipper.skip(1); // time
      switch (static_cast<RecordOp>(Head & OpMask)) {
      case RecordOp::Begin:
        Skipper.skipSubject();
        ++Next;
        break;
      case RecordOp::BeginRequested: {
        Skipper.skipSubject();
        const uint64_t Distance = Skipper.number();
        if (Distance == 0 || Distance > Next || Next >= IntervalId::None)
          return; // the decoder says so
        Into.push_back(static_cast<uint32_t>(Next - Distance));
        ++Next;
        break;
      }
      case RecordOp::Instant:
        Skipper.skipSubject();
        break;
      case RecordOp::End:
        Skipper.skip(((Flags & EndAstBytes) != 0) +
                     ((Flags & EndMemoized) != 0) +
                     2 * ((Flags & EndElided) != 0));
        break;
      }
    }
  }
}
