#include "runtime/format/EventKind.h"
#include "utils/analysis/index/IndexQuestions.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

using namespace instantrace;

namespace {

constexpr uint32_t Nobody = InstantiationIndex::None;

Error askersFault(const InstantiationIndex &X) { return Error{X.fault()}; }

/// Whether a name is \p Wanted in one of the ways it may be written. No more of
/// it is expanded than what could be.
template <class Expand>
bool isNamed(const std::string &Wanted, Expand NameOf, bool &IsRead) {
  for (bool HasDefaults : {false, true})
    for (bool HasParameters : {false, true}) {
      std::string Text;
      if (!NameOf({HasDefaults, HasParameters}, Wanted.size(), Text))
        return IsRead = false;
      if (Text == Wanted)
        return true;
    }
  return false;
}

/// By its hash a name is found at once; one without default arguments is looked
/// for in all.
Result<std::vector<uint32_t>> entitiesCalled(const InstantiationIndex &X,
                                             const std::string &Name) {
  std::vector<uint32_t> Ids;
  if (!X.entitiesNamed(Name, Ids))
    return askersFault(X);
  if (!Ids.empty())
    return Ids;
  bool IsRead = true;
  std::vector<bool> IsOfSet(X.templateSetCount());
  for (uint32_t Set = 0; IsRead && Set != X.templateSetCount(); ++Set)
    IsOfSet[Set] = isNamed(
        Name,
        [&](InstantiationIndex::NameParts Parts, size_t Limit,
            std::string &Text) {
          return X.templateSetName(Set, Parts, Limit, Text);
        },
        IsRead);
  for (uint32_t Id = 0; IsRead && Id != X.entityCount(); ++Id) {
    InstantiationIndex::Entity E = {};
    if (!X.entity(Id, E))
      return askersFault(X);
    bool IsOf = E.TemplateSet < IsOfSet.size() && IsOfSet[E.TemplateSet];
    if (IsOf || isNamed(
                    Name,
                    [&](InstantiationIndex::NameParts Parts, size_t Limit,
                        std::string &Text) {
                      return X.entityName(Id, Parts, Limit, Text);
                    },
                    IsRead))
      Ids.push_back(Id);
  }
  if (!IsRead)
    return askersFault(X);
  return Ids;
}

class Askers {
public:
  Askers(const InstantiationIndex &X, InstantiationIndex::NameParts Parts)
      : X(X), Parts(Parts) {}

  /// Requires: records are added in their order.
  bool add(uint32_t Id) {
    InstantiationIndex::Record R = {}, By = {};
    InstantiationIndex::Location At = {Nobody, 0, 0, 0};
    if (!X.record(Id, R) ||
        (R.Location != Nobody && !X.location(R.Location, At)))
      return false;
    By.Entity = Nobody;
    if (R.instantiatedFrom() != Nobody && !X.record(R.instantiatedFrom(), By))
      return false;
    bool HasAsker = R.instantiatedFrom() != Nobody;
    Row &Of =
        Rows[{By.Entity, HasAsker ? By.Kind : UINT16_MAX, At.File, At.LineNo}];
    if (!Of.Is.add(Id, R, Of.Until))
      return true;
    Of.Is.LineNo = At.LineNo;
    if (HasAsker)
      Of.Is.Kind = eventKindName(static_cast<EventKind>(By.Kind));
    return (By.Entity == Nobody ||
            X.entityName(By.Entity, Parts, IndexNameBytes, Of.Is.Name)) &&
           (At.File == Nobody ||
            X.filePath(At.File, IndexNameBytes, Of.Is.File));
  }

  std::vector<IndexAskerRow> take() {
    std::vector<IndexAskerRow> All;
    for (auto &[Key, Of] : Rows)
      All.push_back(std::move(Of.Is));
    std::stable_sort(All.begin(), All.end(), IndexCostRow::isBefore);
    return All;
  }

private:
  struct Row {
    IndexAskerRow Is;
    uint32_t Until = 0;
  };
  const InstantiationIndex &X;
  InstantiationIndex::NameParts Parts;
  // By entity and kind of who asked, file and line.
  std::map<std::tuple<uint32_t, uint16_t, uint32_t, uint32_t>, Row> Rows;
};

} // namespace

Result<IndexAskers> instantrace::askersOf(const InstantiationIndex &X,
                                          const std::string &Name,
                                          InstantiationIndex::NameParts Parts) {
  Result<std::vector<uint32_t>> Ids = entitiesCalled(X, Name);
  if (!Ids)
    return Ids.error();
  std::vector<uint32_t> Records, Of;
  for (uint32_t Id : *Ids) {
    if (!X.recordsOf(Id, Of))
      return askersFault(X);
    Records.insert(Records.end(), Of.begin(), Of.end());
  }
  if (Records.empty())
    return makeError(std::string(X.name()),
                     "nothing with the name '" + Name + "'",
                     "a specialization or template that `summary` shows");
  std::sort(Records.begin(), Records.end());
  Askers All(X, Parts);
  for (uint32_t Id : Records)
    if (!All.add(Id))
      return askersFault(X);
  return IndexAskers{Ids->size(), Records.size(), All.take()};
}
