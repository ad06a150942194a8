#include "utils/replay/RecordSearch.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace instantrace;

Result<RecordSearch> RecordSearch::make(const Timeline &Line,
                                        const StopSpec &Spec, bool MayPend) {
  RecordSearch New(Line, Spec, MayPend);
  New.setCondition(Spec.If);
  INSTANTRACE_TRY(New.lookUp());
  return New;
}

void RecordSearch::setCondition(Condition If) {
  Spec.If = std::move(If);
  LeastNs = std::max(Spec.LeastNs, Spec.If.leastDurationNs());
}

std::optional<uint64_t> RecordSearch::knownCount() const {
  return Known ? std::optional(Known->size()) : std::nullopt;
}

Result<void> RecordSearch::lookUp() {
  bool HasEntities = !Spec.Name.empty() || !Spec.Regex.empty() || Spec.Nth != 0;
  if (HasEntities)
    INSTANTRACE_TRY(addEntities());
  if (!Spec.File.empty() && !IsPending)
    return addPlaces();
  return {};
}

/// Of no record, for now.
Result<void> RecordSearch::pend(Error Why) {
  if (!MayPend)
    return Why;
  Known.emplace(X->recordCount());
  IsPending = true;
  return {};
}

Result<void> RecordSearch::addEntities() {
  std::vector<uint32_t> Meant;
  if (!Spec.Name.empty() || !Spec.Regex.empty()) {
    INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Found,
                           entitiesMeant(*Line, Spec));
    if (Found.empty())
      return pend(noEntity(*Line, Spec));
    Meant = std::move(Found);
    if (!Spec.Name.empty() && !Spec.Regex.empty()) {
      StopSpec Other;
      Other.Name = Spec.Name;
      INSTANTRACE_TRY_ASSIGN(std::vector<uint32_t> Named,
                             entitiesMeant(*Line, Other));
      if (Named.empty())
        return pend(noEntity(*Line, Other));
      std::erase_if(Meant, [&](uint32_t Id) {
        return !std::binary_search(Named.begin(), Named.end(), Id);
      });
    }
  } else {
    Meant.resize(X->entityCount());
    std::iota(Meant.begin(), Meant.end(), 0);
  }
  Known.emplace(X->recordCount());
  std::vector<uint32_t> Ids;
  for (uint32_t Id : Meant) {
    if (isInterrupted())
      return interruptedError();
    if (!X->recordsOf(Id, Ids))
      return fault();
    if (Spec.Nth == 0)
      for (uint32_t Record : Ids)
        Known->add(Record);
    else if (Spec.Nth <= Ids.size())
      Known->add(Ids[Spec.Nth - 1]);
  }
  return {};
}

Result<void> RecordSearch::addPlaces() {
  std::vector<uint32_t> Files, Ids;
  if (!X->filesNamed(Spec.File, Files))
    return fault();
  if (Files.empty())
    return pend(
        makeError(X->name(), "no location in a file '" + Spec.File + "'",
                  "the path or the end of the path of one that there is"));
  RecordSet Set(X->recordCount());
  // Locations are sorted by file and line; those of a whole file are walked.
  InstantiationIndex::Location L = {};
  if (Spec.LineNo != 0) {
    for (uint32_t File : Files) {
      if (!X->recordsAt(File, Spec.LineNo, Ids))
        return fault();
      for (uint32_t Id : Ids)
        Set.add(Id);
    }
  } else {
    std::pair<uint32_t, uint32_t> Last = {None, 0};
    for (uint32_t Id = 0; Id != X->locationCount(); ++Id) {
      if (Id % StepsPerLook == 0 && isInterrupted())
        return interruptedError();
      if (!X->location(Id, L))
        return fault();
      std::pair<uint32_t, uint32_t> Place = {L.File, L.LineNo};
      if (Place == std::exchange(Last, Place) ||
          std::find(Files.begin(), Files.end(), L.File) == Files.end())
        continue;
      if (!X->recordsAt(L.File, L.LineNo, Ids))
        return fault();
      for (uint32_t Record : Ids)
        Set.add(Record);
    }
  }
  if (!Known) {
    Known = std::move(Set);
    return {};
  }
  RecordSet Both(X->recordCount());
  for (uint32_t Id = 0; (Id = Set.next(Id, X->recordCount())) != None; ++Id)
    if (Known->contains(Id))
      Both.add(Id);
  Known = std::move(Both);
  return {};
}

// Records keep their numbers when more come behind them; entities do not.
void RecordSearch::addLate(const RecordSearch &Before,
                           std::vector<uint32_t> &Late) const {
  if (!Known || !Before.Known)
    return;
  const uint32_t End = std::min(Known->limit(), Before.Known->limit());
  for (uint32_t Id = 0; (Id = Known->next(Id, End)) != None; ++Id)
    if (!Before.Known->contains(Id))
      Late.push_back(Id);
}

RecordSearch RecordSearch::among(const std::vector<uint32_t> &Records) const {
  RecordSearch New = *this;
  New.Known.emplace(X->recordCount());
  for (uint32_t Id : Records)
    if (Id < X->recordCount() && (!Known || Known->contains(Id)))
      New.Known->add(Id);
  return New;
}

Result<bool> RecordSearch::fits(uint32_t Record) const {
  if (Known && !Known->contains(Record))
    return false;
  return fitsWithoutSet(Record);
}

Result<bool> RecordSearch::fitsWithoutSet(uint32_t Record) const {
  RecordFacts Facts(*X, Record);
  uint64_t Is = 0;
  auto Has = [&](RecordFact Fact, auto Test) {
    return Facts.read(Fact, Is) ? std::optional<bool>(Test(Is)) : std::nullopt;
  };
  std::optional<bool> Good = true;
  if (Spec.Kind)
    Good = Has(RecordFact::Kind, [&](uint64_t K) { return K == *Spec.Kind; });
  if (Good == true && Spec.Depth)
    Good = Has(RecordFact::Depth, [&](uint64_t D) { return D == *Spec.Depth; });
  if (Good == true && Spec.LeastNs != 0)
    Good = Has(RecordFact::Duration,
               [&](uint64_t Ns) { return Ns >= Spec.LeastNs; });
  if (Good == true && Spec.IsMemory)
    Good =
        Has(RecordFact::OwnMemory, [](uint64_t Bytes) { return Bytes != 0; });
  bool Holds = true;
  if (!Good || (*Good && !Spec.If.holds(Facts, Holds)))
    return fault();
  return *Good && Holds;
}

Result<uint32_t> RecordSearch::next(uint32_t Begin, uint32_t End) const {
  return !Known && LeastNs > 1 ? nextLong(Begin, End) : nextFitting(Begin, End);
}

Result<uint32_t> RecordSearch::previous(uint32_t Upto, uint32_t Begin) const {
  return !Known && LeastNs > 1 ? previousLong(Upto, Begin)
                               : previousFitting(Upto, Begin);
}

/// By what is known of its records.
bool RecordSearch::mayFit(const RecordBlock &Block) const {
  if (Spec.Kind && (*Spec.Kind >= 64 || !(Block.Kinds >> *Spec.Kind & 1)))
    return false;
  // The deepest that a shape says stands for all that are deeper.
  if (Spec.Depth && (*Spec.Depth < Block.LeastDepth ||
                     (*Spec.Depth > Block.MostDepth &&
                      Block.MostDepth != InstantiationIndex::DeepestShape)))
    return false;
  return Spec.If.mayHold(Block);
}

Result<uint32_t> RecordSearch::nextFitting(uint32_t Begin, uint32_t End) const {
  const SearchTables *Tables = Known ? nullptr : Line->tables();
  auto MayFit = [this](const RecordBlock &B) { return mayFit(B); };
  uint32_t Block = None; // the last one that was looked at
  for (uint32_t Id = Begin, Steps = 0; Id < End; ++Id, ++Steps) {
    if (Steps % StepsPerLook == 0 && isInterrupted())
      return interruptedError();
    if (Known)
      Id = Known->next(Id, End);
    else if (Tables && Tables->blockOf(Id) != Block) {
      Id = Tables->pass(Id, End, MayFit);
      Block = Tables->blockOf(Id);
    }
    if (Id >= End)
      break;
    INSTANTRACE_TRY_ASSIGN(bool Fits, fitsWithoutSet(Id));
    if (Fits)
      return Id;
  }
  return None;
}

Result<uint32_t> RecordSearch::previousFitting(uint32_t Upto,
                                               uint32_t Begin) const {
  const SearchTables *Tables = Known ? nullptr : Line->tables();
  auto MayFit = [this](const RecordBlock &B) { return mayFit(B); };
  uint32_t Block = None; // the last one that was looked at
  for (uint32_t Id = Upto, Steps = 0; Id > Begin; --Id, ++Steps) {
    if (Steps % StepsPerLook == 0 && isInterrupted())
      return interruptedError();
    if (Known) {
      uint32_t Found = Known->previous(Id, Begin);
      if (Found == None)
        break;
      Id = Found + 1;
    } else if (Tables && Tables->blockOf(Id - 1) != Block) {
      Id = Tables->passBack(Id, Begin, MayFit);
      if (Id <= Begin)
        break;
      Block = Tables->blockOf(Id - 1);
    }
    INSTANTRACE_TRY_ASSIGN(bool Fits, fitsWithoutSet(Id - 1));
    if (Fits)
      return Id - 1;
  }
  return None;
}

namespace {

/// Whether looks at times are fewer than records.
bool isWorthLooking(uint64_t SpanNs, uint64_t LeastNs, uint32_t Records) {
  return SpanNs / LeastNs < Records;
}

} // namespace

/// Of what begins from FromNs on, each that is long enough covers the last
/// nanosecond of [FromNs, FromNs + LeastNs) or begins behind it.
Result<uint32_t> RecordSearch::nextLong(uint32_t Begin, uint32_t End) const {
  InstantiationIndex::Record R;
  for (uint32_t No = 0; No != Line->parts().size(); ++No) {
    const Timeline::Part &P = Line->parts()[No];
    uint32_t First = std::max(Begin, P.FirstRecord);
    uint32_t Behind = std::min(End, P.EndRecord);
    if (First >= Behind)
      continue;
    if (!X->record(First, R))
      return fault();
    uint64_t FromNs = R.BeginNs;
    if (FromNs > P.EndNs)
      return makeError(X->name(), "a record that begins behind the last event",
                       "one before it");
    if (!isWorthLooking(P.EndNs - FromNs, LeastNs, Behind - First)) {
      Result<uint32_t> Found = nextFitting(First, Behind);
      if (!Found || *Found != None)
        return Found;
      continue;
    }
    std::vector<uint32_t> Long; // innermost first
    for (uint32_t Steps = 0; P.EndNs - FromNs >= LeastNs; FromNs += LeastNs) {
      if (++Steps % StepsPerLook == 0 && isInterrupted())
        return interruptedError();
      Long.clear();
      uint32_t Id = None;
      if (!X->recordAt(No, FromNs + LeastNs - 1, Id))
        return fault();
      for (; Id != None && Id >= First; Id = R.Parent) {
        if (!X->record(Id, R))
          return fault();
        if (R.BeginNs < FromNs)
          break;
        if (R.EndNs - R.BeginNs >= LeastNs && Id < Behind)
          Long.push_back(Id);
      }
      for (; !Long.empty(); Long.pop_back()) {
        INSTANTRACE_TRY_ASSIGN(bool Fits, fitsWithoutSet(Long.back()));
        if (Fits)
          return Long.back();
      }
    }
  }
  return None;
}

/// The same from behind: what begins in (UptoNs - LeastNs, UptoNs] covers
/// UptoNs.
Result<uint32_t> RecordSearch::previousLong(uint32_t Upto,
                                            uint32_t Begin) const {
  InstantiationIndex::Record R;
  for (auto No = static_cast<uint32_t>(Line->parts().size()); No-- != 0;) {
    const Timeline::Part &P = Line->parts()[No];
    uint32_t First = std::max(Begin, P.FirstRecord);
    uint32_t Behind = std::min(Upto, P.EndRecord);
    if (First >= Behind)
      continue;
    if (!X->record(Behind - 1, R))
      return fault();
    uint64_t UptoNs = R.BeginNs;
    if (!isWorthLooking(UptoNs, LeastNs, Behind - First)) {
      Result<uint32_t> Found = previousFitting(Behind, First);
      if (!Found || *Found != None)
        return Found;
      continue;
    }
    for (uint32_t Steps = 0;; UptoNs -= LeastNs) {
      if (++Steps % StepsPerLook == 0 && isInterrupted())
        return interruptedError();
      uint32_t Id = None;
      if (!X->recordAt(No, UptoNs, Id))
        return fault();
      for (; Id != None && Id >= First; Id = R.Parent) {
        if (!X->record(Id, R))
          return fault();
        if (UptoNs - R.BeginNs >= LeastNs)
          break;
        if (Id >= Behind || R.EndNs - R.BeginNs < LeastNs)
          continue;
        INSTANTRACE_TRY_ASSIGN(bool Fits, fitsWithoutSet(Id));
        if (Fits)
          return Id;
      }
      if (UptoNs < LeastNs)
        break;
    }
  }
  return None;
}
