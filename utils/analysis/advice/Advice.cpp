#include "utils/analysis/advice/Advice.h"

#include "utils/analysis/advice/AdviceFacts.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Longer names are not for a program that people write.
constexpr size_t WritableBytes = 1 << 11;

AdviceRule ruleFor(AdviceKind Kind) {
  switch (Kind) {
  case AdviceKind::Precompile:
    return advisePrecompile;
  case AdviceKind::NarrowInclude:
    return adviseNarrowInclude;
  case AdviceKind::ForwardDeclare:
    return adviseForwardDeclare;
  case AdviceKind::SplitHeader:
    return adviseSplitHeader;
  case AdviceKind::ExternTemplate:
    return adviseExternTemplate;
  case AdviceKind::UnneededHeader:
    return adviseUnneededHeader;
  case AdviceKind::Recursion:
    return adviseRecursion;
  case AdviceKind::DefaultArguments:
    return adviseDefaultArguments;
  case AdviceKind::EnableIf:
    return adviseEnableIf;
  case AdviceKind::UnusedInstantiation:
    return adviseUnusedInstantiation;
  case AdviceKind::TypeIndependentPart:
    return adviseTypeIndependentPart;
  case AdviceKind::NeverKept:
    return adviseNeverKept;
  case AdviceKind::Duplicates:
    return adviseDuplicates;
  }
  return nullptr;
}

/// As a floating-point number, for a thousand times a time need not fit.
double permille(uint64_t PartNs, uint64_t WholeNs) {
  return 1000 * static_cast<double>(PartNs) / static_cast<double>(WholeNs);
}

} // namespace

AdviceFacts::AdviceFacts(const Trace &T, TraceFilter &Filter,
                         const AdviceSpec &Spec)
    : T(T), Filter(Filter), Spec(Spec) {
  for (const Sequence &S : T.Sequences) {
    Compiles.emplace_back(S);
    Functions.emplace_back(Compiles.back());
    TotalNs += Compiles.back().TotalNs;
  }
}

AdviceFacts::~AdviceFacts() = default;

bool AdviceFacts::isWorth(uint64_t Ns) const {
  return Ns != 0 && permille(Ns, TotalNs) >= Spec.MinPermille;
}

HeaderFacts &AdviceFacts::headers() {
  if (!Headers)
    Headers = std::make_unique<HeaderFacts>(Filter, Spec.Sources, Compiles);
  return *Headers;
}

bool AdviceFacts::isOwnFunction(uint32_t SequenceIndex, EntityId Id) const {
  const Sequence &S = T.Sequences[SequenceIndex];
  const FunctionCosts &Known = Functions[SequenceIndex];
  const Entity *E = S.entity(Id);
  return E && Id.Value < Known.Costs.size() &&
         Known.Costs[Id.Value].Given != 0 &&
         E->Name.Value != E->TemplateSet.Value && !S.isSystem(E->DeclaredAt) &&
         Filter.selectsFunction(Id, Known.Homes.placeOf(Id));
}

std::string AdviceFacts::place(uint32_t SequenceIndex, LocationId Id) const {
  const Sequence &S = T.Sequences[SequenceIndex];
  const Location *L = S.location(Id);
  if (!L || !S.Names.contains(L->File))
    return {};
  return placeText(S, *L);
}

std::string AdviceFacts::declared(uint32_t SequenceIndex, EntityId Id) const {
  const Entity *E = T.Sequences[SequenceIndex].entity(Id);
  return E ? place(SequenceIndex, E->DeclaredAt) : std::string();
}

std::string instantrace::writableName(const Trace &T, const RowName &Name) {
  if (!Name.Fixed.empty())
    return {};
  std::string Text = Name.text(T, {}, WritableBytes + 1);
  if (Text.empty() || Text.size() > WritableBytes)
    return {};
  for (std::string_view Unwritable :
       {"(lambda", "(anonymous", "(unnamed", ")::", "\n"})
    if (Text.find(Unwritable) != Text.npos)
      return {};
  return Text;
}

AdviceReport instantrace::findAdvice(const Trace &T, TraceFilter &Filter,
                                     const AdviceSpec &Spec) {
  Filter.enterTrace(T);
  AdviceFacts Facts(T, Filter, Spec);
  AdviceReport Report;
  Report.TotalNs = Facts.TotalNs;
  struct Named {
    std::string Name;
    Suggestion Advised;
  };
  std::vector<Named> Found;
  for (AdviceKind Kind : AdviceKinds) {
    if (!Spec.Only.empty() &&
        std::find(Spec.Only.begin(), Spec.Only.end(), Kind) == Spec.Only.end())
      continue;
    for (Suggestion &S : ruleFor(Kind)(Facts)) {
      if (!Facts.isWorth(S.Saves.EstimateNs)) {
        ++Report.Smaller;
        continue;
      }
      S.Kind = Kind;
      Found.push_back({S.Subject.text(T, {}, ComparedNameBytes), std::move(S)});
    }
  }
  std::stable_sort(
      Found.begin(), Found.end(), [](const Named &A, const Named &B) {
        if (A.Advised.Saves.EstimateNs != B.Advised.Saves.EstimateNs)
          return A.Advised.Saves.EstimateNs > B.Advised.Saves.EstimateNs;
        if (A.Advised.Kind != B.Advised.Kind)
          return A.Advised.Kind < B.Advised.Kind;
        return A.Name < B.Name;
      });
  for (Named &N : Found)
    Report.Suggestions.push_back(std::move(N.Advised));
  return Report;
}
