/// \file
/// The part of IndexBuilder that goes over all records once they are known:
/// their numbers, sums of time and memory, rows and postings.
#include "runtime/index/IndexBuilder.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

using namespace instantrace;
using namespace instantrace::index;

namespace {

/// Turns counts into where each begins.
template <class Rows> void countsToBegins(Rows &R) {
  uint32_t Sum = 0;
  for (auto &Row : R)
    Row.FirstPosting = std::exchange(Sum, Sum + Row.FirstPosting);
}

} // namespace

/// The records from \p First up to the next that is a multiple of
/// BatchRecords, or to \p End.
bool IndexBuilder::readBatch(uint32_t First, uint32_t End, Batch &Into) {
  Into.First = First;
  Into.Count = std::min(End - First, BatchRecords - First % BatchRecords);
  Into.Parts = Parts.rows(First, Into.Count, Into.PartRows);
  Into.Entities = EntityOf.rows(First, Into.Count, Into.EntityRows);
  Into.Places = PlaceOf.rows(First, Into.Count, Into.PlaceRows);
  return Into.Parts && Into.Entities && Into.Places;
}

/// Gives each the numbers of what it refers to, and adds up all that there is
/// to be added up.
void IndexBuilder::completeRecords() {
  uint64_t SelfNs = 0, Memory = 0;
  Batch In;
  uint32_t Id = 0;
  for (size_t No = 0; No != Compiles.size(); ++No) {
    const Numbers &N = NumbersOf[No];
    const uint32_t End = No + 1 == Compiles.size()
                             ? recordCount()
                             : Compiles[No + 1].FirstRecord;
    for (; Id != End; Id += In.Count) {
      if (!readBatch(Id, End, In))
        return;
      for (uint32_t I = 0; I != In.Count; ++I) {
        uint32_t &Entity = In.Entities[I], &Place = In.Places[I];
        Entity = N.entity(Entity);
        Place = N.place(Place);
        // Counts for now; countsToBegins() makes begins of them.
        if (Entity != None) {
          ++EntityPostingCount;
          ++Entities[Entity].FirstPosting;
        }
        if (Place != None) {
          ++PlacePostingCount;
          ++Locations[Place].FirstPosting;
        }
        SelfSums.add(Id + I, SelfNs);
        SelfNs += In.Parts[I].SelfNs;
        if (HasAstBytes) {
          MemorySums.add(Id + I, Memory);
          Memory += In.Parts[I].AstBytes;
        }
      }
      if (!EntityOf.putBack(Id, In.Count, In.Entities) ||
          !PlaceOf.putBack(Id, In.Count, In.Places))
        return;
    }
  }
  SelfSums.add(Id, SelfNs);
  if (HasAstBytes)
    MemorySums.add(Id, Memory);
  countsToBegins(Entities);
  countsToBegins(Locations);
}

/// As they are in the file.
void IndexBuilder::addRecords(IndexFile &File) {
  auto In = std::make_shared<Batch>();
  auto Put = [this, In](uint64_t AtByte, size_t SizeBytes, char *Into) {
    auto First = static_cast<uint32_t>(AtByte / sizeof(RecordRow));
    const auto End =
        First + static_cast<uint32_t>(SizeBytes / sizeof(RecordRow));
    auto *Rows = reinterpret_cast<RecordRow *>(Into);
    for (; First != End; First += In->Count) {
      if (!readBatch(First, End, *In))
        return columnError();
      for (uint32_t I = 0; I != In->Count; ++I) {
        const RecordPart &Part = In->Parts[I];
        *Rows++ = {In->Entities[I], In->Places[I], Part.Parent, Part.SubtreeEnd,
                   Part.Kind,       Part.Flags,    Part.Depth};
      }
    }
    return 0;
  };
  File.add(recordCount() * sizeof(RecordRow), Put);
}

/// Those of a few million at a time, since they are not filled in their order.
class IndexBuilder::Postings {
public:
  /// By record the number of one of \p Rows, which have FirstPosting.
  template <class Rows>
  Postings(SpillColumn<uint32_t> &NumberOf, const Rows &R, uint64_t AtOnce)
      : NumberOf(NumberOf), AtOnce(AtOnce) {
    for (const auto &Row : R)
      Firsts.push_back(Row.FirstPosting);
  }

  int put(uint64_t AtByte, size_t SizeBytes, char *Into) {
    uint64_t Index = AtByte / sizeof(uint32_t);
    const uint64_t End = Index + SizeBytes / sizeof(uint32_t);
    while (Index != End) {
      if (Index - Begin >= Window.size() && !fill(Index))
        return NumberOf.error();
      const uint64_t Room =
          std::min(End - Index, Begin + Window.size() - Index);
      std::memcpy(Into, &Window[Index - Begin], Room * sizeof(uint32_t));
      Into += Room * sizeof(uint32_t);
      Index += Room;
    }
    if (Index == Count)
      Window = {};
    return 0;
  }
  /// Of all of them.
  uint64_t Count = 0;

private:
  bool fill(uint64_t First) {
    Begin = First;
    Window.resize(std::min(AtOnce, Count - First));
    Next = Firsts;
    std::vector<uint32_t> Scratch;
    for (uint64_t Id = 0; Id != NumberOf.size();) {
      const uint64_t Room =
          std::min<uint64_t>(NumberOf.size() - Id, BatchRecords);
      const uint32_t *Numbers = NumberOf.rows(Id, Room, Scratch);
      if (!Numbers)
        return false;
      for (uint64_t I = 0; I != Room; ++I, ++Id)
        if (Numbers[I] != index::None)
          if (uint64_t Index = Next[Numbers[I]]++ - Begin;
              Index < Window.size())
            Window[Index] = static_cast<uint32_t>(Id);
    }
    return true;
  }

  SpillColumn<uint32_t> &NumberOf;
  const uint64_t AtOnce;
  std::vector<uint32_t> Firsts, Next, Window;
  uint64_t Begin = 0;
};

void IndexBuilder::addPostings(IndexFile &File) {
  auto Add = [&](SpillColumn<uint32_t> &NumberOf, const auto &Rows,
                 uint64_t Count) {
    auto Written = std::make_shared<Postings>(NumberOf, Rows, PostingsAtOnce);
    Written->Count = Count;
    File.add(Count * sizeof(uint32_t),
             [Written](uint64_t Index, size_t SizeBytes, char *Into) {
               return Written->put(Index, SizeBytes, Into);
             });
  };
  Add(EntityOf, Entities, EntityPostingCount);
  Add(PlaceOf, Locations, PlacePostingCount);
}
