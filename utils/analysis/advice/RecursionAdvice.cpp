/// \file
/// Advice: recursion that a fold, a pack expansion or a built-in replaces.
///
/// Flow:   findRecursion -> [adviseRecursion] -> findAdvice
///
/// Fires for a template with a recursion of at least FewestSteps
/// specializations, unless it is a detail of a system header. All its
/// instantiations go. What they need of other templates is mostly the elements,
/// such as the conditions of a conjunction, which are needed in any case, so
/// the estimate has no more of it than goes for certain; what is a recursion of
/// its own inside has its own suggestion.
#include "utils/analysis/advice/AdviceFacts.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/chains/Recursion.h"
#include "utils/analysis/view/EntityGroups.h"

#include <unordered_map>

using namespace instantrace;

namespace {

constexpr uint64_t FewestSteps = 16;

constexpr std::string_view PackAction =
    "Each step has the arguments of all others in its name. Do the whole list "
    "at once: expand the pack, fold it, take an element with "
    "__type_pack_element, make indices with std::make_integer_sequence.";
constexpr std::string_view NumberAction =
    "Compute the value in a constexpr function, with a loop, which "
    "instantiates nothing; or fold over std::make_integer_sequence, which is a "
    "built-in.";

constexpr std::string_view SystemAction =
    "This recursion is inside a library: give it fewer elements, or use "
    "something that does not recurse once per element: a struct for a tuple, a "
    "fold for a conjunction.";

constexpr std::string_view PackSnippet =
    R"(template <class... T> struct all
    : std::bool_constant<(check<T>::value && ...)> {};      // a fold
template <std::size_t I, class... T>
using nth = __type_pack_element<I, T...>;                   // a built-in
template <int... N> list<item<N>...> make(std::integer_sequence<int, N...>);
using made = decltype(make(std::make_integer_sequence<int, 40>{}));)";
constexpr std::string_view NumberSnippet =
    R"(constexpr int value(int N) {
  int Result = 0;
  for (int Step = 1; Step <= N; ++Step)
    Result = /* what one step made of the one before */;
  return Result;
})";

struct RecursionCandidate {
  RecursionRow Row;
  Saving Saves;
  uint64_t Steps = 0;
  std::string Place;
  bool IsSystem = false;
};

} // namespace

std::vector<Suggestion> instantrace::adviseRecursion(AdviceFacts &F) {
  RecursionReport Report = findRecursion(F.T, F.Filter);
  std::vector<RecursionCandidate> Candidates;
  std::unordered_map<NameKey, uint32_t, NameKeyHash> ByKey;
  for (const RecursionRow &Row : Report.Recursions) {
    if (Row.Depth < FewestSteps || !Row.Template.Fixed.empty())
      continue;
    NameKey Key = Row.Template.names(F.T).prefixKey(Row.Template.Name);
    ByKey.emplace(Key, static_cast<uint32_t>(Candidates.size()));
    Candidates.push_back({Row, {}, 0, {}, false});
  }
  if (Candidates.empty())
    return {};
  EntityGroups Templates(F.T, EntityLevel::Template);
  for (uint32_t Index = 0; Index != F.Compiles.size(); ++Index) {
    const CompileFacts &C = F.Compiles[Index];
    Templates.enterSequence(Index);
    F.Filter.enterSequence(Index);
    std::vector<uint32_t> RootOf(C.S->Intervals.size(), NoRoot);
    for (uint32_t At = 0; At != RootOf.size(); ++At) {
      const Interval &I = C.S->Intervals[At];
      if (I.Kind != EventKind::TemplateInstantiation || !I.Entity ||
          !F.Filter.selects(I))
        continue;
      auto Found = ByKey.find(Templates.key(Templates.groupFor(I.Entity)));
      if (Found == ByKey.end())
        continue;
      RootOf[At] = Found->second;
      RecursionCandidate &Known = Candidates[Found->second];
      ++Known.Steps;
      if (!Known.Place.empty())
        continue;
      Known.Place = F.declared(Index, I.Entity);
      if (const Entity *E = C.S->entity(I.Entity))
        Known.IsSystem = C.S->isSystem(E->DeclaredAt);
    }
    std::vector<RootSaving> Saves =
        savings(C, F.Functions[Index], RootOf, Candidates.size());
    for (size_t I = 0; I != Candidates.size(); ++I)
      Candidates[I].Saves += Saves[I].Saves;
  }
  std::vector<Suggestion> Suggestions;
  for (const RecursionCandidate &Known : Candidates) {
    const RecursionRow &Row = Known.Row;
    // How a library does inside what it is asked for is not for its users.
    if (Known.IsSystem &&
        isInternalName(Row.Template.text(F.T, {}, ComparedNameBytes)))
      continue;
    bool IsPack = Row.hasGrowingNames();
    Suggestion &S = Suggestions.emplace_back();
    S.Subject = Row.Template;
    S.Place = Known.Place;
    S.Saves = {Known.Saves.LeastNs, Known.Saves.LeastNs, Known.Saves.MostNs};
    S.Evidence.push_back({"steps inside one another, down to",
                          Row.Innermost,
                          {},
                          Row.Depth,
                          {}});
    S.Evidence.push_back(
        {"specializations in all recursions", {}, {}, Row.Total, {}});
    S.Evidence.push_back({"instantiations of it, without what they need",
                          {},
                          {},
                          Known.Steps,
                          Row.SelfNs});
    if (Row.isRepeated())
      S.Evidence.push_back({"recursions that are together quadratic in the "
                            "steps",
                            {},
                            {},
                            Row.Recursions,
                            {}});
    if (IsPack)
      S.Evidence.push_back({"bytes of the longest name, which grows with each "
                            "step",
                            {},
                            {},
                            Row.LongestBytes,
                            {}});
    if (Known.IsSystem) {
      S.Action = SystemAction;
    } else {
      S.Action = IsPack ? PackAction : NumberAction;
      S.Snippet = IsPack ? PackSnippet : NumberSnippet;
    }
    S.Basis = "all its instantiations, with what nothing else requests; "
              "nothing is subtracted for what replaces them";
    S.Doubts.push_back("The trace has no bodies: steps may differ in more than "
                       "a number or an element, such as one that stops early.");
    S.Doubts.push_back("A program that names one of the steps still needs it.");
  }
  return Suggestions;
}
