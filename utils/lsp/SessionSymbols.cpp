#include "utils/lsp/SessionSymbols.h"

#include "utils/analysis/costs/CostSink.h"
#include "utils/analysis/costs/MergedCosts.h"
#include "utils/analysis/view/EntityGroups.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/cli/TraceArguments.h"
#include "utils/lsp/SessionCosts.h"

#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

constexpr CostKey SymbolKeys[] = {CostKey::Template};
constexpr size_t SymbolNameBytes = 200;

struct SymbolPlace {
  std::string Path;
  uint32_t LineNo = 0;
};
using SymbolPlaces = std::unordered_map<NameKey, SymbolPlace, NameKeyHash>;

/// Where the templates of a trace are declared.
SymbolPlaces placesOf(const Trace &T) {
  SymbolPlaces Places;
  EntityGroups Groups(T, EntityLevel::Template);
  for (uint32_t Index = 0; Index != T.Sequences.size(); ++Index) {
    const Sequence &S = T.Sequences[Index];
    Groups.enterSequence(Index);
    for (uint32_t Id = 1; Id <= S.Entities.size(); ++Id) {
      const Entity *E = S.entity(EntityId{Id});
      const Location *L = E ? S.location(E->DeclaredAt) : nullptr;
      if (!L)
        continue;
      auto [Entry, IsNew] =
          Places.try_emplace(Groups.key(Groups.groupFor(EntityId{Id})));
      if (IsNew)
        Entry->second = {pathFrom(S.Session ? S.Session->WorkingDirectory : "",
                                  normalPathOf(S, L->File)),
                         L->LineNo};
    }
  }
  return Places;
}

class SymbolPart final : public NotedStream {
public:
  explicit SymbolPart(const TraceFilter &All)
      : Events(std::in_place, T, SymbolKeys, All) {}

  TraceSink &events() override { return *Events; }
  /// Of the trace, names are left.
  void finish() override {
    Notes.add(T, Observed);
    Table = std::move(Events->take(/*AreKindsKept=*/true).front());
    Events.reset();
    Places = placesOf(T);
    T = takeNames(std::move(T));
  }

  CostTable Table;
  SymbolPlaces Places;

private:
  std::optional<CostSink> Events;
};

} // namespace

Result<std::vector<EditorSymbol>>
instantrace::readSessionSymbols(const std::string &Path) {
  const std::vector<std::string> Inputs = {Path};
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Files,
                         findTraceArguments(Inputs));
  const Result<TraceFilter> All = TraceFilter::make({});
  MergedNames Names;
  MergedCosts Costs;
  SymbolPlaces Places;
  INSTANTRACE_TRY(streamEachTrace(
      Files, [&All] { return std::make_unique<SymbolPart>(*All); },
      [&](SymbolPart &Part) -> Result<void> {
        Names.enterTrace(Part.T);
        Costs.add(std::move(Part.Table), Names);
        Places.merge(Part.Places);
        return {};
      },
      /*AreFailuresTold=*/true));
  CostTable Table = Costs.take();
  sortCosts(Table, Names.trace(), CostOrder::Self, 0);
  std::vector<EditorSymbol> Symbols;
  for (const CostRow &Row : Table.Rows) {
    auto Place = Places.find(Row.Key);
    if (Place == Places.end() || Place->second.Path.empty())
      continue;
    Symbols.push_back({Row.Name.text(Names.trace(), {}, SymbolNameBytes),
                       Place->second.Path, Place->second.LineNo, Row.SelfNs,
                       Row.Count});
    if (Symbols.size() == MostSymbols)
      break;
  }
  return Symbols;
}
