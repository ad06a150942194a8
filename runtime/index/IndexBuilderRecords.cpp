/// \file
/// The part of IndexBuilder that goes over all records once they are known:
/// their numbers, what is summed over them, rows and postings.
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

/// Sums of an entity or of a template set, in one line of the cache.
struct alignas(64) Tally {
  uint64_t SelfNs = 0, InclusiveNs = 0, AstBytes = 0, CostliestNs = 0;
  uint32_t Count = 0, Definitions = 0;
  uint32_t Costliest = index::None;
  uint32_t Until = 0; ///< behind the subtree of the outermost record
  uint32_t Set = index::None;

  void add(uint32_t Id, const auto &Of, uint64_t Bytes) {
    SelfNs += Of.SelfNs;
    AstBytes += Bytes;
    ++Count;
    Definitions += (Of.Flags & RecordDefinition) != 0;
    if (Id >= Until) {
      InclusiveNs += Of.InclusiveNs;
      Until = Of.SubtreeEnd;
    }
    if (Costliest == index::None || Of.InclusiveNs > CostliestNs) {
      Costliest = Id;
      CostliestNs = Of.InclusiveNs;
    }
  }
  void put(index::CostRow &Into) const {
    Into = {SelfNs, InclusiveNs, AstBytes,  Into.Memoized,
            Count,  Definitions, Costliest, 0};
  }
};

} // namespace

/// The records from \p First up to the next that is a multiple of
/// BatchRecords, or to \p End.
bool IndexBuilder::readBatch(uint32_t First, uint32_t End, Batch &Into) {
  Into.First = First;
  Into.Count = std::min(End - First, BatchRecords - First % BatchRecords);
  Into.Parts = Parts.rows(First, Into.Count, Into.PartRows);
  Into.Entities = EntityOf.rows(First, Into.Count, Into.EntityRows);
  Into.Places = PlaceOf.rows(First, Into.Count, Into.PlaceRows);
  Into.AstBytes = nullptr;
  if (!AstBytes.empty())
    Into.AstBytes = AstBytes.rows(First, Into.Count, Into.AstRows);
  return Into.Parts && Into.Entities && Into.Places &&
         (Into.AstBytes || AstBytes.empty());
}

/// Adds up what has numbers.
template <class Tally>
void IndexBuilder::addBatch(const Batch &Of, std::vector<Tally> &Entities,
                            std::vector<Tally> &Sets) {
  constexpr uint32_t Ahead = 12;
  for (uint32_t I = 0; I != Of.Count; ++I) {
    // Entities are anywhere in memory: those that come are fetched meanwhile.
    if (uint32_t Next = Of.Entities[std::min(I + Ahead, Of.Count - 1)];
        Next != None)
      __builtin_prefetch(&Entities[Next], 1);
    if (Of.Places[I] != None)
      ++Locations[Of.Places[I]].FirstPosting;
    if (Of.Entities[I] == None)
      continue;
    const uint32_t Id = Of.First + I;
    const uint64_t Bytes = Of.AstBytes ? Of.AstBytes[I] : 0;
    Tally &Entity = Entities[Of.Entities[I]];
    Entity.add(Id, Of.Parts[I], Bytes);
    if (Entity.Set != None)
      Sets[Entity.Set].add(Id, Of.Parts[I], Bytes);
  }
}

/// Gives each the numbers of what it refers to, and adds up all that there is
/// to be added up.
void IndexBuilder::completeRecords() {
  std::vector<Tally> OfEntity(Entities.size()), OfSet(TemplateSets.size());
  for (size_t I = 0; I != Entities.size(); ++I)
    OfEntity[I].Set = Entities[I].TemplateSet;
  if (!AstBytes.empty() && !AstBytes.resize(recordCount()))
    return;
  uint64_t SelfNs = 0, Memory = 0;
  Batch In;
  uint32_t Id = 0;
  for (size_t No = 0; No != Compiles.size(); ++No) {
    const Numbers &Of = NumbersOf[No];
    const uint32_t Begin = Id;
    const uint32_t End = No + 1 == Compiles.size()
                             ? recordCount()
                             : Compiles[No + 1].FirstRecord;
    for (; Id != End; Id += In.Count) {
      if (!readBatch(Id, End, In))
        return;
      for (uint32_t I = 0; I != In.Count; ++I) {
        uint32_t &Entity = In.Entities[I], &Place = In.Places[I];
        addRecordIds(Of, Id + I - Begin, Entity, Place);
        Entity = Of.entity(Entity);
        Place = Of.place(Place);
        EntityPostingCount += Entity != None;
        PlacePostingCount += Place != None;
        SelfSums.add(Id + I, SelfNs);
        SelfNs += In.Parts[I].SelfNs;
        if (In.AstBytes) {
          MemorySums.add(Id + I, Memory);
          Memory += In.AstBytes[I];
        }
      }
      addBatch(In, OfEntity, OfSet);
      if (!EntityOf.putBack(Id, In.Count, In.Entities) ||
          !PlaceOf.putBack(Id, In.Count, In.Places))
        return;
    }
    addTablesOfRecords(No);
  }
  SelfSums.add(Id, SelfNs);
  if (!AstBytes.empty())
    MemorySums.add(Id, Memory);
  for (size_t I = 0; I != Entities.size(); ++I) {
    OfEntity[I].put(EntityCosts[I]);
    Entities[I].FirstPosting = OfEntity[I].Count;
  }
  for (size_t I = 0; I != TemplateSets.size(); ++I)
    OfSet[I].put(TemplateSetCosts[I]);
  countsToBegins(Entities);
  countsToBegins(Locations);
}

/// As they are in the file.
void IndexBuilder::addRecords(IndexFile &To) {
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
        const RecordPart &Of = In->Parts[I];
        *Rows++ = {In->Entities[I], In->Places[I], Of.Parent, Of.SubtreeEnd,
                   Of.Kind,         Of.Flags,      Of.Depth};
      }
    }
    return 0;
  };
  To.add(recordCount() * sizeof(RecordRow), Put);
}

/// Those of a few million at a time, since they are not filled in their order.
class IndexBuilder::Postings {
public:
  /// By record the number of one of \p Rows, which have FirstPosting.
  template <class Rows>
  Postings(SpillColumn<uint32_t> &NumberOf, const Rows &Of, uint64_t AtOnce)
      : NumberOf(NumberOf), AtOnce(AtOnce) {
    for (const auto &Row : Of)
      Firsts.push_back(Row.FirstPosting);
  }

  int put(uint64_t AtByte, size_t SizeBytes, char *Into) {
    uint64_t At = AtByte / sizeof(uint32_t);
    const uint64_t End = At + SizeBytes / sizeof(uint32_t);
    while (At != End) {
      if (At - Begin >= Window.size() && !fill(At))
        return NumberOf.error();
      const uint64_t Here = std::min(End - At, Begin + Window.size() - At);
      std::memcpy(Into, &Window[At - Begin], Here * sizeof(uint32_t));
      Into += Here * sizeof(uint32_t);
      At += Here;
    }
    if (At == Count)
      Window = {};
    return 0;
  }
  /// Of all of them.
  uint64_t Count = 0;

private:
  bool fill(uint64_t From) {
    Begin = From;
    Window.resize(std::min(AtOnce, Count - From));
    Next = Firsts;
    std::vector<uint32_t> Scratch;
    for (uint64_t Id = 0; Id != NumberOf.size();) {
      const uint64_t Here =
          std::min<uint64_t>(NumberOf.size() - Id, BatchRecords);
      const uint32_t *Numbers = NumberOf.rows(Id, Here, Scratch);
      if (!Numbers)
        return false;
      for (uint64_t I = 0; I != Here; ++I, ++Id)
        if (Numbers[I] != index::None)
          if (uint64_t At = Next[Numbers[I]]++ - Begin; At < Window.size())
            Window[At] = static_cast<uint32_t>(Id);
    }
    return true;
  }

  SpillColumn<uint32_t> &NumberOf;
  const uint64_t AtOnce;
  std::vector<uint32_t> Firsts, Next, Window;
  uint64_t Begin = 0;
};

void IndexBuilder::addPostings(IndexFile &To) {
  auto Add = [&](SpillColumn<uint32_t> &NumberOf, const auto &Rows,
                 uint64_t Count) {
    auto Of = std::make_shared<Postings>(NumberOf, Rows, PostingsAtOnce);
    Of->Count = Count;
    To.add(Count * sizeof(uint32_t),
           [Of](uint64_t At, size_t SizeBytes, char *Into) {
             return Of->put(At, SizeBytes, Into);
           });
  };
  Add(EntityOf, Entities, EntityPostingCount);
  Add(PlaceOf, Locations, PlacePostingCount);
}
